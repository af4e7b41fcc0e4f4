#include "runtime/stored_graph.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <map>
#include <type_traits>

#include "core/hash.hpp"
#include "core/settings.hpp"
#include "ir/program.hpp"
#include "passes/collect.hpp"
#include "runtime/buffer.hpp"
#include "runtime/pool.hpp"
#include "tutti/error.hpp"
#include "tutti/runtime.hpp"

namespace tutti::runtime {
namespace {

using detail::NodeRef;
using ir::Kind;
using ir::Node;

constexpr char magic[8] = {'t', 'u', 't', 't', 'i', 'g', '0', '1'};
constexpr size_t most_contents = size_t{256} << 20;

// ---- bytes, written and read by the same descriptions

class Writer {
 public:
  static constexpr bool reads = false;
  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void value(const T& x) {
    bytes.append(reinterpret_cast<const char*>(&x), sizeof x);
  }
  size_t size(size_t n) {
    value(static_cast<uint64_t>(n));
    return n;
  }
  void block(void* data, size_t n) { bytes.append(static_cast<const char*>(data), n); }

  std::string bytes;
};

class Reader {
 public:
  static constexpr bool reads = true;
  explicit Reader(std::string_view bytes) : left_(bytes) {}
  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void value(T& x) { block(&x, sizeof x); }
  size_t size(size_t) {
    uint64_t n = 0;
    value(n);
    if (n > left_.size()) damaged();  // everything that is counted takes a byte at least
    return static_cast<size_t>(n);
  }
  void block(void* data, size_t n) {
    if (n > left_.size()) damaged();
    std::memcpy(data, left_.data(), n);
    left_.remove_prefix(n);
  }
  [[noreturn]] static void damaged() { throw Error("this is not the file of a graph, or damaged"); }

 private:
  std::string_view left_;
};

template <class Archive, class T>
requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void put(Archive& a, T& x) { a.value(x); }
template <class Archive, class... Fields>
void put_all(Archive& a, Fields&... fields) {
  (put(a, fields), ...);
}
template <class Archive>
void put(Archive& a, std::string& text) {
  text.resize(a.size(text.size()));
  a.block(text.data(), text.size());
}
template <class Archive>
void put(Archive& a, ScalarValue& value) {
  put_all(a, value.type, value.bits);
}
template <class Archive>
void put(Archive& a, detail::Extents& shape) {
  put(a, shape.rank);
  if (shape.rank < 0 || shape.rank > max_rank) Reader::damaged();
  for (int axis = 0; axis < shape.rank; ++axis) put(a, shape[axis]);
}
template <class Archive, class T, class Allocator>
void put(Archive& a, std::vector<T, Allocator>& list) {
  list.resize(a.size(list.size()));
  for (T& x : list) put(a, x);
}
template <class Archive>
void put(Archive& a, ir::AffineMap& map) {
  for (ir::AxisMap& axis : map.axes) put_all(a, axis.axis, axis.stride, axis.offset);
  put_all(a, map.boundary, map.fill);
}

// ---- programs

template <class Archive>
void put(Archive& a, ir::Statement& s) {
  put_all(a, s.kind, s.op, s.boundary, s.type, s.result, s.place, s.inputs, s.blocks);
}
template <class Archive>
void put(Archive& a, ir::ScalarProgram::Table& table) {
  put_all(a, table.type, table.rank);
}
template <class Archive>
void put(Archive& a, ir::ScalarProgram::LocalArray& array) {
  put_all(a, array.type, array.size);
}
template <class Archive>
void put(Archive& a, ir::ScalarProgram& program) {
  put_all(a, program.values, program.inputs, program.tables, program.slots, program.arrays,
          program.labels, program.body, program.outputs);
}

// ---- nodes

// What a node is, apart from others.
struct Description {
  Kind kind{};
  ElementType type{};
  detail::Extents shape;
  Op op{};
  Reduction reduction{};
  uint32_t axes = 0;
  uint8_t mode = 0;
  bool trusted_offsets = false, computed_before = false, has_map = false;
  ScalarValue value{};
  ir::AffineMap map;
  std::vector<int> inputs;  // by number
  int program = -1;         // by number
};
template <class Archive>
void put(Archive& a, Description& d) {
  put_all(a, d.kind, d.type, d.shape, d.op, d.reduction, d.axes, d.mode, d.trusted_offsets,
          d.computed_before, d.has_map, d.value);
  if (d.has_map) put(a, d.map);
  put_all(a, d.inputs, d.program);
}

Description describe(const Node& node, std::map<const ir::ScalarProgram*, int>& programs) {
  Description d;
  d.kind = node.buffer ? Kind::leaf : node.kind;
  d.type = node.type;
  d.shape = node.shape;
  d.trusted_offsets = node.trusted_offsets;
  if (node.buffer) return d;
  d.op = node.op;
  d.reduction = node.reduction;
  d.axes = node.axes;
  d.mode = node.mode;
  d.computed_before = node.computed_before;
  d.value = node.value;
  if (node.map) d.has_map = true, d.map = *node.map;
  for (const NodeRef& input : node.inputs()) d.inputs.push_back(input->place);
  if (node.program)
    d.program =
        programs.emplace(node.program.get(), static_cast<int>(programs.size())).first->second;
  return d;
}

NodeRef make(const Description& d, const std::vector<NodeRef>& before,
             const std::vector<ir::ProgramRef>& programs) {
  const auto at = [](const auto& list, int i) -> const auto& {
    if (i < 0 || static_cast<size_t>(i) >= list.size()) Reader::damaged();
    return list[static_cast<size_t>(i)];
  };
  auto* node = new Node(d.kind, d.type, d.shape, detail::Location());
  NodeRef result(node);
  node->op = d.op;
  node->reduction = d.reduction;
  node->axes = d.axes;
  node->mode = d.mode;
  node->trusted_offsets = d.trusted_offsets;
  node->computed_before = d.computed_before;
  node->value = d.value;
  if (d.has_map) node->map = std::make_unique<ir::AffineMap>(d.map);
  if (d.program >= 0) node->program = at(programs, d.program);
  std::vector<NodeRef> inputs;
  for (int input : d.inputs) inputs.push_back(at(before, input));
  node->set_inputs(inputs);
  return result;
}

void put_contents(Writer& a, const Node& leaf, size_t& room) {
  bool stored = leaf.buffer->bytes() <= room;
  put(a, stored);
  if (!stored) return;
  room -= leaf.buffer->bytes();
  a.block(leaf.buffer->data(), leaf.buffer->bytes());
}

NodeRef leaf_with_contents(Reader& a, const Description& d) {
  const int64_t elements = ir::checked_size(d.shape, d.type, "replay", detail::Location());
  ir::BufferRef buffer = allocate(static_cast<size_t>(elements * size_of(d.type)));
  bool stored = false;
  put(a, stored);
  if (stored)
    a.block(buffer->data(), buffer->bytes());
  else
    std::memset(buffer->data(), 0, buffer->bytes());
  NodeRef leaf = ir::make_leaf(d.type, d.shape, std::move(buffer), detail::Location());
  leaf->trusted_offsets = d.trusted_offsets;
  return leaf;
}

// A file that nobody else can read.
bool write_file(const std::string& path, std::string_view bytes) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (file < 0) return false;
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written <= 0) break;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return close(file) == 0 && bytes.empty();
}

}  // namespace

