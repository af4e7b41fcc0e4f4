#include "codegen/emit/choose_lanes.hpp"

#include <algorithm>

#include "graph/node.hpp"
#include "program/program.hpp"

namespace tutti::codegen {
namespace {

using compiler::Instruction;

// A loop of few operations is bound by their latency, which several interleaved vectors hide. (Two
// cores with AVX-512, four vectors: Mandelbrot 1.9 times, the matrix product 2.5 times as fast.
// Half as many registers suffice for half as many vectors.)
constexpr int short_loop = 20;

bool has_short_loops(const compiler::Kernel& kernel) {
  return std::any_of(kernel.programs.begin(), kernel.programs.end(),
                     [](const compiler::ProgramCall& call) {
                       return call.program->loops && call.program->operations <= short_loop &&
                              call.program->arrays.empty();
                     });
}

// Returns the cycles from the loads of a point to its results, if every operation waits for its
// inputs only.
int longest_wait(const compiler::Kernel& kernel) {
  constexpr int operation_cycles = 4;
  std::vector<int> ready(kernel.code.size(), 0);
  for (size_t i = 0; i < kernel.code.size(); ++i) {
    const Instruction& in = kernel.code[i];
    if (in.kind != Instruction::Kind::op && in.kind != Instruction::Kind::cast) continue;
    for (int input : in.inputs)
      if (input >= 0) ready[i] = std::max(ready[i], ready[static_cast<size_t>(input)]);
    ready[i] += in.op == Op::choose || in.type == ElementType::b8 ? 1 : operation_cycles;
  }
  return ready.empty() ? 0 : *std::max_element(ready.begin(), ready.end());
}

// Returns whether a kernel adds many terms in sequence. The reorder window of a processor is too
// short to overlap the next vector, so two vectors are computed at a time.
bool waits_for_sums(const compiler::Kernel& kernel) {
  constexpr int long_wait = 200;
  return kernel.form == compiler::Form::map && !kernel.fused && !kernel.streaming &&
         kernel.programs.empty() && !kernel.repeat.steps && longest_wait(kernel) >= long_wait;
}

constexpr int light_body = 20;

int cost_of_body(const compiler::Kernel& kernel) {
  int cost = 0;
  for (const Instruction& in : kernel.code)
    cost += in.kind == Instruction::Kind::op ? ir::op_cost(in.op) : 1;
  for (const compiler::ProgramCall& call : kernel.programs)
    cost += light_body + call.program->operations;
  return cost;
}

}  // namespace

int choose_lanes(const compiler::Kernel& kernel, const Machine& machine) {
  int widest = 1;
  for (const Instruction& in : kernel.code) {
    // A bool occupies no lane of its own, and half is computed as float.
    if (in.type == ElementType::b8 && in.kind != Instruction::Kind::load) continue;
    widest = std::max(widest, in.type == ElementType::f16 ? 4 : size_of(in.type));
  }
  for (const compiler::ProgramCall& call : kernel.programs)
    for (ElementType type : call.program->values)
      if (type != ElementType::b8) widest = std::max(widest, size_of(type));
  if (machine.lanes) return machine.lanes;
  const int lanes = std::max(1, machine.vector_bits / 8 / std::max(widest, 2));
  if (waits_for_sums(kernel)) return 2 * lanes;
  if (!has_short_loops(kernel)) return lanes;
  return machine.vector_bits >= 512 ? 4 * lanes : 2 * lanes;
}

bool has_heavy_body(const compiler::Kernel& kernel) { return cost_of_body(kernel) > light_body; }

}  // namespace tutti::codegen
