// The functions behind Vec: they find the plan of an expression by its C++ type, bind its operands,
// and decide where the result is stored.
#include "tutti/detail/expression_kernel.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <ranges>

#include "api/vec/body_recorder.hpp"
#include "core/precision.hpp"
#include "core/process/fork.hpp"
#include "core/settings/checks.hpp"
#include "core/settings/settings.hpp"
#include "core/timeline/timeline.hpp"
#include "engine/distribution.hpp"
#include "engine/evaluate.hpp"
#include "engine/prepared_plan.hpp"
#include "graph/build_transform.hpp"
#include "graph/node.hpp"
#include "graph/one_owner.hpp"
#include "graph/relax.hpp"
#include "runtime/device.hpp"
#include "runtime/memory/buffer.hpp"
#include "runtime/memory/pool.hpp"

namespace tutti::detail {
namespace {

Extents extents_of(int64_t length) {
  Extents shape;
  if (length != one_number) shape.push_back(length);
  return shape;
}

// Returns the index of the first operand with the buffer of operand i.
size_t first_alike(std::span<const StoredOperand> stored, size_t i) {
  size_t first = 0;
  while (*stored[first].buffer != *stored[i].buffer) ++first;
  return first;
}

runtime::ArrayBuffer& array_of(const BufferRef& buffer) {
  buffer->require_elements();
  return runtime::array_of(*buffer);
}

// Returns the length of the vectors that an expression reads, or one_number if it reads none.
int64_t length_read(std::span<const StoredOperand> stored) {
  for (const StoredOperand& operand : stored)
    if (operand.length != one_number) return operand.length;
  return one_number;
}

// Expressions of one type share a plan as long as these agree. Copies of one array differ from
// different arrays of the same length: each array is read once.
struct Signature {
  const runtime::Device* device;
  Precision precision;
  int64_t generation;             // of plans, which can be dropped
  int64_t length;                 // of all vectors
  std::vector<int64_t> operands;  // types, which of them are the same array, shifts

  // Whether a shift reaches beyond the end. Such a plan depends on the length: it may have no shift
  // left, or no element to read.
  bool is_bound_to_length = false;

  // Distinguishes lines by the address of their file's name, which is a literal.
  void add_line(const Location& where) {
    operands.push_back(reinterpret_cast<int64_t>(where.file_name()));
    operands.push_back(where.line());
  }

