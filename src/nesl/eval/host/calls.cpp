// Calls of functions on the host: how arguments get into frames. A tuple is passed as its
// components. A call that gives the result of its function takes over the frame.
#include <atomic>
#include <optional>

#include "nesl/eval/flat/calls.hpp"
#include "nesl/eval/host/loops.hpp"

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
    for (std::size_t i = 0; i < last; ++i) add_captured(*expr.operands[i], compiler);
    captured_ = arguments_.size();
    add_components(*expr.operands[last], expr.function->parameter, compiler);
  }

  Value value(Frame& frame) const override;
  const CallNode* as_call() const override { return this; }

  bool works_in_blocks(InBlocks how) const override {
    return in_blocks(how, Manner::scalar, [](const Node& body, InBlocks inside) {
      return body.works_in_blocks(inside);
    });
  }
  bool rows_in_blocks(InBlocks how) const override {
    return in_blocks(how, Manner::rows,
                     [](const Node& body, InBlocks inside) { return body.rows_in_blocks(inside); });
  }
  bool appends_in_blocks(Mono type, InBlocks how) const override {
    return in_blocks(how, Manner::append, [&](const Node& body, InBlocks inside) {
      return body.appends_in_blocks(type, inside);
    });
  }
  template <class T>
  const T* in_block(Block& block, T* room) const {
    in_callee(block, [&](const Node& body, Block& inner) {
      if (const std::optional<Values> results = special_results(inner)) {
        using Held = std::conditional_t<std::is_same_v<T, bool>, Values::Flag, T>;
        const std::span<const Held> numbers = results->numbers<Held>();
        for (std::size_t k = 0; k < numbers.size(); ++k) room[k] = static_cast<T>(numbers[k]);
        return;
      }
      const T* result = body.block(inner, room);
      if (result != room) std::copy_n(result, block.count, room);
    });
    return room;
  }
  void rows(Block& block, RowColumn& out) const override {
    in_callee(block, [&](const Node& body, Block& inner) {
      const std::optional<Values> results = special_results(inner);
      if (!results) return compute_rows(body, inner, out);
      load_rows(*results, 0, block.count, out);
      if (out.objects) throw BlockFailed();
    });
  }
  void append_block(Block& block, Mono type, const bool* flags, Values& values) const override {
    in_callee(block, [&](const Node& body, Block& inner) {
      const std::optional<Values> results = special_results(inner);
      if (!results) return body.append_block(inner, type, flags, values);
      values.append(results->gathered(chosen_elements(block, flags)));
    });
  }
  // A call of the loop itself, whose arguments are scalars or stay as they are.
  bool loops_in_blocks(const Loop& loop, InBlocks how) const override {
    if (expr_.function != &loop.function) return Node::loops_in_blocks(loop, how);
    int slot = captured_ > 0 ? 0 : loop.code.parameter.first;
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      if (i == captured_) slot = loop.code.parameter.first;
      const Argument& argument = arguments_[i];
      const bool may_change = i >= captured_ && argument.content()->is_scalar();
      if (!stays(argument, slot) && !(may_change && argument.node->works_in_blocks(how)))
        return false;
      slot += i < captured_ ? 1 : components_of(argument.type);
    }
    return true;
  }
  void run_loop(Loop& loop, Block& block, const int* elements) const override {
    if (expr_.function != &loop.function) return Node::run_loop(loop, block, elements);
    int slot = loop.code.parameter.first;
    for (std::size_t i = captured_; i < arguments_.size(); ++i) {
      const Argument& argument = arguments_[i];
      const int end = slot + components_of(argument.type);
      for (std::size_t at = 0; at < loop.scalars.size(); ++at) {
        const UsedSlot& scalar = loop.scalars[at];
        if (scalar.slot < slot || scalar.slot >= end) continue;
        if (argument.content()->is_scalar())
          argument.node->append_block(block, scalar.content, nullptr, loop.arguments[at]);
        else  // a tuple that stays
          append_slot(block, scalar.slot, scalar.content, nullptr, loop.arguments[at]);
      }
      slot = end;
    }
    if (block.failed) throw BlockFailed();
    loop.staying.insert(loop.staying.end(), elements, elements + block.count);
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
  Mono result() const { return mono::representation(expr_.type); }
  // Whether an argument is the one that the function has got in this slot.
  static bool stays(const Argument& argument, int slot) {
    if (const Tuple* tuple = argument.node->as_tuple()) return tuple->first == slot;
    return argument.node->variable() == slot;
  }
  // How the function that is called calls itself. At its end: blocks of its calls run as a loop.
  // Elsewhere: each call within has a separate block. Or not at all.
  enum class Itself : signed char { unknown, not_called, at_end, inside };
  Itself itself() const {
    if (itself_ == Itself::unknown) {
      const CoreFunction& function = *expr_.function;
      itself_ = !flat::reaches(function, function) ? Itself::not_called
                : flat::is_loop(function)          ? Itself::at_end
                                                   : Itself::inside;
    }
    return itself_;
  }
  // `ask` asks the body. A recursive function works if it does where its own calls do. Neither it
  // nor a loop may draw: elements go through it in another order than one by one.
  template <class Ask>
  bool in_blocks(InBlocks how, Manner manner, const Ask& ask) const {
    if (!binds(how)) return false;
    const InBlocks inside = how.in_call();
    if (itself() == Itself::not_called) return ask(*code_of(*expr_.function).body, inside);
    if (itself() == Itself::at_end) {
      const Loop loop(*expr_.function, result());
      return loop.code.body->loops_in_blocks(loop, inside.without_draws());
    }
    if (how.recursion) *how.recursion = true;
    bool is_being_asked = false;  // in another manner, so its body is no deeper
    for (const AskedFunction* at = how.asked; at; at = at->outer) {
      if (at->function != expr_.function) continue;
      if (at->manner == manner) return true;
      is_being_asked = true;
    }
    const AskedFunction asked{expr_.function, manner, how.asked};
    InBlocks within = (is_being_asked ? how : inside).without_draws();
    within.asked = &asked;
    return ask(*code_of(*expr_.function).body, within);
  }
  // The results of a loop, or of a recursion that goes on one by one; none where the body gives
  // them.
  std::optional<Values> special_results(Block& inner) const {
    switch (itself()) {
      case Itself::at_end: {
        Loop loop(*expr_.function, result());
        return run(loop, inner);
      }
      case Itself::inside:
        if (!is_worth_a_block(inner)) return one_by_one(inner);
        break;
      default:
        break;
    }
    return {};
  }
  // Few calls with little data are faster one by one; and so deep a recursion has few calls.
  bool is_worth_a_block(const Block& inner) const {
    if (inner.frame.machine.recursions_in_blocks > deepest_recursion_in_blocks || stack_is_low())
      return false;
    std::int64_t total = 0;
    for (const UsedSlot& used : parameters()) {
      const void* column = inner.columns[static_cast<std::size_t>(used.slot)];
      if (!column || used.content->is_scalar()) continue;
      const auto& rows = *static_cast<const RowColumn*>(column);
      if (rows.objects) return false;
      for (std::size_t k = 0; k < inner.count; ++k) total += rows.length(k);
    }
    if (total > most_inner_elements) return false;
    return inner.count >= fewest_for_recursion || total >= least_data_for_recursion;
  }
  // Where the callee has its arguments.
  std::vector<UsedSlot> parameters() const {
    std::vector<UsedSlot> slots;
    int slot = 0;
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      if (i == captured_) slot = code_of(*expr_.function).parameter.first;
      host::add_components(arguments_[i].type, slot, slots);
    }
    return slots;
  }
  Values one_by_one(const Block& inner) const {
    const Code& callee = code_of(*expr_.function);
    const std::vector<UsedSlot> slots = parameters();
    Values results;
    results.reserve(inner.count);
    for (std::size_t k = 0; k < inner.count; ++k) {
      ValueStack::Frame frame(inner.frame.stack, callee.slots);
      for (const UsedSlot& used : slots) frame.slots()[used.slot] = value_of(inner, used, k);
      results.push_back(call(callee, frame, inner.frame.machine));
      inner.frame.machine.throw_failure();
    }
    return results;
  }
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
    BoundColumns columns;
    int slot = 0;
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      if (i == captured_) slot = callee.parameter.first;
      slot = columns.bind(*arguments_[i].node, arguments_[i].type, block, inner, slot);
    }
    frame.machine.spend(callee.steps * static_cast<std::int64_t>(block.count) /
                        times_faster_in_blocks);
    inner.failed = block.failed;
    const Recursion depth(frame.machine, itself() == Itself::inside);
    work(*callee.body, inner);
    block.failed = inner.failed;
  }
  // Counts the calls of recursive functions while they last.
  class Recursion {
   public:
    Recursion(Machine& machine, bool counts)
        : depth_(machine.recursions_in_blocks), added_(counts ? 1 : 0) {
      depth_ += added_;
    }
    ~Recursion() { depth_ -= added_; }
    Recursion(const Recursion&) = delete;

   private:
    int& depth_;
    const int added_;
  };
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
  mutable std::atomic<Itself> itself_{Itself::unknown};
};

