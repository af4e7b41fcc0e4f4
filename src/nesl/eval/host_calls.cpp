// Calls of functions on the host: how arguments get into frames. A tuple is passed as its
// components. A call that gives the result of its function takes over the frame.
#include "nesl/eval/host_blocks.hpp"

namespace tutti::nesl::host {

void spread(const Value& value, Mono type, Value*& out) {
  if (type->kind != MonoType::Kind::pair) {
    *out++ = value;
    return;
  }
  spread(value.first(), type->a, out);
  spread(value.second(), type->b, out);
}

// Captured values come first, then the components of the parameter.
class CallNode final : public Blockwise<CallNode> {
 public:
  CallNode(const CoreExpr& expr, Compiler& compiler)
      : expr_(expr),
        caller_(compiler.function()),
        leaves_the_program_(expr.function->is_library() && !caller_.is_library()) {
    const std::size_t last = expr.operands.size() - 1;
    for (std::size_t i = 0; i < last; ++i)
      add_captured(*expr.operands[i], compiler);
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

  bool works_in_blocks(InBlocks how) const override {
    return binds(how) && code_of(*expr_.function).body->works_in_blocks(inside(how));
  }
  bool rows_in_blocks(InBlocks how) const override {
    return binds(how) && code_of(*expr_.function).body->rows_in_blocks(inside(how));
  }
  bool appends_in_blocks(Mono type, InBlocks how) const override {
    return binds(how) && code_of(*expr_.function).body->appends_in_blocks(type, inside(how));
  }
  template <class T>
  const T* in_block(Block& block, T* room) const {
    in_callee(block, [&](const Node& body, Block& inner) {
      const T* result = body.block(inner, room);
      if (result != room) std::copy_n(result, block.count, room);
    });
    return room;
  }
  void rows(Block& block, RowColumn& out) const override {
    in_callee(block, [&](const Node& body, Block& inner) { compute_rows(body, inner, out); });
  }
  void append_block(Block& block, Mono type, const bool* flags, Values& values) const override {
    in_callee(block, [&](const Node& body, Block& inner) {
      body.append_block(inner, type, flags, values);
    });
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
  static InBlocks inside(InBlocks how) { return {how.calls - 1, how.draws}; }
  bool binds(InBlocks how) const {
    if (how.calls == 0) return false;
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      const Argument& argument = arguments_[i];
      if (i < captured_ && argument.is_tuple) return false;  // it is in one slot
      if (!BoundColumns::works(*argument.node, argument.type, how)) return false;
    }
    return true;
  }
  // Calls `work` with the body of the callee and a block of its frames.
  template <class Work>
  void in_callee(Block& block, const Work& work) const {
    const Code& callee = code_of(*expr_.function);
    const ValueStack::Frame slots(block.frame.stack, callee.slots);
    Frame frame{slots.slots(), block.frame.machine, block.frame.stack};
    Block inner{frame, block.count, std::vector<const void*>(callee.slots), false};
    BoundColumns columns(arguments_.size());
    int slot = 0;
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      if (i == captured_) slot = callee.parameter.first;
      slot = columns.bind(*arguments_[i].node, arguments_[i].type, block, inner, slot);
    }
    frame.machine.spend(callee.steps * static_cast<std::int64_t>(block.count) /
                        times_faster_in_blocks);
    inner.failed = block.failed;
    work(*callee.body, inner);
    block.failed = inner.failed;
  }
  void add_captured(const CoreExpr& expr, Compiler& compiler) {
    arguments_.push_back({compiler.node(expr), expr.type, expr.type->kind == MonoType::Kind::pair});
  }
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
    nesl::host::spread(*tuple, argument.type, out);
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
    spread(value, tuple->second.type, out);
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
