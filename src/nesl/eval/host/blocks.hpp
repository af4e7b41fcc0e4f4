// Elements of an apply-to-each that are computed together: each node computes a column of them in a
// loop that the compiler vectorises, instead of being called for each element. A body qualifies if
// it consists of primitives, conditions, lets, apply-to-eachs and calls of functions that do. The
// elements of an inner apply-to-each are those of all outer ones, in blocks again. Both sides of
// a condition are computed, unless one has a recursion. If an operation cannot be applied to an
// element (a division by zero, an index that is outside), the block fails. Then its elements are
// computed one by one, which decides what happens.
#pragma once
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "nesl/eval/host/code.hpp"

namespace tutti::nesl::host {

constexpr std::size_t block_length = 256;
// Calls of other functions within calls, where it is asked whether they work in blocks.
constexpr int deepest_calls_in_blocks = 8;
// How much less time an element takes.
constexpr std::int64_t times_faster_in_blocks = 4;

// Thrown where a block fails and there is nothing to go on with. A node whose result is a scalar
// may also note the failure in the block, and give anything.
class BlockFailed {};

struct Block {
  Frame& frame;
  std::size_t count = 0;
  // By slot: the values of the elements, numbers or a RowColumn; null where all have the value in
  // the frame.
  std::vector<const void*> columns;
  bool failed = false;
};

template <class T>
T scalar(const Value& value) {
  if constexpr (std::is_same_v<T, int>)
    return value.integer();
  else if constexpr (std::is_same_v<T, double>)
    return value.floating();
  else if constexpr (std::is_same_v<T, bool>)
    return value.boolean();
  else
    return value.character();
}

template <class T>
const T* filled(const Block& block, T* room, T value) {
  std::fill_n(room, block.count, value);
  return room;
}

// Calls `work` with a number of the type that the scalars of a kind have, and one of the type that
// holds them in sequences.
template <class Work>
auto with_scalar(MonoType::Kind kind, const Work& work) {
  switch (kind) {
    case MonoType::Kind::integer:
      return work(int{}, int{});
    case MonoType::Kind::floating:
      return work(double{}, double{});
    case MonoType::Kind::boolean:
      return work(bool{}, Values::Flag{});
    default:
      return work(static_cast<unsigned char>(0), static_cast<unsigned char>(0));
  }
}

// With more inner elements, inner apply-to-eachs have blocks enough of their own.
constexpr std::int64_t most_inner_elements = 64 * block_length;

// A recursion runs in blocks while it has the fewest calls or the least data below, and to the
// depth below. Its blocks begin with at most `most_data_for_recursion` elements, so that its
// sequences stay within the bound above and in the cache.
constexpr std::size_t fewest_for_recursion = 6;
constexpr std::int64_t least_data_for_recursion = 64;
constexpr std::int64_t most_data_for_recursion = 4096;
constexpr int deepest_recursion_in_blocks = 64;

// Memory for a column of a block. A thread keeps what it gives back for the next column: malloc()
// is slow for this size.
constexpr std::size_t column_bytes = (block_length + 16) * sizeof(double);
void* take_column();
void give_column(void* column) noexcept;

// Room for the numbers of a column, of any scalar type.
class NumberColumn {
 public:
  NumberColumn() : room_(take_column()) {}
  NumberColumn(NumberColumn&& other) noexcept : room_(std::exchange(other.room_, nullptr)) {}
  NumberColumn(const NumberColumn&) = delete;
  ~NumberColumn() {
    if (room_) give_column(room_);
  }
  template <class T>
  T* as() const {
    return static_cast<T*>(room_);
  }

 private:
  void* room_;
};

// Sequences of the elements of a block: ranges of one sequence. If they have too many elements for
// one, they are objects; nothing but to add them to others works then.
struct RowColumn {
  Value contents = Values();
  const Value* objects = nullptr;
  int begins[block_length], ends[block_length];

