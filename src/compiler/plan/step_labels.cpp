#include "compiler/plan/step_labels.hpp"

#include "compiler/plan/plan.hpp"
#include "core/timeline/event_text.hpp"

namespace tutti::compiler {
namespace {

using timeline::quoted;

std::vector<int> values_written(const Step& step) {
  std::vector<int> values;
  const auto of_kernel = [&](const KernelStep& k) {
    for (const Output& output : k.kernel.outputs) values.push_back(output.value);
  };
  if (const auto* k = std::get_if<KernelStep>(&step)) of_kernel(*k);
  if (const auto* chain = std::get_if<ChainStep>(&step))
    for (const KernelStep& k : chain->kernels) of_kernel(k);
  if (const auto* product = std::get_if<ProductStep>(&step)) values.push_back(product->value);
  if (const auto* alias = std::get_if<AliasStep>(&step)) values.push_back(alias->value);
  if (const auto* fill = std::get_if<FillStep>(&step)) values.push_back(fill->value);
  if (const auto* primitive = std::get_if<PrimitiveStep>(&step)) {
    values.push_back(primitive->value);
    values.push_back(primitive->second_value);
    if (primitive->consumer) of_kernel(*primitive->consumer);
  }
  return values;
}

// Returns the floating-point operations of one run, or -1 if they depend on the data.
int64_t operations_of(const Kernel& kernel) {
  if (!kernel.programs.empty() || kernel.repeat.steps > 0) return -1;
  int64_t each = 0;
  for (const Instruction& in : kernel.code) {
    const bool floating = in.type == ElementType::f32 || in.type == ElementType::f64;
    each += in.kind == Instruction::Kind::op && floating;
  }
  for (const Output& output : kernel.outputs)
    each += kernel.form != Form::map &&
            (output.type == ElementType::f32 || output.type == ElementType::f64);
  return each * kernel.domain.size();
}

int64_t operations_of(const Step& step) {
  if (const auto* k = std::get_if<KernelStep>(&step)) return operations_of(k->kernel);
  if (const auto* product = std::get_if<ProductStep>(&step))
    return 2 * product->rows * product->columns * product->inner;
  if (const auto* chain = std::get_if<ChainStep>(&step)) {
    int64_t all = 0;
    for (const KernelStep& k : chain->kernels) {
      const int64_t some = operations_of(k.kernel);
      if (some < 0) return -1;
      all += some;
    }
    return all;
  }
  return -1;
}

// "multiply, add x 3": equal consecutive names are merged, with their number.
std::string short_list(const std::vector<std::string>& operations) {
  constexpr size_t most_letters = 60;
  std::string text;
  for (size_t i = 0; i < operations.size();) {
    size_t same = i;
    while (same < operations.size() && operations[same] == operations[i]) ++same;
    if (text.size() > most_letters) return text + ", ...";
    text += (text.empty() ? "" : ", ") + operations[i];
    if (same - i > 1) text += " x " + std::to_string(same - i);
    i = same;
  }
  return text;
}

// Returns " (file:line)" without the blank and the parentheses.
std::vector<std::string> bare(std::vector<std::string> lines) {
  for (std::string& line : lines)
    if (line.starts_with(" (") && line.ends_with(")")) line = line.substr(2, line.size() - 3);
  return lines;
}

std::string list(const std::vector<std::string>& texts) {
  std::string result = "[";
  for (const std::string& text : texts) result += (result.size() > 1 ? "," : "") + quoted(text);
  return result + "]";
}

timeline::LabelRef label_of(const Explanation::Kernel& kernel, const Step& step, bool has_bytes) {
  auto label = std::make_shared<timeline::Label>();
  label->name = kernel.name + ": " + short_list(kernel.operations);
  label->members = "\"shape\":" + quoted(kernel.shape) +
                   ",\"operations\":" + list(kernel.operations) +
                   ",\"lines\":" + list(bare(kernel.lines));
  if (has_bytes)
    label->members += ",\"bytes_read\":" + std::to_string(kernel.bytes_read) +
                      ",\"bytes_written\":" + std::to_string(kernel.bytes_written);
  if (const int64_t operations = operations_of(step); operations > 0)
    label->members += ",\"flops\":" + std::to_string(operations);
  return label;
}

timeline::LabelRef plain_label(const char* name) {
  return std::make_shared<const timeline::Label>(timeline::Label{name, ""});
}

// A step whose results no note names belongs to the step that follows: a reduction of tiles. The
// bytes of a note are counted once, with its first step.
std::vector<timeline::LabelRef> labels_of(const Plan& plan) {
  const std::vector<Explanation::Kernel> kernels = explain(plan);
  std::vector<int> note_of(plan.values.size(), -1);
  for (size_t n = 0; n < plan.notes.size(); ++n)
    for (int value : plan.notes[n].writes)
      if (value >= 0) note_of[static_cast<size_t>(value)] = static_cast<int>(n);
  std::vector<int> notes(plan.steps.size(), -1);
  int following = -1;
  for (size_t s = plan.steps.size(); s-- > 0;) {
    for (int value : values_written(plan.steps[s]))
      if (value >= 0 && note_of[static_cast<size_t>(value)] >= 0)
        following = note_of[static_cast<size_t>(value)];
    notes[s] = following;
  }
  std::vector<bool> counted(kernels.size(), false);
  std::vector<timeline::LabelRef> labels;
  for (size_t s = 0; s < plan.steps.size(); ++s) {
    const bool is_work = !std::holds_alternative<AliasStep>(plan.steps[s]) &&
                         !std::holds_alternative<FillStep>(plan.steps[s]);
    if (notes[s] < 0 || !is_work) {
      labels.push_back(plain_label(is_work ? "kernel" : "alias"));
      continue;
    }
    const auto n = static_cast<size_t>(notes[s]);
    labels.push_back(label_of(kernels[n], plan.steps[s], !counted[n]));
    counted[n] = true;
  }
  return labels;
}

}  // namespace

const std::vector<timeline::LabelRef>& StepLabels::of(const Plan& plan) const {
  const std::vector<timeline::LabelRef>* known = labels_.load(std::memory_order_acquire);
  if (known) return *known;
  auto made = std::make_unique<const std::vector<timeline::LabelRef>>(labels_of(plan));
  if (labels_.compare_exchange_strong(known, made.get())) return *made.release();
  return *known;
}

}  // namespace tutti::compiler
