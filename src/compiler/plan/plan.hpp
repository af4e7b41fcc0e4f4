// The end of the line: a list of steps that compute a graph. A plan holds for every evaluation of a
// graph with the same structure and sizes; buffers and scalars are filled in when it runs.
#pragma once
#include <algorithm>
#include <memory>
#include <variant>

#include "compiler/graph_passes/graph.hpp"
#include "compiler/kernel/argument_layout.hpp"
#include "compiler/kernel/kernel.hpp"
#include "compiler/plan/step_labels.hpp"
#include "core/kernel_id.hpp"
#include "target/target.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/explain.hpp"

namespace tutti::compiler {

// An array that the plan writes to memory.
struct PlanValue {
  ElementType type{};
  int64_t elements = 0;
  int last_step = -1;          // the last step that reads it
  bool keep = false;           // stays after the plan
  bool in_row_blocks = false;  // lives in the row blocks of a chain only, never as a whole
};

// The word of a kernel's arguments that takes a scalar.
struct ScalarWord {
  int word, slot;
};

// One launch of a kernel: the words of its arguments, complete but for pointers and scalars.
struct KernelStep {
  Kernel kernel;
  KernelRef id;  // the same code, the same object
  std::vector<int64_t> words;
  std::vector<int64_t> segments;
  ArgumentLayout layout;
  std::vector<ScalarWord> scalars;
  // How often the body runs, and how the work can be cut: items times columns.
  int64_t items = 0, columns = 0;
  schedule::Grid grid;                      // on a GPU: the launch
  schedule::TaskShape task;                 // on a CPU: what one task takes, if all cores are used
  bool uneven = false;                      // some points take much longer than others
  double nanoseconds = 0;                   // a guess at the whole work, on one core
  std::vector<int> overwritable;            // sources read only at the point that is written
  std::shared_ptr<const std::string> name;  // what it computes and where that was written

  KernelStep(Kernel k, const target::Target& target);
  // The same kernel over other lengths: what is known of its code holds.
  KernelStep(const KernelStep& like, Kernel resized, const target::Target& target);

 private:
  void fill_in(
      const target::Target& target);  // everything that follows from the kernel and its layout
};

struct RowRange {
  int64_t begin = 0, end = 0;
};
using RowRanges = std::vector<RowRange>;

// What a kernel does at one position of the windows: computes `rows`, and its results from `window`
// on are needed.
struct WindowRows {
  int64_t window = 0;
  RowRange rows;
};

// Some rows of the results, and the rows that each kernel computes for them.
struct RowBlock {
  std::vector<RowRanges> rows;
  bool scattered = false;  // the rows of some kernel do not follow each other (a border that wraps)
  // Otherwise: the same for a few rows at a time. Windows of the values move down the row block;
  // at each position a kernel computes what is needed and was not left in its window before.
  std::vector<std::vector<WindowRows>> positions;
};

// Memory of a task for some rows of a value that exists in row blocks only. A value that no later
// position needs shares its memory with others.
struct Window {
  int value = -1;
  size_t kernel = 0;  // which computes it
  int element_bytes = 0;
  int64_t offset = 0;  // in bytes, from the start of the memory of the task
};

// Kernels that run row block by row block, see row_block_chains.hpp.
struct ChainStep {
  std::vector<KernelStep> kernels;
  int64_t rows = 0, columns = 0;
  std::vector<Window> windows;
  int64_t pitch = 0;         // from a row of a window to the next one, in elements
  int64_t window_bytes = 0;  // of all windows together
  std::vector<RowBlock> row_blocks;
  std::vector<int64_t> window_rows;  // by kernel: the most rows that a window holds
  // Columns are walked in tiles so that all windows together fit the cache: for each tile the
  // columns that each kernel computes.
  std::vector<std::vector<RowRange>> tiles;

