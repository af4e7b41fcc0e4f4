#include "compiler/plan/resize.hpp"

#include <algorithm>

#include "compiler/kernel_passes/normalise_kernel.hpp"

namespace tutti::compiler {

NewLengths::NewLengths(std::span<const int64_t> from, std::span<const int64_t> to) {
  for (size_t i = 0; i < from.size(); ++i) add(from[i], to[i]);
}

int64_t NewLengths::of(int64_t length) {
  if (length <= 1) return length;
  const auto found = std::find_if(lengths_.begin(), lengths_.end(),
                                  [&](const auto& entry) { return entry.first == length; });
  if (found != lengths_.end()) return found->second;
  known_ = false;
  return length;
}

void NewLengths::add(int64_t from, int64_t to) {
  const auto found = std::find_if(lengths_.begin(), lengths_.end(),
                                  [&](const auto& entry) { return entry.first == from; });
  if (found == lengths_.end() && from > 1 && to > 1)
    lengths_.emplace_back(from, to);
  else
    known_ &= of(from) == to;
}

namespace {

class Resizing {
 public:
  Resizing(const Plan& plan, NewLengths lengths) : plan_(plan), lengths_(std::move(lengths)) {}

  std::unique_ptr<Plan> run() {
    auto result = std::make_unique<Plan>();
    for (const Step& step : plan_.steps) {
      std::visit([&](const auto& s) { add(s, result->steps); }, step);
      if (!possible_ || !lengths_.are_known()) return nullptr;
    }
    result->values = plan_.values;
    result->by_last_step = plan_.by_last_step;
    for (PlanValue& value : result->values) value.elements = lengths_.of(value.elements);
    result->value_of = plan_.value_of;
    result->leaf_of = plan_.leaf_of;
    result->notes = plan_.notes;
    result->target = plan_.target;
    for (KernelNote& note : result->notes) {
      resize(note.shape);
      for (Source& source : note.reads) resize(source.shape);
    }
    return lengths_.are_known() ? std::move(result) : nullptr;
  }

 private:
  void resize(Extents& shape) {
    for (int axis = 0; axis < shape.rank; ++axis) shape[axis] = lengths_.of(shape[axis]);
  }

  void add(const KernelStep& step, std::vector<Step>& steps) { steps.emplace_back(resized(step)); }
  void add(const PrimitiveStep& step, std::vector<Step>& steps) {
    PrimitiveStep next;
    next.kind = step.kind;
    next.reduction = step.reduction;
    next.payload = step.payload;
    next.type = step.type;
    next.shape = step.shape;
    resize(next.shape);
    next.inputs = step.inputs;
    for (Source& input : next.inputs) resize(input.shape);
    next.value = step.value;
    next.second_value = step.second_value;
    next.place = step.place;
    if (step.elements) next.elements = std::make_unique<KernelStep>(resized(*step.elements));
    next.fused = step.fused;
    next.in_place = step.in_place;
    if (step.values) next.values = std::make_unique<KernelStep>(resized(*step.values));
    if (step.consumer) next.consumer = std::make_unique<KernelStep>(resized(*step.consumer));
    next.stored = step.stored;
    steps.emplace_back(std::move(next));
  }
  void add(const FillStep& step, std::vector<Step>& steps) { steps.emplace_back(step); }
  // Products, chains and aliases occur only with arrays of higher rank.
  template <class Other>
  void add(const Other&, std::vector<Step>&) {
    possible_ = false;
  }

  KernelStep resized(const KernelStep& step) {
    Kernel kernel = step.kernel;
    possible_ &= kernel.programs.empty() && !kernel.repeat.steps &&
                 !schedule::on_gpu<schedule::RegisterTiles>(kernel.schedule);
    resize(kernel.domain);
    for (Source& source : kernel.sources) resize(source.shape);
    for (Instruction& in : kernel.code) in.extent = lengths_.of(in.extent);
    for (IndexExpr& e : kernel.indices) resize(e, kernel);
    for (StaysInside& s : kernel.stays_inside) {
      s.extent = lengths_.of(s.extent);
      const IndexExpr& e = kernel.indices[static_cast<size_t>(s.index)];
      possible_ &= e.low >= 0 && e.high < s.extent;
    }
    if (kernel.form == Form::reduce_wide || kernel.form == Form::reduce_column)
      lengths_.add(tiles_of(step.kernel), tiles_of(kernel));
    choose_index_width(kernel);
    // One point per thread is valid for all lengths. Searching register tiles would take too long.
    if (!schedule::on_gpu<schedule::PointMap>(kernel.schedule))
      choose_schedule(kernel, *plan_.target);
    return KernelStep(step, std::move(kernel), *plan_.target);
  }

  // Updates the range of a coordinate. Sources come first.
  void resize(IndexExpr& e, const Kernel& kernel) {
    switch (e.kind) {
      case IndexExpr::Kind::constant:
        possible_ &= e.is_known() && e.offset == 0;  // others may come from a boundary rule
        return;
      case IndexExpr::Kind::dim:
        e.high = kernel.domain[e.dim] - 1;
        return;
      case IndexExpr::Kind::affine: {
        const IndexExpr& from = kernel.indices[static_cast<size_t>(e.source)];
        e.low = std::min(e.scale * from.low, e.scale * from.high) + e.offset;
        e.high = std::max(e.scale * from.low, e.scale * from.high) + e.offset;
        return;
      }
      case IndexExpr::Kind::clamp: {
        const IndexExpr& from = kernel.indices[static_cast<size_t>(e.source)];
        e.extent = lengths_.of(e.extent);
        e.low = std::clamp<int64_t>(from.low, 0, e.extent - 1);
        e.high = std::clamp<int64_t>(from.high, 0, e.extent - 1);
        return;
      }
      case IndexExpr::Kind::wrap:
      case IndexExpr::Kind::quotient:
      case IndexExpr::Kind::remainder:
        possible_ = false;
        return;
      case IndexExpr::Kind::gathered:  // the range of a 64-bit one follows from an extent
        if (kernel.code[static_cast<size_t>(e.source)].type == ElementType::i64) possible_ = false;
        return;
    }
  }

  const Plan& plan_;
  NewLengths lengths_;
  bool possible_ = true;
};

}  // namespace

std::unique_ptr<Plan> resize(const Plan& plan, NewLengths lengths) {
  return Resizing(plan, std::move(lengths)).run();
}

}  // namespace tutti::compiler
