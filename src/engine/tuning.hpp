// TUTTI_TUNE=1: plans of several opinions about the CPU (target/cpu_variants.hpp) are tried on the
// user's data, and the fastest is kept, also on disk for later processes.
//
// The evaluations of a graph take turns: each runs one of its plans, whose results are the same. So
// nothing is computed twice, and no data are needed but the user's. Plans that turn out equal are
// one. An entry on disk that is damaged, from elsewhere or unknown is ignored.
#pragma once
#include <memory>

#include "engine/plan_cache.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::engine {

// Whether evaluations on the CPU are tuned: TUTTI_TUNE, unless a test has said otherwise.
bool tuning_is_on();
TUTTI_EXPORT void set_tuning(bool on);  // for tests

struct Contest;

// One evaluation of a graph: the plan that it is to run.
struct TuningTurn {
  PlanCache::PlanRef plan;
  size_t contestant = 0;
  std::shared_ptr<Contest> contest;  // null if it is decided
};

// `usual` is the plan without tuning. Requires the graph lock; the first turn of a graph makes the
// other plans.
TuningTurn next_turn(const compiler::Collected& graph, const PlanCache::PlanRef& usual);
// Notes the duration of the evaluation.
void end_turn(const TuningTurn& turn, double seconds);

// Forgets what is in memory. What is on disk stays.
void forget_tuning();

// Returns the name of the winner of each contest, in the order in which they began. It is empty
// while a contest is undecided. For tests.
TUTTI_EXPORT std::vector<std::string> tuning_winners();

}  // namespace tutti::engine
