#include "nesl/core/function_builder.hpp"

#include <algorithm>
#include <functional>

#include "nesl/core/last_uses.hpp"
#include "nesl/errors.hpp"
#include "nesl/library/primitive.hpp"
#include "nesl/values/stored_value.hpp"

namespace tutti::nesl {
namespace {

CoreRef make(CoreExpr::Kind kind, Mono type, Span span, std::vector<CoreRef> operands = {}) {
  auto result = std::make_shared<CoreExpr>();
  result->kind = kind;
  result->type = type;
  result->span = span;
  result->operands = std::move(operands);
  return result;
}

CoreRef constant(Value value, Mono type, Span span) {
  CoreRef result = make(CoreExpr::Kind::constant, type, span);
  result->value = std::move(value);
  return result;
}

CoreRef variable(int slot, Mono type, Span span) {
  CoreRef result = make(CoreExpr::Kind::variable, type, span);
  result->slots = {slot};
  return result;
}

CoreRef first_of(const CoreRef& pair) {
  if (pair->kind == CoreExpr::Kind::pair) return pair->operands[0];
  return make(CoreExpr::Kind::first, pair->type->a, pair->span, {pair});
}

CoreRef rest_of(const CoreRef& pair) {
  if (pair->kind == CoreExpr::Kind::pair) return pair->operands[1];
  return make(CoreExpr::Kind::rest, pair->type->b, pair->span, {pair});
}

// Whether it may stand in two places without being computed twice.
bool is_trivial(const CoreExpr& expr) {
  switch (expr.kind) {
    case CoreExpr::Kind::variable:
    case CoreExpr::Kind::constant:
    case CoreExpr::Kind::global:
      return true;
    case CoreExpr::Kind::first:
    case CoreExpr::Kind::rest:
      return is_trivial(*expr.operands[0]);
    default:
      return false;
  }
}

[[noreturn]] void not_the_same_function(Span where, const char* what) {
  throw ProgramError(where, std::string(what) +
                                " are different functions; which function is called must be known "
                                "before the program runs");
}

}  // namespace

FunctionBuilder::FunctionBuilder(Specialiser& specialiser, std::string name, SourceRef source)
    : specialiser_(specialiser),
      source_(std::move(source)),
      function_(std::make_shared<CoreFunction>()) {
  function_->name = std::move(name);
  function_->source = source_;
}

int FunctionBuilder::parameter() { return function_->slots++; }

CoreFunctionRef FunctionBuilder::finish(CoreRef body) {
  function_->body = with_assignments(0, std::move(body));
  function_->result = function_->body->type;
  mark_last_uses(*function_);
  return function_;
}

void FunctionBuilder::bind(const PatternRef& pattern, int slot, Mono type) {
  bind_value(pattern, variable(slot, type, pattern->span));
}

void FunctionBuilder::bind_captured(const FunctionIdentity& identity, int slot) {
  // The captured values are a right-nested tuple.
  Mono type = nullptr;
  for (std::size_t i = identity.captured.size(); i-- > 0;)
    type = type ? mono::pair(identity.captured[i].second, type) : identity.captured[i].second;
  CoreRef rest = variable(slot, type, {});
  for (std::size_t i = 0; i < identity.captured.size(); ++i) {
    const bool last = i + 1 == identity.captured.size();
    const int own = function_->slots++;
    assignments_.push_back({own, last ? rest : first_of(rest)});
    locals_.push_back({identity.captured[i].first, own, identity.captured[i].second});
    if (!last) rest = rest_of(rest);
  }
}

// Names refer to slots; a value that is more than a name or a component gets a slot of its own.
void FunctionBuilder::bind_value(const PatternRef& pattern, CoreRef value) {
  switch (pattern->kind) {
    case Pattern::Kind::variable:
    case Pattern::Kind::defaulted: {
      const Mono type = value->type;
      int slot;
      if (value->kind == CoreExpr::Kind::variable) {
        slot = value->slots[0];
      } else {
        slot = function_->slots++;
        assignments_.push_back({slot, std::move(value)});
      }
      locals_.push_back({pattern->name, slot, type});
      return;
    }
    case Pattern::Kind::record: {
      auto fields = std::make_shared<CoreExpr>(*value);
      fields->type = value->type->a;
      return bind_value(pattern->left, fields);
    }
    case Pattern::Kind::pair:
      break;
  }
  if (value->kind == CoreExpr::Kind::pair) {
    // Both values before both names: the second must not see the name of the first.
    const CoreRef a = value->operands[0], b = value->operands[1];
    bind_value(pattern->left, a);
    bind_value(pattern->right, b);
    return;
  }
  if (!is_trivial(*value)) {
    const int slot = function_->slots++;
    CoreRef name = variable(slot, value->type, value->span);
    assignments_.push_back({slot, std::move(value)});
    value = name;
  }
  bind_value(pattern->left, first_of(value));
  bind_value(pattern->right, rest_of(value));
}

CoreRef FunctionBuilder::with_assignments(std::size_t mark, CoreRef body) {
  if (assignments_.size() == mark) return body;
  CoreRef result = make(CoreExpr::Kind::let, body->type, body->span);
  for (std::size_t i = mark; i < assignments_.size(); ++i) {
    result->slots.push_back(assignments_[i].slot);
    result->operands.push_back(assignments_[i].value);
  }
  result->operands.push_back(std::move(body));
  assignments_.resize(mark);
  return result;
}

const FunctionBuilder::Local* FunctionBuilder::find_local(const std::string& name) const {
  for (std::size_t i = locals_.size(); i-- > 0;)
    if (locals_[i].name == name) return &locals_[i];
  return nullptr;
}

CoreRef FunctionBuilder::expression(const ExprRef& expr) {
  switch (expr->kind) {
    case Expr::Kind::integer:
      return constant(expr->integer, mono::integer(), expr->span);
    case Expr::Kind::floating:
      return constant(rounded(expr->floating, mono::floating()), mono::floating(), expr->span);
    case Expr::Kind::boolean:
      return constant(expr->integer != 0, mono::boolean(), expr->span);
    case Expr::Kind::character:
      return constant(static_cast<unsigned char>(expr->integer), mono::character(), expr->span);
    case Expr::Kind::string:
      return constant(Value::text(expr->text), mono::sequence(mono::character()), expr->span);
    case Expr::Kind::name:
    case Expr::Kind::builtin:
      return name(*expr);
    case Expr::Kind::apply:
      return apply(expr);
    case Expr::Kind::pair: {
      CoreRef a = expression(expr->a);
      CoreRef b = expression(expr->b);
      const Mono type = mono::pair(a->type, b->type);
      return make(CoreExpr::Kind::pair, type, expr->span, {std::move(a), std::move(b)});
    }
    case Expr::Kind::condition:
      return condition(*expr);
    case Expr::Kind::let:
      return let(*expr);
    case Expr::Kind::lambda:
      return lambda(expr);
    case Expr::Kind::sequence:
      return sequence(*expr);
    case Expr::Kind::empty: {
      const Mono element = build(closed_type(expr->type, specialiser_.environment_), {});
      return constant(Values{}, mono::sequence(element), expr->span);
    }
    case Expr::Kind::each:
      return each(*expr);
    case Expr::Kind::time: {
      CoreRef value = expression(expr->a);
      const Mono type = mono::pair(value->type, mono::floating());
      return make(CoreExpr::Kind::time, type, expr->span, {std::move(value)});
    }
    case Expr::Kind::keyword:
      break;
  }
  throw ProgramError(expr->span, "this cannot stand here");
}

CoreRef FunctionBuilder::name(const Expr& expr) {
  if (!expr.definition) {
    const Local* local = find_local(expr.text);
    if (!local) throw ProgramError(expr.span, "the name " + expr.text + " is undefined");
    return variable(local->slot, local->type, expr.span);
  }
  const DefinitionRef definition = current(expr.definition);
  if (definition->kind == Definition::Kind::value) {
    CoreRef result = make(CoreExpr::Kind::global, definition->value->type(), expr.span);
    result->global = definition->value;
    return result;
  }
  const Mono type = mono::function(specialiser_.identity(definition), nullptr, specialiser_);
  return constant(0, type, expr.span);
}

CoreRef FunctionBuilder::apply(const ExprRef& expr) {
  if (CoreRef product = power(*expr)) return product;
  CoreRef function = expression(expr->a);
  CoreRef argument = expression(expr->b);
  if (function->type->kind != MonoType::Kind::function)
    throw ProgramError(expr->a->span, "this is not a function");
  const FunctionIdentity& identity = *function->type->function;
  if (identity.definition) {
    const Definition& definition = *identity.definition;
    if (definition.kind == Definition::Kind::primitive)
      return apply_primitive(*definition.primitive, argument, expr->span);
    if (definition.kind == Definition::Kind::constructor)
      return apply_constructor(definition, argument, expr->span);
  }
  const CoreFunctionRef callee = specialiser_.function(&identity, argument->type, expr->span);
  function_->serial = function_->serial || callee->serial;
  CoreRef call = make(CoreExpr::Kind::call, callee->result, expr->span);
  call->function = callee.get();
  if (!identity.captured.empty()) call->operands.push_back(function);
  call->operands.push_back(argument);
  return call;
}

// x^2 and x^3 are multiplications.
CoreRef FunctionBuilder::power(const Expr& call) {
  const bool fits = call.a->kind == Expr::Kind::builtin && call.a->text == "^" &&
                    call.b->kind == Expr::Kind::pair && call.b->b->kind == Expr::Kind::integer;
  if (!fits) return nullptr;
  const int exponent = call.b->b->integer;
  if (exponent != 2 && exponent != 3) return nullptr;
  const std::size_t mark = assignments_.size();
  CoreRef base = expression(call.b->a);
  if (!is_trivial(*base)) {
    const int slot = function_->slots++;
    assignments_.push_back({slot, base});
    base = variable(slot, base->type, base->span);
  }
  const Primitive& times = *specialiser_.environment_.find_builtin("*")->primitive;
  auto product = [&](const CoreRef& a, const CoreRef& b) {
    return apply_primitive(
        times, make(CoreExpr::Kind::pair, mono::pair(a->type, b->type), call.span, {a, b}),
        call.span);
  };
  CoreRef result = product(base, base);
  if (exponent == 3) result = product(result, base);
  return with_assignments(mark, result);
}

CoreRef FunctionBuilder::apply_primitive(const Primitive& primitive, CoreRef argument, Span where) {
  MonoBindings bindings;
  Mono type = nullptr;
  if (match(resolve(primitive.scheme)->a, argument->type, bindings))
    type = build(resolve(primitive.scheme)->b, bindings);
  if (!type) not_the_same_function(where, "the functions in the argument of this");
  if (primitive.effect == Effect::serial) function_->serial = true;
  const std::size_t mark = assignments_.size();
  const bool splits = primitive.arity > 1 && argument->kind != CoreExpr::Kind::pair;
  if (splits && !is_trivial(*argument)) {
    const int slot = function_->slots++;
    assignments_.push_back({slot, argument});
    argument = variable(slot, argument->type, where);
  }
  CoreRef result = make(CoreExpr::Kind::primitive, type, where);
  result->primitive = &primitive;
  for (int i = 1; i < primitive.arity; ++i) {
    result->operands.push_back(first_of(argument));
    argument = rest_of(argument);
    // first_of and rest_of look through a pair; what is left may again need a name.
    if (i + 1 < primitive.arity && argument->kind != CoreExpr::Kind::pair &&
        !is_trivial(*argument)) {
      const int slot = function_->slots++;
      assignments_.push_back({slot, argument});
      argument = variable(slot, argument->type, where);
    }
  }
  result->operands.push_back(argument);
  return with_assignments(mark, result);
}

CoreRef FunctionBuilder::apply_constructor(const Definition& constructor, CoreRef argument,
                                           Span where) {
  MonoBindings bindings;
  match(constructor.datatype->fields, argument->type, bindings);
  std::vector<Mono> arguments;
  for (const TypeRef& parameter : constructor.datatype->parameters)
    arguments.push_back(bindings[parameter.get()]);
  // The same value under another type.
  const std::size_t mark = assignments_.size();
  const int slot = function_->slots++;
  const Mono type = mono::record(constructor.datatype, std::move(arguments));
  assignments_.push_back({slot, std::move(argument)});
  return with_assignments(mark, variable(slot, type, where));
}

CoreRef FunctionBuilder::condition(const Expr& expr) {
  CoreRef test = expression(expr.a);
  CoreRef yes = expression(expr.b);
  CoreRef no = expression(expr.c);
  if (yes->type != no->type) not_the_same_function(expr.span, "the branches of this if");
  const Mono type = yes->type;
  return make(CoreExpr::Kind::condition, type, expr.span,
              {std::move(test), std::move(yes), std::move(no)});
}

CoreRef FunctionBuilder::let(const Expr& expr) {
  const std::size_t locals = locals_.size(), mark = assignments_.size();
  for (const Binding& binding : expr.bindings) {
    CoreRef value = expression(binding.value);
    // A value that is only a name of something else stays that; anything else gets a slot.
    bind_value(binding.pattern, std::move(value));
  }
  CoreRef result = with_assignments(mark, expression(expr.a));
  locals_.resize(locals);
  return result;
}

void FunctionBuilder::captured_names(const Expr& expr, std::vector<std::string>& bound,
                                     std::vector<std::string>& names) const {
  const std::size_t mark = bound.size();
  const std::function<void(const Pattern&)> declare = [&](const Pattern& pattern) {
    if (pattern.left) declare(*pattern.left);
    if (pattern.right) declare(*pattern.right);
    if (!pattern.name.empty() && pattern.kind != Pattern::Kind::record)
      bound.push_back(pattern.name);
  };
  auto visit = [&](const ExprRef& part) {
    if (part) captured_names(*part, bound, names);
  };
  if (expr.kind == Expr::Kind::name && !expr.definition) {
    const auto is_in = [&](const std::vector<std::string>& list) {
      return std::find(list.begin(), list.end(), expr.text) != list.end();
    };
    if (!is_in(bound) && !is_in(names)) names.push_back(expr.text);
  }
  if (expr.kind == Expr::Kind::each)
    for (const Binding& binding : expr.bindings) visit(binding.value);
  for (const Binding& binding : expr.bindings) {
    if (expr.kind == Expr::Kind::let) visit(binding.value);
    declare(*binding.pattern);
  }
  if (expr.kind == Expr::Kind::lambda) declare(*expr.pattern);
  visit(expr.a);
  visit(expr.b);
  visit(expr.c);
  for (const ExprRef& element : expr.elements) visit(element);
  bound.resize(mark);
}

CoreRef FunctionBuilder::lambda(const ExprRef& expr) {
  std::vector<std::string> bound, names;
  captured_names(*expr, bound, names);
  std::vector<std::pair<std::string, Mono>> captured;
  CoreRef values;
  for (std::size_t i = names.size(); i-- > 0;) {
    const Local* local = find_local(names[i]);
    if (!local) throw ProgramError(expr->span, "the name " + names[i] + " is undefined");
    captured.insert(captured.begin(), {names[i], local->type});
    CoreRef value = variable(local->slot, local->type, expr->span);
    values = values ? make(CoreExpr::Kind::pair, mono::pair(value->type, values->type), expr->span,
                           {value, values})
                    : value;
  }
  const Mono captured_type = values ? values->type : nullptr;
  const FunctionIdentity* identity =
      specialiser_.lambda_identity(expr, std::move(captured), source_);
  if (!values) return constant(0, mono::function(identity, nullptr, specialiser_), expr->span);
  auto result = std::make_shared<CoreExpr>(*values);
  result->type = mono::function(identity, captured_type, specialiser_);
  return result;
}

CoreRef FunctionBuilder::sequence(const Expr& expr) {
  CoreRef result = make(CoreExpr::Kind::sequence, nullptr, expr.span);
  for (const ExprRef& element : expr.elements) {
    result->operands.push_back(expression(element));
    if (result->operands.back()->type != result->operands.front()->type)
      not_the_same_function(element->span, "the elements of this sequence");
  }
  result->type = mono::sequence(result->operands.front()->type);
  return result;
}

CoreRef FunctionBuilder::each(const Expr& expr) {
  const std::size_t locals = locals_.size();
  CoreRef result = make(CoreExpr::Kind::each, nullptr, expr.span);
  result->serial = expr.serial;
  for (const Binding& binding : expr.bindings) {
    result->operands.push_back(expression(binding.value));
    result->slots.push_back(function_->slots++);
  }
  const bool serial_before = function_->serial;
  function_->serial = false;
  const std::size_t mark = assignments_.size();
  for (std::size_t i = 0; i < expr.bindings.size(); ++i)
    bind(expr.bindings[i].pattern, result->slots[i], result->operands[i]->type->a);
  CoreRef body = expr.a ? expression(expr.a)
                        : variable(result->slots[0], result->operands[0]->type->a, expr.span);
  if (expr.b) {
    CoreRef filter = expression(expr.b);
    const Mono type = mono::pair(body->type, filter->type);
    body = make(CoreExpr::Kind::pair, type, expr.span, {body, filter});
  }
  body = with_assignments(mark, body);
  if (function_->serial && !expr.serial)
    throw ProgramError(expr.span,
                       "this apply-to-each does something that must happen in order, "
                       "such as reading a file; {* ...} does one after the other");
  function_->serial = function_->serial || serial_before;
  if (!expr.serial) result->once_slots = mark_closed(body, *function_);
  result->type = mono::sequence(body->type);
  result->operands.push_back(std::move(body));
  locals_.resize(locals);
  if (!expr.b) return result;
  return apply_primitive(*specialiser_.environment_.find_builtin("pack")->primitive, result,
                         expr.span);
}

}  // namespace tutti::nesl
