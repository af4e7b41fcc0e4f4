#include "engine/tuning.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>

#include "compiler/pipeline.hpp"
#include "compiler/print/print.hpp"
#include "core/settings/environment.hpp"
#include "core/settings/settings.hpp"
#include "runtime/code/disk_cache.hpp"
#include "target/cpu_variants.hpp"

namespace tutti::engine {

using PlanRef = PlanCache::PlanRef;

// The plans of a graph and their shortest times. Contestant 0 is the usual plan.
struct Contest {
  struct Contestant {
    std::string name;
    PlanRef plan;
    double seconds = std::numeric_limits<double>::infinity();
  };
  std::string key;  // on disk
  std::vector<Contestant> contestants;
  int turns = 0;
  std::optional<size_t> winner;
};

namespace {

// The first round compiles kernels and touches new memory, so it does not count.
constexpr int rounds = 4;
// By how much another plan must be faster than the usual one: times scatter.
constexpr double worth_a_change = 0.97;
constexpr size_t most_contests = 1024;

struct Tuning {
  std::mutex mutex;
  StructuralCache<std::shared_ptr<Contest>> contests{most_contests};
  std::vector<std::shared_ptr<Contest>> begun;
  bool on = [] {
    const char* asked = variable("TUTTI_TUNE");
    return asked && std::string_view(asked) != "0";
  }();
};

Tuning& tuning() {
  static auto* instance = new Tuning;
  return *instance;
}

// Returns all that a winner depends on: the graph, and the machine with the threads that are in
// use.
std::string disk_key(const compiler::Graph& graph) {
  const auto& cpu = std::get<target::CpuTuning>(target::cpu_variants()[0].tuning);
  std::string key = "tuned plan\n";
  for (const int64_t number : {int64_t{cpu.cores}, cpu.private_bytes, cpu.streaming_bytes,
                               int64_t{live_settings().threads}})
    key += std::to_string(number) + ' ';
  return key + '\n' + compiler::print(graph);
}

// Plans that take other decisions than those before them.
void add_contestants(Contest& contest, const compiler::Graph& graph) {
  std::vector<std::string> texts{compiler::print(*contest.contestants[0].plan)};
  for (const target::Target& target : target::cpu_variants().subspan(1)) {
    PlanRef plan = compiler::make_plan(graph, target);
    // The first line names the target.
    std::string text = compiler::print(*plan);
    const auto decisions = [](const std::string& t) {
      return std::string_view(t).substr(std::min(t.find('\n'), t.size()));
    };
    if (std::ranges::any_of(
            texts, [&](const std::string& known) { return decisions(known) == decisions(text); }))
      continue;
    texts.push_back(std::move(text));
    contest.contestants.push_back({target.name, std::move(plan)});
  }
}

// Returns the winner of an earlier process, if there is one and its name is known.
std::optional<size_t> stored_winner(const Contest& contest) {
  const std::optional<std::string> name = runtime::disk_cache::find(contest.key);
  if (!name) return std::nullopt;
  const auto found = std::ranges::find(contest.contestants, *name, &Contest::Contestant::name);
  if (found == contest.contestants.end()) return std::nullopt;
  return static_cast<size_t>(found - contest.contestants.begin());
}

std::shared_ptr<Contest> begin_contest(const compiler::Collected& c, const PlanRef& usual) {
  const compiler::Graph graph = compiler::copy_graph(c);
  auto contest = std::make_shared<Contest>();
  contest->key = disk_key(graph);
  contest->contestants.push_back({"usual", usual});
  add_contestants(*contest, graph);
  contest->winner = stored_winner(*contest);
  if (contest->contestants.size() == 1) contest->winner = 0;
  return contest;
}

void decide(Contest& contest) {
  const auto fastest =
      std::ranges::min_element(contest.contestants, {}, &Contest::Contestant::seconds);
  const bool changes = fastest->seconds < worth_a_change * contest.contestants[0].seconds;
  contest.winner = changes ? static_cast<size_t>(fastest - contest.contestants.begin()) : 0;
  runtime::disk_cache::store(contest.key, contest.contestants[*contest.winner].name);
}

}  // namespace

bool tuning_is_on() { return tuning().on; }
void set_tuning(bool on) { tuning().on = on; }

TuningTurn next_turn(const compiler::Collected& graph, const PlanRef& usual) {
  Tuning& t = tuning();
  const std::lock_guard lock(t.mutex);
  std::shared_ptr<Contest> contest = t.contests.find(graph.key).value_or(nullptr);
  if (!contest) {
    contest = begin_contest(graph, usual);
    t.contests.set(graph.key, contest);
    if (t.begun.size() < most_contests) t.begun.push_back(contest);
  }
  if (contest->winner) return {contest->contestants[*contest->winner].plan, *contest->winner, {}};
  const auto turn = static_cast<size_t>(contest->turns++) % contest->contestants.size();
  return {contest->contestants[turn].plan, turn, contest};
}

void end_turn(const TuningTurn& turn, double seconds) {
  if (!turn.contest) return;
  const std::lock_guard lock(tuning().mutex);
  Contest& contest = *turn.contest;
  const auto count = static_cast<int>(contest.contestants.size());
  if (contest.turns > count) {
    double& best = contest.contestants[turn.contestant].seconds;
    best = std::min(best, seconds);
  }
  if (!contest.winner && contest.turns >= rounds * count) decide(contest);
}

void forget_tuning() {
  const std::lock_guard lock(tuning().mutex);
  tuning().contests.forget();
  tuning().begun.clear();
}

std::vector<std::string> tuning_winners() {
  const std::lock_guard lock(tuning().mutex);
  std::vector<std::string> names;
  for (const auto& contest : tuning().begun)
    names.push_back(contest->winner ? contest->contestants[*contest->winner].name : "");
  return names;
}

}  // namespace tutti::engine
