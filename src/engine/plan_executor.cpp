#include "engine/plan_executor.hpp"

#include <algorithm>
#include <cstring>

#include "core/process/interruption.hpp"
#include "core/statistics.hpp"
#include "core/timeline/timeline.hpp"
#include "engine/leases.hpp"
#include "graph/one_owner.hpp"
#include "runtime/memory/pool.hpp"

namespace tutti::engine {
namespace {

using compiler::Extents;
using compiler::Plan;
using ir::BufferRef;

class Execution {
 public:
  // With a list, kernels are added to it instead of being launched.
  Execution(const Plan& plan, const Inputs& inputs, const Fates& fates,
            std::span<const Destination> targets, LaunchList* list = nullptr)
      : device_(runtime::current_device()),
        plan_(plan),
        inputs_(inputs),
        fates_(fates),
        targets_(targets),
        list_(list),
        values_(plan.values.size()) {}

  // Returns the buffers of the values that are kept.
  std::vector<BufferRef> run() {
    note_evaluation();
    const Uninterruptible whole(!targets_.empty());  // a target may also be an input
    // Arrays without elements need no step, but a step may read them.
    for (size_t v = 0; v < values_.size(); ++v)
      if (plan_.values[v].elements == 0) values_[v] = runtime::allocate(0);
    if (plan_.steps.size() > 1) device_.prepare(plan_);
    const std::unique_ptr<runtime::Gathering> gathering =
        plan_.steps.size() > 1 && !list_ ? device_.gather() : nullptr;
    for (step_ = 0; step_ < static_cast<int>(plan_.steps.size()); ++step_) {
      if (step_ > 0) stop_if_interrupted();
      const timeline::Scope scope(device_.is_gpu() ? "launch" : "kernel", label());
      std::visit([&](const auto& step) { run(step); }, plan_.steps[static_cast<size_t>(step_)]);
      drop_unneeded();
    }
    if (gathering) gathering->start();
    return std::move(values_);
  }

 private:
  // Returns the label of this step in the timeline.
  const timeline::LabelRef* label() const {
    return timeline::is_on() ? &plan_.labels.of(plan_)[static_cast<size_t>(step_)] : nullptr;
  }

  const BufferRef& buffer(const compiler::Source& source) const {
    return source.is_value ? values_[static_cast<size_t>(source.id)]
                           : inputs_.leaves[static_cast<size_t>(source.id)];
  }

  // Returns the buffer that a value is to be written to, or null for a new one.
  BufferRef target_of(int value) const {
    for (const Destination& target : targets_)
      if (target.value == value) return target.buffer;
    return nullptr;
  }

  BufferRef make(int value, runtime::Device& device) const {
    if (BufferRef target = target_of(value)) return target;
    const compiler::PlanValue& v = plan_.values[static_cast<size_t>(value)];
    const auto bytes = static_cast<size_t>(v.elements * size_of(v.type));
    return list_ ? list_->take(device, bytes) : device.allocate(bytes);
  }

  void drop(BufferRef& value) {
    if (list_) list_->give_back(std::move(value));
    value.reset();
  }

  // Drops the values that no later step reads.
  void drop_unneeded() {
    for (; ended_ < plan_.by_last_step.size(); ++ended_) {
      const auto v = static_cast<size_t>(plan_.by_last_step[ended_]);
      if (plan_.values[v].last_step > step_) return;
      if (!fates_.value_is_kept[v]) drop(values_[v]);
    }
  }

  void refuse_to_list(const char* step) const {
    if (list_) throw InternalError(std::string("a list of launches was wanted with a ") + step);
  }

  // Returns whether a kernel may take so long that it should be interruptible. The duration of
  // programs with loops depends on their data.
  static bool may_take_long(const compiler::KernelStep& step) {
    constexpr double long_nanoseconds = 2e8;
    return step.uneven || step.nanoseconds > long_nanoseconds;
  }

  // Returns whether this step may overwrite the buffer of a source. The source must not be needed
  // afterwards, and not be leased twice: then the step reads it through another source, too. The
  // buffer of a leaf, whose owner is a node, is overwritten only by the last step, after which
  // nothing can fail, and not by one that may fail half-way.
  bool is_free(const compiler::Source& source, const Leases& leases, bool may_fail) const {
    const auto id = static_cast<size_t>(source.id);
    if (std::ranges::count(leases.buffers(), buffer(source)) > 1) return false;
    if (source.is_value)
      return plan_.values[id].last_step == step_ && !fates_.value_is_kept[id] &&
             ir::has_one_owner(values_[id], leases.buffers());
    return fates_.leaf_is_free[id] && !may_fail &&
           step_ + 1 == static_cast<int>(plan_.steps.size()) &&
           ir::has_one_owner(inputs_.leaves[id], inputs_.leaves, leases.buffers());
  }

