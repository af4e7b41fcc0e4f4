// The graph: immutable, typed, reference-counted nodes. A node describes an array in terms of
// others. Once its elements have been computed, it holds them in a buffer and releases its inputs.
// The members that change after creation (buffer, inputs, marks) are guarded by graph_mutex(); all
// others are written once.
#pragma once
#include <array>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/block_pool.hpp"
#include "graph/buffer.hpp"
#include "graph/payload.hpp"
#include "numerics/reductions.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/detail/graph.hpp"

namespace tutti::ir {

using detail::Extents;
using detail::Location;
using detail::NodeRef;

enum class Kind : uint8_t {
#define TUTTI_KIND(id, name, payload, keeps_type) id,
#define TUTTI_PRIMITIVE(id, name, payload, keeps_type, reduces, computed, offsets) id,
#include "tutti/detail/kinds.def"
};

struct KindInfo {
  const char* name;
  bool keeps_type;
  bool is_primitive = false, reduces = false;
  size_t computed = 0;  // inputs
  int offsets = -1;     // input
};
inline constexpr KindInfo kind_table[] = {
#define TUTTI_KIND(id, name, payload, keeps_type) {name, keeps_type},
#define TUTTI_PRIMITIVE(id, name, payload, keeps_type, reduces, computed, offsets) \
  {name, keeps_type, true, reduces, computed, offsets},
#include "tutti/detail/kinds.def"
};
constexpr const KindInfo& info_of(Kind kind) { return kind_table[static_cast<size_t>(kind)]; }

constexpr bool is_primitive(Kind kind) { return info_of(kind).is_primitive; }
constexpr bool is_combining_primitive(Kind kind) { return info_of(kind).reduces; }
// Returns how many of the first inputs are computed while the primitive runs.
constexpr size_t computed_inputs(Kind kind) { return info_of(kind).computed; }

// Returns whether a kernel computes elements of this kind: not data, constants or views.
constexpr bool computes_elements(Kind kind) {
  return kind == Kind::elementwise || kind == Kind::cast || kind == Kind::gather ||
         kind == Kind::program;
}

struct ScalarProgram;

// input coordinate = stride * (coordinate of the result on `axis`) + offset; axis -1: offset alone.
struct AxisMap {
  int axis = -1;
  int64_t stride = 1;
  int64_t offset = 0;
};

// Maps coordinates of a result to coordinates of an input, with one entry for each input axis.
struct AffineMap : SmallObject {
  std::array<AxisMap, max_rank> axes{};
  Boundary::Kind boundary = Boundary::Kind::clamp;
  ScalarValue fill{};
  const char* name = "affine";  // the public function that made it
};

class SiblingOutputs;

class Node : public SmallObject {
 public:
  Node(Kind kind, ElementType type, const Extents& shape, const Location& where)
      : kind(kind), type(type), shape(shape), where(where) {}
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  const Kind kind;
  const ElementType type;
  const Extents shape;
  const Location where;

  Op op{};                // elementwise
  Reduction reduction{};  // reduce, scan, segmented_reduce
  Payload payload;        // depends on the kind
  // Offsets of segments that are valid by construction for the elements they are used with.
  // Consumers skip the check, which takes a round trip to a GPU.
  bool trusted_offsets = false;
  ScalarValue value{};  // constant
  // affine; gather: boundary and fill only; write_section: maps coordinates of the values to those
  // of the base, an argument of the plan.
  std::unique_ptr<AffineMap> map;
  std::shared_ptr<const ScalarProgram> program;  // program

  template <class T>
  T get() const {  // the payload of its kind
    return std::get<T>(payload);
  }

  std::span<const NodeRef> inputs() const {
    return {more_inputs_ ? more_inputs_.get() : few_inputs_.data(),
            static_cast<size_t>(input_count_)};
  }
  void set_inputs(std::span<const NodeRef> inputs);

  // Upper bounds on the work pending below this node: shared parts of the graph count once for
  // every use. All pending nodes below were made between `oldest` and `number`.
  std::atomic<int> pending_operations{0};
  std::atomic<int64_t> pending_bytes{0};
  const int64_t number = next_number();
  std::atomic<int64_t> oldest{number};
  static int64_t next_number();

