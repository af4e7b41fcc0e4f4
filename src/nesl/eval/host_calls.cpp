// Calls of functions on the host: how arguments get into frames. A tuple is passed as its
// components. A call that gives the result of its function takes over the frame.
#include "nesl/eval/host_blocks.hpp"

namespace tutti::nesl::host {

namespace {

void spread_to(const Value& value, Mono type, Value*& out) {
  if (type->kind != MonoType::Kind::pair) {
    *out++ = value;
    return;
  }
  spread_to(value.first(), type->a, out);
  spread_to(value.second(), type->b, out);
}

}  // namespace

// Captured values come first, then the components of the parameter.
class CallNode final : public Blockwise<CallNode> {
 public:
  CallNode(const CoreExpr& expr, Compiler& compiler)
      : expr_(expr),
        caller_(compiler.function()),
        leaves_the_program_(expr.function->is_library() && !caller_.is_library()) {
    const std::size_t last = expr.operands.size() - 1;
    for (std::size_t i = 0; i < last; ++i)
      arguments_.push_back({compiler.node(*expr.operands[i]), expr.operands[i]->type, false});
    captured_ = arguments_.size();
    add_components(*expr.operands[last], expr.function->parameter, compiler);
  }

  Value value(Frame& frame) const override {
    const Code& callee = code_of(*expr_.function);
    ValueStack::Frame slots(frame.stack, callee.slots);
    Value* captured = slots.slots();
    evaluate(frame, captured, captured + callee.parameter.first);
    note(frame.machine);
    return call(callee, slots, frame.machine);
  }
  const CallNode* as_call() const override { return this; }

  bool works_in_blocks(int calls) const override {
    if (calls == 0 || captured_ > 0) return false;
    for (const Argument& argument : arguments_)
      if (!(argument.content()->is_scalar()
                ? argument.node->works_in_blocks(calls)
                : argument.node->is_uniform() || argument.node->as_tuple()))
        return false;
    return code_of(*expr_.function).body->works_in_blocks(calls - 1);
  }
  template <class T>
  const T* in_block(Block& block, T* room) const {
    const Code& callee = code_of(*expr_.function);
    const ValueStack::Frame slots(block.frame.stack, callee.slots);
    Frame frame{slots.slots(), block.frame.machine, block.frame.stack};
    Block inner{frame, block.count, std::vector<const void*>(callee.slots), false};
    const Columns columns(arguments_.size());
    int slot = callee.parameter.first;
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      const Argument& argument = arguments_[i];
      if (argument.content()->is_scalar()) {
        inner.columns[slot++] = columns.compute(i, argument.content(), *argument.node, block);
      } else if (const Tuple* tuple = argument.node->as_tuple()) {
        for (int from = tuple->first; from < tuple->first + components_of(tuple->type); ++from) {
          inner.columns[slot] = block.columns[from];
          slots.slots()[slot++] = block.frame.slots[from];
        }
      } else {
        block.failed = block.failed || argument.node->varies(block);
        Value* out = slots.slots() + slot;
        spread_to(argument.node->value(block.frame), argument.type, out);
        slot = static_cast<int>(out - slots.slots());
      }
    }
    frame.machine.spend(callee.steps * static_cast<std::int64_t>(block.count) /
                        times_faster_in_blocks);
    const T* result = callee.body->block(inner, room);
    block.failed = block.failed || inner.failed;
    if (result != room) std::copy_n(result, block.count, room);
    return room;
  }

  // Replaces the frame, which `slots` holds, by that of the callee. Not inlined, so that a call
  // takes little of the stack.
  [[gnu::noinline]] const Code& replace(Frame& frame, ValueStack::Frame& slots) const {
    const Code& callee = code_of(*expr_.function);
    if (static_cast<std::size_t>(callee.slots) > slots.size()) {
      std::vector<Value> next(callee.slots);
      evaluate(frame, next.data(), next.data() + callee.parameter.first);
      slots.replace(std::move(next), callee.slots);
    } else {
      const ValueStack::Frame next(frame.stack, captured_ + callee.parameter.count);
      evaluate(frame, next.slots(), next.slots() + captured_);
      Value* to = slots.slots();
      for (std::size_t i = 0; i < slots.size(); ++i) to[i] = Value();
      std::move(next.slots(), next.slots() + captured_, to);
      std::move(next.slots() + captured_, next.slots() + next.size(), to + callee.parameter.first);
    }
    note(frame.machine);
    return callee;
  }