  bool is_internal(int value) const {  // exists in row blocks only
    return std::any_of(windows.begin(), windows.end(),
                       [&](const Window& window) { return window.value == value; });
  }
};

// c = a * b for matrices, each possibly stored transposed.
struct ProductStep {
  ElementType type{};
  Source a, b;
  bool a_transposed = false, b_transposed = false;
  int64_t rows = 0, columns = 0, inner = 0;
  int value = -1;
};

// The same elements under another shape.
struct AliasStep {
  Source from;
  int value = -1;
};

// A reduction of nothing.
struct FillStep {
  ScalarValue fill;
  int value = -1;
};

// A vector primitive: its inputs are in memory, as graph/node.hpp lists them for its kind. The
// first one of a scan or a segmented reduction is computed by `elements` as the primitive goes: a
// map or reduce_segments kernel, whose output is the primitive's to place; if the input is in
// memory, the kernel only loads it. Of a scatter, `elements` computes the values and indices that
// are not in memory, an output each, in the order of the inputs; it may be missing.
struct TUTTI_EXPORT PrimitiveStep {
  ir::Kind kind{};
  Reduction reduction{};
  ir::Payload payload;
  ElementType type{};
  Extents shape;
  std::vector<Source> inputs;
  int value = -1;
  int place = -1;  // of its node in the graph, which knows the source line
  std::unique_ptr<KernelStep> elements;
  bool fused = false;                  // `elements` computes what is not in memory
  std::unique_ptr<KernelStep> values;  // of a pack, if input 1 is not in memory: computes it
  // The kernel that a scan hands its results to, point by point (fuse_scan_consumer.hpp): `value`
  // is one of its sources. They are stored only if others need them too.
  std::unique_ptr<KernelStep> consumer;
  bool stored = true;
  int consumed() const;  // which source

  template <class T>
  T get() const {  // the payload of its kind
    return std::get<T>(payload);
  }
};

using Step = std::variant<KernelStep, ChainStep, ProductStep, AliasStep, FillStep, PrimitiveStep>;

// All arrays that a step reads; an input with a negative id is computed by the step itself.
template <class F>
void for_each_source(const Step& step, F f) {
  const auto of_kernel = [&](const KernelStep& k) {
    for (const Source& source : k.kernel.sources) f(source);
  };
  if (const auto* k = std::get_if<KernelStep>(&step)) of_kernel(*k);
  if (const auto* c = std::get_if<ChainStep>(&step))
    for (const KernelStep& k : c->kernels) of_kernel(k);
  if (const auto* p = std::get_if<ProductStep>(&step)) f(p->a), f(p->b);
  if (const auto* a = std::get_if<AliasStep>(&step)) f(a->from);
  if (const auto* p = std::get_if<PrimitiveStep>(&step)) {
    for (const Source& input : p->inputs) f(input);
    if (p->elements) of_kernel(*p->elements);
    if (p->values) of_kernel(*p->values);
    if (p->consumer) of_kernel(*p->consumer);
  }
}

// What explain() reports of a kernel: what does not depend on sizes, and what does.
struct KernelNote {
  std::shared_ptr<const Explanation::Kernel> what;  // without shape and bytes
  Extents shape;
  std::vector<Source> reads;
  std::vector<int> writes;  // values
};

struct Plan {
  std::vector<Step> steps;
  std::vector<PlanValue> values;
  std::vector<int> value_of;  // by place in the graph: the value that holds it, or -1
  std::vector<int>
      leaf_of;  // by place in the graph: the leaf slot that it is found to equal, or -1
  std::vector<KernelNote> notes;
  const target::Target* target = nullptr;  // what it was made for
  StepLabels labels;                       // for the timeline
};

// The passes, one after the other, for a machine.
TUTTI_EXPORT std::unique_ptr<Plan> make_plan(Graph graph, const target::Target& target);

// How many elements some axes have together.
int64_t elements_along(const Extents& shape, int first, int last);
// A reduction longer than a tile leaves one result a tile.
int64_t tiles_of(const Kernel& reduction);
// What the kernel does: how often its body runs, and how the work can be cut.
schedule::Work work_of(const Kernel& kernel);
// Chooses how a kernel that is complete otherwise runs.
void choose_schedule(Kernel& kernel, const target::Target& target);

TUTTI_EXPORT std::vector<Explanation::Kernel> explain(const Plan& plan);
// How the kernel that computes a value runs.
std::string strategy_of(const Plan& plan, int value);
// What a group computes, for explain().
std::vector<std::string> describe_operations(const Graph& graph, const std::vector<bool>& in_memory,
                                             const std::vector<int>& group);

}  // namespace tutti::compiler