  bool operator==(const Signature&) const = default;
  bool same_but_length(const Signature& other) const {
    return device == other.device && precision == other.precision &&
           generation == other.generation && operands == other.operands && !is_bound_to_length &&
           !other.is_bound_to_length;
  }
};

// Reduces a shift to what plans of vectors of this length distinguish: wrapping shifts modulo the
// length, and a single shift beyond the end for all other rules.
int64_t effective_shift(const ShiftOperand& shift, int64_t length) {
  if (length < 0) return 0;
  if (shift.by > -length && shift.by < length) return shift.by;
  if (shift.boundary != Boundary::Kind::wrap) return shift.by < 0 ? -length : length;
  return length == 0 ? 0 : shift.by % length;
}

Signature signature_of(const Operands& operands, int64_t length) {
  if (length == one_number) length = length_read(operands.stored);
  Signature result{
      &runtime::current_device(), precision_wanted(), engine::plan_generation(), length, {}, false};
  result.operands.reserve(operands.stored.size() + 2 * operands.shifts.size());
  for (size_t i = 0; i < operands.stored.size(); ++i) {
    const StoredOperand& operand = operands.stored[i];
    const auto first = static_cast<int64_t>(first_alike(operands.stored, i));
    result.operands.push_back(first << 9 | int64_t{operand.length == one_number} << 8 |
                              static_cast<int64_t>(operand.type));
  }
  for (const ShiftOperand& shift : operands.shifts) {
    const int64_t by = effective_shift(shift, length);
    result.is_bound_to_length |= by != shift.by || std::abs(by) >= length;
    result.operands.push_back(by);
    result.operands.push_back(static_cast<int64_t>(shift.boundary));
  }
  return result;
}

}  // namespace

int64_t common_length(std::span<const StoredOperand> stored, const Location& where) {
  int64_t length = one_number;
  for (const StoredOperand& operand : stored) {
    if (operand.length == one_number || operand.length == length) continue;
    if (length != one_number)
      throw ShapeError("vectors of " + std::to_string(length) + " and of " +
                       std::to_string(operand.length) + " elements in one expression" + at(where));
    length = operand.length;
  }
  return length;
}

// ---- an expression as nodes

NodeRef ExpressionGraph::stored() {
  const size_t i = stored_.size(), first = first_alike(operands_.stored, i);
  const StoredOperand& operand = operands_.stored[i];
  if (first < i)
    stored_.push_back(stored_[first]);
  else if (BodyRecorder* recorder = BodyRecorder::current())
    stored_.push_back(recorder->node_of(operand));
  else
    stored_.push_back(
        ir::make_leaf(operand.type, extents_of(operand.length), *operand.buffer, Location()));
  return stored_.back();
}

NodeRef ExpressionGraph::number() {
  NodeRef node = ir::make_constant(operands_.numbers[numbers_.size()], {}, where_);
  numbers_.push_back(node.get());
  return node;
}

NodeRef ExpressionGraph::apply(Op op, std::span<const NodeRef> inputs) {
  return ir::make_relaxed(op, precision_wanted(), inputs, where_);
}

NodeRef ExpressionGraph::converted(const NodeRef& input, ElementType type) {
  return ir::make_cast(input, type, where_);
}

NodeRef ExpressionGraph::shifted(const NodeRef& input) {
  const ShiftOperand& shift = operands_.shifts[next_shift_++];
  const int64_t by[] = {shift.by};
  NodeRef node =
      ir::make_shift(input, by, shift.boundary, operands_.numbers[numbers_.size()], where_);
  numbers_.push_back(node.get());
  return node;
}

NodeRef ExpressionGraph::reduced(Reduction reduction, const NodeRef& input) {
  const int axes[] = {0};
  return ir::make_reduce(reduction, input, axes, where_);
}

NodeRef ExpressionGraph::repeated(const NodeRef& input, int64_t length) {
  if (input->shape.rank == 1) return input;
  NodeRef node = ir::make_broadcast(input, extents_of(length), where_);
  if (input->kind == ir::Kind::constant)  // the broadcast replaces the node of the number
    std::replace(numbers_.begin(), numbers_.end(), input.get(), node.get());
  return node;
}

// ---- plans of one type of expression

struct ExpressionKernels::Stored {
  struct Entry {
    Signature signature;
    std::shared_ptr<const engine::PreparedPlan> plan;
  };

  // Enough for sizes and patterns that a program alternates between; rarely used ones are dropped.
  static constexpr size_t most = 32;

  std::shared_ptr<const engine::PreparedPlan> find(const Signature& signature) {
    const auto lock = lock_renewable(mutex, entries);
    for (size_t i = 0; i < entries.size(); ++i)
      if (entries[i].signature == signature) {
        if (i > 0) std::swap(entries[i], entries[i - 1]);  // frequently used entries move forward
        return entries[i > 0 ? i - 1 : 0].plan;
      }
    return nullptr;
  }

  // Returns a plan resized from another length, if possible.
  std::shared_ptr<const engine::PreparedPlan> resize(const Signature& signature) {
    const auto lock = lock_renewable(mutex, entries);
    for (const Entry& entry : entries)
      if (entry.signature.same_but_length(signature))
        if (auto plan = entry.plan->resized(entry.signature.length, signature.length)) return plan;
    return nullptr;
  }

  void add(Signature signature, std::shared_ptr<const engine::PreparedPlan> plan) {
    const auto lock = lock_renewable(mutex, entries);
    std::erase_if(entries, [&](const Entry& entry) {
      return entry.signature.generation != signature.generation;
    });
    if (entries.size() >= most) entries.pop_back();
    entries.insert(entries.begin(), {std::move(signature), std::move(plan)});
  }

