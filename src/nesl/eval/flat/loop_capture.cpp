#include "nesl/eval/flat/loop_capture.hpp"

#include <cstring>

#include "nesl/eval/flat/convert.hpp"
#include "nesl/library/primitive.hpp"
#include "nesl/values/stored_value.hpp"
#include "nested/nodes.hpp"
#include "tutti/detail/control.hpp"

namespace tutti::nesl::flat {
namespace {

using detail::Location;
using detail::NodeRef;

NodeRef number(int value) { return detail::record_constant(scalar_value(std::int32_t{value})); }

NodeRef apply(Op op, std::initializer_list<NodeRef> operands) {
  return detail::record(op, {operands.begin(), operands.size()}, Location());
}

}  // namespace

// ---- symbols

nested::Data LoopCapture::data_of(const Symbol& symbol) {
  nested::Data data;
  data.kind = symbol.parts.empty() ? nested::Kind::scalar : nested::Kind::tuple;
  data.node = symbol.node;
  for (const Symbol& part : symbol.parts) data.parts.push_back(data_of(part));
  return data;
}

LoopCapture::Symbol LoopCapture::symbol_of(const nested::Data& data) {
  Symbol symbol{data.node};
  for (const nested::Data& part : data.parts) symbol.parts.push_back(symbol_of(part));
  return symbol;
}

void LoopCapture::add_nodes(const Symbol& symbol, std::vector<NodeRef>& nodes) {
  if (symbol.parts.empty()) nodes.push_back(symbol.node);
  for (const Symbol& part : symbol.parts) add_nodes(part, nodes);
}

LoopCapture::Symbol LoopCapture::from_nodes(Mono type, const NodeRef*& nodes) {
  const Mono its = mono::representation(type);
  if (its->kind != MonoType::Kind::pair) return {*nodes++};
  Symbol symbol;
  for (Mono part : {its->a, its->b}) symbol.parts.push_back(from_nodes(part, nodes));
  return symbol;
}

std::vector<NodeRef> LoopCapture::zeros(Mono type) {
  const Mono its = mono::representation(type);
  if (its->kind != MonoType::Kind::pair)
    return {detail::record_constant(ScalarValue{element_type(its), 0})};
  std::vector<NodeRef> nodes = zeros(its->a);
  for (NodeRef& node : zeros(its->b)) nodes.push_back(std::move(node));
  return nodes;
}

// ---- the interface of the program

NodeRef LoopCapture::input(const nested::Value& value, ElementType type) {
  program_.inputs.push_back(value);
  return detail::declare_input("In", {&type, 1}, Location())[0];
}

int LoopCapture::add_table(const nested::Value& sequence) {
  const nested::Table from = nested::table_of(sequence);
  Table table;
  table.is_empty = from.rows == 0;
  for (const NodeRef& component : from.components) {
    const auto& cell = table.components.emplace_back(std::make_shared<detail::ArrayState>());
    cell->shared = true;
    cell->nodes = {component};
  }
  table.start = input(from.starts, ElementType::i32);
  table.length = input(from.lengths, ElementType::i32);
  tables_.push_back(std::move(table));
  return static_cast<int>(tables_.size()) - 1;
}

// The inputs of the leaves that change, or of the others.
void LoopCapture::add_arguments(const nested::Value& value, Mono type, std::size_t& leaf,
                                bool changing) {
  const Mono its = mono::representation(type);
  if (its->kind == MonoType::Kind::pair) {
    add_arguments(nested::part(value, 0), its->a, leaf, changing);
    add_arguments(nested::part(value, 1), its->b, leaf, changing);
    return;
  }
  Symbol& symbol = leaves_[leaf];
  if (shape_.leaves[leaf++].changes != changing) return;
  if (its->is_scalar())
    symbol.node = input(value, element_type(its));
  else
    symbol.table = add_table(value);
}

LoopCapture::Variables& LoopCapture::declare(std::vector<NodeRef> values) {
  Variables& variables = variables_.emplace_back();
  variables.declare(values);
  return variables;
}

LoopCapture::Symbol LoopCapture::argument(Mono type, std::size_t& leaf) const {
  const Mono its = mono::representation(type);
  if (its->kind != MonoType::Kind::pair) return leaves_[leaf++];
  Symbol symbol;
  for (Mono part : {its->a, its->b}) symbol.parts.push_back(argument(part, leaf));
  return symbol;
}

LoopProgram LoopCapture::run(const std::vector<nested::Value>& arguments) {
  const std::vector<Mono>& types = shape_.arguments;
  detail::CaptureScope capture{Location()};
  const ElementType integer = ElementType::i32;
  const NodeRef most_calls = detail::declare_input("In", {&integer, 1}, Location())[0];
  leaves_.resize(shape_.leaves.size());
  for (bool changing : {true, false}) {
    std::size_t leaf = 0;
    for (std::size_t i = 0; i < types.size(); ++i)
      add_arguments(arguments[i], types[i], leaf, changing);
    if (changing) program_.changing = program_.inputs.size();
  }
  state_ = &declare({number(going_on_state)});
  facts_ = &declare({number(0), number(0)});
  result_ = &declare(zeros(function_.result));
  std::vector<NodeRef> next;
  for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf)
    if (shape_.leaves[leaf].changes) next.push_back(leaves_[leaf].node);
  next_ = &declare(next);
  Variables& calls = declare({number(0)});

