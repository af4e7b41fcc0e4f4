// The result of compilation: a list of steps that compute a graph. A plan is valid for every
// evaluation of a graph with the same structure and sizes. Buffers and scalars are filled in when
// it runs.
#pragma once
#include <algorithm>
#include <memory>
#include <variant>

#include "compiler/graph_passes/graph.hpp"
#include "compiler/kernel/argument_layout.hpp"
#include "compiler/kernel/kernel.hpp"
#include "compiler/plan/step_labels.hpp"
#include "core/caching/kernel_id.hpp"
#include "target/target.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/explain.hpp"

namespace tutti::compiler {

// An array that the plan writes to memory.
struct PlanValue {
  ElementType type{};
  int64_t elements = 0;
  int last_step = -1;          // the last step that reads it
  bool keep = false;           // outlives the plan's run
  bool in_row_blocks = false;  // stored only in the row blocks of a chain, never as a whole
};

// The argument word of a kernel that holds a scalar.
struct ScalarWord {
  int word, slot;
};

// One launch of a kernel: its argument words, complete except for pointers and scalars.
struct KernelStep {
  Kernel kernel;
  KernelRef id;  // equal for kernels with the same code
  std::vector<int64_t> words;
  std::vector<int64_t> segments;
  ArgumentLayout layout;
  std::vector<ScalarWord> scalars;
  // The work that can be split: items times columns.
  int64_t items = 0, columns = 0;
  schedule::Grid grid;                      // on a GPU: the launch
  schedule::TaskShape task;                 // on a CPU: the shape of a task if all cores are used
  bool uneven = false;                      // some points take much longer than others
  double nanoseconds = 0;                   // an estimate for the whole work, on one core
  std::vector<int> overwritable;            // sources read only at the point that is written
  std::shared_ptr<const std::string> name;  // what it computes, and its source line

  KernelStep(Kernel k, const target::Target& target);
  // Makes the same kernel for other lengths. It shares the code of `like` if their keys are equal.
  KernelStep(const KernelStep& like, Kernel resized, const target::Target& target);

 private:
  void fill_in(
      const target::Target& target);  // derives everything else from the kernel and its layout
};

struct RowRange {
  int64_t begin = 0, end = 0;
};
using RowRanges = std::vector<RowRange>;

// The rows that a kernel computes at one position of the windows. Rows from `window` on are needed.
struct WindowRows {
  int64_t window = 0;
  RowRange rows;
};

// Some rows of the results, and the rows that each kernel computes for them.
struct RowBlock {
  std::vector<RowRanges> rows;
  bool scattered = false;  // the rows of some kernel are not contiguous (a border that wraps)
  // If not scattered: the same for a few rows at a time. Windows of the values move down the row
  // block. At each position a kernel computes the rows that are needed and not yet in its window.
  std::vector<std::vector<WindowRows>> positions;
};

// Memory of a task for some rows of a value that exists only in row blocks. A value that no later
// position needs shares its memory with others.
struct Window {
  int value = -1;
  size_t kernel = 0;  // the kernel that computes it
  int element_bytes = 0;
  int64_t offset = 0;  // in bytes, from the start of the memory of the task
};

// Kernels that run row block by row block, see row_block_chains.hpp.
struct ChainStep {
  std::vector<KernelStep> kernels;
  int64_t rows = 0, columns = 0;
  std::vector<Window> windows;
  int64_t pitch = 0;         // distance between rows of a window, in elements
  int64_t window_bytes = 0;  // of all windows together
  std::vector<RowBlock> row_blocks;
  std::vector<int64_t> window_rows;  // by kernel: the most rows in a window
  // Columns are processed in tiles so that all windows together fit the cache. Each tile lists the
  // columns that each kernel computes.
  std::vector<std::vector<RowRange>> tiles;

  bool is_internal(int value) const {  // exists only in row blocks
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

// A reduction or product over no elements.
struct FillStep {
  ScalarValue fill;
  int value = -1;
};

// A vector primitive, with inputs in the order of tutti/detail/kinds.def. They are in memory,
// except those that a kernel computes while the primitive runs. `elements` computes the first input
// of the kinds that have computed inputs: a map or reduce_segments kernel, which only loads an
// input that is in memory. For a scatter it computes the values and indices that are not in memory,
// one output each, in the order of the inputs; it may be null.
struct TUTTI_EXPORT PrimitiveStep {
  ir::Kind kind{};
  Reduction reduction{};
  ir::Payload payload;
  ElementType type{};
  Extents shape;
  std::vector<Source> inputs;
  int value = -1;
  int second_value = -1;  // of fourier_lines: `value` is the real part, this the imaginary one
  int place = -1;         // the index of its node in the graph, which knows the source line
  std::unique_ptr<KernelStep> elements;
  bool fused = false;                  // `elements` computes values that are not in memory
  bool in_place = false;               // write_section: `elements` may read what it overwrites
  std::unique_ptr<KernelStep> values;  // of a pack: computes input 1 if it is not in memory
  // The kernel to which a scan passes its results, point by point (fuse_scan_consumer.hpp): `value`
  // is one of its sources. The results are stored only if other steps read them too.
  std::unique_ptr<KernelStep> consumer;
  bool stored = true;
  int consumed() const;  // the index of that source

  template <class T>
  T get() const {  // the payload of its kind
    return std::get<T>(payload);
  }
};

using Step = std::variant<KernelStep, ChainStep, ProductStep, AliasStep, FillStep, PrimitiveStep>;

// Calls f for all arrays that a step reads. The step itself computes an input with a negative id.
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

// The report of explain() on a kernel: the part that depends on sizes apart from the rest.
struct KernelNote {
  std::shared_ptr<const Explanation::Kernel> what;  // without shape and bytes
  Extents shape;
  std::vector<Source> reads;
  std::vector<int> writes;  // values
};

struct Plan {
  std::vector<Step> steps;
  std::vector<PlanValue> values;
  std::vector<int> by_last_step;  // the values that a step reads, in the order of their last reads
  std::vector<int> value_of;      // by node of the graph: the value that holds it, or -1
  std::vector<int> leaf_of;       // by node of the graph: the leaf slot that it equals, or -1
  std::vector<KernelNote> notes;
  const target::Target* target = nullptr;  // the machine that it was made for
  StepLabels labels;                       // for the timeline
};

// Runs all passes for a machine.
TUTTI_EXPORT std::unique_ptr<Plan> make_plan(Graph graph, const target::Target& target);

// Returns the product of the extents of axes [first, last).
int64_t elements_along(const Extents& shape, int first, int last);
// Returns the tiles per result. A reduction longer than a tile leaves one total per tile.
int64_t tiles_of(const Kernel& reduction);
// Returns the work of a kernel: how often its body runs, and how it can be split.
schedule::Work work_of(const Kernel& kernel);
// Chooses the schedule of a kernel that is complete otherwise.
void choose_schedule(Kernel& kernel, const target::Target& target);

TUTTI_EXPORT std::vector<Explanation::Kernel> explain(const Plan& plan);
// Describes how the kernel that computes a value runs.
std::string strategy_of(const Plan& plan, int value);
// Describes the operations of a group, for explain().
std::vector<std::string> describe_operations(const Graph& graph, const std::vector<bool>& in_memory,
                                             const std::vector<int>& group);

}  // namespace tutti::compiler
