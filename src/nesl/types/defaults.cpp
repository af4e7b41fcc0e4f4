// Default arguments: the calls of functions that have them.
#include <algorithm>

#include "nesl/errors.hpp"
#include "nesl/types/infer.hpp"

namespace tutti::nesl {
namespace {

std::vector<PatternRef> parameters_of(const PatternRef& pattern) {
  std::vector<PatternRef> result;
  PatternRef at = pattern;
  for (; at->kind == Pattern::Kind::pair; at = at->right) result.push_back(at->left);
  result.push_back(at);
  return result;
}

bool is_defaulted(const PatternRef& pattern) { return pattern->kind == Pattern::Kind::defaulted; }

struct Arguments {
  std::vector<ExprRef> positional;
  std::vector<ExprRef> keywords;
};

Arguments arguments_of(const ExprRef& argument) {
  Arguments result;
  auto add = [&](const ExprRef& expr) {
    (expr->kind == Expr::Kind::keyword ? result.keywords : result.positional).push_back(expr);
  };
  ExprRef at = argument;
  for (; at->kind == Expr::Kind::pair; at = at->b) add(at->a);
  add(at);
  return result;
}

ExprRef tuple(const std::vector<ExprRef>& components) {
  ExprRef result = components.back();
  for (std::size_t i = components.size() - 1; i-- > 0;) result = make_pair(components[i], result);
  return result;
}

}  // namespace

void fill_defaults(Expr& call, const Definition& function) {
  if (!function.parameter) return;
  const std::vector<PatternRef> parameters = parameters_of(function.parameter);
  const std::size_t defaults = std::count_if(parameters.begin(), parameters.end(), is_defaulted);
  if (defaults == 0) return;
  const Arguments given = arguments_of(call.b);
  const std::size_t required = parameters.size() - defaults;
  if (given.keywords.empty() && given.positional.size() != required) return;
  if (given.positional.size() != required)
    throw ProgramError(call.span, "the function " + function.name + " takes " +
                                      std::to_string(required) +
                                      " arguments without default, not " +
                                      std::to_string(given.positional.size()));
  std::vector<ExprRef> complete;
  std::size_t next = 0;
  for (const PatternRef& parameter : parameters) {
    if (!is_defaulted(parameter)) {
      complete.push_back(given.positional[next++]);
      continue;
    }
    const auto named = std::find_if(given.keywords.begin(), given.keywords.end(),
                                    [&](const ExprRef& k) { return k->text == parameter->name; });
    complete.push_back(named == given.keywords.end() ? parameter->value : (*named)->a);
  }
  for (const ExprRef& keyword : given.keywords)
    if (std::none_of(parameters.begin(), parameters.end(), [&](const PatternRef& p) {
          return is_defaulted(p) && p->name == keyword->text;
        }))
      throw ProgramError(keyword->span,
                         "the function " + function.name + " has no argument " + keyword->text);
  call.b = tuple(complete);
}

}  // namespace tutti::nesl
