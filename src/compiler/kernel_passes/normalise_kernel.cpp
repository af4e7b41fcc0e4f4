#include "compiler/kernel_passes/normalise_kernel.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "compiler/cost_constants.hpp"
#include "compiler/kernel_passes/join_axes.hpp"
#include "compiler/plan/plan.hpp"
#include "program/program.hpp"

namespace tutti::compiler {
namespace {

// Offsets this close to each other form a stencil: their distances become part of the machine code,
// and a row of neighbours needs one address. Larger offsets, and the position of the whole stencil,
// are arguments: changing them compiles nothing.
constexpr int64_t stencil_reach = 64;

void mark_structure(Kernel& kernel) {
  int base = -1;
  for (int i = 0; i < static_cast<int>(kernel.indices.size()); ++i) {
    IndexExpr& e = kernel.indices[i];
    const auto source_unit = [&] { return kernel.indices[e.source].unit; };
    switch (e.kind) {
      case IndexExpr::Kind::affine:
        e.unit = e.scale == 1 && source_unit();
        break;
      case IndexExpr::Kind::clamp:
        e.unit = source_unit();
        break;
      case IndexExpr::Kind::wrap: {
        e.unit = source_unit();
        const IndexExpr& from = kernel.indices[e.source];
        e.far_wrap = from.low < -e.extent || from.high >= 2 * e.extent;
        break;
      }
      case IndexExpr::Kind::gathered:
      case IndexExpr::Kind::quotient:
      case IndexExpr::Kind::remainder:
        e.unit = false;
        break;
      default:
        break;
    }
    if (e.kind != IndexExpr::Kind::affine || e.dim != kernel.inner()) continue;
    if (e.step) {  // the stencil moves with every step
      e.base = i;
      continue;
    }
    if (base >= 0 && std::llabs(e.offset - kernel.indices[base].offset) <= stencil_reach) {
      e.base = base;
      e.delta = e.offset - kernel.indices[base].offset;
    } else {
      e.base = i;
      if (base < 0) base = i;
    }
  }
}

// Returns the increment of a coordinate per point of the inner axis, boundary rules aside, or 0 if
// it is not known.
int64_t inner_scale(const Kernel& kernel, int index) {
  const IndexExpr& e = kernel.indices[static_cast<size_t>(index)];
  if (e.dim != kernel.inner() || e.step) return 0;
  switch (e.kind) {
    case IndexExpr::Kind::dim:
      return 1;
    case IndexExpr::Kind::affine:
      return e.scale * inner_scale(kernel, e.source);
    case IndexExpr::Kind::clamp:
    case IndexExpr::Kind::wrap:
      return inner_scale(kernel, e.source);
    default:
      return 0;
  }
}

// Returns the stride of lanes that read every second, third or fourth element, or 0. Such elements
// are loaded as whole vectors.
int step_of(const Kernel& kernel, const Load& load) {
  constexpr int64_t most = 4;
  const Source& source = kernel.sources[static_cast<size_t>(load.source)];
  if (source.parts > 1) return 0;
  int64_t step = 0;
  for (const Load::Axis& axis : load.axes) {
    const IndexExpr& e = kernel.indices[static_cast<size_t>(axis.index)];
    if (e.dim == IndexExpr::from_data) return 0;
    if (e.dim != kernel.inner()) continue;
    if (step) return 0;
    step = inner_scale(kernel, axis.index) *
           elements_along(source.shape, axis.source_axis + 1, source.shape.rank);
    if (step < 1 || step > most) return 0;
  }
  return step > 1 ? static_cast<int>(step) : 0;
}

// Removes unused coordinates: joining axes leaves some without a reader.
void drop_unused_indices(Kernel& kernel) {
  std::vector<bool> used(kernel.indices.size(), false);
  for (const Load& load : kernel.loads)
    for (const Load::Axis& axis : load.axes) used[axis.index] = true;
  for (const Instruction& in : kernel.code)
    if (in.kind == Instruction::Kind::index || in.kind == Instruction::Kind::inside)
      used[in.slot] = true;
  for (int i = static_cast<int>(used.size()) - 1; i >= 0; --i)
    if (used[i] && kernel.indices[i].is_derived()) used[kernel.indices[i].source] = true;
  std::vector<int> moved(used.size(), -1);
  std::vector<IndexExpr> kept;
  for (size_t i = 0; i < used.size(); ++i)
    if (used[i]) {
      moved[i] = static_cast<int>(kept.size());
      kept.push_back(kernel.indices[i]);
      if (kept.back().is_derived()) kept.back().source = moved[kept.back().source];
    }
  kernel.indices = std::move(kept);
  std::erase_if(kernel.stays_inside, [&](const StaysInside& s) { return moved[s.index] < 0; });
  for (StaysInside& s : kernel.stays_inside) s.index = moved[s.index];
  for (Load& load : kernel.loads)
    for (Load::Axis& axis : load.axes) axis.index = moved[axis.index];
  for (Instruction& in : kernel.code)
    if (in.kind == Instruction::Kind::index || in.kind == Instruction::Kind::inside)
      in.slot = moved[in.slot];
}

}  // namespace

void normalise_kernel(Kernel& kernel) {
  join_contiguous_axes(kernel);
  if (kernel.domain.rank == 0) kernel.domain.push_back(1);  // there is always an inner axis
  drop_unused_indices(kernel);
  mark_structure(kernel);
  for (Load& load : kernel.loads) load.step = step_of(kernel, load);

  mark_alike(kernel, [](const Source&, const Source&) { return true; });
  choose_index_width(kernel);
}

void mark_alike(Kernel& kernel, const std::function<bool(const Source&, const Source&)>& same) {
  for (size_t a = 0; a < kernel.sources.size(); ++a) {
    size_t b = 0;
    while (!(kernel.sources[b].shape == kernel.sources[a].shape &&
             same(kernel.sources[b], kernel.sources[a])))
      ++b;  // ends at the source itself
    kernel.sources[a].alike = static_cast<int>(b);
  }
}

namespace {

// Returns whether a coordinate, an extent or an element index may need more than 32 bits. A view of
// a huge array that is never stored has large coordinates and few elements.
bool needs_wide_index(const Kernel& kernel) {
  const auto wide = [](int64_t n) { return n > INT32_MAX || n < INT32_MIN; };
  return wide(kernel.domain.size()) ||
         std::any_of(kernel.sources.begin(), kernel.sources.end(),
                     [&](const Source& source) { return wide(source.shape.size()); }) ||
         std::any_of(
             kernel.indices.begin(), kernel.indices.end(),
             [&](const IndexExpr& e) { return wide(e.low) || wide(e.high) || wide(e.extent); }) ||
         std::any_of(kernel.code.begin(), kernel.code.end(),
                     [&](const Instruction& in) { return wide(in.extent); });
}

}  // namespace

void choose_index_width(Kernel& kernel) { kernel.wide_index = needs_wide_index(kernel); }

std::string Kernel::key() const {
  std::string text;
  const auto number = [&](int64_t n) {
    char digits[24];
    char* const end = std::to_chars(digits, digits + sizeof digits - 1, n).ptr;
    *end = ' ';
    text.append(digits, end + 1);
  };
  number(static_cast<int>(form));
  number(domain.rank);
  number(kept);
  if (form == Form::recurrence) number(backward);
  number(streaming);
  number(wide_index);
  text += schedule::key_of(schedule) + "| ";
  const bool tiled = schedule::on_gpu<schedule::RegisterTiles>(schedule);
  for (const IndexExpr& e : indices) {
    number(static_cast<int>(e.kind));
    number(e.source);
    number(e.dim);
    if (e.kind == IndexExpr::Kind::affine) number(e.scale == 1);
    if (e.base >= 0) number(e.base), number(e.delta);
    if (tiled && e.kind == IndexExpr::Kind::affine && e.dim >= domain.rank - 2)
      number(e.offset);  // distances are part of the tile
    if (e.kind == IndexExpr::Kind::wrap) number(e.far_wrap);
    if (e.step) number(e.step);
    text += ", ";
  }
  text += "| ";
  for (const Source& source : sources) {
    number(static_cast<int>(source.type));
    number(source.shape.rank);
    number(source.alike);
    if (source.parts > 1) number(-source.parts);
  }
  text += "| ";
  for (const Load& load : loads) {
    number(load.source);
    if (load.part) number(-load.part);
    if (load.step) text += 's', number(load.step);
    for (const Load::Axis& axis : load.axes) number(axis.index), number(axis.source_axis);
    text += ", ";
  }
  text += "| ";
  for (const Instruction& in : code) {
    number(static_cast<int>(in.kind));
    number(static_cast<int>(in.type));
    if (in.kind == Instruction::Kind::op) number(static_cast<int>(in.op));
    for (int input : in.inputs)
      if (input >= 0) number(input);
    if (in.kind != Instruction::Kind::constant) number(in.slot);
    if (in.kind == Instruction::Kind::program) number(in.output);
    text += ", ";
  }
  text += "| ";
  for (const Output& output : outputs) {
    number(output.instruction);
    number(static_cast<int>(output.type));
    if (form != Form::map) number(static_cast<int>(output.reduction));
  }
  if (repeat.steps) {
    text += "| ";
    number(repeat.steps), number(repeat.first), number(repeat.last);
    for (const Repeat::Carried& c : repeat.carried) number(c.before), number(c.next);
    for (const auto& scalar : repeat.scalars) number(scalar.first);
  }
  for (const ProgramCall& call : programs) {
    text += "| " + call.program->key + "( ";
    for (int argument : call.arguments) number(argument);
    for (const ProgramCall::Table& table : call.tables) number(table.source);
    text += ')';
  }
  return text;
}

}  // namespace tutti::compiler
