#include "nesl/eval/host/loops.hpp"

#include <numeric>

namespace tutti::nesl::host {
namespace {

// From this many elements on, columns pay off.
constexpr std::size_t few_elements = 6;

// The block of the elements that stay. `arguments` holds its scalars as long as it is used.
struct Round {
  Round(const Loop& loop, const Block& first, const std::vector<Values>& arguments,
        const std::vector<int>& elements)
      : block{first.frame, elements.size(), std::vector<const void*>(first.columns.size()), false},
        others(loop.others, first) {
    std::unique_ptr<RowColumn> none;
    for (std::size_t i = 0; i < loop.scalars.size(); ++i)
      set_column(block, loop.scalars[i].slot, arguments[i], 0, none);
    others.choose(elements.data(), block);
  }
  Block block;
  ChosenColumns others;
};

// One by one, as calls.
void finish(Loop& loop, const Block& first, const std::vector<Values>& arguments,
            const std::vector<int>& elements) {
  for (std::size_t k = 0; k < elements.size(); ++k) {
    ValueStack::Frame slots(first.frame.stack, loop.code.slots);
    const int end = loop.code.parameter.first + loop.code.parameter.count;
    for (int slot = 0; slot < end; ++slot) slots.slots()[slot] = first.frame.slots[slot];
    for (std::size_t i = 0; i < loop.scalars.size(); ++i)
      slots.slots()[loop.scalars[i].slot] = arguments[i][k];
    for (const UsedSlot& other : loop.others)
      slots.slots()[other.slot] = value_of(first, other, static_cast<std::size_t>(elements[k]));
    loop.results.push_back(call(loop.code, slots, first.frame.machine));
    first.frame.machine.throw_failure();
    loop.left.push_back(elements[k]);
  }
}

}  // namespace

Loop::Loop(const CoreFunction& its_function, Mono its_type)
    : function(its_function), code(code_of(its_function)), type(its_type) {
  int slot = code.parameter.first;
  std::vector<UsedSlot> all;
  if (code.parameter.type) add_components(code.parameter.type, slot, all);
  for (const UsedSlot& used : all) (used.content->is_scalar() ? scalars : others).push_back(used);
}

bool Node::loops_in_blocks(const Loop& loop, InBlocks how) const {
  return appends_in_blocks(loop.type, how);
}

void Node::run_loop(Loop& loop, Block& block, const int* elements) const {
  append_block(block, loop.type, nullptr, loop.results);
  if (block.failed) throw BlockFailed();
  loop.left.insert(loop.left.end(), elements, elements + block.count);
}

Values run(Loop& loop, Block& first) {
  for (const UsedSlot& other : loop.others) {
    const auto* rows = static_cast<const RowColumn*>(first.columns[other.slot]);
    if (rows && rows->objects) throw BlockFailed();
  }
  std::vector<int> elements(first.count);
  std::iota(elements.begin(), elements.end(), 0);
  loop.arguments.resize(loop.scalars.size());
  loop.code.body->run_loop(loop, first, elements.data());
  while (!loop.staying.empty()) {
    const std::vector<Values> arguments =
        std::exchange(loop.arguments, std::vector<Values>(loop.scalars.size()));
    elements = std::exchange(loop.staying, {});
    if (elements.size() < few_elements) {
      finish(loop, first, arguments, elements);
      break;
    }
    Round round(loop, first, arguments, elements);
    first.frame.machine.spend(loop.code.steps * static_cast<std::int64_t>(elements.size()) /
                              times_faster_in_blocks);
    loop.code.body->run_loop(loop, round.block, elements.data());
  }
  std::vector<int> order(first.count);
  for (std::size_t i = 0; i < loop.left.size(); ++i) order[loop.left[i]] = static_cast<int>(i);
  return loop.results.gathered(order);
}

}  // namespace tutti::nesl::host
