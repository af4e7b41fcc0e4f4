// Decides where the parts of a nested program are computed: by the amount of work, the current
// device, and whether compiled code exists. A large array is simply evaluated on the current
// device. A nested program requests many small results, for which compiling or launching may cost
// more than computing.
#pragma once
#include <span>

#include "graph/node.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::engine {

// Computes the nodes where that is likely to finish first. W is the number of elements to compute,
// S the setting `small_work`:
//
//   W                        in use: CPU                        in use: GPU
//   10 S and more            CPU                                GPU
//   S/2 to 10 S              CPU if compiled, else interpreter  CPU if compiled, else GPU
//   below S/2                CPU if compiled, else interpreter  CPU if compiled, else interpreter
//
// Work whose inputs would take long to copy to the host counts as the first row. Code is compiled
// in the background for graphs that recur.
void evaluate_by_amount(std::span<const detail::NodeRef> nodes);

// Returns whether the CPU may compute this instead of a GPU that has no code for it yet. It takes
// some tens of milliseconds at most, including the copy of the inputs to the host. Requires the
// graph lock.
TUTTI_EXPORT bool may_begin_on_cpu(std::span<const detail::NodeRef> roots);

// Returns whether the host waits for another device when it reads a pending value.
bool reading_waits();

// Copies the elements of computed nodes to the host, with one wait for all.
void bring_to_host(std::span<const detail::NodeRef> nodes);

}  // namespace tutti::engine
