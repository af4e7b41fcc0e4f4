// Elements of an apply-to-each that are computed together: each node computes a column of them in a
// loop that the compiler vectorises, instead of being called for each element. A body qualifies if
// it consists of scalar operations, conditions, lets and calls of functions that do. Both sides of
// a condition are computed. Where an operation cannot be applied to an element (a division by zero,
// an index that is outside) the block fails, and its elements are computed one by one: only that
// decides what happens.
#pragma once
#include <algorithm>
#include <memory>
#include <type_traits>
#include <vector>

#include "nesl/eval/host_code.hpp"

namespace tutti::nesl::host {

constexpr std::size_t block_length = 256;
// Calls within calls; recursive functions do not qualify.
constexpr int deepest_calls_in_blocks = 4;
// How much less time an element takes.
constexpr std::int64_t times_faster_in_blocks = 4;

struct Block {
  Frame& frame;
  std::size_t count = 0;
  // By slot: the values of the elements, numbers or Values; null where all have the value in the
  // frame.
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

// Room for columns of any scalar type.
class Columns {
 public:
  explicit Columns(std::size_t count)
      : room_(std::make_unique_for_overwrite<double[]>(count * block_length)) {}
  const void* compute(std::size_t i, Mono type, const Node& node, Block& block) const {
    double* room = room_.get() + i * block_length;
    return with_scalar(type->kind, [&](auto scalar, auto) -> const void* {
      return node.block(block, reinterpret_cast<decltype(scalar)*>(room));
    });
  }

 private:
  std::unique_ptr<double[]> room_;
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
