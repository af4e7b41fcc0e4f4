#include "nesl/flat/host_tails.hpp"

#include <unordered_set>

#include "nesl/flat/convert.hpp"
#include "nested/sequence.hpp"

namespace tutti::nesl::flat {
namespace {

using nested::Data;

// What a recursion may still consist of: about as much as makes a kernel worth its round trip (two
// cores with AVX-512, November 2026).
constexpr std::int64_t few_instances = 64, few_numbers = 4096;
// Trials may lose this much, and a fourth of the time that has passed.
constexpr std::chrono::milliseconds loss_at_once{2};
constexpr int part_of_time = 4;
// A step of the plain evaluator; a trial of fewer steps is not worth its round trip.
constexpr std::chrono::nanoseconds time_of_a_step{50};
constexpr std::int64_t least_steps = 5'000;

// Counts the numbers of a value down; false when there are too many.
bool fits(const Data& data, std::int64_t rows, std::int64_t& left) {
  switch (data.kind) {
    case nested::Kind::scalar:
      left -= rows;
      return left >= 0;
    case nested::Kind::tuple:
      for (const Data& part : data.parts)
        if (!fits(part, rows, left)) return false;
      return true;
    case nested::Kind::sequence:
      break;
  }
  const nested::SegmentsRef& segments = data.sequence->segments();
  const std::int64_t total = (segments->is_dense() ? segments : segments->packed())->total().get();
  left -= rows;
  return total <= left && fits(data.sequence->dense()->elements(), total, left);
}

void add_callees(const CoreExpr& expr, std::vector<const CoreFunction*>& callees) {
  if (expr.kind == CoreExpr::Kind::call) callees.push_back(expr.function);
  for (const CoreRef& operand : expr.operands) add_callees(*operand, callees);
}

}  // namespace

bool HostTails::is_recursive(const CoreFunction& function) {
  const auto [at, is_new] = recursive_.try_emplace(&function, false);
  if (!is_new) return at->second;
  std::unordered_set<const CoreFunction*> seen;
  std::vector<const CoreFunction*> open;
  add_callees(*function.body, open);
  while (!open.empty() && !at->second) {
    const CoreFunction* callee = open.back();
    open.pop_back();
    at->second = callee == &function;
    if (seen.insert(callee).second) add_callees(*callee->body, open);
  }
  return at->second;
}

std::int64_t HostTails::steps_to_try() const {
  return (loss_at_once + (Clock::now() - begin_) / part_of_time - lost_) / time_of_a_step;
}

std::optional<nested::Value> HostTails::finish(const CoreExpr& call,
                                               const std::vector<nested::Value>& arguments,
                                               const nested::ContextRef& at) {
  const std::int64_t instances = nested::instances(at);
  if (instances > few_instances || machine_.in_trial() || !is_recursive(*call.function)) return {};
  const std::int64_t steps = steps_to_try();
  if (steps < least_steps) return {};
  const Clock::time_point begin = Clock::now();
  std::int64_t left = few_numbers;
  bool small = true;
  for (const nested::Value& argument : arguments)
    small = small && fits(argument.data, nested::instances(argument.context), left);
  std::optional<nested::Value> result;
  if (small) result = run(call, steps, arguments, at);
  if (!result) lost_ += Clock::now() - begin;
  return result;
}

std::optional<nested::Value> HostTails::run(const CoreExpr& call, std::int64_t steps,
                                            const std::vector<nested::Value>& arguments,
                                            const nested::ContextRef& at) {
  std::vector<Values> columns;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    columns.push_back(rows_of(arguments[i], at, call.operands[i]->type));
  Values results;
  machine_.begin_trial(steps);
  try {
    for (std::int64_t row = 0; row < nested::instances(at); ++row) {
      std::vector<Value> values;
      for (const Values& column : columns) values.push_back(column[static_cast<std::size_t>(row)]);
      results.push_back(plain_.run(*call.function, std::move(values)));
    }
    machine_.end_trial(true);
  } catch (const TrialOver&) {
    machine_.end_trial(false);
    return {};
  } catch (...) {
    machine_.end_trial(true);  // what was printed before an error is seen
    throw;
  }
  return from_rows(results, at, call.type);
}

}  // namespace tutti::nesl::flat
