// Loops of many elements at once: a function that calls itself at its end, with scalars that it
// computes and other arguments as they were. All elements go through the function together. Those
// that call it again stay, the others leave with their results. What is left of very few elements
// is finished one by one.
#pragma once
#include "nesl/eval/host/blocks.hpp"

namespace tutti::nesl::host {

struct Loop {
  const CoreFunction& function;
  const Code& code;
  Mono type;  // of the results, a representation
  // The results in the order in which elements leave, and which elements they are.
  Values results{};
  std::vector<int> left{};
  // By slot: the arguments of the elements that stay, where they are scalars; and which stay.
  std::vector<Values> arguments{};
  std::vector<int> staying{};

  // The slots of its arguments: those that hold scalars, and others.
  std::vector<UsedSlot> scalars{}, others{};
  Loop(const CoreFunction& its_function, Mono its_type);
};

// Runs it from a block of its first calls. The results are in the order of the elements.
Values run(Loop& loop, Block& first);

}  // namespace tutti::nesl::host