 private:
  struct Argument {
    NodeRef node;
    Mono type;
    bool is_tuple;  // it has several components
    Mono content() const { return mono::representation(type); }
  };
  // The parts of a pair are taken apart where it is written as one.
  void add_components(const CoreExpr& expr, Mono type, Compiler& compiler) {
    const bool is_pair = type->kind == MonoType::Kind::pair;
    if (!is_pair || expr.kind != CoreExpr::Kind::pair) {
      arguments_.push_back({compiler.node(expr), type, is_pair});
      return;
    }
    add_components(*expr.operands[0], type->a, compiler);
    add_components(*expr.operands[1], type->b, compiler);
  }
  void evaluate(Frame& frame, Value* captured, Value* components) const {
    for (std::size_t i = 0; i < captured_; ++i) captured[i] = arguments_[i].node->value(frame);
    for (std::size_t i = captured_; i < arguments_.size(); ++i) {
      const Argument& argument = arguments_[i];
      if (!argument.is_tuple) {
        *components++ = argument.node->value(frame);
      } else {
        spread(argument, frame, components);
      }
    }
  }
  [[gnu::noinline]] static void spread(const Argument& argument, Frame& frame, Value*& out) {
    const Operand tuple(*argument.node, frame);
    spread_to(*tuple, argument.type, out);
  }
  void note(Machine& machine) const {
    if (leaves_the_program_) machine.note_call(caller_, expr_);
  }

  const CoreExpr& expr_;
  const CoreFunction& caller_;
  std::vector<Argument> arguments_;
  std::size_t captured_ = 0;
  const bool leaves_the_program_;
};

namespace {

[[gnu::noinline]] Value observed(const Code& code, Frame& frame) {
  const ProfiledCall call(frame.machine.observer, code.function.name);
  return code.body->value(frame);
}

}  // namespace

// A call that gives the result of its function takes the place of it, so that loops, which are
// recursive functions, may be of any length.
Value call(const Code& code, ValueStack::Frame& slots, Machine& machine) {
  const Machine::Call depth(machine, code.function);
  for (const Code* at = &code;;) {
    machine.spend(at->steps);
    Frame frame{slots.slots(), machine, slots.stack()};
    if (machine.observer.is_on()) return observed(*at, frame);
    const Node& last = at->body->last(frame);
    const CallNode* next = last.as_call();
    if (!next) return last.value(frame);
    at = &next->replace(frame, slots);
  }
}

int components_of(Mono type) {
  return type->kind == MonoType::Kind::pair ? components_of(type->a) + components_of(type->b) : 1;
}

Value joined(Mono type, const Value*& components) {
  if (type->kind != MonoType::Kind::pair) return *components++;
  Value first = joined(type->a, components);
  return Value(std::move(first), joined(type->b, components));
}

// A form has no parameter.
Parameter::Parameter(const CoreFunction& function) : type(function.parameter) {
  if (!type) return;
  slot = first = function.parameter_slot;
  count = components_of(type);
  if (count > 1) first = function.slots;
}

void Code::put(int slot, const Value& value, Value* slots) const {
  const auto tuple = tuples.find(slot);
  if (tuple == tuples.end()) {
    slots[places[slot]] = value;
  } else {
    Value* out = slots + tuple->second.first;
    spread_to(value, tuple->second.type, out);
  }
}

Value Code::value(int slot, const Value* slots) const {
  const auto tuple = tuples.find(slot);
  if (tuple == tuples.end()) return slots[places[slot]];
  const Value* components = slots + tuple->second.first;
  return joined(tuple->second.type, components);
}

NodeRef function_call(const CoreExpr& expr, Compiler& compiler) {
  return std::make_unique<CallNode>(expr, compiler);
}

}  // namespace tutti::nesl::host
