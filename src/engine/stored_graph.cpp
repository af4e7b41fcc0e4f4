#include "engine/stored_graph.hpp"

#include <algorithm>
#include <map>

#include "compiler/graph_passes/collect.hpp"
#include "core/caching/hash.hpp"
#include "core/escape.hpp"
#include "engine/graph_archive.hpp"
#include "engine/unwritten_parts.hpp"
#include "graph/verify.hpp"
#include "runtime/memory/buffer.hpp"
#include "runtime/memory/pool.hpp"
#include "tutti/runtime.hpp"

namespace tutti::engine {
namespace {

using detail::NodeRef;
using ir::Kind;
using ir::Node;

constexpr char magic[8] = {'t', 'u', 't', 't', 'i', 'g', '0', '3'};
constexpr size_t most_contents = size_t{256} << 20;

NodeDescription describe(const Node& node, std::map<const ir::ScalarProgram*, int>& programs) {
  NodeDescription d;
  d.kind = node.buffer ? Kind::leaf : node.kind;
  d.type = node.type;
  d.shape = node.shape;
  if (node.buffer) return d;
  d.op = node.op;
  d.reduction = node.reduction;
  d.payload = ir::number_of(node.payload);
  d.computed_before = node.computed_before;
  d.value = node.value;
  if (node.map) d.has_map = true, d.map = *node.map;
  for (const NodeRef& input : node.inputs()) d.inputs.push_back(input->place);
  if (node.program)
    d.program =
        programs.emplace(node.program.get(), static_cast<int>(programs.size())).first->second;
  return d;
}

template <class T>
const T& at(const std::vector<T>& list, int i) {
  if (i < 0 || static_cast<size_t>(i) >= list.size()) damaged();
  return list[static_cast<size_t>(i)];
}

// A written section without a base may be given one of zeros.
NodeRef make(const NodeDescription& d, const std::vector<NodeRef>& before,
             const std::vector<ir::ProgramRef>& programs, bool on_zeros) {
  auto* node = new Node(d.kind, d.type, d.shape, detail::Location());
  NodeRef result(node);
  node->op = d.op;
  node->reduction = d.reduction;
  const auto payload = ir::payload_of(d.kind, d.payload);
  if (!payload) damaged();
  node->payload = *payload;
  node->computed_before = d.computed_before;
  node->value = d.value;
  if (d.has_map) node->map = std::make_unique<ir::AffineMap>(d.map);
  if (d.program != -1) node->program = at(programs, d.program);
  std::vector<NodeRef> inputs;
  for (int input : d.inputs) inputs.push_back(at(before, input));
  if (on_zeros) inputs.push_back(ir::make_constant(ScalarValue{d.type, 0}, d.shape, node->where));
  node->set_inputs(inputs);
  ir::verify(*node);
  return result;
}

void put_contents(GraphWriter& a, const Node& leaf, size_t& room) {
  const auto bytes = static_cast<size_t>(leaf.shape.size() * size_of(leaf.type));
  const bool stored = bytes <= room;
  a.value(stored);
  if (!stored) return;
  room -= bytes;
  a.block(leaf.buffer->data(), leaf.buffer->bytes());
  // A view of rows with a pitch has no memory after its last element (api/array/interchange.cpp).
  std::vector<uint8_t> missing(bytes - leaf.buffer->bytes());
  a.block(missing.data(), missing.size());
}

NodeRef leaf_with_contents(GraphReader& a, const NodeDescription& d) {
  if (!d.inputs.empty() || d.has_map || d.program != -1) damaged();
  const auto bytes = static_cast<size_t>(d.shape.size() * size_of(d.type));
  bool stored = false;
  a.value(stored);
  if (stored && bytes > a.left()) damaged();
  ir::BufferRef buffer = runtime::allocate(bytes);
  auto* contents = static_cast<uint8_t*>(buffer->data());
  if (stored)
    a.block(contents, bytes);
  else
    std::fill_n(contents, bytes, uint8_t{0});
  // Kernels add flags: each must be 0 or 1.
  if (d.type == ElementType::b8 &&
      std::any_of(contents, contents + bytes, [](uint8_t flag) { return flag > 1; }))
    damaged();
  return ir::make_leaf(d.type, d.shape, std::move(buffer), detail::Location());
}

// Adds up the memory and work that the nodes require.
class Accounts {
 public:
  explicit Accounts(const GraphLimits& limits) : limits_(limits) {}

  void add(const NodeDescription& d, const std::vector<NodeRef>& before) {
    ir::verify_shape(d.shape, d.type);
    const __int128 elements = d.shape.size();
    // Reductions and sorts of the interpreter need some more words for each element.
    const bool holds_more =
        d.kind == Kind::reduce || d.kind == Kind::sort_permutation || d.kind == Kind::sort_values;
    bytes_ += elements * (size_of(d.type) + (holds_more ? 32 : 0));
    if (bytes_ > limits_.bytes) refuse("bytes of memory", limits_.bytes);
    if (d.kind == Kind::leaf) return;
    work_ += elements * contracted(d, before);
    for (int input : d.inputs) work_ += at(before, input)->shape.size();
    if (work_ > limits_.work) refuse("elements to compute", limits_.work);
  }

