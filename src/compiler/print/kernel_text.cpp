// Prints kernels: sources, coordinates, loads, instructions, outputs, then the schedule.
#include <cstdlib>

#include "compiler/print/print.hpp"
#include "program/program.hpp"

namespace tutti::compiler {
namespace {

using compiler::IndexExpr;
using compiler::Instruction;
using compiler::Kernel;

std::string number(int64_t n) { return std::to_string(n); }
std::string value(int instruction) { return "%" + number(instruction); }
std::string index(int i) { return "x" + number(i); }

const char* form_text(compiler::Form form) {
  switch (form) {
    case compiler::Form::map:
      return "map";
    case compiler::Form::reduce_wide:
      return "reduce wide";
    case compiler::Form::reduce_column:
      return "reduce column";
    case compiler::Form::reduce_segments:
      return "reduce segments";
    case compiler::Form::recurrence:
      return "recurrence";
  }
  return "";
}

std::string expression_text(const IndexExpr& e) {
  const auto offset = [&]() -> std::string {
    if (!e.offset) return "";
    return (e.offset > 0 ? " + " : " - ") + number(std::abs(e.offset));
  };
  switch (e.kind) {
    case IndexExpr::Kind::constant:
      return e.is_known() ? number(e.offset) : "scalar " + number(e.slot);
    case IndexExpr::Kind::dim:
      return "i" + number(e.dim);
    case IndexExpr::Kind::affine:
      return (e.scale == 1 ? "" : number(e.scale) + "*") + index(e.source) + offset() +
             (e.step ? " + " + number(e.step) + "*step" : "");
    case IndexExpr::Kind::clamp:
      return "clamp(" + index(e.source) + ", " + number(e.extent) + ")";
    case IndexExpr::Kind::wrap:
      return "wrap(" + index(e.source) + ", " + number(e.extent) + ")";
    case IndexExpr::Kind::gathered:
      return value(e.source);
    case IndexExpr::Kind::quotient:
      return index(e.source) + " / " + number(e.scale);
    case IndexExpr::Kind::remainder:
      return index(e.source) + " % " + number(e.scale);
  }
  return "";
}

std::string instruction_text(const Instruction& in) {
  std::string text;
  switch (in.kind) {
    case Instruction::Kind::constant:
      return "scalar " + number(in.slot);
    case Instruction::Kind::index:
      return index(in.slot);
    case Instruction::Kind::load:
      return "load " + number(in.slot);
    case Instruction::Kind::op:
      text = ir::op_name(in.op);
      break;
    case Instruction::Kind::cast:
      text = "cast";
      break;
    case Instruction::Kind::inside:
      return "inside(" + index(in.slot) + ", " + number(in.extent) + ")";
    case Instruction::Kind::program:
      return "program " + number(in.slot) + " output " + number(in.output);
    case Instruction::Kind::carried:
      return "carried " + number(in.slot);
    case Instruction::Kind::after:
      return "after " + number(in.slot);
    case Instruction::Kind::previous:
      return "previous value " + number(in.slot) + ", at first " + value(in.inputs[0]);
  }
  for (int input : in.inputs)
    if (input >= 0) text += " " + value(input);
  return text;
}

std::string load_text(const Kernel& kernel, const compiler::Load& load) {
  std::string text = "source " + number(load.source) + "[";
  for (const compiler::Load::Axis& axis : load.axes)
    text += (&axis == load.axes.data() ? "" : ", ") + ("axis " + number(axis.source_axis)) + ": " +
            index(axis.index);
  text += "]";
  if (kernel.sources[static_cast<size_t>(load.source)].parts > 1)
    text += " part " + number(load.part);
  return text;
}

std::string schedule_text(const Kernel& kernel) {
  if (const auto* gpu = std::get_if<schedule::GpuSchedule>(&kernel.schedule))
    return std::visit([&](const auto& strategy) { return strategy.describe(kernel); }, *gpu);
  const auto* cpu = std::get_if<schedule::CpuSchedule>(&kernel.schedule);
  if (!cpu) return "none";
  static constexpr const char* names[] = {
      "inside of a primitive", "row blocks", "column blocks", "lines", "rows", "tiles",
      "columns of tiles"};
  static_assert(std::size(names) == std::variant_size_v<schedule::CpuSchedule>);
  return names[cpu->index()];
}

std::string repeat_text(const compiler::Repeat& repeat) {
  std::string text = "  repeat " + number(repeat.steps) + " times " + value(repeat.first) + " to " +
                     value(repeat.last - 1) + "\n";
  for (size_t c = 0; c < repeat.carried.size(); ++c)
    text += "  carried " + number(static_cast<int64_t>(c)) + ": " +
            value(repeat.carried[c].before) + ", then " + value(repeat.carried[c].next) + "\n";
  return text;
}

}  // namespace

std::string source_text(const compiler::Source& source) {
  if (source.members.empty()) return (source.is_value ? "value " : "leaf ") + number(source.id);
  std::string text = "interleaved copy of";
  for (int member : source.members) text += " leaf " + number(member);
  return text;
}

std::string print(const Kernel& kernel) {
  std::string text = std::string(form_text(kernel.form)) + " " + detail::to_string(kernel.domain);
  if (kernel.form == compiler::Form::recurrence)
    text += " along i" + number(kernel.kept) + (kernel.backward ? " backward" : "");
  else if (kernel.form != compiler::Form::map)
    text += " keeps " + number(kernel.kept);
  for (const auto& [flag, word] : {std::pair(kernel.streaming, ", streaming stores"),
                                   std::pair(kernel.wide_index, ", 64-bit indices"),
                                   std::pair(kernel.fused, ", inside of a primitive")})
    if (flag) text += word;
  text += "\n";
  const auto line = [&](const std::string& name, size_t i, const std::string& rest) {
    text += "  " + name + number(static_cast<int64_t>(i)) + " = " + rest + "\n";
  };
  for (size_t s = 0; s < kernel.sources.size(); ++s) {
    const compiler::Source& source = kernel.sources[s];
    line("source ", s, type_text(source.type, source.shape) + " " + source_text(source));
  }
  for (size_t i = 0; i < kernel.indices.size(); ++i)
    line("x", i, expression_text(kernel.indices[i]));
  for (size_t l = 0; l < kernel.loads.size(); ++l)
    line("load ", l, load_text(kernel, kernel.loads[l]));
  for (size_t c = 0; c < kernel.programs.size(); ++c) {
    std::string arguments = "program of";
    for (int argument : kernel.programs[c].arguments) arguments += " " + value(argument);
    line("program ", c, arguments);
  }
  for (size_t i = 0; i < kernel.code.size(); ++i)
    line("%", i, name(kernel.code[i].type) + (" " + instruction_text(kernel.code[i])));
  if (kernel.repeat.steps) text += repeat_text(kernel.repeat);
  for (const compiler::Output& output : kernel.outputs) {
    text += "  value " + number(output.value) + " = ";
    if (kernel.form != compiler::Form::map && kernel.form != compiler::Form::recurrence)
      text += std::string(ir::reduction_name(output.reduction)) + " ";
    text += value(output.instruction) + "\n";
  }
  return text + "  schedule: " + schedule_text(kernel) + "\n";
}

}  // namespace tutti::compiler
