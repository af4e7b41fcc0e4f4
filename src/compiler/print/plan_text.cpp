// Prints plans: values with their last use, then the steps with their kernels and launches.
#include "compiler/print/print.hpp"

namespace tutti::compiler {
namespace {

std::string number(int64_t n) { return std::to_string(n); }

std::string indented(const std::string& text) {
  std::string result = "  ";
  for (size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text[i] == '\n' && i + 1 < text.size()) result += "  ";
  }
  return result;
}

std::string kernel_text(const KernelStep& step) {
  std::string text = print(step.kernel);
  if (std::holds_alternative<schedule::GpuSchedule>(step.kernel.schedule)) {
    if (!step.kernel.fused)
      text += "  launch: " + number(step.grid.x) + " x " + number(step.grid.y) + " blocks of " +
              number(step.grid.threads_x) + " x " + number(step.grid.threads_y) + " threads\n";
  } else if (!schedule::on_cpu<schedule::RowBlocks>(step.kernel.schedule) && !step.kernel.fused) {
    text += "  task: " + number(step.task.items) + " x " + number(step.task.columns) + " of " +
            number(step.items) + " x " + number(step.columns) + "\n";
  }
  return indented(text);
}

std::string text_of(const KernelStep& step) { return "kernel\n" + kernel_text(step); }
std::string text_of(const ChainStep& step) {
  std::string text = "row blocks of " + number(step.rows) + " x " + number(step.columns) + " in " +
                     number(static_cast<int64_t>(step.row_blocks.size() * step.tiles.size())) +
                     " tasks, " + number(static_cast<int64_t>(step.tiles.size())) +
                     " column tiles\n";
  for (const KernelStep& kernel : step.kernels) text += kernel_text(kernel);
  return text;
}
std::string text_of(const ProductStep& step) {
  const auto operand = [](const Source& source, bool transposed) {
    return source_text(source) + (transposed ? " transposed" : "");
  };
  return "product value " + number(step.value) + " = " + name(step.type) + "{" + number(step.rows) +
         ", " + number(step.columns) + "} " + operand(step.a, step.a_transposed) + " * " +
         operand(step.b, step.b_transposed) + ", inner " + number(step.inner) + "\n";
}
std::string text_of(const AliasStep& step) {
  return "alias value " + number(step.value) + " = " + source_text(step.from) + "\n";
}
std::string text_of(const FillStep& step) {
  return "fill value " + number(step.value) + " = " + name(step.fill.type) + " bits " +
         std::to_string(step.fill.bits) + "\n";
}
std::string text_of(const PrimitiveStep& step) {
  const std::string second = step.second_value < 0 ? "" : ", " + number(step.second_value);
  std::string text = "primitive value " + number(step.value) + second + " = " +
                     type_text(step.type, step.shape) + " " + ir::kind_name(step.kind);
  for (const Source& input : step.inputs)
    text += input.id < 0 ? " computed" : " " + source_text(input);
  text += step.stored ? "\n" : ", not stored\n";
  for (const auto& [role, kernel] :
       {std::pair("elements", &step.elements), std::pair("values", &step.values),
        std::pair("consumer", &step.consumer)})
    if (*kernel) text += std::string("  ") + role + "\n" + indented(kernel_text(**kernel));
  return text;
}

}  // namespace

std::string print(const Plan& plan) {
  std::string text = std::string("plan for ") + plan.target->name + "\n";
  for (size_t v = 0; v < plan.values.size(); ++v) {
    const PlanValue& value = plan.values[v];
    text += "value " + number(static_cast<int64_t>(v)) + " = " + number(value.elements) + " of " +
            name(value.type);
    if (value.keep) text += ", kept";
    if (value.in_row_blocks) text += ", in row blocks only";
    if (value.last_step >= 0) text += ", last read by step " + number(value.last_step);
    text += "\n";
  }
  for (size_t s = 0; s < plan.steps.size(); ++s)
    text += "step " + number(static_cast<int64_t>(s)) + ": " +
            std::visit([](const auto& step) { return text_of(step); }, plan.steps[s]);
  return text;
}

}  // namespace tutti::compiler