namespace {

[[gnu::noinline]] Value observed(const Code& code, Frame& frame) {
  const ProfiledCall call(frame.machine.observer, code.function.name);
  return code.body->value(frame);
}

// What a call returns when it has failed: a value of the type that is expected.
[[gnu::noinline]] Value failed(const Code& code) { return identity_of(code.function.result); }

// A call that gives the result of its function takes the place of it, so that loops, which are
// recursive functions, may be of any length. An exception ends here, where the call is
// (Machine::note_failure). Inlined, so that a call takes little of the stack.
[[gnu::always_inline]] inline Value call_here(const Code& code, ValueStack::Frame& slots,
                                              Machine& machine) {
  try {
    const Machine::Call depth(machine, code.function);
    for (const Code* at = &code; !machine.has_failed();) {
      machine.spend(at->steps);
      Frame frame{slots.slots(), machine, slots.stack()};
      if (machine.observer.is_on()) return observed(*at, frame);
      const Node& last = at->body->last(frame);
      const CallNode* next = last.as_call();
      if (!next) return last.value(frame);
      at = &next->replace(frame, slots);
    }
  } catch (...) {
    machine.note_failure(std::current_exception());
  }
  return failed(code);
}

}  // namespace

Value call(const Code& code, ValueStack::Frame& slots, Machine& machine) {
  return call_here(code, slots, machine);
}

Value CallNode::value(Frame& frame) const {
  const Code& callee = code_of(*expr_.function);
  ValueStack::Frame slots(frame.stack, callee.slots);
  Value* captured = slots.slots();
  evaluate(frame, captured, captured + callee.parameter.first);
  note(frame.machine);
  return call_here(callee, slots, frame.machine);
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
