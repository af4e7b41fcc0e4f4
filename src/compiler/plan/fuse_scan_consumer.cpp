#include "compiler/plan/fuse_scan_consumer.hpp"

#include <algorithm>

namespace tutti::compiler {
namespace {

class ConsumerFusion {
 public:
  explicit ConsumerFusion(Plan& plan) : plan_(plan) {
    readers_.resize(plan.values.size());
    for (size_t s = 0; s < plan.steps.size(); ++s)
      for_each_source(plan.steps[s], [&](const Source& source) {
        if (source.is_value && source.id >= 0)
          readers_[static_cast<size_t>(source.id)].push_back(s);
      });
  }

  void run() {
    for (size_t s = 0; s < plan_.steps.size(); ++s) {
      auto* scan = std::get_if<PrimitiveStep>(&plan_.steps[s]);
      if (!scan || scan->kind != ir::Kind::scan) continue;
      const std::vector<size_t>& readers = readers_[static_cast<size_t>(scan->value)];
      if (readers.empty() || is_taken(&Taken::consumer, readers[0])) continue;
      auto* reader = std::get_if<KernelStep>(&plan_.steps[readers[0]]);
      if (!reader || !can_consume(*reader, *scan)) continue;
      scan->stored = readers.back() != readers[0] || is_kept(scan->value);
      merge_notes(*scan, *reader);
      scan->consumer = fused(*reader);
      taken_.push_back({s, readers[0]});
    }
    if (!taken_.empty()) move_scans();
  }

 private:
  std::unique_ptr<KernelStep> fused(const KernelStep& reader) const {
    Kernel kernel = reader.kernel;
    kernel.fused = true;
    choose_schedule(kernel, *plan_.target);
    return std::make_unique<KernelStep>(reader, std::move(kernel), *plan_.target);
  }

  // A scan, and its consumer, whose position in the plan it takes: all inputs are available there.
  struct Taken {
    size_t scan, consumer;
  };

  const Taken* is_taken(size_t Taken::* place, size_t step) const {
    const auto found = std::find_if(taken_.begin(), taken_.end(),
                                    [&](const Taken& taken) { return taken.*place == step; });
    return found == taken_.end() ? nullptr : &*found;
  }
  bool is_kept(int value) const { return plan_.values[static_cast<size_t>(value)].keep; }

  bool can_consume(const KernelStep& reader, const PrimitiveStep& scan) const {
    const Kernel& kernel = reader.kernel;
    if (kernel.form != Form::map || kernel.domain.rank != 1 || !kernel.programs.empty() ||
        schedule::on_gpu<schedule::RegisterTiles>(kernel.schedule) ||
        kernel.domain.size() != scan.shape.size())
      return false;
    if (kernel.code.size() > plan_.target->most_consumer_instructions) return false;
    // Interleaved elements are read one at a time, not in pieces.
    if (std::any_of(kernel.sources.begin(), kernel.sources.end(),
                    [](const Source& source) { return source.parts > 1; }))
      return false;
    return std::all_of(kernel.loads.begin(), kernel.loads.end(), [&](const Load& load) {
      const Source& source = kernel.sources[static_cast<size_t>(load.source)];
      if (!source.is_value || source.id != scan.value) return true;
      return load.axes.size() == 1 &&
             kernel.indices[static_cast<size_t>(load.axes[0].index)].kind == IndexExpr::Kind::dim;
    });
  }

  // Merges the two notes: explain() shows one kernel.
  void merge_notes(const PrimitiveStep& scan, const KernelStep& reader) {
    const auto note_of = [&](int value) {
      return std::find_if(plan_.notes.begin(), plan_.notes.end(), [&](const KernelNote& note) {
        return std::count(note.writes.begin(), note.writes.end(), value) > 0;
      });
    };
    const auto from = note_of(scan.value), into = note_of(reader.kernel.outputs[0].value);
    auto what = std::make_shared<Explanation::Kernel>(*from->what);
    what->operations.insert(what->operations.end(), into->what->operations.begin(),
                            into->what->operations.end());
    what->reason = into->what->reason;
    into->what = std::move(what);
    std::erase_if(into->reads,
                  [&](const Source& source) { return source.is_value && source.id == scan.value; });
    into->reads.insert(into->reads.end(), from->reads.begin(), from->reads.end());
    if (scan.stored) into->writes.insert(into->writes.begin(), scan.value);
    plan_.notes.erase(from);
  }

  void move_scans() {
    std::vector<Step> steps;
    for (size_t s = 0; s < plan_.steps.size(); ++s) {
      if (is_taken(&Taken::scan, s)) continue;
      const Taken* taken = is_taken(&Taken::consumer, s);
      steps.push_back(std::move(plan_.steps[taken ? taken->scan : s]));
    }
    plan_.steps = std::move(steps);
  }

  Plan& plan_;
  std::vector<std::vector<size_t>> readers_;  // by value: the steps that read it, in order
  std::vector<Taken> taken_;
};

}  // namespace

void fuse_consumers(Plan& plan) { ConsumerFusion(plan).run(); }

}  // namespace tutti::compiler
