#include "nesl/eval/flat/host_tails.hpp"

#include <algorithm>

#include "nesl/eval/flat/calls.hpp"
#include "nesl/eval/flat/convert.hpp"
#include "nesl/eval/race/patience.hpp"

namespace tutti::nesl::flat {
namespace {

// What a recursion may still consist of: about as much as makes a kernel worth its round trip (two
// cores with AVX-512, November 2026).
constexpr std::int64_t few_instances = 64, few_numbers = 4096;
// Trials may lose this much, and a part of the time that has passed: more where flattening can
// hardly be the better way.
constexpr std::chrono::milliseconds loss_at_once{2};
constexpr int part_of_time = 4, part_of_time_branching = 1;
// A trial of fewer steps is not worth its round trip.
constexpr std::int64_t least_steps = 50'000;

// How often an expression calls a function for one instance, one call after the other: not inside
// an apply-to-each, where calls run together.
int calls_in_a_row(const CoreExpr& expr, const CoreFunction& function) {
  const auto in = [&](std::size_t i) { return calls_in_a_row(*expr.operands[i], function); };
  if (expr.kind == CoreExpr::Kind::condition) return in(0) + std::max(in(1), in(2));
  int calls = expr.kind == CoreExpr::Kind::call && expr.function == &function ? 1 : 0;
  const std::size_t bodies = expr.kind == CoreExpr::Kind::each ? 1 : 0;
  for (std::size_t i = 0; i + bodies < expr.operands.size(); ++i) calls += in(i);
  return calls;
}

}  // namespace

HostTails::Recursion HostTails::recursion_of(const CoreFunction& function) {
  const auto [known, is_new] = recursions_.try_emplace(&function, Recursion::none);
  if (is_new && reaches(function, function))
    known->second =
        calls_in_a_row(*function.body, function) > 1 ? Recursion::branching : Recursion::single;
  return known->second;
}

std::int64_t HostTails::steps_to_try(Recursion recursion) const {
  const int part = recursion == Recursion::branching ? part_of_time_branching : part_of_time;
  return (loss_at_once + (Clock::now() - begin_) / part - lost_) / time_of_a_step;
}

std::optional<nested::Value> HostTails::finish(const CoreExpr& call,
                                               const std::vector<nested::Value>& arguments,
                                               const nested::ContextRef& at) {
  const std::int64_t instances = nested::instances(at);
  if (instances > few_instances || machine_.in_trial()) return {};
  // The host would print and draw row by row, contexts do so for all rows at once.
  if (call.function->effects()) return {};
  const Recursion recursion = recursion_of(*call.function);
  if (recursion == Recursion::none) return {};
  const std::int64_t steps = steps_to_try(recursion);
  if (steps < least_steps) return {};
  const Clock::time_point begin = Clock::now();
  std::int64_t left = few_numbers;
  bool small = true;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    small = small && fits(arguments[i], call.operands[i]->type, left, Sizes::waited_for);
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
