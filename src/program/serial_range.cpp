#include "program/serial_range.hpp"

#include "graph/sibling_outputs.hpp"
#include "program/linearise.hpp"

namespace tutti::ir {
namespace {

RecordedStatement statement(Statement::Kind kind, int slot, const NodeRef& node = {}) {
  RecordedStatement result;
  result.kind = kind;
  result.place = slot;
  result.node = node;
  return result;
}

// A program that combines the elements of a range in order in a loop. Alternatively it combines the
// elements of each group in an inner loop, and the groups' results in the outer one.
class RangeFold {
 public:
  RangeFold(const Operator& combine, const Components& components, const Location& where)
      : combine_(combine), components_(components), where_(where) {}

  // Returns a function of two numbers: the first index, and the one after the last.
  Function function(bool in_groups) {
    const NodeRef begin = make_parameter(ElementType::i32, 0, where_),
                  end = make_parameter(ElementType::i32, 0, where_);
    recording_.inputs = {begin.get(), end.get()};
    const Slots totals = new_totals();
    recording_.body = fold(begin, in_groups ? end_of_group(begin, end) : end, totals);
    if (in_groups) append(recording_.body, add_groups(begin, end, totals));
    return {{begin, end}, make_outputs(recording_, totals, where_)};
  }

 private:
  using Slots = std::vector<int>;

  int new_slot(ElementType type) {
    recording_.slots.push_back(type);
    return static_cast<int>(recording_.slots.size()) - 1;
  }
  Slots new_totals() {
    Slots result;
    for (const NodeRef& component : components_) result.push_back(new_slot(component->type));
    return result;
  }
  Components elements_at(const NodeRef& place) const {
    Components result;
    for (const NodeRef& component : components_) result.push_back(pick(component, place, where_));
    return result;
  }
  NodeRef end_of_group(const NodeRef& begin, const NodeRef& end) const {
    return apply(Op::min, apply(Op::add, begin, number(combine_.group, where_), where_), end,
                 where_);
  }

  // ---- statements

  static void append(RecordedBlock& block, const RecordedBlock& more) {
    block.insert(block.end(), more.begin(), more.end());
  }
  Components read(const Slots& slots, RecordedBlock& block) const {
    Components result;
    for (const int slot : slots) {
      result.push_back(make_parameter(recording_.slots[static_cast<size_t>(slot)], 0, where_));
      block.push_back(statement(StatementKind::read, slot, result.back()));
    }
    return result;
  }
  static void assign(const Slots& slots, const Components& values, RecordedBlock& block) {
    for (size_t c = 0; c < slots.size(); ++c)
      block.push_back(statement(StatementKind::assign, slots[c], values[c]));
  }
  void combine(const Slots& totals, const Components& more, RecordedBlock& block) const {
    const Components before = read(totals, block);
    assign(totals, inline_function(combine_.function, both(before, more), where_), block);
  }

  // Emits body(i, block) for i = from, from + step, ... below `to`.
  template <class Body>
  void loop(const NodeRef& from, const NodeRef& to, int64_t step, RecordedBlock& block, Body body) {
    const int counter = new_slot(ElementType::i32);
    block.push_back(statement(StatementKind::assign, counter, from));
    RecordedStatement loop = statement(StatementKind::loop, -1);
    loop.blocks.resize(2);
    const NodeRef i = read({counter}, loop.blocks[0])[0];
    RecordedStatement go_on = statement(StatementKind::branch, -1, apply(Op::less, i, to, where_));
    go_on.blocks.resize(2);
    go_on.blocks[1].push_back(statement(StatementKind::leave, -1));
    loop.blocks[0].push_back(go_on);
    body(i, loop.blocks[0]);
    const NodeRef before = read({counter}, loop.blocks[1])[0];
    assign({counter}, {apply(Op::add, before, number(step, where_), where_)}, loop.blocks[1]);
    block.push_back(std::move(loop));
  }

  RecordedBlock fold(const NodeRef& from, const NodeRef& to, const Slots& totals) {
    RecordedBlock block;
    assign(totals, elements_at(from), block);
    loop(apply(Op::add, from, number(1, where_), where_), to, 1, block,
         [&](const NodeRef& i, RecordedBlock& body) { combine(totals, elements_at(i), body); });
    return block;
  }

  // Combines all groups after the first.
  RecordedBlock add_groups(const NodeRef& begin, const NodeRef& end, const Slots& totals) {
    RecordedBlock block;
    const Slots of_group = new_totals();
    loop(apply(Op::add, begin, number(combine_.group, where_), where_), end, combine_.group, block,
         [&](const NodeRef& first, RecordedBlock& body) {
           append(body, fold(first, end_of_group(first, end), of_group));
           const Components total = read(of_group, body);
           combine(totals, total, body);
         });
    return block;
  }

  const Operator& combine_;
  const Components& components_;
  const Location& where_;
  Recording recording_;
};

}  // namespace

Components fold_ranges(const Operator& combine, const Components& components, const NodeRef& begins,
                       const NodeRef& ends, bool in_groups, const Location& where) {
  const NodeRef range[] = {begins, ends};
  Components results =
      inline_function(RangeFold(combine, components, where).function(in_groups), range, where);
  if (results.size() > 1) link_siblings(results);
  return results;
}

}  // namespace tutti::ir
