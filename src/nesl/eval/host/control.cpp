// Nodes that say when others are evaluated: let, if, time, and what is evaluated once for all
// elements of an apply-to-each.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>

#include "nesl/eval/flat/calls.hpp"
#include "nesl/eval/host/loops.hpp"
#include "nesl/io/shared_program.hpp"
#include "nesl/library/primitive.hpp"

namespace tutti::nesl::host {
namespace {

// Nodes that hand their value on from another one, which `chosen` finds.
template <class Choice>
class Chosen : public Blockwise<Choice> {
 public:
  Value value(Frame& frame) const final { return chosen(frame).value(frame); }
  int integer(Frame& frame) const final { return chosen(frame).integer(frame); }
  double floating(Frame& frame) const final { return chosen(frame).floating(frame); }
  bool boolean(Frame& frame) const final { return chosen(frame).boolean(frame); }
  unsigned char character(Frame& frame) const final { return chosen(frame).character(frame); }
  const Node& last(Frame& frame) const final { return chosen(frame).last(frame); }

 private:
  const Node& chosen(Frame& frame) const { return static_cast<const Choice&>(*this).choose(frame); }
};

// Puts the value of a node into the slots of its components, without the pairs on the way.
void spread_node(const Node& node, Mono type, Frame& frame, Value*& out) {
  const PairNode* pair = type->kind == MonoType::Kind::pair ? node.as_pair() : nullptr;
  if (!pair) {
    const Operand value(node, frame);
    return spread(*value, type, out);
  }
  spread_node(pair->first(), type->a, frame, out);
  spread_node(pair->second(), type->b, frame, out);
}

// The components of a tuple have slots of their own.
class Let final : public Chosen<Let> {
 public:
  Let(const CoreExpr& expr, Compiler& compiler) {
    for (std::size_t i = 0; i < expr.slots.size(); ++i) {
      const int place = compiler.place_of(expr.slots[i], *expr.operands[i]);
      if (place < 0) continue;
      const Mono type = expr.operands[i]->type;
      NodeRef value = compiler.node(*expr.operands[i]);
      const Tuple* tuple = compiler.take_apart(expr.slots[i], type);
      bindings_.push_back({tuple ? tuple->first : place, tuple != nullptr, type, std::move(value),
                           compiler.done_after(*expr.operands[i])});
    }
    body_ = compiler.node(*expr.operands.back());
  }
  const Node& choose(Frame& frame) const {
    for (const Binding& binding : bindings_) {
      if (binding.is_tuple) {
        Value* out = frame.slots + binding.slot;
        spread_node(*binding.value, binding.type, frame, out);
      } else {
        frame.slots[binding.slot] = binding.value->value(frame);
      }
      for (int slot : binding.done) frame.slots[slot] = Value();
    }
    return *body_;
  }
  bool works_in_blocks(InBlocks how) const override {
    return binds(how) && body_->works_in_blocks(how);
  }
  bool rows_in_blocks(InBlocks how) const override {
    return binds(how) && body_->rows_in_blocks(how);
  }
  bool appends_in_blocks(Mono type, InBlocks how) const override {
    return binds(how) && body_->appends_in_blocks(type, how);
  }
  template <class T>
  const T* in_block(Block& block, T* room) const {
    BoundColumns columns;
    bind(columns, block);
    const T* result = body_->block(block, room);
    if (result != room) std::copy_n(result, block.count, room);
    return room;
  }
  void rows(Block& block, RowColumn& out) const override {
    BoundColumns columns;
    bind(columns, block);
    compute_rows(*body_, block, out);
  }
  void append_block(Block& block, Mono type, const bool* flags, Values& values) const override {
    BoundColumns columns;
    bind(columns, block);
    body_->append_block(block, type, flags, values);
  }
  bool loops_in_blocks(const Loop& loop, InBlocks how) const override {
    return binds(how) && body_->loops_in_blocks(loop, how);
  }
  void run_loop(Loop& loop, Block& block, const int* elements) const override {
    BoundColumns columns;
    bind(columns, block);
    body_->run_loop(loop, block, elements);
  }

 private:
  struct Binding {
    int slot;
    bool is_tuple;
    Mono type;
    NodeRef value;
    std::vector<int> done;  // slots that are not used after it
  };
  bool binds(InBlocks how) const {
    return std::all_of(bindings_.begin(), bindings_.end(), [&](const Binding& binding) {
      return BoundColumns::works(*binding.value, binding.type, how);
    });
  }
  void bind(BoundColumns& columns, Block& block) const {
    for (const Binding& binding : bindings_)
      columns.bind(*binding.value, binding.type, block, block, binding.slot);
  }

