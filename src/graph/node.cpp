#include "graph/node.hpp"

#include <limits>
#include <utility>
#include <vector>

#include "core/process/fork.hpp"
#include "core/timeline/timeline.hpp"
#include "graph/sibling_outputs.hpp"
#include "graph/traversal.hpp"

namespace tutti {

namespace detail {

void retain(ir::Node* node) { node->references.fetch_add(1, std::memory_order_relaxed); }

// Long chains are destroyed in a loop, not by recursion: a graph may be deeper than the stack.
void release(ir::Node* node) {
  // Atomic for the last owner too: SiblingOutputs::nodes() adds references where there are any.
  if (node->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  [[gnu::tls_model("initial-exec")]] constinit thread_local ir::Node* doomed = nullptr;
  [[gnu::tls_model("initial-exec")]] constinit thread_local bool taking_apart = false;
  if (taking_apart) {
    node->next_doomed = std::exchange(doomed, node);
    return;
  }
  taking_apart = true;
  delete node;  // releases its inputs, which may be added to the list
  while (doomed) {
    ir::Node* next = doomed;
    doomed = next->next_doomed;
    delete next;
  }
  taking_apart = false;
}

const Extents& shape_of(const NodeRef& node, const char* operation) {
  ir::require_alive({&node, 1}, operation, {});
  return node->shape;
}

}  // namespace detail

namespace ir {
namespace {

constinit std::mutex the_graph_mutex;
[[maybe_unused]] const bool is_registered =
    (hold_across_fork(ForkOrder::graph, the_graph_mutex), true);

}  // namespace

std::mutex& graph_mutex() { return the_graph_mutex; }

std::condition_variable& graph_changed() {
  static std::condition_variable instance;
  return instance;
}

uint64_t next_traversal() {
  static uint64_t last = 0;  // guarded by graph_mutex()
  return ++last;
}

Node::~Node() {
  if (siblings) siblings->forget(*this);
}

int64_t Node::next_number() {
  timeline::note_node();
  static std::atomic<int64_t> next{0};
  return next.fetch_add(1, std::memory_order_relaxed);
}

void Node::set_inputs(std::span<const NodeRef> inputs) {
  input_count_ = static_cast<int>(inputs.size());
  NodeRef* target = few_inputs_.data();
  if (inputs.size() > few_inputs_.size()) {
    more_inputs_ = std::make_unique<NodeRef[]>(inputs.size());
    target = more_inputs_.get();
  }
  int64_t operations = 1, bytes = 0, first = number;
  for (const NodeRef& input : inputs) {
    operations += input->pending_operations;
    bytes += input->pending_bytes;
    if (input->pending_operations > 0) first = std::min<int64_t>(first, input->oldest);
    *target++ = input;
  }
  oldest.store(first, std::memory_order_relaxed);  // the node is not shared yet
  operations = std::min(operations, number - first + 1);
  pending_operations.store(
      static_cast<int>(std::min<int64_t>(operations, std::numeric_limits<int>::max() / 2)),
      std::memory_order_relaxed);
  pending_bytes.store(std::min<int64_t>(bytes, std::numeric_limits<int64_t>::max() / 4),
                      std::memory_order_relaxed);
}

void publish(Node& node, BufferRef buffer, std::vector<NodeRef>& dropped) {
  node.pending_operations.store(0, std::memory_order_relaxed);
  node.pending_bytes.store(static_cast<int64_t>(buffer->bytes()), std::memory_order_relaxed);
  buffer->note_origin(node.where, node.type, node.shape);
  node.buffer = std::move(buffer);
  for (NodeRef& input : node.few_inputs_)
    if (input) dropped.push_back(std::move(input));
  if (node.more_inputs_)
    for (int i = 0; i < node.input_count_; ++i) dropped.push_back(std::move(node.more_inputs_[i]));
  node.more_inputs_.reset();
  node.input_count_ = 0;
}

namespace {

struct OpInfo {
  const char* name;
  int arity;
  int cost;
};

constexpr OpInfo op_table[] = {
#define TUTTI_OP(id, arity, rule, cost, doc) {#id, arity, cost},
#include "tutti/detail/ops.def"
#undef TUTTI_OP
#define TUTTI_FAST_OP(id, exact, arity, cost, doc) {#id, arity, cost},
#include "tutti/detail/fast_ops.def"
#undef TUTTI_FAST_OP
};
static_assert(std::size(op_table) == op_count);

}  // namespace

const char* op_name(Op op) { return op_table[static_cast<int>(op)].name; }
int op_arity(Op op) { return op_table[static_cast<int>(op)].arity; }
int op_cost(Op op) { return op_table[static_cast<int>(op)].cost; }

const char* reduction_name(Reduction reduction) { return info_of(reduction).function; }

const char* kind_name(Kind kind) { return info_of(kind).name; }

}  // namespace ir
}  // namespace tutti
