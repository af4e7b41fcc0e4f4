// The GPU's kernels for vector primitives, run by an emulator of its threads and compared with what
// the CPU computes, to the bit. No GPU is needed.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/compare.hpp"
#include "support/values.hpp"
#include "vectors/segments.hpp"

#include "ir/combine.hpp"
#include "ir/reduction_tree.hpp"
#include "ir/sort_key.hpp"

#define TUTTI_EMULATED_GPU
#include "primitives/gpu/pack.hpp"
#include "primitives/gpu/places.hpp"
#include "primitives/gpu/reduce.hpp"
#include "primitives/gpu/scan.hpp"
#include "primitives/gpu/sort.hpp"

namespace tutti::test {
namespace {

using gpu::EmulatedGpu;
using gpu::i64;
using gpu::u32;
using gpu::u64;

template <class T>
i64 address(std::vector<T>& x) {
  return reinterpret_cast<i64>(x.data());
}
i64 blocks_for(i64 count, i64 each) { return (count + each - 1) / each; }

// The operator on the unsigned representation, with elements that simply lie in memory: words[0] is
// their address.
template <class T, Reduction reduction>
struct PlainOperator {
  using U = ir::UnsignedOf<sizeof(T)>;
  static U combine(U a, U b) {
    return std::bit_cast<U>(ir::combine<reduction>(std::bit_cast<T>(a), std::bit_cast<T>(b)));
  }
  static U neutral() { return std::bit_cast<U>(ir::identity<T>(reduction)); }
  static U nothing() { return static_cast<U>(ir::empty_result(reduction, element_type<T>).bits); }
  static U element(const i64* words, i64 i) { return reinterpret_cast<const U*>(words[0])[i]; }
  static void load(const i64* words, i64 first, i64 count, U (&x)[16]) {
    for (int i = 0; i < 16; ++i) x[i] = i < count ? element(words, first + i) : neutral();
  }
};

template <class T>
std::vector<T> numbers(int64_t n) {
  std::vector<T> result;
  for (int64_t i = 0; i < n; ++i)
    result.push_back(static_cast<T>((static_cast<double>(i * 7919 % 1009) - 504.0) / 7.0));
  return result;
}

template <class T, Reduction reduction>
std::vector<T> emulated_scan(std::vector<T> elements, std::vector<int32_t>* offsets,
                             bool exclusive) {
  using U = ir::UnsignedOf<sizeof(T)>;
  const auto n = static_cast<i64>(elements.size());
  const i64 tiles = blocks_for(n, gpu::tile_size);
  std::vector<T> out(elements.size());
  std::vector<u32> ticket(1, 0);
  std::vector<u64> states(static_cast<size_t>(tiles), 0), sums(2 * static_cast<size_t>(tiles));
  gpu::ScanArguments a{};
  a.elements = n;
  a.out = address(out);
  a.ticket = address(ticket);
  a.states = address(states);
  a.sums = address(sums);
  a.exclusive = exclusive;
  if (offsets) {
    a.offsets = address(*offsets);
    a.offset_count = static_cast<i64>(offsets->size());
  }
  const i64 words[] = {address(elements)};
  const auto run = [&]<bool segmented>() {
    using Tile = gpu::ScanTile<U, PlainOperator<T, reduction>, segmented>;
    EmulatedGpu::run(tiles, 3, sizeof(typename Tile::Shared), [&](void* shared) {
      Tile(*static_cast<typename Tile::Shared*>(shared), words, a).run();
    });
  };
  offsets ? run.template operator()<true>() : run.template operator()<false>();
  return out;
}

TEST(GpuScan, AgreesWithTheCpu) {
  for (const int64_t n : {1, 17, 4096, 4097, 50001}) {
    const std::vector<float> f = numbers<float>(n);
    const std::vector<double> d = numbers<double>(n);
    const std::vector<int16_t> s = numbers<int16_t>(n);
    for (const bool exclusive : {false, true}) {
      const Scan kind = exclusive ? Scan::exclusive : Scan::inclusive;
      EXPECT_TRUE(
          same(read(sum_scan(Array<1, float>(f), kind)),
               elements(emulated_scan<float, Reduction::sum>(f, nullptr, exclusive), Shape<1>(n))));
      EXPECT_TRUE(same(
          read(product_scan(Array<1, double>(d), kind)),
          elements(emulated_scan<double, Reduction::product>(d, nullptr, exclusive), Shape<1>(n))));
      EXPECT_TRUE(same(
          read(max_scan(Array<1, int16_t>(s), kind)),
          elements(emulated_scan<int16_t, Reduction::max>(s, nullptr, exclusive), Shape<1>(n))));
    }
  }
}

TEST(GpuScan, OfSegments) {
  for (const Lengths& segments : every_kind_of_segments()) {
    if (segments.elements() == 0) continue;
    SCOPED_TRACE(segments.what);
    std::vector<int32_t> offsets = segments.offsets();
    const std::vector<float> f = numbers<float>(segments.elements());
    const std::vector<double> d = numbers<double>(segments.elements());
    const Array<1, int32_t> ends(offsets);
    const Shape<1> shape(segments.elements());
    for (const bool exclusive : {false, true}) {
      const Scan kind = exclusive ? Scan::exclusive : Scan::inclusive;
      EXPECT_TRUE(
          same(read(sum_scan(Array<1, float>(f), ends, kind)),
               elements(emulated_scan<float, Reduction::sum>(f, &offsets, exclusive), shape)));
      EXPECT_TRUE(
          same(read(sum_scan(Array<1, double>(d), ends, kind)),
               elements(emulated_scan<double, Reduction::sum>(d, &offsets, exclusive), shape)));
    }
  }
}

TEST(GpuPack, KeepsTheOrder) {
  using Tile = gpu::PackTile<u32, PlainOperator<uint8_t, Reduction::bit_or>>;
  for (const int64_t n : {1, 4096, 20000}) {
    std::vector<uint8_t> flags;
    std::vector<u32> values, want;
    for (int64_t i = 0; i < n; ++i) {
      flags.push_back(i * i % 7 < 3);
      values.push_back(static_cast<u32>(i));
      if (flags.back()) want.push_back(values.back());
    }
    for (const size_t room : {want.size(), want.size() + 300, want.size() / 2}) {
      std::vector<u32> out(room, 99), ticket(1, 0);
      std::vector<u64> states(static_cast<size_t>(blocks_for(n, gpu::tile_size)), 0);
      gpu::PackArguments a{};
      a.scan.elements = n;
      a.scan.out = address(out);
      a.scan.ticket = address(ticket);
      a.scan.states = address(states);
      a.values = address(values);
      a.count = static_cast<i64>(room);
      const i64 words[] = {address(flags)};
      EmulatedGpu::run(blocks_for(n, gpu::tile_size), 3, sizeof(Tile::Shared), [&](void* shared) {
        Tile(*static_cast<Tile::Shared*>(shared), words, a).run();
      });
      std::vector<u32> expected = want;
      expected.resize(room, 0);
      EXPECT_TRUE(out == expected) << n;
    }
  }
}

TEST(GpuSegmentedReduce, AgreesWithTheCpu) {
  std::vector<Lengths> cases = every_kind_of_segments();
  cases.push_back({"long ones", {30000, 5, 8193, 0, 100000}});
  for (const Lengths& segments : cases) {
    if (segments.elements() == 0) continue;
    SCOPED_TRACE(segments.what);
    std::vector<int32_t> offsets = segments.offsets();
    std::vector<float> values = numbers<float>(segments.elements());
    const auto want = read(segmented_sum(Array<1, float>(values), Array<1, int32_t>(offsets)));
    const size_t count = segments.lengths.size();
    for (const int threads : {4, 16, 32}) {
      std::vector<float> out(count), totals(static_cast<size_t>(segments.elements() / 4096 + 9));
      std::vector<i64> middle(count + 1), huge(2 * count + 2);
      std::vector<u64> counts(2, 0);
      gpu::ReduceArguments a{};
      a.offsets = address(offsets);
      a.offset_count = static_cast<i64>(offsets.size());
      a.out = address(out);
      a.threads = threads;
      a.middle_count = address(counts);
      a.middle_list = address(middle);
      a.long_count = address(counts) + 8;
      a.long_list = address(huge);
      a.totals = address(totals);
      a.all_middle = threads == 32;
      const i64 words[] = {address(values)};
      gpu::SegmentReduce<u32, PlainOperator<float, Reduction::sum>> reduce(words, a);
      if (threads < 32)
        EmulatedGpu::run(blocks_for(static_cast<i64>(count) * threads, gpu::block_threads), 2, 0,
                         [&](void*) { reduce.run_short(); });
      EmulatedGpu::run(3, 3, 0, [&](void*) { reduce.run_middle(); });
      EmulatedGpu::run(3, 3, 0, [&](void*) { reduce.run_tiles(); });
      EmulatedGpu::run(3, 3, 0, [&](void*) { reduce.run_totals(); });
      EXPECT_TRUE(same(want, elements(out, Shape<1>(static_cast<int64_t>(count)))));
    }
  }
}

template <class K, class V>
void emulated_sort(std::vector<K>& keys, std::vector<V>* values, bool descending) {
  using U = ir::UnsignedOf<sizeof(K)>;
  using Pass = gpu::SortPass<U, V>;
  const auto n = static_cast<i64>(keys.size());
  const i64 tiles = blocks_for(n, gpu::sort_tile);
  std::vector<K> other_keys(keys.size());
  std::vector<V> other_values(keys.size());
  std::vector<u64> counts(sizeof(K) * 256, 0);
  gpu::SortArguments a{};
  a.elements = n;
  a.kind = detail::kind<K> == 2  ? gpu::floating_key
           : std::is_signed_v<K> ? gpu::signed_key
                                 : gpu::unsigned_key;
  a.descending = descending;
  a.counts = address(counts);
  a.keys = address(keys);
  EmulatedGpu::run(3, 3, sizeof(gpu::CountShared<U>), [&](void* shared) {
    gpu::sort_count<U>(*static_cast<gpu::CountShared<U>*>(shared), a);
  });
  EmulatedGpu::run(sizeof(K), 2, sizeof(gpu::PrefixShared<u64>), [&](void* shared) {
    gpu::sort_starts(*static_cast<gpu::PrefixShared<u64>*>(shared), a);
  });
  for (size_t byte = 0; byte < sizeof(K); ++byte) {
    std::vector<u32> ticket(1, 0);
    std::vector<u64> states(static_cast<size_t>(tiles) * 256, 0);
    a.keys = address(keys);
    a.key_target = address(other_keys);
    if (values) {
      a.values = byte == 0 ? 0 : address(*values);
      a.value_target = address(other_values);
    }
    a.byte = static_cast<i64>(byte);
    a.ticket = address(ticket);
    a.states = address(states);
    EmulatedGpu::run(tiles, 3, sizeof(typename Pass::Shared), [&](void* shared) {
      Pass(*static_cast<typename Pass::Shared*>(shared), a).run();
    });
    keys.swap(other_keys);
    if (values) values->swap(other_values);
  }
}

template <class K, class V>
void check_sort(int64_t n, bool descending) {
  SCOPED_TRACE(std::string(name(element_type<K>)) + " " + std::to_string(n));
  const std::vector<K> pool = mixed<K>(n / 3 + 1, 7);
  std::vector<K> keys;
  std::mt19937 random(2);
  for (int64_t i = 0; i < n; ++i) keys.push_back(pool[random() % pool.size()]);
  std::vector<V> want(keys.size());
  std::iota(want.begin(), want.end(), V{0});
  std::stable_sort(want.begin(), want.end(), [&](V a, V b) {
    return ir::sort_key(keys[a], descending) < ir::sort_key(keys[b], descending);
  });
  std::vector<K> sorted = keys, alone = keys;
  std::vector<V> order(keys.size());
  emulated_sort<K, V>(sorted, &order, descending);
  EXPECT_TRUE(order == want);
  emulated_sort<K, gpu::NoValue>(alone, nullptr, descending);
  for (size_t i = 0; i < keys.size(); ++i)
    ASSERT_EQ(std::bit_cast<ir::UnsignedOf<sizeof(K)>>(alone[i]),
              std::bit_cast<ir::UnsignedOf<sizeof(K)>>(keys[want[i]]));
}

TEST(GpuSort, IsStable) {
  for (const int64_t n : {1, 100, 9000}) {
    check_sort<int32_t, u32>(n, false);
    check_sort<float, u32>(n, true);
  }
  check_sort<double, u64>(5000, false);
  check_sort<int8_t, u32>(5000, true);
  check_sort<uint16_t, u64>(5000, false);
}

}  // namespace
}  // namespace tutti::test
