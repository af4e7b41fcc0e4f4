// The bytes of a stored graph: one description of each structure, used to write it and to read it.
// Reading trusts nothing. Counts are checked against the bytes that are left, enum values against
// their ranges, and blocks of programs nest to a limited depth.
#pragma once
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "program/program.hpp"
#include "tutti/error.hpp"

namespace tutti::engine {

[[noreturn]] inline void damaged() { throw Error("this is not the file of a graph, or damaged"); }

// The greatest value of each enum that is stored.
template <class E>
constexpr E last_of = E{};
template <>
inline constexpr auto last_of<ElementType> = ElementType::f64;
template <>
inline constexpr auto last_of<Boundary::Kind> = Boundary::Kind::wrap;
template <>
inline constexpr auto last_of<Reduction> = static_cast<Reduction>(ir::reduction_count - 1);
template <>
inline constexpr auto last_of<ir::Kind> = static_cast<ir::Kind>(std::size(ir::kind_table) - 1);
template <>
inline constexpr auto last_of<ir::StatementKind> = ir::StatementKind::trace;
template <>
inline constexpr auto last_of<Op> = static_cast<Op>(ir::op_count - 1);

class GraphWriter {
 public:
  static constexpr bool reads = false;
  template <class T>
  void value(const T& x) {
    bytes.append(reinterpret_cast<const char*>(&x), sizeof x);
  }
  size_t size(size_t n) {
    value(static_cast<uint64_t>(n));
    return n;
  }
  void block(const void* data, size_t n) { bytes.append(static_cast<const char*>(data), n); }
  void enter() {}
  void leave() {}

  std::string bytes;
};

class GraphReader {
 public:
  static constexpr bool reads = true;
  explicit GraphReader(std::string_view bytes) : left_(bytes) {}

  template <class T>
  void value(T& x) {
    if constexpr (std::is_same_v<T, bool>) {
      uint8_t flag = 0;
      block(&flag, 1);
      if (flag > 1) damaged();
      x = flag != 0;
    } else if constexpr (std::is_enum_v<T>) {
      std::underlying_type_t<T> number{};
      block(&number, sizeof number);
      if (number > static_cast<std::underlying_type_t<T>>(last_of<T>)) damaged();
      x = static_cast<T>(number);
    } else {
      block(&x, sizeof x);
    }
  }
  size_t size(size_t) {
    uint64_t n = 0;
    value(n);
    if (n > left_.size()) damaged();  // every counted item takes at least one byte
    return static_cast<size_t>(n);
  }
  void block(void* data, size_t n) {
    if (n > left_.size()) damaged();
    std::memcpy(data, left_.data(), n);
    left_.remove_prefix(n);
  }
  void enter() {
    constexpr int deepest = 64;  // nesting depth of constructs
    if (++depth_ > deepest) damaged();
  }
  void leave() { --depth_; }
  size_t left() const { return left_.size(); }
  bool at_end() const { return left_.empty(); }

 private:
  std::string_view left_;
  int depth_ = 0;
};

template <class Archive, class T>
requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
void put(Archive& a, T& x) {
  a.value(x);
}
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
  if (shape.rank < 0 || shape.rank > max_rank) damaged();
  for (int axis = 0; axis < shape.rank; ++axis) put(a, shape[axis]);
}
template <class Archive, class T, class Allocator>
void put(Archive& a, std::vector<T, Allocator>& list) {
  const size_t count = a.size(list.size());
  for (size_t i = 0; i < count; ++i) {
    // One by one: a count that the data does not confirm must not allocate memory.
    if constexpr (Archive::reads) list.emplace_back();
    put(a, list[i]);
  }
}
template <class Archive>
void put(Archive& a, ir::AffineMap& map) {
  for (ir::AxisMap& axis : map.axes) put_all(a, axis.axis, axis.stride, axis.offset);
  put_all(a, map.boundary, map.fill);
}

// ---- programs

template <class Archive>
void put(Archive& a, ir::Statement& s) {
  a.enter();
  put_all(a, s.kind, s.op, s.boundary, s.type, s.result, s.place, s.inputs, s.blocks);
  a.leave();
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

// A node without its references. That offsets are valid by construction is not stored: a file
// cannot guarantee it.
struct NodeDescription {
  ir::Kind kind{};
  ElementType type{};
  detail::Extents shape;
  Op op{};
  Reduction reduction{};
  uint32_t payload = 0;  // as a number, by kind
  bool computed_before = false, has_map = false;
  ScalarValue value{};
  ir::AffineMap map;
  std::vector<int> inputs;  // indices of nodes
  int program = -1;         // index of the program
};
template <class Archive>
void put(Archive& a, NodeDescription& d) {
  put_all(a, d.kind, d.type, d.shape, d.op, d.reduction, d.payload, d.computed_before, d.has_map,
          d.value);
  if (d.has_map) put(a, d.map);
  put_all(a, d.inputs, d.program);
}

// Everything before the contents of the leaves. Those follow in the order of their nodes: a flag,
// and the elements if it is set.
struct GraphDescription {
  std::string made_by, message;
  std::vector<ir::ScalarProgram> programs;
  std::vector<int> roots;
  std::vector<NodeDescription> nodes;
};
template <class Archive>
void put(Archive& a, GraphDescription& d) {
  put_all(a, d.made_by, d.message, d.programs, d.roots, d.nodes);
}

}  // namespace tutti::engine
