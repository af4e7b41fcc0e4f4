// Evaluation: nodes in, buffers out. Any number of threads may evaluate at once. A node is computed
// by one of them while the others wait for it.
#pragma once
#include <span>

#include "graph/node.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/explain.hpp"

namespace tutti::engine {

// If a GPU has no code for a graph yet, the CPU computes it the first time if that is quick, while
// the code is compiled in the background (policy.hpp). A second evaluation of the same graph waits
// for the code. Graphs of nested programs recur many times in one run: they stay on the CPU until
// the code is ready.
enum class SecondRun : uint8_t { waits, does_not_wait };

// Every node has its buffer afterwards. On an exception nothing has changed.
TUTTI_EXPORT void evaluate(std::span<const detail::NodeRef> nodes,
                           SecondRun second = SecondRun::waits);

// Evaluates in this process alone, even if evaluations are shared (engine/distribution.hpp).
void evaluate_here(std::span<const detail::NodeRef> nodes, SecondRun second = SecondRun::waits);

// The same on the CPU, whatever the device. Returns false if a kernel would have to be compiled.
// After `times` such requests for this graph or its size class, a background compilation is
// started.
bool evaluate_if_compiled(std::span<const detail::NodeRef> nodes, int times);

// Evaluates by the reference interpreter, on the host: for few elements.
void interpret(std::span<const detail::NodeRef> nodes);

// Returns the plan for the nodes without running it.
Explanation explain(std::span<const detail::NodeRef> nodes);

void forget_plans();
int64_t plan_generation();  // changes when plans and kernels are dropped

}  // namespace tutti::engine