std::string store_graph(std::span<const NodeRef> roots, const std::string& message) {
  passes::Collected graph;
  if (!passes::collect(roots, graph))
    throw Error("a graph that another thread is computing cannot be stored");
  std::map<const ir::ScalarProgram*, int> numbers;
  std::vector<Description> descriptions;
  for (const Node* node : graph.order) descriptions.push_back(describe(*node, numbers));
  std::vector<ir::ScalarProgram> programs(numbers.size());
  for (const auto& [program, number] : numbers) programs[static_cast<size_t>(number)] = *program;

  Writer a;
  std::string made_by = version(), text = message;
  put_all(a, made_by, text, programs, graph.roots, descriptions);
  size_t room = most_contents;
  for (const Node* leaf : graph.leaves) put_contents(a, *leaf, room);
  const uint64_t checksum = hash_bytes(a.bytes);
  return std::string(magic, sizeof magic) +
         std::string(reinterpret_cast<const char*>(&checksum), sizeof checksum) + a.bytes;
}

StoredGraph load_graph(const std::string& bytes) {
  uint64_t checksum = 0;
  constexpr size_t head = sizeof magic + sizeof checksum;
  if (bytes.size() < head || std::memcmp(bytes.data(), magic, sizeof magic) != 0) Reader::damaged();
  std::memcpy(&checksum, bytes.data() + sizeof magic, sizeof checksum);
  const std::string_view content = std::string_view(bytes).substr(head);
  if (hash_bytes(content) != checksum) Reader::damaged();

  Reader a(content);
  StoredGraph graph;
  std::string made_by;
  put(a, made_by);
  if (made_by != version())
    throw Error("this graph was written by version " + made_by + ", and this is " + version());
  put(a, graph.message);
  std::vector<ir::ScalarProgram> raw;
  put(a, raw);
  std::vector<ir::ProgramRef> programs;
  for (const ir::ScalarProgram& program : raw) programs.push_back(ir::finish_program(program));
  std::vector<int> roots;
  put(a, roots);
  std::vector<Description> descriptions;
  put(a, descriptions);
  std::vector<NodeRef> nodes;
  for (const Description& d : descriptions)
    nodes.push_back(d.kind == Kind::leaf ? leaf_with_contents(a, d) : make(d, nodes, programs));
  for (int root : roots) {
    if (root < 0 || static_cast<size_t>(root) >= nodes.size()) Reader::damaged();
    graph.roots.push_back(nodes[static_cast<size_t>(root)]);
  }
  return graph;
}

std::string leave_behind(std::span<const NodeRef> roots, const std::string& message) {
  constexpr int most_files = 4;  // of one process: the first ones tell enough
  static std::atomic<int> files = 0;
  if (!live_settings().disk_cache || files >= most_files) return {};
  try {
    const std::string path =
        (std::filesystem::temp_directory_path() /
         ("tutti-" + std::to_string(getpid()) + "-" + std::to_string(++files) + ".graph"))
            .string();
    if (!write_file(path, store_graph(roots, message))) return {};
    return "; what was to be computed is in " + path + ", and `tutti replay " + path +
           "` tries it again";
  } catch (const std::exception&) {  // the failure itself is what must be told
    return {};
  }
}

}  // namespace tutti::runtime
