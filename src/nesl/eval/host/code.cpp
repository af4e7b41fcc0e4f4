#include "nesl/eval/host/code.hpp"

#include <algorithm>
#include <numeric>

#include "nesl/core/free_variables.hpp"
#include "nesl/core/last_uses.hpp"
#include "nesl/eval/host/blocks.hpp"
#include "nesl/values/stored_value.hpp"

namespace tutti::nesl::host {

namespace {

class Constant final : public Blockwise<Constant> {
 public:
  explicit Constant(Value value) : value_(std::move(value)) {}
  Value value(Frame&) const override { return value_; }
  int integer(Frame&) const override { return value_.integer(); }
  double floating(Frame&) const override { return value_.floating(); }
  bool boolean(Frame&) const override { return value_.boolean(); }
  unsigned char character(Frame&) const override { return value_.character(); }
  const Value* known(Frame&) const override { return &value_; }
  bool is_uniform() const override { return true; }
  bool works_in_blocks(InBlocks) const override { return true; }
  bool rows_in_blocks(InBlocks) const override { return true; }
  void rows(Block& block, RowColumn& out) const override { fill_rows(block, value_, out); }
  template <class T>
  const T* in_block(Block& block, T* room) const {
    return filled(block, room, scalar<T>(value_));
  }

 private:
  const Value value_;
};

class Global final : public Blockwise<Global> {
 public:
  explicit Global(const StoredValue& value) : value_(value) {}
  bool is_uniform() const override { return true; }
  bool works_in_blocks(InBlocks) const override { return true; }
  bool rows_in_blocks(InBlocks) const override { return true; }
  void rows(Block& block, RowColumn& out) const override {
    fill_rows(block, value(block.frame), out);
  }
  template <class T>
  const T* in_block(Block& block, T* room) const {
    return filled(block, room, scalar<T>(value(block.frame)));
  }
  Value value(Frame& frame) const override {
    // A value that was too large for the host makes the whole program large.
    if (!value_.is_plain()) frame.machine.end_of_trial();
    return value_.plain();
  }

 private:
  const StoredValue& value_;
};

class Variable final : public Blockwise<Variable> {
 public:
  // With `is_last`, its value leaves the slot with the one who asks for it. Who looks at it where
  // it is leaves it there.
  explicit Variable(int slot, bool is_last = false) : slot_(slot), is_last_(is_last) {}
  Value value(Frame& frame) const override {
    return is_last_ ? std::move(frame.slots[slot_]) : frame.slots[slot_];
  }
  int integer(Frame& frame) const override { return frame.slots[slot_].integer(); }
  double floating(Frame& frame) const override { return frame.slots[slot_].floating(); }
  bool boolean(Frame& frame) const override { return frame.slots[slot_].boolean(); }
  unsigned char character(Frame& frame) const override { return frame.slots[slot_].character(); }
  const Value* known(Frame& frame) const override { return &frame.slots[slot_]; }
  bool is_uniform() const override { return true; }
  int variable() const override { return slot_; }
  bool varies(const Block& block) const override { return block.columns[slot_] != nullptr; }
  bool works_in_blocks(InBlocks) const override { return true; }
  bool rows_in_blocks(InBlocks) const override { return true; }
  void rows(Block& block, RowColumn& out) const override {
    if (const void* column = block.columns[slot_])
      out.assign(*static_cast<const RowColumn*>(column), block.count);
    else
      fill_rows(block, block.frame.slots[slot_], out);
  }
  bool appends_in_blocks(Mono, InBlocks) const override { return true; }
  void append_block(Block& block, Mono type, const bool* flags, Values& values) const override {
    append_slot(block, slot_, type, flags, values);
  }
  template <class T>
  const T* in_block(Block& block, T* room) const {
    if (const void* column = block.columns[slot_]) return static_cast<const T*>(column);
    return filled(block, room, scalar<T>(block.frame.slots[slot_]));
  }

 private:
  const int slot_;
  const bool is_last_;
};

// A tuple whose components are in slots.
class Joined final : public Node {
 public:
  explicit Joined(const Tuple& tuple) : tuple_(tuple) {}
  const Tuple* as_tuple() const override { return &tuple_; }
  bool appends_in_blocks(Mono, InBlocks) const override { return true; }
  void append_block(Block& block, Mono, const bool* flags, Values& values) const override {
    int slot = tuple_.first;
    append(block, tuple_.type, slot, flags, values);
  }
  Value value(Frame& frame) const override {
    const Value* components = frame.slots + tuple_.first;
    return joined(tuple_.type, components);
  }

 private:
  static void append(Block& block, Mono type, int& slot, const bool* flags, Values& values) {
    if (type->kind != MonoType::Kind::pair) {
      append_slot(block, slot++, mono::representation(type), flags, values);
      return;
    }
    append(block, type->a, slot, flags, values.begin_column(0));
    append(block, type->b, slot, flags, values.begin_column(1));
  }

