#include "nesl/session/reachable.hpp"

#include "nesl/values/stored_value.hpp"

namespace tutti::nesl {

Reachable::Reachable(const Environment& environment) {
  environment.for_each(
      [&](const Definition& definition) { reach(environment.find_own(definition.name)); });
  while (!pending_.empty()) {
    const DefinitionRef definition = pending_.back();
    pending_.pop_back();
    look_into(*definition);
  }
}

// The library leads to nothing of the session.
void Reachable::reach(const DefinitionRef& definition) {
  if (!definition || definition->library || !definitions_.insert(definition.get()).second) return;
  pending_.push_back(definition);
}

void Reachable::look_into(Definition& definition) {
  if (definition.replaced_by) {
    definition.replaced_by = current(definition.replaced_by);
    definition.parameter = nullptr;
    definition.body = nullptr;
    return reach(definition.replaced_by);
  }
  reach(definition.parameter);
  reach(definition.body);
  if (definition.value) reach(definition.value->type());
}

void Reachable::reach(const ExprRef& expr) {
  if (!expr) return;
  reach(expr->definition);
  reach(expr->a);
  reach(expr->b);
  reach(expr->c);
  for (const ExprRef& element : expr->elements) reach(element);
  for (const Binding& binding : expr->bindings) {
    reach(binding.pattern);
    reach(binding.value);
  }
  reach(expr->pattern);
}

void Reachable::reach(const PatternRef& pattern) {
  if (!pattern) return;
  reach(pattern->definition);
  reach(pattern->left);
  reach(pattern->right);
  reach(pattern->value);
}

void Reachable::reach(Mono type) {
  if (!type || !types_.insert(type).second) return;
  reach(type->a);
  reach(type->b);
  for (Mono argument : type->arguments) reach(argument);
  if (type->function) reach(*type->function);
}

void Reachable::reach(const FunctionIdentity& function) {
  if (!functions_.insert(&function).second) return;
  reach(function.definition);
  if (function.lambda && lambdas_.insert(function.lambda.get()).second) reach(function.lambda);
  for (const auto& [name, type] : function.captured) reach(type);
}

}  // namespace tutti::nesl
