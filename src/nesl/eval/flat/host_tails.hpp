// Finishes recursions with few small instances left on the host, where a call costs well under a
// microsecond. In a context it costs a round trip for each of its conditions. Whether one is small
// enough shows only when it is tried: for as long as keeps the time lost with trials that fail a
// part of the whole.
#pragma once
#include <chrono>
#include <optional>
#include <unordered_map>
#include <vector>

#include "nesl/core/core.hpp"
#include "nesl/eval/host/plain_evaluator.hpp"
#include "nesl/eval/machine.hpp"
#include "tutti/detail/nested.hpp"

namespace tutti::nesl::flat {

class HostTails {
 public:
  explicit HostTails(Machine& machine) : machine_(machine), plain_(machine) {}

  // The results of a call in all instances of a context; none where it belongs into the context.
  std::optional<nested::Value> finish(const CoreExpr& call,
                                      const std::vector<nested::Value>& arguments,
                                      const nested::ContextRef& at);

 private:
  using Clock = std::chrono::steady_clock;

  // How a function calls itself: not at all, or by itself, or twice in a row, which makes as many
  // contexts as there are calls.
  enum class Recursion { none, single, branching };

  Recursion recursion_of(const CoreFunction& function);
  std::int64_t steps_to_try(Recursion recursion) const;
  std::optional<nested::Value> run(const CoreExpr& call, std::int64_t steps,
                                   const std::vector<nested::Value>& arguments,
                                   const nested::ContextRef& at);

  Machine& machine_;
  PlainEvaluator plain_;
  std::unordered_map<const CoreFunction*, Recursion> recursions_;
  Clock::time_point begin_ = Clock::now();
  Clock::duration lost_{};
};

}  // namespace tutti::nesl::flat