  const Tuple tuple_;
};

// The part of a variable is read without a copy of the pairs on the way.
template <bool is_first>
class Part final : public Blockwise<Part<is_first>> {
 public:
  explicit Part(NodeRef pair) : pair_(std::move(pair)) {}
  bool is_uniform() const override { return pair_->is_uniform(); }
  bool varies(const Block& block) const override { return pair_->varies(block); }
  bool works_in_blocks(InBlocks) const override { return is_uniform(); }
  template <class T>
  const T* in_block(Block& block, T* room) const {
    if (varies(block)) {
      block.failed = true;
      return filled(block, room, T{});
    }
    const Operand pair(*pair_, block.frame);
    return filled(block, room, scalar<T>(part(*pair)));
  }
  Value value(Frame& frame) const override {
    const Operand pair(*pair_, frame);
    return part(*pair);
  }
  int integer(Frame& frame) const override { return read(frame, &Value::integer); }
  double floating(Frame& frame) const override { return read(frame, &Value::floating); }
  bool boolean(Frame& frame) const override { return read(frame, &Value::boolean); }
  unsigned char character(Frame& frame) const override { return read(frame, &Value::character); }
  const Value* known(Frame& frame) const override {
    const Value* pair = pair_->known(frame);
    return pair ? &part(*pair) : nullptr;
  }

 private:
  static const Value& part(const Value& pair) { return is_first ? pair.first() : pair.second(); }
  auto read(Frame& frame, auto member) const {
    const Operand pair(*pair_, frame);
    return (part(*pair).*member)();
  }

  const NodeRef pair_;
};

class Sequence final : public Node {
 public:
  Sequence(const CoreExpr& expr, Compiler& compiler)
      : element_(mono::representation(expr.type->a)), elements_(compiler.nodes(expr)) {}
  bool is_uniform() const override {
    return std::all_of(elements_.begin(), elements_.end(), [](const NodeRef& element) {
      return dynamic_cast<const Constant*>(element.get()) != nullptr;
    });
  }
  Value value(Frame& frame) const override {
    Values elements;
    elements.reserve(elements_.size());
    for (const NodeRef& element : elements_) elements.push_back(element->value(frame));
    return Value(std::move(elements));
  }
  bool rows_in_blocks(InBlocks how) const override {
    return elements_.size() <= Values::longest_row &&
           std::all_of(elements_.begin(), elements_.end(), [&](const NodeRef& element) {
             return element->appends_in_blocks(element_, how);
           });
  }
  // The first elements of all, then the second ones, and so on; then brought into order.
  void rows(Block& block, RowColumn& out) const override {
    Values columns;
    for (const NodeRef& element : elements_)
      element->append_block(block, element_, nullptr, columns);
    if (block.failed) throw BlockFailed();
    const std::size_t length = elements_.size();
    std::vector<int> order(block.count * length);
    for (std::size_t k = 0; k < block.count; ++k) {
      for (std::size_t i = 0; i < length; ++i)
        order[k * length + i] = static_cast<int>(i * block.count + k);
      out.begins[k] = static_cast<int>(k * length);
      out.ends[k] = static_cast<int>((k + 1) * length);
    }
    out.objects = nullptr;
    out.contents = columns.gathered(order);
  }

