// Cuts the inner axis where boundary rules begin or stop to matter. Inside a fast segment every
// rule is the identity up to a fixed shift, so that whole vectors are loaded; elsewhere each lane
// finds its own way.
#pragma once
#include "compiler/kernel/kernel.hpp"

namespace tutti::compiler {

// The rules along the inner axis: wraps have a shift for each segment, the others need none.
struct InnerRules {
  std::vector<int> wraps;    // IndexExprs
  std::vector<int> clamps;   // IndexExprs
  std::vector<int> insides;  // instructions
  bool any() const { return !wraps.empty() || !clamps.empty() || !insides.empty(); }
};
InnerRules inner_rules(const Kernel& kernel);

// A segment as the machine code reads it: begin, end, whether it is fast (0: no; 1: yes; 2: yes,
// and the next one is slow), then one shift a wrap. The first begins at 0, each where the one
// before it ends.
constexpr int segment_header = 3;
constexpr int64_t fast_before_slow = 2;
std::vector<int64_t> make_segments(const Kernel& kernel, const InnerRules& rules);

}  // namespace tutti::compiler
