// The first elements of an order, by radix selection. Elements are compared by the bytes of their
// key and then, because keys may be equal, by those of their index: no two are equal. The
// candidates are the elements that begin with the known bytes of the last chosen element. A pass
// counts the next byte of the candidates, which determines one more of its bytes. The last block to
// finish evaluates the counts. When all candidates are chosen, no more bytes are needed.
// In: keys. Out: the indices of the chosen elements, in any order.
#pragma once
#include "kernels/gpu/indices.hpp"

namespace tutti::gpu {

template <class U, class Order>
class TopKElements {
  static constexpr int key_bytes = sizeof(U);

 public:
  TopKElements(const TopKArguments& a)
      : a_(a),
        state_(array<TopKState>(a.state)),
        key_(state_->key),
        index_(state_->index),
        passes_(static_cast<int>(state_->passes)) {}

  bool is_candidate(U key, i64 i) const {
    if (passes_ == 0) return true;
    const int unknown = unknown_bits();
    if (passes_ <= key_bytes) return static_cast<U>(key >> unknown) == (key_ >> unknown);
    return key == key_ && static_cast<u64>(i) >> unknown == index_ >> unknown;
  }
  // Requires that the passes are over.
  bool is_chosen(U key, i64 i) const {
    const int unknown = unknown_bits();
    if (passes_ <= key_bytes) return static_cast<U>(key >> unknown) <= (key_ >> unknown);
    return key < key_ || (key == key_ && static_cast<u64>(i) >> unknown <= index_ >> unknown);
  }
  u32 next_byte(U key, i64 i) const {
    const int below = next_shift();
    return static_cast<u32>(passes_ < key_bytes ? key >> below : i >> below) & 255u;
  }
  void note_next_byte(u64 byte) const {
    (passes_ < key_bytes ? state_->key : state_->index) |= byte << next_shift();
    state_->passes = static_cast<u64>(passes_) + 1;
  }

  U key(i64 i) const { return Order::ordered(static_cast<U>(array<U>(a_.keys)[i])); }
  int passes() const { return passes_; }

 private:
  int bytes_left() const {
    return passes_ < key_bytes ? key_bytes - passes_
                               : key_bytes + static_cast<int>(a_.index_bytes) - passes_;
  }
  int next_shift() const { return 8 * (bytes_left() - 1); }
  // Returns those of the key, or of the index as soon as one of its bytes is known.
  int unknown_bits() const { return passes_ == key_bytes ? 0 : 8 * bytes_left(); }

  const TopKArguments& a_;
  const Global<TopKState> state_;
  const u64 key_, index_;  // of the state before this pass
  const int passes_;
};

struct TopKShared {
  // Lanes that are not neighbours share a counter, which reduces conflicts.
  static constexpr int copies = 4;
  u32 counts[digits][copies];
  PrefixShared<u64> prefix;
  u32 is_last;
};

// One pass. It has no effect once the selection is complete.
template <class U, class Order>
class TopKPass {
  static_assert(digits == block_threads);  // a thread for each digit

 public:
  TopKPass(TopKShared& shared, const TopKArguments& a)
      : s(shared),
        a_(a),
        state_(array<TopKState>(a.state)),
        elements_(a),
        counts_(array<u64>(a.counts) + elements_.passes() * digits) {}

  void run() {
    if (state_->complete != 0) return;
    count();
    fence();
    barrier();
    if (thread() == 0)
      s.is_last = atomic_add(&state_->blocks, u64{1}) + 1 == static_cast<u64>(blocks());
    barrier();
    if (s.is_last != 0) evaluate();
  }

 private:
  void count() {
    constexpr int copies = TopKShared::copies;
    for (int i = thread(); i < digits * copies; i += block_threads) (&s.counts[0][0])[i] = 0;
    barrier();
    constexpr i64 stride = block_threads * piece_size, tile = pieces * stride;
    for (i64 begin = block() * tile; begin < a_.elements; begin += blocks() * tile) {
      const i64 first = begin + thread() * piece_size;
      U keys[group_size];
      load_pieces(InMemory<U>{array<U>(a_.keys)}, first, stride, a_.elements, U{0}, keys);
#pragma unroll
      for (int k = 0; k < group_size; ++k) {
        const i64 i = first + k / piece_size * stride + k % piece_size;
        const U key = Order::ordered(keys[k]);
        if (i < a_.elements && elements_.is_candidate(key, i))
          atomic_add(&s.counts[elements_.next_byte(key, i)][lane() % copies], 1u);
      }
    }
    barrier();
    u32 sum = 0;
    for (int k = 0; k < copies; ++k) sum += s.counts[thread()][k];
    if (sum != 0) atomic_add(counts_ + thread(), u64{sum});
  }

  // One thread finds that its digit is that of the last chosen element.
  void evaluate() {
    const u64 wanted = static_cast<u64>(a_.count) - state_->before;
    const u64 own = load_relaxed(counts_ + thread()), before = block_prefix(s.prefix, own);
    if (before >= wanted || before + own < wanted) return;
    elements_.note_next_byte(static_cast<u64>(thread()));
    state_->before += before;
    state_->complete = before + own == wanted;
    state_->blocks = 0;
  }

  TopKShared& s;
  const TopKArguments& a_;
  const Global<TopKState> state_;
  const TopKElements<U, Order> elements_;
  const Global<u64> counts_;
};

template <class U, class Order>
void top_k_collect(const TopKArguments& a) {
  const TopKElements<U, Order> elements(a);
  for_each(a.elements, [&](i64 i) {
    if (!elements.is_chosen(elements.key(i), i)) return;
    const u64 at = atomic_add(&array<TopKState>(a.state)->chosen, u64{1});
    if (a.wide_out)
      array<i64>(a.out)[at] = i;
    else
      array<i32>(a.out)[at] = static_cast<i32>(i);
  });
}

#ifndef TUTTI_EMULATED_GPU

#define TUTTI_TOP_K(U)                                           \
  extern "C" void top_k_pass_##U(const i64*, const i64* a) {     \
    TUTTI_SHARED(TopKShared, shared);                            \
    TopKPass<U, FusedOrder>(shared, as<TopKArguments>(a)).run(); \
  }                                                              \
  extern "C" void top_k_collect_##U(const i64*, const i64* a) {  \
    top_k_collect<U, FusedOrder>(as<TopKArguments>(a));          \
  }
TUTTI_FOR_EACH_SIZE(TUTTI_TOP_K)

#endif

}  // namespace tutti::gpu