  detail::begin_loop("a NESL function", Location());
  const NodeRef made = calls.node(0, {});
  detail::loop_while(apply(Op::less, {made, most_calls}), Location());
  calls.assign(std::vector{apply(Op::add, {made, number(1)})});
  for (int leaf = 0, changing = 0; leaf < static_cast<int>(leaves_.size()); ++leaf)
    if (shape_.leaves[leaf].changes) leaves_[leaf].node = next_->node(changing++, {});
  Frame frame{function_, std::vector<Symbol>(static_cast<std::size_t>(function_.slots))};
  std::size_t leaf = 0;
  for (std::size_t i = 0; i < types.size(); ++i) frame.slots[i] = argument(types[i], leaf);
  write_body(*function_.body, frame);
  detail::loop_while(apply(Op::equal, {state_->node(0, {}), number(going_on_state)}), Location());
  detail::end_loop(Location());

  declare_outputs(next);
  program_.handle = capture.finish();
  return std::move(program_);
}

void LoopCapture::declare_outputs(const std::vector<NodeRef>& next) {
  const auto output = [](Variables& variables, const std::vector<NodeRef>& values) {
    std::vector<ElementType> types;
    for (const NodeRef& value : values) types.push_back(value->type);
    detail::declare_output(variables, types, true, Location());
  };
  output(*state_, {number(0)});
  if (program_.has_facts) output(*facts_, {number(0), number(0)});
  const std::vector<NodeRef> results = zeros(function_.result);
  program_.results = results.size();
  output(*result_, results);
  output(*next_, next);
}

// ---- what the function gives

void LoopCapture::write_body(const CoreExpr& expr, Frame& frame) {
  if (expr.kind == CoreExpr::Kind::let) {
    bind(expr, frame);
    return write_body(*expr.operands.back(), frame);
  }
  if (expr.kind == CoreExpr::Kind::condition) {
    detail::begin_if(evaluate(*expr.operands[0], frame).node, Location());
    write_body(*expr.operands[1], frame);
    detail::begin_else(Location());
    write_body(*expr.operands[2], frame);
    return detail::end_if(Location());
  }
  if (expr.kind == CoreExpr::Kind::call && expr.function == &function_)
    return write_next_call(expr, frame);
  write_result(evaluate(expr, frame));
}

void LoopCapture::write_next_call(const CoreExpr& call, Frame& frame) {
  std::vector<NodeRef> all, changing;
  for (const CoreRef& operand : call.operands) add_nodes(evaluate(*operand, frame), all);
  for (std::size_t leaf = 0; leaf < all.size(); ++leaf)
    if (shape_.leaves[leaf].changes) changing.push_back(all[leaf]);
  next_->assign(changing);
}

void LoopCapture::write_result(const Symbol& result) {
  std::vector<NodeRef> nodes;
  add_nodes(result, nodes);
  result_->assign(nodes);
  // A check that failed in this call stays.
  const NodeRef state = state_->node(0, {});
  state_->assign(std::vector{apply(Op::choose, {apply(Op::equal, {state, number(going_on_state)}),
                                                number(finished_state), state})});
}

// ---- expressions

void LoopCapture::bind(const CoreExpr& let, Frame& frame) {
  for (std::size_t i = 0; i < let.slots.size(); ++i)
    frame.slots[static_cast<std::size_t>(let.slots[i])] = evaluate(*let.operands[i], frame);
}

LoopCapture::Symbol LoopCapture::evaluate(const CoreExpr& expr, Frame& frame) {
  switch (expr.kind) {
    case CoreExpr::Kind::constant:
      return constant(expr.value, expr.type);
    case CoreExpr::Kind::global:
      return global(expr);
    case CoreExpr::Kind::variable:
      return frame.slots[static_cast<std::size_t>(expr.slots[0])];
    case CoreExpr::Kind::let:
      bind(expr, frame);
      return evaluate(*expr.operands.back(), frame);
    case CoreExpr::Kind::condition:
      return condition(expr, frame);
    case CoreExpr::Kind::call:
      return call(expr, frame);
    case CoreExpr::Kind::pair: {
      Symbol symbol;
      for (const CoreRef& operand : expr.operands)
        symbol.parts.push_back(evaluate(*operand, frame));
      return symbol;
    }
    case CoreExpr::Kind::first:
      return evaluate(*expr.operands[0], frame).parts[0];
    case CoreExpr::Kind::rest:
      return evaluate(*expr.operands[0], frame).parts[1];
    case CoreExpr::Kind::primitive:
      return primitive(expr, frame);
    default:
      throw InternalError("an expression that is not part of a loop of scalars");
  }
}

LoopCapture::Symbol LoopCapture::constant(const Value& value, Mono type) const {
  const Mono its = mono::representation(type);
  if (its->is_scalar()) return {constant_of(value, its).data.node};
  Symbol symbol;
  symbol.parts = {constant(value.first(), its->a), constant(value.second(), its->b)};
  return symbol;
}