  // Returns the buffer of a source, to which this step is to write its result.
  BufferRef overwrite(const compiler::Source& source) {
    overwrites_leaf_ = overwrites_leaf_ || !source.is_value;
    ++counters().buffers_reused_in_place;
    return buffer(source);
  }

  // Returns the buffer of a free source of the right size, or null.
  BufferRef reuse(const compiler::KernelStep& step, int value, const Leases& leases,
                  SmallVector<int>& candidates) {
    const bool may_stop = may_be_interrupted() && may_take_long(step);
    const compiler::PlanValue& v = plan_.values[static_cast<size_t>(value)];
    const auto bytes = static_cast<size_t>(v.elements * size_of(v.type));
    for (int& s : candidates) {
      if (s < 0) continue;
      const compiler::Source& source = step.kernel.sources[static_cast<size_t>(s)];
      const BufferRef& held = buffer(source);
      if (!held || held->bytes() != bytes) continue;
      if (!is_free(source, leases, may_stop) || runtime::array_of(*held).is_borrowed()) continue;
      s = -1;
      return overwrite(source);
    }
    return nullptr;
  }

  // Returns an interleaved copy. It is cached with the first of the arrays until one of them is
  // freed or overwritten.
  BufferRef interleaved(const compiler::Source& source, runtime::Device& device,
                        Leases& leases) const {
    std::vector<BufferRef> members;
    for (int leaf : source.members) members.push_back(inputs_.leaves[static_cast<size_t>(leaf)]);
    auto& first = runtime::array_of(*members[0]);
    const std::span<const BufferRef> others(members.begin() + 1, members.end());
    if (BufferRef known = first.joined_with(others)) return known;
    std::vector<int64_t> arrays;
    for (const BufferRef& member : members) arrays.push_back(leases.take(device, member, false));
    BufferRef joined = device.interleave(arrays, first.bytes(), size_of(source.type));
    const bool ours = std::none_of(members.begin(), members.end(), [](const BufferRef& member) {
      return runtime::array_of(*member).is_foreign();
    });
    if (ours) first.note_joined(others, joined);
    return joined;
  }

  // Returns the arguments of a kernel, without its outputs.
  runtime::Words words_for(const compiler::KernelStep& step, runtime::Device& device,
                           Leases& leases) const {
    runtime::Words words(step.words.begin(), step.words.end());
    const std::vector<compiler::Source>& sources = step.kernel.sources;
    leases.reserve(sources.size() + step.kernel.outputs.size());
    for (int leaf : step.kernel.gathered)
      inputs_.leaves[static_cast<size_t>(leaf)]->note_gathered();
    for (int s = 0; s < static_cast<int>(sources.size()); ++s) {
      const compiler::Source& source = sources[static_cast<size_t>(s)];
      int64_t& word = words[static_cast<size_t>(step.layout.source(s))];
      if (source.parts > 1)
        word = leases.take(device, interleaved(source, device, leases), false);
      else if (const BufferRef& bound = buffer(source))
        word = leases.take(device, bound, false);
    }
    for (const compiler::ScalarWord& scalar : step.scalars)
      words[static_cast<size_t>(scalar.word)] =
          static_cast<int64_t>(inputs_.scalars[static_cast<size_t>(scalar.slot)]);
    words[static_cast<size_t>(step.layout.segments())] =
        reinterpret_cast<int64_t>(step.segments.data());
    return words;
  }

  void set_output(const compiler::KernelStep& step, int o, runtime::Words& words, BufferRef target,
                  runtime::Device& device, Leases& leases) {
    words[static_cast<size_t>(step.layout.output(o))] = leases.take(device, target, true);
    values_[static_cast<size_t>(step.kernel.outputs[static_cast<size_t>(o)].value)] =
        std::move(target);
  }