  ForkMutex mutex;
  std::vector<Entry> entries;
};

namespace {

NodeRef root_of(ExpressionKernels::Build build, ExpressionGraph& graph, int64_t length) {
  const NodeRef root = build(graph);
  return length == one_number ? root : graph.repeated(root, length);
}

std::shared_ptr<const engine::PreparedPlan> prepare(ExpressionKernels::Build build,
                                                    const Operands& operands, int64_t length,
                                                    const Location& where) {
  ExpressionGraph graph(operands, where);
  const NodeRef root = root_of(build, graph, length);
  return std::make_shared<engine::PreparedPlan>(root, graph.stored_nodes(), graph.number_nodes());
}

// Returns the stand-in for the elements, in a body that is being recorded.
BufferRef stand_in(ExpressionKernels::Build build, const Operands& operands, int64_t length,
                   const Location& where) {
  ExpressionGraph graph(operands, where);
  return std::make_shared<StandIn>(root_of(build, graph, length));
}

// Evaluates by the graph, like any array: for the interpreter, for ranks that share the work, and
// for empty vectors.
BufferRef evaluate(ExpressionKernels::Build build, const Operands& operands, int64_t length,
                   const Location& where) {
  ExpressionGraph graph(operands, where);
  return buffer_of(root_of(build, graph, length));
}

// Returns whether wrapped memory overlaps an operand that is not known to be the same: a kernel
// would overwrite elements that it has yet to read.
bool overlaps_an_operand(const BufferRef& target, std::span<const StoredOperand> stored) {
  return std::any_of(stored.begin(), stored.end(), [&](const StoredOperand& operand) {
    return !is_stand_in(**operand.buffer) && overlap(target, *operand.buffer);
  });
}

// Copies by a choice with a true flag: exact for all types, and planning does not remove it.
struct Copy {
  static NodeRef build(ExpressionGraph& graph) {
    const NodeRef inputs[] = {graph.number(), graph.stored(), graph.number()};
    return graph.apply(Op::choose, inputs);
  }
};

}  // namespace

ExpressionKernels::ExpressionKernels(Build build)
    : build_(build), plans_(std::make_shared<Stored>()) {}

BufferRef ExpressionKernels::compute(const Operands& operands, int64_t length,
                                     const BufferRef& target, const Location& where) {
  if (BodyRecorder::current()) return stand_in(build_, operands, length, where);
  for (const StoredOperand& operand : operands.stored) (*operand.buffer)->require_elements();
  const auto is_empty = [](const StoredOperand& operand) { return operand.length == 0; };
  // A graph stores its results in new memory. Copies into a target, also of such results, use a
  // kernel.
  const bool is_copied = target && build_ == &Copy::build;
  const bool by_graph = live_settings().interpret || checks_wanted() || engine::distribution();
  if ((by_graph && !is_copied) || length == 0 ||
      std::any_of(operands.stored.begin(), operands.stored.end(), is_empty))
    return evaluate(build_, operands, length, where);
  Signature signature = signature_of(operands, length);
  if (timeline::is_on()) [[unlikely]]  // a timeline shows the line of each expression
    signature.add_line(where);
  std::shared_ptr<const engine::PreparedPlan> plan = plans_->find(signature);
  if (!plan) {
    plan = plans_->resize(signature);
    if (!plan) plan = prepare(build_, operands, length, where);
    plans_->add(std::move(signature), plan);
  }
  std::vector<const BufferRef*> buffers;
  buffers.reserve(operands.stored.size());
  for (const StoredOperand& operand : operands.stored) buffers.push_back(operand.buffer);
  return plan->run(buffers, operands.numbers, target);
}

void ExpressionKernels::assign(const Operands& operands, bool temporary, ElementType type,
                               BufferRef& target, int64_t& length, const Location& where) {
  int64_t new_length = common_length(operands.stored, where);
  if (new_length == one_number) new_length = length;
  const bool wrapped = target && is_wrapped(target);
  if (wrapped && new_length != length)
    throw ShapeError("memory for " + std::to_string(length) + " elements was wrapped, and " +
                     std::to_string(new_length) + " are assigned to it" + at(where));
  if (wrapped && BodyRecorder::current())
    throw Error(
        "memory that was wrapped is assigned to in a body that is being recorded, but is "
        "not among its variables" +
        at(where));

  // The references of a temporary expression end with the assignment.
  const auto lent = operands.stored.first(temporary ? operands.stored.size() : 0) |
                    std::views::transform([](const StoredOperand& operand) -> const BufferRef& {
                      return *operand.buffer;
                    });
  const bool of_size = target && target->bytes() == static_cast<size_t>(new_length * size_of(type));
  const bool unshared = target && ir::has_one_owner(target, lent) &&
                        (is_stand_in(*target) || !array_of(target).is_borrowed());
  const bool in_place =
      of_size && (wrapped ? !overlaps_an_operand(target, operands.stored) : unshared);
  // Orders this write after reads by former owners of references.
  if (in_place) std::atomic_thread_fence(std::memory_order_acquire);

  BufferRef result = compute(operands, new_length, in_place ? target : BufferRef(), where);
  if (wrapped && result != target)
    copy_into(target, result, type, new_length);
  else
    target = std::move(result);
  length = new_length;
}

// ---- buffers

const BufferRef& empty_buffer() {
  static const BufferRef& buffer = *new BufferRef(runtime::allocate(0));
  return buffer;
}

BufferRef buffer_of_number(ScalarValue value) {
  const auto bytes = static_cast<size_t>(size_of(value.type));
  BufferRef buffer = runtime::allocate(bytes);
  std::memcpy(buffer->data(), &value.bits, bytes);
  return buffer;
}

BufferRef buffer_of(const NodeRef& node) {
  evaluate({&node, 1});
  std::lock_guard lock(ir::graph_mutex());
  return node->buffer;
}

NodeRef node_of(const BufferRef& buffer, ElementType type, const Extents& shape,
                const Location& where) {
  buffer->require_elements();
  return ir::make_leaf(type, shape, buffer, where);
}

BufferRef wrapped(void* memory, size_t bytes) {
  if (static_cast<int64_t>(bytes) < 0)
    throw ShapeError("Vec::wrap: the length is negative, or no memory has as many bytes");
  if (!memory && bytes > 0)
    throw Error("Vec::wrap: " + std::to_string(bytes) + " bytes of memory at a null pointer");
  alignas(16) static char nothing;  // memory without elements is somewhere, too
  return runtime::current_device().wrap(memory ? memory : &nothing, bytes);
}

bool is_wrapped(const BufferRef& buffer) {
  return !is_stand_in(*buffer) && array_of(buffer).is_foreign();
}

bool overlap(const BufferRef& a, const BufferRef& b) {
  if (a == b || a->bytes() == 0 || b->bytes() == 0) return false;
  const auto range_of = [](const BufferRef& buffer) {
    const int64_t begin = runtime::current_device().address(*buffer);
    return std::pair(begin, begin + static_cast<int64_t>(buffer->bytes()));
  };
  const auto [begin, end] = range_of(a);
  const auto [first, last] = range_of(b);
  return first < end && begin < last;
}

namespace {

BufferRef copied(const BufferRef& buffer, ElementType type, int64_t length,
                 const BufferRef& target) {
  const StoredOperand stored[] = {{&buffer, type, length}};
  const ScalarValue numbers[] = {scalar_value(true), {type, 0}};
  return kernels_of<Copy>().compute({stored, numbers, {}}, length, target);
}

}  // namespace

BufferRef copy_of(const BufferRef& buffer, ElementType type, int64_t length) {
  return copied(buffer, type, length, nullptr);
}

void copy_into(const BufferRef& target, const BufferRef& source, ElementType type, int64_t length) {
  const StoredOperand operand{&source, type, length};
  if (overlaps_an_operand(target, {&operand, 1}))
    copied(copy_of(source, type, length), type, length, target);
  else
    copied(source, type, length, target);
}

void read(const BufferRef& buffer, void* destination) { array_of(buffer).copy_to(destination); }

const void* address_for_reading(const BufferRef& buffer) {
  array_of(buffer).pin();  // permanently: the lifetime of the pointer's use is not known
  return reinterpret_cast<const void*>(runtime::current_device().address(*buffer));
}

void* address_for_writing(BufferRef& buffer, ElementType type, int64_t length) {
  const bool shared = !ir::has_one_owner(buffer) || array_of(buffer).is_borrowed();
  if (shared && !is_wrapped(buffer)) buffer = copy_of(buffer, type, length);
  array_of(buffer).pin();
  return reinterpret_cast<void*>(runtime::current_device().overwrite(*buffer));
}

}  // namespace tutti::detail