 private:
  const Mono element_;
  const std::vector<NodeRef> elements_;
};

}  // namespace

NodeRef Compiler::node(const CoreExpr& expr) {
  switch (expr.kind) {
    case CoreExpr::Kind::constant:
      return std::make_unique<Constant>(expr.value);
    case CoreExpr::Kind::global:
      return std::make_unique<Global>(*expr.global);
    case CoreExpr::Kind::variable:
    case CoreExpr::Kind::first:
    case CoreExpr::Kind::rest:
      return part(expr);
    case CoreExpr::Kind::let:
      return let_node(expr, *this);
    case CoreExpr::Kind::condition:
      return condition_node(expr, *this);
    case CoreExpr::Kind::call:
      return function_call(expr, *this);
    case CoreExpr::Kind::each:
      return each(expr, *this);
    case CoreExpr::Kind::pair:
      return std::make_unique<PairNode>(node(*expr.operands[0]), node(*expr.operands[1]));
    case CoreExpr::Kind::sequence:
      return std::make_unique<Sequence>(expr, *this);
    case CoreExpr::Kind::primitive:
      if (NodeRef scalar = scalar_primitive(expr, *this)) return scalar;
      if (NodeRef fold = fold_primitive(expr, *this)) return fold;
      if (NodeRef filtered = filtered_each(expr, *this)) return filtered;
      if (NodeRef moved = moving_primitive(expr, *this)) return moved;
      return general_primitive(expr, *this);
    case CoreExpr::Kind::once:
      return once_node(expr, *this);
    case CoreExpr::Kind::time:
      return time_node(expr, *this);
  }
  throw InternalError("an expression of the core language that the evaluator does not know");
}

namespace {

bool is_single(const Tuple& part) { return part.type->kind != MonoType::Kind::pair; }

// The part of a tuple in slots that an expression is; no type where it is something else. Fields of
// a record are no components.
Tuple component_of(const CoreExpr& expr, const Code& code) {
  if (expr.kind == CoreExpr::Kind::variable) {
    const auto tuple = code.tuples.find(expr.slots[0]);
    return tuple == code.tuples.end() ? Tuple{} : tuple->second;
  }
  if (expr.kind != CoreExpr::Kind::first && expr.kind != CoreExpr::Kind::rest) return {};
  const Tuple pair = component_of(*expr.operands[0], code);
  if (!pair.type || is_single(pair)) return {};
  if (expr.kind == CoreExpr::Kind::first) return {pair.type->a, pair.first};
  return {pair.type->b, pair.first + components_of(pair.type->a)};
}

}  // namespace

// A variable, or a part of a value.
NodeRef Compiler::part(const CoreExpr& expr) {
  const Tuple component = component_of(expr, code_);
  if (component.type && is_single(component)) return std::make_unique<Variable>(component.first);
  if (component.type) return std::make_unique<Joined>(component);
  if (expr.kind == CoreExpr::Kind::variable)
    return std::make_unique<Variable>(code_.places[expr.slots[0]],
                                      expr.last && may_drop(expr.slots[0], expr.type));
  NodeRef pair = node(*expr.operands[0]);
  if (expr.kind == CoreExpr::Kind::first) return std::make_unique<Part<true>>(std::move(pair));
  return std::make_unique<Part<false>>(std::move(pair));
}

NodeRef Compiler::body_of_each(const CoreExpr& expr) {
  ++eachs_around_;
  NodeRef body = node(expr);
  --eachs_around_;
  return body;
}

std::vector<int> Compiler::done_after(const CoreExpr& expr) const {
  const std::vector<int> last = last_used_in(expr);
  std::vector<int> done;
  for (const auto& [slot, type] : free_variables(expr))
    if (std::find(last.begin(), last.end(), slot) != last.end() && may_drop(slot, type))
      done.push_back(slot);
  return done;
}

// Whether a variable that is used for the last time may be dropped: no other name shares its slot,
// and no other element needs it.
bool Compiler::may_drop(int slot, Mono type) const {
  return eachs_around_ == 0 && !mono::representation(type)->is_scalar() &&
         code_.places[slot] == slot && !code_.tuples.contains(slot);
}

int Compiler::place_of(int slot, const CoreExpr& value) {
  const Tuple component = component_of(value, code_);
  if (!component.type) return slot;
  if (is_single(component))
    code_.places[slot] = component.first;
  else
    code_.tuples[slot] = component;
  return -1;
}

const Tuple* Compiler::take_apart(int slot, Mono type) {
  if (type->kind != MonoType::Kind::pair) return nullptr;
  const Tuple& tuple = code_.tuples[slot] = {type, code_.slots};
  code_.slots += components_of(type);
  return &tuple;
}

std::vector<NodeRef> Compiler::nodes(const CoreExpr& expr) {
  std::vector<NodeRef> result;
  for (const CoreRef& operand : expr.operands) result.push_back(node(*operand));
  return result;
}

int Compiler::flag_of(int once_slot) {
  const auto [flag, is_new] = flags_.try_emplace(once_slot, code_.slots);
  if (is_new) ++code_.slots;
  return flag->second;
}

std::int64_t steps_of(const CoreExpr& expr) {
  const auto in = [&](std::size_t i) { return steps_of(*expr.operands[i]); };
  if (expr.kind == CoreExpr::Kind::condition) return 1 + in(0) + std::max(in(1), in(2));
  std::int64_t steps = 1;
  const std::size_t bodies = expr.kind == CoreExpr::Kind::each ? 1 : 0;
  for (std::size_t i = 0; i + bodies < expr.operands.size(); ++i) steps += in(i);
  return steps;
}

std::unique_ptr<Code> compile(const CoreFunction& function) {
  const Parameter parameter(function);
  const int slots = std::max(function.slots, parameter.first + parameter.count);
  std::vector<int> places(function.slots);
  std::iota(places.begin(), places.end(), 0);
  auto code = std::make_unique<Code>(
      Code{function, parameter, nullptr, std::move(places), {}, slots, 0, {}});
  if (parameter.is_tuple()) code->tuples[parameter.slot] = {parameter.type, parameter.first};
  code->steps = steps_of(*function.body);
  code->body = Compiler(*code).node(*function.body);
  return code;
}

const Code& code_of(const CoreFunction& function) {
  if (const Code* made = function.code.get()) return *made;
  return function.code.set(compile(function));
}

}  // namespace tutti::nesl::host

namespace tutti::nesl {

HostCode::~HostCode() { delete code_.load(); }

const host::Code& HostCode::set(std::unique_ptr<host::Code> code) const {
  const host::Code* before = nullptr;
  if (code_.compare_exchange_strong(before, code.get(), std::memory_order_acq_rel))
    return *code.release();
  return *before;  // another thread was first
}

}  // namespace tutti::nesl
