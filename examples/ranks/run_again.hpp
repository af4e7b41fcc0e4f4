// Shared by the programs of this folder. Each runs alone or under mpirun:
//
//   ranks_heat [folder]                                   one process
//   TUTTI_RANKS=mpi mpirun -n 4 ranks_heat [folder]       four
//
// Started alone, it runs a second time on three threads that are ranks, and compares the bits.
#pragma once
#include <tutti/ranks.hpp>

#include "../check.hpp"

// run() gives something that can be compared.
template <class Run>
int finish_or_run_again(const Run& run) {
  const auto results = run();
  if (tutti::ranks::size() > 1) return tutti::ranks::rank() == 0 ? ok() : 0;
  tutti::ranks::run_on_threads(3, [&] { CHECK(run() == results); });
  return ok();
}

inline bool prints() { return tutti::ranks::rank() == 0; }