  RowColumn() {}  // NOLINT: the ranges are not set to zero
  int length(std::size_t k) const { return ends[k] - begins[k]; }
  // Those of the first elements of another one.
  void assign(const RowColumn& from, std::size_t count) {
    contents = from.contents;
    objects = from.objects;
    std::copy_n(from.begins, count, begins);
    std::copy_n(from.ends, count, ends);
  }
  static void* operator new(std::size_t) { return take_column(); }
  static void operator delete(void* column) noexcept { give_column(column); }
};
static_assert(sizeof(RowColumn) <= column_bytes);
// One sequence for all elements.
void fill_rows(const Block& block, const Value& sequence, RowColumn& rows);
// Those of a sequence of sequences from one on.
void load_rows(const Values& sequences, std::size_t k, std::size_t count, RowColumn& rows);
// Those of a node; where they are objects, the block fails.
void compute_rows(const Node& node, Block& block, RowColumn& rows);
// Whether a sequence that works in blocks, or is uniform but varies, has rows: fields of records
// that vary have none.
inline bool has_rows(const Node& node) { return !node.is_uniform() || node.variable() >= 0; }
// Adds those whose flag is set, or all, to a sequence.
void append_rows(const Block& block, const RowColumn& rows, const bool* flags, Values& values);

// Makes the elements of a sequence from one on the column of a slot. False if they are pairs.
// `room` must live as long as the column.
bool set_column(Block& block, int slot, const Values& values, std::size_t k,
                std::unique_ptr<RowColumn>& room);

// Calls `work` with the sequences of the components of a type and their slots.
template <class Work>
void for_components(const Values& values, Mono type, int& slot, const Work& work) {
  if (type->kind != MonoType::Kind::pair) return work(values, slot++);
  for_components(values.column(0), type->a, slot, work);
  for_components(values.column(1), type->b, slot, work);
}

// A slot that a part of a function uses, and the representation of what it holds.
struct UsedSlot {
  int slot;
  Mono content;
};
// Those of the components of a type, from a slot on.
void add_components(Mono type, int& slot, std::vector<UsedSlot>& slots);
// The value of a slot for one element.
Value value_of(const Block& block, const UsedSlot& used, std::size_t k);

// The values of nodes in slots, of the same block or of another one, as long as this lives.
class BoundColumns {
 public:
  static bool works(const Node& node, Mono type, InBlocks how);
  // The slots of the components of the type begin with this one. Returns the one after them.
  int bind(const Node& node, Mono type, Block& from, Block& to, int slot);

 private:
  int bind_tuple(const Tuple& tuple, const Block& from, Block& to, int slot);
  int bind_uniform(const Node& node, Mono type, Block& from, Block& to, int slot);

  std::vector<NumberColumn> numbers_;
  std::vector<std::unique_ptr<RowColumn>> rows_;
  std::vector<std::unique_ptr<Values>> values_;
};

// The indices of the elements whose flag is set, or of all.
inline std::vector<int> chosen_elements(const Block& block, const bool* flags) {
  std::vector<int> chosen;
  chosen.reserve(block.count);
  for (std::size_t k = 0; k < block.count; ++k)
    if (!flags || flags[k]) chosen.push_back(static_cast<int>(k));
  return chosen;
}

// Those of the variables that an expression uses, but for some.
std::vector<UsedSlot> used_slots(const CoreExpr& expr, const Code& code,
                                 std::span<const int> but_for = {});

// The columns of slots for some elements of a block, or for elements that belong to them.
class ChosenColumns {
 public:
  ChosenColumns(const std::vector<UsedSlot>& slots, const Block& from);
  // Element k of the other block belongs to the one at indices[k].
  void choose(const int* indices, Block& to);

 private:
  struct Column {
    UsedSlot used;
    const void* from;
    std::optional<NumberColumn> numbers;
    std::unique_ptr<RowColumn> rows;
  };
  std::vector<Column> columns_;
};

// Adds numbers of the elements of a block whose flag is set, or of all, to a sequence. N is the
// type that holds them there.
template <class N, class T>
void append_numbers(const Block& block, const T* numbers, const bool* flags, Values& values) {
  std::vector<N>& all = values.begin<N>(0);
  const std::size_t before = all.size();
  all.resize(before + block.count);
  N* to = all.data() + before;
  if (!flags) {
    for (std::size_t k = 0; k < block.count; ++k) to[k] = N{numbers[k]};
    return;
  }
  std::size_t count = 0;
  for (std::size_t k = 0; k < block.count; ++k) {
    to[count] = N{numbers[k]};
    count += flags[k] ? 1 : 0;
  }
  all.resize(before + count);
}

// The same for the value of a slot, which has this representation.
void append_slot(const Block& block, int slot, Mono type, const bool* flags, Values& values);

// Node's functions by one template of the derived class: const T* in_block(Block&, T* room).
template <class Derived>
class Blockwise : public Node {
 public:
  const int* block(Block& block, int* room) const final { return self().in_block(block, room); }
  const double* block(Block& block, double* room) const final {
    return self().in_block(block, room);
  }
  const bool* block(Block& block, bool* room) const final { return self().in_block(block, room); }
  const unsigned char* block(Block& block, unsigned char* room) const final {
    return self().in_block(block, room);
  }

 private:
  const Derived& self() const { return static_cast<const Derived&>(*this); }
};

}  // namespace tutti::nesl::host