LoopCapture::Symbol LoopCapture::global(const CoreExpr& expr) {
  const auto [known, is_new] = globals_.try_emplace(expr.global.get());
  if (is_new) known->second = outside(expr.global->flat(), expr.type);
  return known->second;
}

LoopCapture::Symbol LoopCapture::outside(const nested::Value& value, Mono type) {
  const Mono its = mono::representation(type);
  Symbol symbol;
  if (its->is_scalar())
    symbol.node = input(value, element_type(its));
  else if (its->kind == MonoType::Kind::sequence)
    symbol.table = add_table(value);
  else
    symbol.parts = {outside(nested::part(value, 0), its->a),
                    outside(nested::part(value, 1), its->b)};
  return symbol;
}

LoopCapture::Symbol LoopCapture::condition(const CoreExpr& expr, Frame& frame) {
  const NodeRef test = evaluate(*expr.operands[0], frame).node;
  Variables& variables = declare(zeros(expr.type));
  const auto side = [&](int i) {
    std::vector<NodeRef> nodes;
    add_nodes(evaluate(*expr.operands[static_cast<std::size_t>(i)], frame), nodes);
    variables.assign(nodes);
    return static_cast<int>(nodes.size());
  };
  detail::begin_if(test, Location());
  side(1);
  detail::begin_else(Location());
  const int count = side(2);
  detail::end_if(Location());
  std::vector<NodeRef> nodes;
  for (int i = 0; i < count; ++i) nodes.push_back(variables.node(i, {}));
  const NodeRef* at = nodes.data();
  return from_nodes(expr.type, at);
}

LoopCapture::Symbol LoopCapture::call(const CoreExpr& expr, Frame& frame) {
  Frame inner{*expr.function, std::vector<Symbol>(static_cast<std::size_t>(expr.function->slots))};
  for (std::size_t i = 0; i < expr.operands.size(); ++i)
    inner.slots[i] = evaluate(*expr.operands[i], frame);
  const Machine::Call depth(machine_, *expr.function);
  machine_.note_call(frame.function, expr);
  return evaluate(*expr.function->body, inner);
}

LoopCapture::Symbol LoopCapture::primitive(const CoreExpr& expr, Frame& frame) {
  std::vector<Symbol> symbols;
  for (const CoreRef& operand : expr.operands) symbols.push_back(evaluate(*operand, frame));
  if (symbols[0].table >= 0) {
    if (std::strcmp(expr.primitive->name, "length") == 0)
      return {tables_[static_cast<std::size_t>(symbols[0].table)].length};
    return element(expr, symbols[0], symbols[1].node, frame);
  }
  std::vector<nested::Value> operands;
  std::vector<Mono> types;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    operands.push_back({data_of(symbols[i]), nested::top_context()});
    types.push_back(expr.operands[i]->type);
  }
  place_ = machine_.place_of(frame.function, expr);
  const nested::ContextRef top = nested::top_context();
  const Call its{*expr.primitive, top, operands, types, expr.type, machine_, this};
  return symbol_of(find(*expr.primitive, types[0])(its).data);
}

LoopCapture::Symbol LoopCapture::element(const CoreExpr& expr, const Symbol& sequence,
                                         const NodeRef& index, Frame& frame) {
  const Table& table = tables_[static_cast<std::size_t>(sequence.table)];
  if (machine_.checks) {
    const NodeRef outside = apply(
        Op::logical_or,
        {apply(Op::less, {index, number(0)}), apply(Op::greater_equal, {index, table.length})});
    const NodeRef failed = note_failure(outside, nullptr, machine_.place_of(frame.function, expr));
    facts_->assign(std::vector{apply(Op::choose, {failed, index, facts_->node(0, {})}),
                               apply(Op::choose, {failed, table.length, facts_->node(1, {})})});
    program_.has_facts = true;
  }
  const NodeRef at = apply(Op::add, {table.start, index});
  const Boundary boundary = table.is_empty ? Boundary::constant(0) : Boundary::clamp();
  std::vector<NodeRef> nodes;
  for (const detail::ArrayCell& component : table.components)
    nodes.push_back(detail::record_element(component, 0, {&at, 1}, boundary, Location()));
  const NodeRef* first = nodes.data();
  return from_nodes(expr.type, first);
}

// ---- checks

void LoopCapture::require_not(const nested::Value& wrong, const char* message) {
  note_failure(wrong.data.node, message, place_);
}

// The first check that fails in an element counts. Returns whether this one is it.
NodeRef LoopCapture::note_failure(const NodeRef& wrong, const char* message, const Place& place) {
  const int code = first_check_state + static_cast<int>(program_.checks.size());
  program_.checks.push_back({place, message});
  const NodeRef state = state_->node(0, {});
  const NodeRef failed =
      apply(Op::logical_and, {apply(Op::equal, {state, number(going_on_state)}), wrong});
  state_->assign(std::vector{apply(Op::choose, {failed, number(code), state})});
  return failed;
}

}  // namespace tutti::nesl::flat