  void run(const compiler::KernelStep& step) {
    Leases leases;
    runtime::Words words = words_for(step, device_, leases);
    SmallVector<int> candidates(step.overwritable.begin(), step.overwritable.end());
    for (int o = 0; o < static_cast<int>(step.kernel.outputs.size()); ++o) {
      const int value = step.kernel.outputs[static_cast<size_t>(o)].value;
      BufferRef target = target_of(value);
      if (!target) target = reuse(step, value, leases, candidates);
      set_output(step, o, words, target ? std::move(target) : make(value, device_), device_,
                 leases);
    }
    if (list_) return list_->add(step, std::move(words));
    const Uninterruptible whole(overwrites_leaf_);
    device_.run(step, words);
  }

  void run(const compiler::ChainStep& chain) {
    refuse_to_list("chain");
    Leases leases;
    std::vector<runtime::Words> words;
    for (const compiler::KernelStep& step : chain.kernels) {
      words.push_back(words_for(step, device_, leases));
      for (int o = 0; o < static_cast<int>(step.kernel.outputs.size()); ++o) {
        const int value = step.kernel.outputs[static_cast<size_t>(o)].value;
        if (!chain.is_internal(value))
          set_output(step, o, words.back(), make(value, device_), device_, leases);
      }
    }
    device_.run(chain, std::move(words));
  }

  void run(const compiler::ProductStep& step) {
    refuse_to_list("product");
    Leases leases;
    BufferRef target = make(step.value, device_);
    const int64_t a = leases.take(device_, buffer(step.a), false),
                  b = leases.take(device_, buffer(step.b), false);
    device_.run(step, a, b, leases.take(device_, target, true));
    values_[static_cast<size_t>(step.value)] = std::move(target);
  }

  void run(const compiler::PrimitiveStep& step) {
    refuse_to_list("primitive");
    runtime::Device& device = device_.can_run(step) ? device_ : runtime::cpu();
    Leases leases;
    runtime::PrimitiveCall call;
    const ir::Node& node = *inputs_.nodes[static_cast<size_t>(step.place)];
    call.where = node.where;
    call.section = node.map.get();
    const compiler::PlanValue& v = plan_.values[static_cast<size_t>(step.value)];
    BufferRef target = over_base(step, leases);
    const bool stored = step.stored || fates_.value_is_kept[static_cast<size_t>(step.value)];
    if (!target && stored)
      target = device.allocate(static_cast<size_t>(v.elements * size_of(v.type)));
    for (const compiler::Source& input : step.inputs) {
      call.buffers.push_back(input.id < 0 ? nullptr : buffer(input).get());
      call.inputs.push_back(input.id < 0 ? 0 : leases.take(device, buffer(input), false));
    }
    note_trusted_offsets(step, call);
    if (step.elements) call.words = words_for(*step.elements, device, leases);
    if (step.values) call.value_words = words_for(*step.values, device, leases);
    if (step.consumer) call.consumer_words = consumer_words(*step.consumer, device, leases);
    if (stored) call.output = leases.take(device, target, true);
    if (step.second_value >= 0) {
      values_[static_cast<size_t>(step.second_value)] = make(step.second_value, device);
      call.second_output =
          leases.take(device, values_[static_cast<size_t>(step.second_value)], true);
    }
    call.target = target ? &runtime::array_of(*target) : nullptr;
    const Uninterruptible whole(overwrites_leaf_);
    device.run(step, call);
    values_[static_cast<size_t>(step.value)] = std::move(target);
  }

  runtime::Words consumer_words(const compiler::KernelStep& step, runtime::Device& device,
                                Leases& leases) {
    runtime::Words words = words_for(step, device, leases);
    for (int o = 0; o < static_cast<int>(step.kernel.outputs.size()); ++o)
      set_output(step, o, words, make(step.kernel.outputs[static_cast<size_t>(o)].value, device),
                 device, leases);
    return words;
  }

  // Returns the input that holds the offsets of segments, or -1.
  static int offsets_input(const compiler::PrimitiveStep& step) {
    const int input = ir::info_of(step.kind).offsets;
    return input < static_cast<int>(step.inputs.size()) ? input : -1;
  }

  void note_trusted_offsets(const compiler::PrimitiveStep& step,
                            const runtime::PrimitiveCall& call) const {
    const int input = offsets_input(step);
    if (input < 0) return;
    const auto i = static_cast<size_t>(input);
    const ir::Node& node = *inputs_.nodes[static_cast<size_t>(step.place)];
    const Extents& covered = input == 0 ? step.shape : step.inputs[0].shape;
    if (node.inputs()[i]->trusted_offsets) call.buffers[i]->note_offsets_of(covered.size());
  }

