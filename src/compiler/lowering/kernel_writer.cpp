#include "compiler/lowering/kernel_writer.hpp"

#include <algorithm>

#include "program/program.hpp"

namespace tutti::compiler {

int KernelWriter::add(const Instruction& in) {
  const auto number = static_cast<int>(kernel_.code.size());
  const bool pure = in.kind == Instruction::Kind::op || in.kind == Instruction::Kind::cast;
  if (merges && pure) {
    const auto key = std::tuple(in.kind, in.type, in.op, in.inputs[0], in.inputs[1], in.inputs[2]);
    const auto [found, is_new] = operations_.emplace(key, number);
    if (!is_new) return found->second;
  }
  kernel_.code.push_back(in);
  return number;
}

int KernelWriter::op(Op op, ElementType type, std::initializer_list<int> inputs) {
  Instruction in;
  in.kind = Instruction::Kind::op;
  in.type = type;
  in.op = op;
  std::copy(inputs.begin(), inputs.end(), in.inputs);
  return add(in);
}

int KernelWriter::cast(ElementType type, int input) {
  Instruction in;
  in.kind = Instruction::Kind::cast;
  in.type = type;
  in.inputs[0] = input;
  return add(in);
}

int KernelWriter::scalar(ElementType type, int slot) {
  if (const auto found = scalars_.find(slot); found != scalars_.end()) return found->second;
  Instruction in;
  in.kind = Instruction::Kind::constant;
  in.type = type;
  in.slot = slot;
  return scalars_[slot] = add(in);
}

int KernelWriter::index_value(int index, ElementType type) {
  const IndexExpr& e = coordinates_.at(index);
  const bool computed = e.kind == IndexExpr::Kind::gathered;
  if (computed && kernel_.code[static_cast<size_t>(e.source)].type == type) return e.source;
  const auto [found, is_new] = index_values_.try_emplace({index, type}, -1);
  if (!is_new) return found->second;
  if (computed) return found->second = cast(type, e.source);
  Instruction in;
  in.kind = Instruction::Kind::index;
  in.type = type;
  in.slot = index;
  return found->second = add(in);
}

int KernelWriter::is_in(int index, int64_t extent) {
  const auto [found, is_new] = is_in_.try_emplace({index, extent}, -1);
  if (!is_new) return found->second;
  Instruction in;
  in.kind = Instruction::Kind::inside;
  in.type = ElementType::b8;
  in.slot = index;
  in.extent = extent;
  return found->second = add(in);
}

int KernelWriter::both(int a, int b) {
  return a < 0 ? b : op(Op::logical_and, ElementType::b8, {a, b});
}

int KernelWriter::load(Source source, const Extents& shape, const Indices& at) {
  Load load;
  for (int axis = 0; axis < shape.rank; ++axis)
    if (shape[axis] != 1) {
      load.axes.push_back({at[static_cast<size_t>(axis)], source.shape.rank});
      source.shape.push_back(shape[axis]);
    }
  load.source = source_number(source);
  Instruction in;
  in.kind = Instruction::Kind::load;
  in.type = source.type;
  in.slot = static_cast<int>(kernel_.loads.size());
  kernel_.loads.push_back(load);
  return add(in);
}

int KernelWriter::output_of_call(int call, int output) {
  const ir::ScalarProgram& program = *kernel_.programs[static_cast<size_t>(call)].program;
  Instruction in;
  in.kind = Instruction::Kind::program;
  in.type = program.slots[static_cast<size_t>(program.outputs[static_cast<size_t>(output)])];
  in.slot = call;
  in.output = output;
  return add(in);
}

int KernelWriter::previous(int state, ElementType type, int initial) {
  Instruction in;
  in.kind = Instruction::Kind::previous;
  in.type = type;
  in.slot = state;
  in.inputs[0] = initial;
  return add(in);
}

int KernelWriter::source_number(const Source& source) {
  const auto found = std::find(kernel_.sources.begin(), kernel_.sources.end(), source);
  const auto number = static_cast<int>(found - kernel_.sources.begin());
  if (found == kernel_.sources.end()) kernel_.sources.push_back(source);
  return number;
}

}  // namespace tutti::compiler
