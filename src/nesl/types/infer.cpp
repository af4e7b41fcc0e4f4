#include "nesl/types/infer.hpp"

#include "nesl/errors.hpp"
#include "nesl/syntax/ast_printer.hpp"

namespace tutti::nesl {
namespace {

[[noreturn]] void mismatch(Span where, const std::string& what,
                           std::initializer_list<std::pair<const char*, TypeRef>> types) {
  std::string message = what;
  for (const auto& [label, type] : types)
    message += std::string("\n  ") + label + ": " + to_string(type);
  throw ProgramError(where, message);
}

}  // namespace

void Inference::check_function(const DefinitionRef& definition) {
  self_ = definition;
  const bool declared = definition->type != nullptr;
  TypeRef expected = declared ? instantiate(definition->type) : nullptr;
  self_type_ = declared ? nullptr : function_from(fresh_variable(), fresh_variable());
  const std::size_t mark = locals_.size();
  TypeRef argument = pattern(definition->parameter);
  if (expected &&
      (resolve(expected)->kind != Type::Kind::function || !unify(resolve(expected)->a, argument)))
    mismatch(definition->parameter->span, "the parameters do not fit the declared type",
             {{"Parameters", argument}, {"Declared", expected}});
  if (!declared) unify(self_type_->a, argument);
  TypeRef result = infer(definition->body);
  if (expected && !unify(resolve(expected)->b, result))
    mismatch(definition->body->span, "the result does not have the declared type",
             {{"Result", result}, {"Declared", resolve(expected)->b}});
  if (!declared && !unify(self_type_->b, result))
    mismatch(definition->body->span, "the recursive uses do not fit the result of the function",
             {{"Result", result}, {"Used as", self_type_->b}});
  locals_.resize(mark);
  definition->type = generalize(function_from(argument, result));
  definition->checked = true;
  self_ = nullptr;
}

TypeRef Inference::check_expression(const ExprRef& expr) { return infer(expr); }

std::vector<std::pair<std::string, TypeRef>> Inference::bind_pattern(const PatternRef& what,
                                                                     const TypeRef& type) {
  const std::size_t mark = locals_.size();
  TypeRef shape = pattern(what);
  if (!unify(shape, type))
    mismatch(what->span, "the value does not fit the pattern",
             {{"Pattern", shape}, {"Value", type}});
  std::vector<std::pair<std::string, TypeRef>> result;
  for (std::size_t i = mark; i < locals_.size(); ++i)
    result.emplace_back(locals_[i].name, locals_[i].type);
  locals_.resize(mark);
  return result;
}

TypeRef Inference::infer(const ExprRef& expr) {
  switch (expr->kind) {
    case Expr::Kind::integer:
      return int_type();
    case Expr::Kind::floating:
      return float_type();
    case Expr::Kind::boolean:
      return bool_type();
    case Expr::Kind::character:
      return char_type();
    case Expr::Kind::string:
      return sequence_of(char_type());
    case Expr::Kind::name:
    case Expr::Kind::builtin:
      return name(*expr);
    case Expr::Kind::apply:
      return apply(expr);
    case Expr::Kind::pair: {
      TypeRef a = infer(expr->a);
      return pair_of(a, infer(expr->b));
    }
    case Expr::Kind::condition:
      return condition(*expr);
    case Expr::Kind::let:
      return let(*expr);
    case Expr::Kind::lambda:
      return lambda(*expr);
    case Expr::Kind::sequence:
      return sequence(*expr);
    case Expr::Kind::empty:
      return sequence_of(closed_type(expr->type, environment_));
    case Expr::Kind::each:
      return each(*expr);
    case Expr::Kind::time:
      return pair_of(infer(expr->a), float_type());
    case Expr::Kind::keyword:
      throw ProgramError(expr->span, expr->text +
                                         " := ... can only stand among the arguments of a "
                                         "function with default arguments");
  }
  return nullptr;
}

const Inference::Local* Inference::find_local(const std::string& name) const {
  for (std::size_t i = locals_.size(); i-- > 0;)
    if (locals_[i].name == name) return &locals_[i];
  return nullptr;
}

// What the user calls by the name of a library function is not what the library means by it.
DefinitionRef Inference::find_global(const std::string& name) const {
  return self_ && self_->library ? environment_.find_builtin(name) : environment_.find(name);
}

TypeRef Inference::name(Expr& expr) {
  if (!expr.definition) {
    if (expr.kind == Expr::Kind::builtin) {
      expr.definition = environment_.find_builtin(expr.text);
    } else if (const Local* local = find_local(expr.text)) {
      return local->type;
    } else if (self_ && self_->name == expr.text) {
      expr.definition = self_;
    } else {
      expr.definition = find_global(expr.text);
    }
    if (!expr.definition) throw ProgramError(expr.span, "the name " + expr.text + " is undefined");
  }
  if (expr.definition == self_ && self_type_) return self_type_;
  return instantiate(current(expr.definition)->type);
}

TypeRef Inference::apply(const ExprRef& expr) {
  TypeRef function = infer(expr->a);
  if (expr->a->definition) fill_defaults(*expr, *current(expr->a->definition));
  TypeRef argument = infer(expr->b);
  TypeRef result = fresh_variable();
  if (unify(function, function_from(argument, result))) return result;
  function = infer(expr->a);  // unification may have bound variables half-way
  if (resolve(function)->kind != Type::Kind::function)
    mismatch(expr->span, "this is applied, but it is not a function: " + to_source(*expr->a),
             {{"Type", function}});
  mismatch(expr->span,
           "the argument does not fit the function " + to_source(*expr->a) + " in\n    " +
               to_source(*expr),
           {{"Argument types", argument}, {"Function types", resolve(function)->a}});
}

TypeRef Inference::condition(const Expr& expr) {
  TypeRef test = infer(expr.a);
  if (!unify(test, bool_type()))
    mismatch(expr.a->span, "the condition of an if must be a bool", {{"Type", test}});
  TypeRef yes = infer(expr.b);
  TypeRef no = infer(expr.c);
  if (!unify(yes, no))
    mismatch(expr.span, "the branches of an if must have the same type",
             {{"then", yes}, {"else", no}});
  return yes;
}

TypeRef Inference::let(const Expr& expr) {
  const std::size_t mark = locals_.size();
  for (const Binding& binding : expr.bindings) {
    TypeRef value = infer(binding.value);
    TypeRef shape = pattern(binding.pattern);
    if (!unify(shape, value))
      mismatch(binding.pattern->span, "the value does not fit the pattern",
               {{"Pattern", shape}, {"Value", value}});
  }
  TypeRef result = infer(expr.a);
  locals_.resize(mark);
  return result;
}

TypeRef Inference::lambda(const Expr& expr) {
  const std::size_t mark = locals_.size();
  TypeRef argument = pattern(expr.pattern);
  TypeRef result = infer(expr.a);
  locals_.resize(mark);
  return function_from(argument, result);
}

TypeRef Inference::sequence(const Expr& expr) {
  TypeRef element = infer(expr.elements.front());
  for (std::size_t i = 1; i < expr.elements.size(); ++i) {
    TypeRef other = infer(expr.elements[i]);
    if (!unify(element, other))
      mismatch(expr.elements[i]->span, "the elements of a sequence must have the same type",
               {{"First", element}, {"This", other}});
  }
  return sequence_of(element);
}

TypeRef Inference::each(const Expr& expr) {
  const std::size_t mark = locals_.size();
  std::vector<TypeRef> sources;
  for (const Binding& binding : expr.bindings) {
    TypeRef source = infer(binding.value);
    TypeRef element = fresh_variable();
    if (!unify(source, sequence_of(element)))
      mismatch(binding.value->span, "apply-to-each ranges over a sequence", {{"Type", source}});
    sources.push_back(element);
  }
  for (std::size_t i = 0; i < expr.bindings.size(); ++i) {
    TypeRef shape = pattern(expr.bindings[i].pattern);
    if (!unify(shape, sources[i]))
      mismatch(expr.bindings[i].pattern->span, "the elements do not fit the pattern",
               {{"Pattern", shape}, {"Elements", sources[i]}});
  }
  TypeRef body = expr.a ? infer(expr.a) : sources.front();
  if (expr.b) {
    TypeRef filter = infer(expr.b);
    if (!unify(filter, bool_type()))
      mismatch(expr.b->span, "the filter of an apply-to-each must be a bool", {{"Type", filter}});
  }
  locals_.resize(mark);
  return sequence_of(body);
}

TypeRef Inference::pattern(const PatternRef& what) {
  switch (what->kind) {
    case Pattern::Kind::variable: {
      TypeRef type = fresh_variable();
      locals_.push_back({what->name, type});
      return type;
    }
    case Pattern::Kind::defaulted: {
      // A default is evaluated where the function is called: it sees no parameters.
      std::vector<Local> outside;
      outside.swap(locals_);
      TypeRef type = infer(what->value);
      outside.swap(locals_);
      locals_.push_back({what->name, type});
      return type;
    }
    case Pattern::Kind::pair: {
      TypeRef left = pattern(what->left);
      return pair_of(left, pattern(what->right));
    }
    case Pattern::Kind::record: {
      what->definition = find_global(what->name);
      if (!what->definition || what->definition->kind != Definition::Kind::constructor)
        throw ProgramError(what->span, what->name + " is not the constructor of a datatype");
      TypeRef constructor = instantiate(what->definition->type);
      TypeRef fields = pattern(what->left);
      if (!unify(constructor->a, fields))
        mismatch(what->span, "the pattern does not fit the datatype " + what->name,
                 {{"Pattern", fields}, {"Fields", constructor->a}});
      return constructor->b;
    }
  }
  return nullptr;
}

}  // namespace tutti::nesl
