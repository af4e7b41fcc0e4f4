// How long the host may work on something before another evaluator is tried, and how long things
// took before. Which evaluator computes a value must not show, so tests change the first to make
// evaluators change over often.
#pragma once
#include <chrono>
#include <cstdint>
#include <unordered_map>

namespace tutti::nesl {

struct CoreExpr;

struct Patience {
  // Steps of the plain evaluator for a form, about ten milliseconds: as long as compiling three
  // small kernels takes.
  std::int64_t form_steps = 400'000;
  // For an apply-to-each that runs for the first time: some 4 ms.
  std::int64_t each_steps = 150'000;
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