  [[noreturn]] static void refuse(const char* what, int64_t limit) {
    throw Error("this graph asks for more than " + std::to_string(limit) + " " + what);
  }

 private:
  // Returns the number of products that are summed for one element.
  static int64_t contracted(const NodeDescription& d, const std::vector<NodeRef>& before) {
    if (d.kind != Kind::inner_product || d.inputs.size() != 2) return 1;
    const detail::Extents& right = at(before, d.inputs[1])->shape;
    return right.rank > 0 ? std::max<int64_t>(1, right[0]) : 1;
  }

  const GraphLimits& limits_;
  __int128 bytes_ = 0, work_ = 0;
};

std::vector<ir::ProgramRef> finish_programs(std::vector<ir::ScalarProgram>& stored,
                                            const GraphLimits& limits) {
  int64_t statements = 0;
  for (const ir::ScalarProgram& program : stored) {
    ir::for_each_statement(program.body, [&](const ir::Statement&) { ++statements; });
    statements += static_cast<int64_t>(program.values.size() + program.slots.size());
  }
  if (statements > limits.statements) Accounts::refuse("statements", limits.statements);
  std::vector<ir::ProgramRef> programs;
  for (ir::ScalarProgram& program : stored) {
    ir::verify(program);
    for (std::string& label : program.labels) label = escaped(label);  // traces print them
    programs.push_back(ir::finish_program(program));
  }
  return programs;
}

// Returns the content after the magic number and the checksum.
std::string_view content_of(const std::string& bytes) {
  uint64_t checksum = 0;
  static_assert(stored_graph_header == sizeof magic + sizeof checksum);
  if (bytes.size() < stored_graph_header || std::memcmp(bytes.data(), magic, sizeof magic) != 0)
    damaged();
  std::memcpy(&checksum, bytes.data() + sizeof magic, sizeof checksum);
  const std::string_view content = std::string_view(bytes).substr(stored_graph_header);
  if (hash_bytes(content) != checksum) damaged();
  return content;
}

}  // namespace

std::string with_checksum(std::string_view content) {
  const uint64_t checksum = hash_bytes(content);
  std::string bytes(magic, sizeof magic);
  bytes.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  return bytes.append(content);
}

std::string store_graph(std::span<const NodeRef> roots, const std::string& message) {
  compiler::Collected graph;
  if (!compiler::collect(roots, graph))
    throw Error("a graph that another thread is computing cannot be stored");
  GraphDescription description{version(), message, {}, graph.roots, {}};
  std::map<const ir::ScalarProgram*, int> numbers;
  for (const Node* node : graph.order) description.nodes.push_back(describe(*node, numbers));
  description.programs.resize(numbers.size());
  for (const auto& [program, number] : numbers)
    description.programs[static_cast<size_t>(number)] = *program;

  GraphWriter a;
  put(a, description);
  size_t room = most_contents;
  for (const Node* leaf : graph.leaves) put_contents(a, *leaf, room);
  return with_checksum(a.bytes);
}

StoredGraph load_graph(const std::string& bytes, const GraphLimits& limits) {
  GraphReader a(content_of(bytes));
  GraphDescription description;
  put(a, description.made_by);
  if (description.made_by != version())
    throw Error("this graph was written by version " + escaped(description.made_by.substr(0, 40)) +
                ", and this is " + version());
  put_all(a, description.message, description.programs, description.roots, description.nodes);
  if (static_cast<int64_t>(std::max(description.nodes.size(), description.roots.size())) >
      limits.nodes)
    Accounts::refuse("nodes", limits.nodes);
  const std::vector<ir::ProgramRef> programs = finish_programs(description.programs, limits);

  StoredGraph graph{std::move(description.message), {}};
  Accounts accounts(limits);
  const std::vector<bool> on_zeros = leave_parts_unwritten(description.nodes, description.roots);
  std::vector<NodeRef> nodes;
  for (const NodeDescription& d : description.nodes) {
    try {
      accounts.add(d, nodes);
      nodes.push_back(d.kind == Kind::leaf ? leaf_with_contents(a, d)
                                           : make(d, nodes, programs, on_zeros[nodes.size()]));
    } catch (const Error& error) {
      throw Error("node " + std::to_string(nodes.size()) + " (" + ir::kind_name(d.kind) +
                  ") of this graph cannot be: " + error.what());
    }
  }
  if (!a.at_end()) damaged();
  for (int root : description.roots) graph.roots.push_back(at(nodes, root));
  return graph;
}

}  // namespace tutti::engine