  // Guarded by graph_mutex().
  BufferRef buffer;    // the elements, once computed
  uint64_t visit = 0;  // scratch of a traversal: its number, and the node's position in it
  int place = 0;
  bool computed_before = false;              // was computed inside a kernel and not stored
  bool claimed = false;                      // a thread is computing it
  std::shared_ptr<SiblingOutputs> siblings;  // outputs of one program, computed together

  std::atomic<int> references{1};
  Node* next_doomed = nullptr;  // while a graph is destroyed

 private:
  friend void publish(Node& node, BufferRef buffer, std::vector<NodeRef>& dropped);
  std::array<NodeRef, 3> few_inputs_;
  std::unique_ptr<NodeRef[]> more_inputs_;
  int input_count_ = 0;
};

TUTTI_EXPORT std::mutex& graph_mutex();
std::condition_variable& graph_changed();  // notified when claims end

// Stores the elements of a node. Moves the inputs that it no longer needs to `dropped`, to be
// destroyed outside of the lock.
void publish(Node& node, BufferRef buffer, std::vector<NodeRef>& dropped);

inline bool is_leaf(const Node& node) { return node.buffer != nullptr; }

// Shape arithmetic shared by builders and passes.
Extents broadcast_shapes(std::span<const Extents> shapes, const char* operation,
                         const Location& where);
int64_t checked_size(const Extents& shape, ElementType type, const char* operation,
                     const Location& where);
// Returns `where`, or the location of the first input if it is empty, as it is for operators.
Location place_of(const Location& where, std::span<const NodeRef> inputs);
void require_alive(std::span<const NodeRef> inputs, const char* operation, const Location& where);

// Broadcasts a node along axes of extent 1 and missing ones. Returns a node of rank 0 unchanged.
NodeRef repeat_to(const NodeRef& input, const Extents& shape, const Location& where);
TUTTI_EXPORT const char* op_name(Op op);
TUTTI_EXPORT const char* reduction_name(Reduction reduction);
const char* kind_name(Kind kind);
int op_cost(Op op);
int op_arity(Op op);
inline constexpr int op_count = 0
#define TUTTI_OP(id, arity, rule, cost, doc) +1
#include "tutti/detail/ops.def"
#undef TUTTI_OP
#define TUTTI_FAST_OP(id, exact, arity, cost, doc) +1
#include "tutti/detail/fast_ops.def"
#undef TUTTI_FAST_OP
    ;

// Returns the reduction that a node of this type holds; shared by reductions, scans and segmented
// reductions. Throws TypeError if there is none.
Reduction checked_reduction(Reduction reduction, ElementType type, const char* operation,
                            const Location& where);

// Builders: check, then make the node. Declared for users in tutti/detail/graph.hpp.
NodeRef make_leaf(ElementType type, const Extents& shape, BufferRef buffer, const Location& where);
TUTTI_EXPORT NodeRef make_constant(ScalarValue value, const Extents& shape, const Location& where);
NodeRef make_index(const Extents& shape, int axis, const Location& where,
                   ElementType type = ElementType::i32);
TUTTI_EXPORT NodeRef make_elementwise(Op op, std::span<const NodeRef> inputs,
                                      const Location& where);
NodeRef make_cast(const NodeRef& input, ElementType type, const Location& where);
NodeRef make_affine(const NodeRef& input, const Extents& shape, const AffineMap& map,
                    const Location& where);
TUTTI_EXPORT NodeRef make_gather(const NodeRef& input, std::span<const NodeRef> indices,
                                 Boundary::Kind boundary, ScalarValue fill, const Location& where);
NodeRef make_reduce(Reduction reduction, const NodeRef& input, std::span<const int> axes,
                    const Location& where);
NodeRef make_inner_product(const NodeRef& a, const NodeRef& b, const Location& where);
NodeRef make_reshape(const NodeRef& input, const Extents& shape, const Location& where);

}  // namespace tutti::ir