  // Returns the input of which the result of a primitive is a modified copy, or -1.
  static int base_of(const compiler::PrimitiveStep& step) {
    if (step.kind == ir::Kind::scatter) return 0;
    return step.kind == ir::Kind::write_section && step.inputs.size() > 1 ? 1 : -1;
  }

  static bool same_array(const compiler::Source& a, const compiler::Source& b) {
    return a.is_value == b.is_value && a.id == b.id;
  }

  // Returns whether a primitive reads its base through another input or its kernel.
  static bool reads_base(const compiler::PrimitiveStep& step, int base) {
    const compiler::Source& written = step.inputs[static_cast<size_t>(base)];
    for (int i = 0; i < static_cast<int>(step.inputs.size()); ++i)
      if (i != base && same_array(step.inputs[static_cast<size_t>(i)], written)) return true;
    if (!step.elements) return false;
    const std::vector<compiler::Source>& sources = step.elements->kernel.sources;
    return std::any_of(sources.begin(), sources.end(),
                       [&](const compiler::Source& source) { return same_array(source, written); });
  }

  // Returns the buffer of the base of a scatter or of a write of a section, if it is free, or null.
  // A scatter may fail half-way.
  BufferRef over_base(const compiler::PrimitiveStep& step, const Leases& leases) {
    const int base = base_of(step);
    if (base < 0 || (!step.in_place && reads_base(step, base))) return nullptr;
    const compiler::Source& written = step.inputs[static_cast<size_t>(base)];
    const bool may_stop = may_be_interrupted() && step.elements && may_take_long(*step.elements);
    if (!is_free(written, leases, may_stop || step.kind == ir::Kind::scatter)) return nullptr;
    const auto& array = runtime::array_of(*buffer(written));
    return array.is_borrowed() || array.is_foreign() ? nullptr : overwrite(written);
  }

  void run(const compiler::AliasStep& step) {
    values_[static_cast<size_t>(step.value)] = buffer(step.from);
  }

  // The result of an empty reduction is written on the host, and moves to a device on demand.
  void run(const compiler::FillStep& step) {
    refuse_to_list("reduction of nothing");
    const int64_t elements = plan_.values[static_cast<size_t>(step.value)].elements;
    const auto size = static_cast<size_t>(size_of(step.fill.type));
    BufferRef target = runtime::allocate(static_cast<size_t>(elements) * size);
    for (int64_t i = 0; i < elements; ++i)
      std::memcpy(static_cast<char*>(target->data()) + static_cast<size_t>(i) * size,
                  &step.fill.bits, size);
    values_[static_cast<size_t>(step.value)] = std::move(target);
  }

  runtime::Device& device_;
  const Plan& plan_;
  const Inputs& inputs_;
  const Fates& fates_;
  std::span<const Destination> targets_;
  LaunchList* list_;
  std::vector<BufferRef> values_;
  int step_ = 0;
  size_t ended_ = 0;  // values of plan_.by_last_step that were looked at
  bool overwrites_leaf_ = false;
};

}  // namespace

std::vector<BufferRef> execute(const Plan& plan, const Inputs& inputs, const Fates& fates,
                               std::span<const Destination> targets) {
  return Execution(plan, inputs, fates, targets).run();
}

void list_launches(const Plan& plan, const Inputs& inputs, const Fates& fates,
                   std::span<const Destination> targets, LaunchList& list) {
  for (BufferRef& value : Execution(plan, inputs, fates, targets, &list).run())
    list.give_back(std::move(value));
}

LaunchList::~LaunchList() {
  for (const BufferRef& buffer : free_) runtime::array_of(*buffer).unpin();
}

void LaunchList::add(const compiler::KernelStep& step, runtime::Words words) {
  launches_.push_back({&step, std::move(words)});
}

BufferRef LaunchList::take(runtime::Device& device, size_t bytes) {
  for (BufferRef& buffer : free_)
    if (buffer->bytes() == bytes) {
      std::swap(buffer, free_.back());
      BufferRef result = std::move(free_.back());
      free_.pop_back();
      return result;
    }
  BufferRef buffer = device.allocate(bytes);
  runtime::array_of(*buffer).pin();
  return buffer;
}

void LaunchList::give_back(BufferRef buffer) {
  if (buffer && ir::has_one_owner(buffer)) free_.push_back(std::move(buffer));
}

}  // namespace tutti::engine