  std::vector<Binding> bindings_;
  NodeRef body_;
};

class Condition final : public Chosen<Condition> {
 public:
  Condition(const CoreExpr& expr, Compiler& compiler)
      : expr_(expr),
        test_(compiler.node(*expr.operands[0])),
        yes_(compiler.node(*expr.operands[1])),
        no_(compiler.node(*expr.operands[2])),
        yes_slots_(used_slots(*expr.operands[1], compiler.code())),
        no_slots_(used_slots(*expr.operands[2], compiler.code())) {}
  const Node& choose(Frame& frame) const { return test_->boolean(frame) ? *yes_ : *no_; }
  bool works_in_blocks(InBlocks how) const override {
    return test_->works_in_blocks(how) && yes_->works_in_blocks(inside(how)) &&
           no_->works_in_blocks(inside(how));
  }
  bool rows_in_blocks(InBlocks how) const override {
    return test_->works_in_blocks(how) && yes_->rows_in_blocks(inside(how)) &&
           no_->rows_in_blocks(inside(how));
  }
  bool appends_in_blocks(Mono type, InBlocks how) const override {
    return test_->works_in_blocks(how) && yes_->appends_in_blocks(type, inside(how)) &&
           no_->appends_in_blocks(type, inside(how));
  }
  template <class T>
  const T* in_block(Block& block, T* room) const {
    bool flags_room[block_length];
    const bool* flags = test_->block(block, flags_room);
    if (const Node* only = only_side(block, flags)) return only->block(block, room);
    if (block.failed) throw BlockFailed();
    if (may_recur()) return apart(block, flags, room);
    T yes_room[block_length], no_room[block_length];
    const T* yes = yes_->block(block, yes_room);
    const T* no = no_->block(block, no_room);
    if (block.failed) return apart(block, flags, room);
    for (std::size_t k = 0; k < block.count; ++k) room[k] = flags[k] ? yes[k] : no[k];
    return room;
  }
  bool loops_in_blocks(const Loop& loop, InBlocks how) const override {
    return test_->works_in_blocks(how) && yes_->loops_in_blocks(loop, inside(how)) &&
           no_->loops_in_blocks(loop, inside(how));
  }
  void run_loop(Loop& loop, Block& block, const int* elements) const override {
    bool flags_room[block_length];
    const bool* flags = test_->block(block, flags_room);
    if (block.failed) throw BlockFailed();
    if (const Node* only = only_side(block, flags)) return only->run_loop(loop, block, elements);
    for (const bool side : {true, false})
      on_side(block, flags, side, [&](Block& inner, const int* indices) {
        int its[block_length];
        for (std::size_t k = 0; k < inner.count; ++k) its[k] = elements[indices[k]];
        side_of(side).run_loop(loop, inner, its);
      });
  }
  void rows(Block& block, RowColumn& out) const override {
    bool flags_room[block_length];
    const bool* flags = test_->block(block, flags_room);
    if (const Node* only = only_side(block, flags)) return compute_rows(*only, block, out);
    if (block.failed) throw BlockFailed();
    Values both;
    for (const bool side : {true, false})
      on_side(block, flags, side, [&](Block& inner, const int* indices) {
        const auto its = std::make_unique_for_overwrite<RowColumn>();
        compute_rows(side_of(side), inner, *its);
        int at = static_cast<int>(both.size());
        both.append(its->contents.elements().gathered_ranges({its->begins, inner.count},
                                                             {its->ends, inner.count}));
        for (std::size_t k = 0; k < inner.count; ++k) {
          out.begins[indices[k]] = at;
          out.ends[indices[k]] = at += its->length(k);
        }
      });
    out.objects = nullptr;
    out.contents = std::move(both);
  }
  void append_block(Block& block, Mono type, const bool* flags, Values& values) const override {
    bool tests_room[block_length];
    const bool* tests = test_->block(block, tests_room);
    if (const Node* only = only_side(block, tests))
      return only->append_block(block, type, flags, values);
    if (block.failed) throw BlockFailed();
    Values both;
    int order[block_length];
    int at = 0;
    for (const bool side : {true, false})
      on_side(block, tests, side, [&](Block& inner, const int* indices) {
        side_of(side).append_block(inner, type, nullptr, both);
        if (inner.failed) throw BlockFailed();
        for (std::size_t k = 0; k < inner.count; ++k) order[indices[k]] = at++;
      });
    std::vector<int> chosen = chosen_elements(block, flags);
    for (int& k : chosen) k = order[k];
    values.append(both.gathered(chosen));
  }

