// A stable radix sort of keys, alone or with values: one pass for each byte of the key that differs
// between keys, from the lowest to the highest. In a pass each thread counts the digits of its
// part, then moves its elements to their positions.
#pragma once
#include <array>
#include <cstring>
#include <vector>

#include "numerics/sort_key.hpp"
#include "runtime/cpu/primitives/parts.hpp"

namespace tutti::runtime {

struct NoValue {};

// V is NoValue, or a type of the size of the values. Without `values`, the values are positions
// counted from `first`.
template <class K, class V>
struct SortTask {
  static constexpr bool has_values = !std::is_same_v<V, NoValue>;
  const K* keys = nullptr;
  const V* values = nullptr;
  int64_t first = 0, count = 0;
  bool descending = false;
  // The result is stored in `out`: values, or keys if there are no values. `other` has the same
  // size; key_memory, with values only, has room for the keys twice.
  void *out = nullptr, *other = nullptr, *key_memory = nullptr;
};

template <class K, class V>
class RadixSort {
 public:
  using Task = SortTask<K, V>;
  static constexpr bool has_values = Task::has_values;
  static constexpr int64_t few = 48;  // below this, insertion is faster

  explicit RadixSort(const Task& task) : task_(task) {}

  void run(bool on_all_threads) {
    if (task_.count <= few) return insert();
    constexpr int64_t least_part = 1 << 14;
    parts_ = on_all_threads ? std::clamp<int64_t>(task_.count / least_part, 1, cpu_threads()) : 1;
    const std::vector<int> digits = digits_that_differ();
    if (digits.empty()) return copy();
    // The last pass writes to `out`.
    const K* keys = task_.keys;
    const V* values = task_.values;
    bool positions = has_values && !values;
    for (size_t p = 0; p < digits.size(); ++p) {
      const bool to_out = (digits.size() - p) % 2 == 1;
      void* target = to_out ? task_.out : task_.other;
      if constexpr (has_values) {
        K* key_target = static_cast<K*>(task_.key_memory) + (to_out ? 0 : task_.count);
        pass(digits[p], keys, values, positions, key_target, static_cast<V*>(target));
        keys = key_target;
        values = static_cast<const V*>(target);
        positions = false;
      } else {
        pass(digits[p], keys, nullptr, false, static_cast<K*>(target), nullptr);
        keys = static_cast<const K*>(target);
      }
    }
  }

 private:
  using Counts = std::array<int64_t, 256>;

  int digit(K key, int byte) const {
    return static_cast<int>(ir::sort_key(key, task_.descending) >> (8 * byte) & 255);
  }
  V value_at(const V* values, bool positions, int64_t i) const {
    if constexpr (has_values) return positions ? static_cast<V>(task_.first + i) : values[i];
    return V{};
  }
  // Calls body(part, begin, end) for all parts.
  template <class F>
  void for_each_part(F body) {
    const auto run = [&](int64_t part) {
      body(static_cast<size_t>(part), task_.count * part / parts_,
           task_.count * (part + 1) / parts_);
    };
    if (parts_ == 1)
      run(0);
    else
      parallel_for(parts_, run);
  }

  std::vector<int> digits_that_differ() {
    using U = ir::UnsignedOf<sizeof(K)>;
    struct Bits {
      U any = 0, all = static_cast<U>(~U{0});
    };
    std::vector<Bits> found(static_cast<size_t>(parts_));
    for_each_part([&](size_t part, int64_t begin, int64_t end) {
      Bits bits;
      for (int64_t i = begin; i < end; ++i) {
        const U key = ir::sort_key(task_.keys[i], task_.descending);
        bits.any |= key;
        bits.all &= key;
      }
      found[part] = bits;
    });
    Bits total;
    for (const Bits& bits : found) total.any |= bits.any, total.all &= bits.all;
    std::vector<int> result;
    for (int byte = 0; byte < static_cast<int>(sizeof(K)); ++byte)
      if ((total.any ^ total.all) >> (8 * byte) & 255) result.push_back(byte);
    return result;
  }

  void pass(int byte, const K* keys, const V* values, bool positions, K* key_target, V* target) {
    std::vector<Counts> places(static_cast<size_t>(parts_));
    for_each_part([&](size_t part, int64_t begin, int64_t end) {
      Counts counts{};
      for (int64_t i = begin; i < end; ++i) ++counts[static_cast<size_t>(digit(keys[i], byte))];
      places[part] = counts;
    });
    int64_t sum = 0;
    for (size_t d = 0; d < 256; ++d)
      for (Counts& counts : places) {
        const int64_t count = counts[d];
        counts[d] = sum;
        sum += count;
      }
    for_each_part([&](size_t part, int64_t begin, int64_t end) {
      Counts place = places[part];
      for (int64_t i = begin; i < end; ++i) {
        const K key = keys[i];
        const int64_t at = place[static_cast<size_t>(digit(key, byte))]++;
        key_target[at] = key;
        if constexpr (has_values) target[at] = value_at(values, positions, i);
      }
    });
  }

  void copy() {
    for (int64_t i = 0; i < task_.count; ++i) put(i, task_.keys[i], value_of(i));
  }
  V value_of(int64_t i) const { return value_at(task_.values, has_values && !task_.values, i); }
  void put(int64_t i, K key, V value) {
    if constexpr (has_values)
      static_cast<V*>(task_.out)[i] = value;
    else
      static_cast<K*>(task_.out)[i] = key;
  }

  void insert() {
    struct Item {
      ir::UnsignedOf<sizeof(K)> order;
      K key;
      V value;
    };
    std::array<Item, few> items;
    for (int64_t i = 0; i < task_.count; ++i) {
      const Item item{ir::sort_key(task_.keys[i], task_.descending), task_.keys[i], value_of(i)};
      int64_t k = i;
      for (; k > 0 && item.order < items[static_cast<size_t>(k - 1)].order; --k)
        items[static_cast<size_t>(k)] = items[static_cast<size_t>(k - 1)];
      items[static_cast<size_t>(k)] = item;
    }
    for (int64_t i = 0; i < task_.count; ++i)
      put(i, items[static_cast<size_t>(i)].key, items[static_cast<size_t>(i)].value);
  }

  const Task task_;
  int64_t parts_ = 1;
};

}  // namespace tutti::runtime
