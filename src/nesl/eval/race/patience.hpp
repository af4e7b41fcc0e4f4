// How long the host may work on something before another evaluator is tried, and how long things
// took before. Which evaluator computes a value must not show, so tests change the first to make
// evaluators change over often.
#pragma once
#include <chrono>
#include <cstdint>
#include <unordered_map>

namespace tutti::nesl {

struct CoreExpr;

// How long a step of the plain evaluator takes (two cores with AVX-512, November 2026).
constexpr std::chrono::nanoseconds time_of_a_step{4};

struct Patience {
  // Which evaluator computes what does not depend on time: nothing is tried beside something else.
  bool settled = false;
  // Steps of the plain evaluator for a form, within these bounds. They last as long as compiling
  // its kernels is likely to take: about four milliseconds for each expression in what it calls.
  // (Three kernels of 8 ms for eight expressions, two cores, November 2026.)
  std::int64_t form_steps = 2'500'000, most_form_steps = 150'000'000;
  std::int64_t steps_an_expression = 1'000'000;
  // After them the plain evaluator goes on beside the other one; otherwise it gives up.
  bool form_goes_on = true;
  // How much of its time the other one may work beside it, in sixteenths (form_race.hpp); 0 lets
  // the number of threads decide.
  int race_share = 0;
  // How many steps look once more for an error that another evaluator has found.
  std::int64_t error_steps = 50'000'000;
  // For an apply-to-each that runs for the first time: some 4 ms.
  std::int64_t each_steps = 1'000'000;
  // An apply-to-each that the host will finish in this time is left to it: a few kernels that have
  // to be compiled take as long.
  std::chrono::nanoseconds short_time = std::chrono::milliseconds(20);
  // How long flattening is given where the host has not tried.
  std::chrono::nanoseconds head_start = std::chrono::milliseconds(5);
};

// How an apply-to-each went the last time; zero where it is not known.
struct EachRecord {
  using Duration = std::chrono::steady_clock::duration;
  Duration host{}, flat{};  // how long it took there, if it was finished there
  Duration element{};       // how long an element takes on the host
};
// Those of a session. One of an expression that is gone may be taken for that of another: records
// only say what is likely.
using EachRecords = std::unordered_map<const CoreExpr*, EachRecord>;

}  // namespace tutti::nesl
