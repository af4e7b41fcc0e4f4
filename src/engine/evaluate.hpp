// Evaluation: nodes in, buffers out. Any number of threads may evaluate at once; a node is computed
// by one of them while the others wait for it.
#pragma once
#include <span>

#include "graph/node.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/explain.hpp"

namespace tutti::engine {

// What a GPU has no code for yet, the CPU computes the first time if that is quick, while the code
// is compiled in the background (policy.hpp). A second evaluation of the same graph waits for the
// code. The graphs of nested programs are seen many times in one run: they go on as they began.
enum class SecondRun : uint8_t { waits, does_not_wait };

// Afterwards every node has its buffer. On an exception nothing has changed.
TUTTI_EXPORT void evaluate(std::span<const detail::NodeRef> nodes,
                           SecondRun second = SecondRun::waits);

// The same by this process alone, also where evaluations are shared (engine/distribution.hpp).
void evaluate_here(std::span<const detail::NodeRef> nodes, SecondRun second = SecondRun::waits);

// The same on the CPU, whatever the device. Returns false if a kernel would have to be compiled.
// After `times` such requests for this graph or its size class, a background compilation is
// started.
bool evaluate_if_compiled(std::span<const detail::NodeRef> nodes, int times);

// The same by the reference interpreter, on the host: for so few elements that nothing else pays.
void interpret(std::span<const detail::NodeRef> nodes);

// The plan for the nodes, without running it.
Explanation explain(std::span<const detail::NodeRef> nodes);

void forget_plans();
int64_t plan_generation();  // changes when plans and kernels are forgotten

}  // namespace tutti::engine
