#include "codegen/emit/read_inside_only.hpp"

namespace tutti::codegen {
namespace {

using compiler::IndexExpr;
using compiler::Instruction;

// Returns whether a condition holds only if a coordinate is inside of the array. (Lowering writes
// choice and nearest index of one coordinate for one array, so their extents are the same. Extents
// are no structure: the code serves all of them.)
bool implies_inside(const compiler::Kernel& kernel, int condition, int index) {
  const Instruction& in = kernel.code[static_cast<size_t>(condition)];
  if (in.kind == Instruction::Kind::inside) return in.slot == index;
  return in.kind == Instruction::Kind::op && in.op == Op::logical_and &&
         (implies_inside(kernel, in.inputs[0], index) ||
          implies_inside(kernel, in.inputs[1], index));
}

// Returns the coordinate of a load along the inner axis if it is clamped; otherwise null.
const IndexExpr* clamped_inner(const compiler::Kernel& kernel, const compiler::Load& load) {
  for (const auto& axis : load.axes) {
    const IndexExpr& e = kernel.indices[static_cast<size_t>(axis.index)];
    if (e.dim == kernel.inner()) return e.kind == IndexExpr::Kind::clamp ? &e : nullptr;
  }
  return nullptr;
}

}  // namespace

std::vector<bool> loads_read_inside_only(const compiler::Kernel& kernel) {
  std::vector<bool> result(kernel.loads.size(), true);
  const auto load_of = [&](int instruction) {
    const bool is_load = instruction >= 0 && kernel.code[static_cast<size_t>(instruction)].kind ==
                                                 Instruction::Kind::load;
    return is_load ? kernel.code[static_cast<size_t>(instruction)].slot : -1;
  };
  const auto used = [&](int instruction) {
    if (const int load = load_of(instruction); load >= 0) result[static_cast<size_t>(load)] = false;
  };
  for (const Instruction& in : kernel.code) {
    const bool chooses = in.kind == Instruction::Kind::op && in.op == Op::choose;
    for (int k = 0; k < 3; ++k) {
      const int load = load_of(in.inputs[k]);
      if (load < 0) continue;
      const IndexExpr* e = clamped_inner(kernel, kernel.loads[static_cast<size_t>(load)]);
      if (!chooses || k != 1 || !e || !implies_inside(kernel, in.inputs[0], e->source))
        used(in.inputs[k]);
    }
  }
  for (const compiler::Output& output : kernel.outputs) used(output.instruction);
  for (const IndexExpr& e : kernel.indices)
    if (e.kind == IndexExpr::Kind::gathered) used(e.source);
  for (const compiler::ProgramCall& call : kernel.programs)
    for (int argument : call.arguments) used(argument);
  for (const auto& carried : kernel.repeat.carried) used(carried.before), used(carried.next);
  return result;
}

}  // namespace tutti::codegen
