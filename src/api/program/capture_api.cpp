// The functions by which Values, arrays and the macros of control flow use the capture of a thread.
#include "api/program/capture.hpp"
#include "core/precision.hpp"
#include "graph/relax.hpp"
#include "numerics/scalar_apply.hpp"
#include "program/limits.hpp"
#include "tutti/local_array.hpp"

namespace tutti::detail {
namespace {

using SKind = ir::Statement::Kind;

}  // namespace

// ---- Values

bool capturing() { return Capture::current() != nullptr; }
int64_t current_capture() { return capturing() ? Capture::current()->id() : 0; }
std::string in_program() {
  return capturing() ? " in the program" + at(Capture::current()->where()) : "";
}

PauseCapture::PauseCapture() : paused_(Capture::current()) { Capture::current() = nullptr; }
PauseCapture::~PauseCapture() { Capture::current() = static_cast<Capture*>(paused_); }

bool ValueLink::is_symbolic() const { return state_ && state_->capture != 0; }

void ValueLink::refuse_reading() const {
  throw Error(
      "a Value of a program" + at(state_->where) +
      " was read on the host: it stands for a number of each element, which exists only while the "
      "program runs. Decide with IF, WHILE or cond(); take results through Out<T>");
}

void ValueLink::declare(std::span<const NodeRef> values) {
  Capture* capture = Capture::current();
  state_ = make_small<ValueState>();
  state_->capture = capture->id();
  state_->where = values[0]->where;
  state_->first_slot = capture->declare(values);
}

namespace {

void require_same(const ValueState& state, const Capture& capture) {
  if (state.capture != capture.id())
    throw Error("a Value of another program" + at(state.where) +
                " was used: pass it as an input, or call that program");
}

}  // namespace

void ValueLink::assign(std::span<const NodeRef> values) {
  Capture& capture = *Capture::current();
  if (!is_symbolic())
    throw Error(
        "a program assigns to a Value from outside of it: programs only change their own Values "
        "and "
        "give results through Out<T>" +
        at(values[0]->where));
  require_same(*state_, capture);
  for (size_t i = 0; i < values.size(); ++i)
    capture.assign(state_->first_slot + static_cast<int>(i), values[i]);
}

NodeRef ValueLink::node(int component, std::span<const ScalarValue> now) const {
  Capture& capture = Capture::require("a Value of a program", state_ ? state_->where : Location());
  if (is_symbolic()) {
    require_same(*state_, capture);
    return capture.read(state_->first_slot + component);
  }
  Source source;
  source.kind = Source::Kind::value;
  source.value = cell(now);
  source.component = component;
  return capture.outside(std::move(source), now[static_cast<size_t>(component)].type, 0);
}

const std::shared_ptr<ValueState>& ValueLink::cell(std::span<const ScalarValue> now) const {
  if (!state_) state_ = make_small<ValueState>();
  if (is_symbolic()) refuse_reading();
  state_->numbers.assign(now.begin(), now.end());
  return state_;
}

void ValueLink::publish(std::span<const ScalarValue> now) {
  if (state_) state_->numbers.assign(now.begin(), now.end());
}

NodeRef record(Op op, std::span<const NodeRef> inputs, const Location& where) {
  return ir::make_relaxed(op, precision_wanted(), inputs, where);
}
NodeRef record_cast(const NodeRef& input, ElementType type, const Location& where) {
  return ir::make_cast(input, type, where);
}
NodeRef record_constant(ScalarValue value) { return ir::make_constant(value, {}, Location()); }

ScalarValue operate(Op op, ElementType type, std::span<const ScalarValue> operands) {
  return ir::apply_operation(op, type, operands);
}

// ---- arrays from outside

void refuse_assignment(const NodeRef& assigned) {
  throw Error(
      "a program assigns to an Array from outside of it: programs only read those, and give "
      "results "
      "through Out<T>" +
      in_program() + at(assigned ? assigned->where : Location()));
}

NodeRef record_element(const ArrayCell& array, int component, std::span<const NodeRef> index,
                       const Boundary& boundary, const Location& where) {
  Source source;
  source.kind = Source::Kind::array;
  source.array = array;
  source.component = component;
  const NodeRef& now = array->nodes[static_cast<size_t>(component)];
  const NodeRef table = Capture::current()->outside(std::move(source), now->type, now->shape.rank);
  return ir::make_gather(table, index, boundary.kind(), boundary.value(component), where);
}

NodeRef record_extent(const ArrayCell& array, int axis) {
  Source source;
  source.kind = Source::Kind::extent;
  source.array = array;
  source.component = axis;
  return Capture::current()->outside(std::move(source), ElementType::i32, 0);
}

NodeRef record_interpolates(const ArrayCell& array) {
  Source source;
  source.kind = Source::Kind::interpolates;
  source.array = array;
  return Capture::current()->outside(std::move(source), ElementType::b8, 0);
}

// ---- local arrays, traces

int declare_local_array(ElementType type, int64_t size, const Location& where) {
  Capture& capture = Capture::require("LocalArray", where);
  if (size < 1 || size > ir::largest_local_array)
    throw ShapeError("LocalArray: " + std::to_string(size) + " elements; it has between 1 and " +
                     std::to_string(ir::largest_local_array) + at(where));
  return capture.declare_array(type, size);
}
NodeRef read_local(int array, const NodeRef& index) {
  return Capture::current()->read_element(array, index);
}
void assign_local(int array, const NodeRef& index, const NodeRef& value) {
  Capture::current()->assign_element(array, index, value);
}
void trace_value(const std::string& label, const NodeRef& value, const Location& where) {
  Capture::require("trace", where).trace(label, value);
}

// ---- control flow

void require_capture(const char* keyword, const Location& where) {
  Capture::require(keyword, where);
}
void begin_if(const NodeRef& condition, const Location& where) {
  Capture::require("IF", where).begin_if(condition, false, where);
}
void begin_else(const Location& where) { Capture::require("ELSE", where).begin_else(where); }
void begin_else_if(const NodeRef& condition, const Location& where) {
  Capture::require("ELSEIF", where).begin_if(condition, true, where);
}
void end_if(const Location& where) { Capture::require("ENDIF", where).end_if(where); }
void begin_loop(const char* name, const Location& where) {
  Capture::require(name, where).begin_loop(name, where);
}
void loop_while(const NodeRef& condition, const Location& where) {
  Capture::require("WHILE", where).leave_unless(condition, true, where);
}
void loop_until(const NodeRef& condition, const Location& where) {
  Capture::require("UNTIL", where).leave_unless(condition, false, where);
}
void begin_step(const Location& where) { Capture::require("FOR", where).begin_step(where); }
void end_step(const Location& where) { Capture::require("FOR", where).end_step(where); }
void end_loop(const Location& where) {
  Capture::require("the end of a loop", where).end_loop(where);
}
void leave_loop(const Location& where) {
  Capture::require("BREAK", where).jump(SKind::leave, "BREAK", where);
}
void next_iteration(const Location& where) {
  Capture::require("CONTINUE", where).jump(SKind::next, "CONTINUE", where);
}

}  // namespace tutti::detail