 private:
  // The elements for which the other side is meant would draw as well.
  static InBlocks inside(InBlocks how) { return how.without_draws(); }
  const Node& side_of(bool flag) const { return flag ? *yes_ : *no_; }
  // Whether a side calls a recursive function: it may not end for elements of the other side.
  bool may_recur() const {
    if (recursion_ == Recursion::unknown)
      recursion_ =
          flat::calls_recursion(*expr_.operands[1]) || flat::calls_recursion(*expr_.operands[2])
              ? Recursion::possible
              : Recursion::none;
    return recursion_ == Recursion::possible;
  }
  // Calls `work` with a block of the elements that take a side, and their indices.
  template <class Work>
  void on_side(Block& block, const bool* flags, bool side, const Work& work) const {
    int indices[block_length];
    Block inner{block.frame, 0, std::vector<const void*>(block.columns.size()), false};
    for (std::size_t k = 0; k < block.count; ++k)
      if (flags[k] == side) indices[inner.count++] = static_cast<int>(k);
    ChosenColumns columns(side ? yes_slots_ : no_slots_, block);
    columns.choose(indices, inner);
    work(inner, indices);
  }
  // Each side for its own elements: another one may have failed.
  template <class T>
  const T* apart(Block& block, const bool* flags, T* room) const {
    block.failed = false;
    for (const bool side : {true, false})
      on_side(block, flags, side, [&](Block& inner, const int* indices) {
        T its_room[block_length];
        const T* its = side_of(side).block(inner, its_room);
        for (std::size_t k = 0; k < inner.count; ++k) room[indices[k]] = its[k];
        block.failed = block.failed || inner.failed;
      });
    return room;
  }
  // The side that all elements take; null if they take both.
  const Node* only_side(const Block& block, const bool* flags) const {
    const auto count = static_cast<std::ptrdiff_t>(block.count);
    const std::ptrdiff_t set = std::count(flags, flags + count, true);
    return set == count ? yes_.get() : set == 0 ? no_.get() : nullptr;
  }

  const CoreExpr& expr_;
  const NodeRef test_, yes_, no_;
  enum class Recursion : signed char { unknown, possible, none };
  mutable std::atomic<Recursion> recursion_{Recursion::unknown};
  const std::vector<UsedSlot> yes_slots_, no_slots_;
};

bool draws(const CoreExpr& expr) {
  if (expr.kind == CoreExpr::Kind::call && expr.function->draws > 0) return true;
  if (expr.kind == CoreExpr::Kind::primitive && std::strcmp(expr.primitive->name, "rand") == 0)
    return true;
  return std::any_of(expr.operands.begin(), expr.operands.end(),
                     [](const CoreRef& operand) { return draws(*operand); });
}

// In blocks it is evaluated where an element needs it. An error makes the block fail.
class Once final : public Blockwise<Once> {
 public:
  Once(const CoreExpr& expr, Compiler& compiler)
      : slot_(expr.slots[0]),
        flag_(compiler.flag_of(slot_)),
        draws_(draws(*expr.operands[0])),
        operand_(compiler.node(*expr.operands[0])) {}
  bool is_uniform() const override { return operand_->is_uniform(); }
  Value value(Frame& frame) const override {
    if (!frame.slots[flag_].boolean()) {
      frame.slots[slot_] = operand_->value(frame);
      frame.slots[flag_] = !frame.machine.has_failed();  // elements of a block are tried again
    }
    return frame.slots[slot_];
  }
  // Numbers that a failed block has drawn could not be drawn again.
  bool works_in_blocks(InBlocks) const override { return !draws_; }
  bool rows_in_blocks(InBlocks) const override { return !draws_; }
  bool appends_in_blocks(Mono, InBlocks) const override { return !draws_; }
  template <class T>
  const T* in_block(Block& block, T* room) const {
    return filled(block, room, scalar<T>(computed(block)));
  }
  void rows(Block& block, RowColumn& out) const override { fill_rows(block, computed(block), out); }
  void append_block(Block& block, Mono, const bool* flags, Values& values) const override {
    values.append(Values(chosen_elements(block, flags).size(), computed(block)));
  }

 private:
  Value computed(Block& block) const {
    if (block.failed) throw BlockFailed();  // perhaps no element needs it
    Value result = value(block.frame);
    block.frame.machine.throw_failure();  // before it becomes a part of results
    return result;
  }
  const int slot_, flag_;
  const bool draws_;
  const NodeRef operand_;
};

class Time final : public Node {
 public:
  Time(const CoreExpr& expr, Compiler& compiler)
      : seconds_(expr.type->b), operand_(compiler.node(*expr.operands[0])) {}
  Value value(Frame& frame) const override {
    const auto begin = std::chrono::steady_clock::now();
    Value value = operand_->value(frame);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    return Value(std::move(value), rounded(from_first("take the time", seconds.count()), seconds_));
  }

 private:
  const Mono seconds_;
  const NodeRef operand_;
};

}  // namespace

NodeRef let_node(const CoreExpr& expr, Compiler& compiler) {
  return std::make_unique<Let>(expr, compiler);
}
NodeRef condition_node(const CoreExpr& expr, Compiler& compiler) {
  return std::make_unique<Condition>(expr, compiler);
}
NodeRef once_node(const CoreExpr& expr, Compiler& compiler) {
  return std::make_unique<Once>(expr, compiler);
}
NodeRef time_node(const CoreExpr& expr, Compiler& compiler) {
  return std::make_unique<Time>(expr, compiler);
}

}  // namespace tutti::nesl::host
