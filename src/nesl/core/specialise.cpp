#include "nesl/core/specialise.hpp"

#include <functional>

#include "nesl/core/function_builder.hpp"
#include "nesl/core/mark_effects.hpp"
#include "nesl/core/trace.hpp"
#include "nesl/errors.hpp"
#include "nesl/types/forget_types.hpp"
#include "nesl/types/infer.hpp"

namespace tutti::nesl {
namespace {

// A function that calls itself with ever larger types, or with a new closure each time, would be
// translated for ever. Programs that end do so for a few types at once.
constexpr int max_types_at_once = 200;

const void* written_at(const FunctionIdentity& identity) {
  if (identity.definition) return identity.definition.get();
  return identity.lambda.get();
}

// Counts a translation of a function while it lasts.
class InProgress {
 public:
  explicit InProgress(int& count) : count_(count) { ++count_; }
  ~InProgress() { --count_; }

 private:
  int& count_;
};

}  // namespace

Specialiser::~Specialiser() { mono::forget(this); }

void Specialiser::forget_others(const std::set<const FunctionIdentity*>& kept,
                                const std::set<Mono>& kept_types) {
  forget();
  types_in_progress_.clear();
  const auto is_gone = [&](const auto& entry) { return !kept.contains(entry.second.get()); };
  std::erase_if(definitions_, is_gone);
  std::erase_if(lambdas_, is_gone);
  mono::forget_others(this, kept_types);
}

const FunctionIdentity* Specialiser::identity(const DefinitionRef& definition) {
  std::unique_ptr<FunctionIdentity>& its = definitions_[definition.get()];
  if (!its) {
    its = std::make_unique<FunctionIdentity>();
    its->definition = definition;
  }
  return its.get();
}

const FunctionIdentity* Specialiser::lambda_identity(
    const ExprRef& lambda, std::vector<std::pair<std::string, Mono>> captured,
    const SourceRef& source) {
  std::unique_ptr<FunctionIdentity>& its = lambdas_[{lambda.get(), captured}];
  if (!its) {
    its = std::make_unique<FunctionIdentity>();
    its->lambda = lambda;
    its->captured = std::move(captured);
    its->source = source;
  }
  return its.get();
}

CoreFunctionRef Specialiser::expression(const ExprRef& expr, const SourceRef& source) {
  FunctionBuilder builder(*this, top_level_name, source);
  const CoreFunctionRef result = builder.finish(builder.expression(expr));
  unmarked_.push_back(result);
  mark_effects(unmarked_);
  unmarked_.clear();
  return result;
}

CoreFunctionRef Specialiser::function(const FunctionIdentity* identity, Mono argument, Span where) {
  if (identity->definition) {
    // A definition may have been replaced since its identity was taken.
    const DefinitionRef now = current(identity->definition);
    if (now != identity->definition) return function(this->identity(now), argument, where);
  }
  const FunctionKey key{identity, argument};
  CoreFunctionRef& known = functions_[key];
  if (known && in_progress_.count(key)) {
    // A recursive call: the body is being translated, only the type of the result is needed.
    if (!known->result) {
      if (!identity->definition)
        throw ProgramError(where, "a function without a name cannot call itself");
      known->result = result_while_recursive(*identity->definition, argument, where);
    }
    return known;
  }
  if (known) return known;
  int& types_at_once = types_in_progress_[written_at(*identity)];
  const bool endless = types_at_once >= max_types_at_once;
  if (endless || in_progress_.size() >= max_nesting) {
    functions_.erase(key);
    throw ProgramError(where, endless ? "each call of this function is at another type, without end"
                                      : "the calls of functions that lead here are " +
                                            std::to_string(max_nesting) +
                                            " deep, more than can be translated");
  }
  const InProgress progress(types_at_once);
  auto result = std::make_shared<CoreFunction>();
  known = result;
  struct Attempt {  // an error, no memory or Ctrl-C may end it
    Specialiser& self;
    const FunctionKey& key;
    bool done = false;
    ~Attempt() {
      self.in_progress_.erase(key);
      if (done) return;
      self.functions_.erase(key);
      // Functions that were translated on the way may call the ones that could not be.
      if (self.in_progress_.empty()) self.forget();
    }
  } attempt{*this, key};
  in_progress_.insert(key);
  try {
    translate(*result, *identity, argument, where);
  } catch (ProgramError& error) {
    if (!error.source)
      error.source = identity->definition ? identity->definition->source : identity->source;
    throw;
  }
  unmarked_.push_back(result);
  attempt.done = true;
  return result;
}

std::vector<CoreFunctionRef> Specialiser::translations() const {
  std::vector<CoreFunctionRef> result;
  for (const auto& [key, function] : functions_) result.push_back(function);
  return result;
}

std::string Specialiser::specialisations(const Definition& definition) const {
  std::string text;
  for (const auto& [key, function] : functions_)
    if (key.first->definition.get() == &definition)
      text += (text.empty() ? "" : "\n") + std::string("for ") + to_string(key.second) + ":\n" +
              to_text(*function);
  return text;
}

void Specialiser::translate(CoreFunction& result, const FunctionIdentity& identity, Mono argument,
                            Span where) {
  ExprRef body;
  PatternRef parameter;
  if (identity.definition) {
    Definition& definition = *identity.definition;
    if (definition.kind == Definition::Kind::declared) {
      ProgramError error(where, "the function " + definition.name + " is declared but not defined");
      error.source = definition.source;
      throw error;
    }
    if (!definition.checked) Inference(environment_).check_function(identity.definition);
    const int level = trace_level ? trace_level(definition.name) : 0;
    body = level > 0 ? traced(definition, level, environment_) : definition.body;
    parameter = definition.parameter;
  } else {
    body = identity.lambda->a;
    parameter = identity.lambda->pattern;
  }
  FunctionBuilder builder(*this, identity.definition ? identity.definition->name : lambda_name,
                          identity.definition ? identity.definition->source : identity.source);
  const int captured = identity.captured.empty() ? -1 : builder.parameter();
  const int slot = builder.parameter();
  if (captured >= 0) builder.bind_captured(identity, captured);
  builder.bind(parameter, slot, argument);
  result = *builder.finish(builder.expression(body));
  result.parameter = argument;
  result.parameter_slot = slot;
}

Mono Specialiser::result_while_recursive(const Definition& definition, Mono argument, Span where) {
  const TypeRef type = resolve(definition.type);
  MonoBindings bindings;
  match(type->a, argument, bindings);
  // Parameters that are functions: what they give follows from what they are applied to.
  const std::function<void(const TypeRef&, Mono)> follow = [&](const TypeRef& general, Mono mono) {
    const TypeRef at = resolve(general);
    if (at->kind == Type::Kind::pair) {
      follow(at->a, mono->a);
      follow(at->b, mono->b);
    } else if (at->kind == Type::Kind::sequence) {
      follow(at->a, mono->a);
    } else if (at->kind == Type::Kind::function) {
      const Mono from = build(at->a, bindings);
      if (!from) return;
      const FunctionIdentity* its = mono->function;
      if (its->definition && its->definition->kind == Definition::Kind::primitive) {
        MonoBindings own;
        const TypeRef scheme = resolve(its->definition->type);
        if (match(scheme->a, from, own))
          if (const Mono to = build(scheme->b, own)) match(at->b, to, bindings);
        return;
      }
      match(at->b, function(its, from, where)->result, bindings);
    }
  };
  follow(type->a, argument);
  const Mono result = build(type->b, bindings);
  if (!result)
    throw ProgramError(where, "the type of the result of the recursive function " +
                                  definition.name + " cannot be found before it is translated");
  return result;
}

}  // namespace tutti::nesl
