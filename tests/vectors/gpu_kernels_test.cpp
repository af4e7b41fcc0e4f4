// The GPU's kernels for vector primitives, run by an emulator of its threads and compared with what
// the CPU computes, to the bit. No GPU is needed.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "support/compare.hpp"
#include "support/values.hpp"
#include "vectors/segments.hpp"

#include "numerics/combine.hpp"
#include "numerics/reduction_tree.hpp"
#include "numerics/sort_key.hpp"

#define TUTTI_EMULATED_GPU
#include "kernels/gpu/indices.hpp"
#include "kernels/gpu/pack.hpp"
#include "kernels/gpu/product.hpp"
#include "kernels/gpu/reduce.hpp"
#include "kernels/gpu/scan.hpp"
#include "kernels/gpu/sort.hpp"
#include "kernels/gpu/top_k.hpp"

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

// The operator on the unsigned representation, with elements that simply lie in memory.
template <class T, Reduction reduction>
struct PlainOperator {
  using U = ir::UnsignedOf<sizeof(T)>;
  const T* elements = nullptr;

  static U combine(U a, U b) {
    return std::bit_cast<U>(ir::combine<reduction>(std::bit_cast<T>(a), std::bit_cast<T>(b)));
  }
  static U neutral() { return std::bit_cast<U>(ir::identity<T>(reduction)); }
  static U nothing() { return static_cast<U>(ir::empty_result(reduction, element_type<T>).bits); }
  static bool in_pieces() { return true; }
  U element(i64 i) const { return std::bit_cast<U>(elements[i]); }
  void piece(i64 first, U* x) const {
    EXPECT_EQ(first % gpu::piece_size, 0);
    for (int i = 0; i < gpu::piece_size; ++i) x[i] = element(first + i);
  }
  static bool consumes() { return false; }
  static void consume_piece(i64, const U*) {}
  static void consume_element(i64, U) {}
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
  const i64 blocks = blocks_for(n, gpu::scan_block(sizeof(T)));
  std::vector<T> out(elements.size());
  std::vector<u64> states(static_cast<size_t>(4 * blocks), 0);
  gpu::ScanArguments a{};
  a.elements = n;
  a.out = address(out);
  a.states = address(states);
  a.exclusive = exclusive;
  if (offsets) {
    a.offsets = address(*offsets);
    a.offset_count = static_cast<i64>(offsets->size());
  }
  const PlainOperator<T, reduction> source{elements.data()};
  const auto run = [&]<bool segmented>() {
    using Block = gpu::ScanBlock<U, PlainOperator<T, reduction>, segmented>;
    EmulatedGpu::run({blocks, 3, gpu::scan_threads(sizeof(T))}, sizeof(typename Block::Shared),
                     [&](void* shared) {
                       Block(*static_cast<typename Block::Shared*>(shared), source, a).run();
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

template <class V>
void check_pack(int64_t n) {
  using Block = gpu::PackBlock<V, PlainOperator<uint8_t, Reduction::bit_or>, gpu::InMemory<V>>;
  std::vector<uint8_t> flags;
  std::vector<V> values, want;
  for (int64_t i = 0; i < n; ++i) {
    flags.push_back(i * i % 7 < 3 || i / 600 % 5 == 1);
    values.push_back(static_cast<V>(i));
    if (flags.back()) want.push_back(values.back());
  }
  for (const size_t room : {want.size(), want.size() + 300, want.size() / 2}) {
    const i64 tiles = blocks_for(n, gpu::pack_tile(sizeof(V)));
    std::vector<V> out(room, 99);
    std::vector<u64> states(static_cast<size_t>(gpu::count_state_bytes(tiles) + 7) / 8, 0);
    gpu::PackArguments a{};
    a.elements = n;
    a.values = address(values);
    a.out = address(out);
    a.count = static_cast<i64>(room);
    a.states = address(states);
    const PlainOperator<uint8_t, Reduction::bit_or> source{flags.data()};
    const gpu::InMemory<V> packed{values.data()};
    EmulatedGpu::run(
        {std::min<i64>(tiles, 4), 3, gpu::pack_threads(sizeof(V))}, sizeof(typename Block::Shared),
        [&](void* shared) {
          Block(*static_cast<typename Block::Shared*>(shared), source, packed, a).run();
        });
    std::vector<V> expected = want;
    expected.resize(room, 0);
    EXPECT_TRUE(out == expected) << n;
  }
}

TEST(GpuPack, KeepsTheOrder) {
  for (const int64_t n : {1, 4096, 20000, 50001, 150000}) {
    check_pack<u32>(n);
    check_pack<u64>(n);
  }
  check_pack<u64>(300000);
  check_pack<uint8_t>(9000);
}

// What is known of the tiles before may be sums, counts of whole groups, or counts of tiles.
TEST(GpuLookBack, OfCounts) {
  constexpr int tiles = 700;
  for (const int summed : {0, 31, 32, 63, 500, tiles - 1})
    for (const int tile : {0, 1, 31, 32, 33, 500, tiles - 1}) {
      std::vector<u64> states(static_cast<size_t>(gpu::count_state_bytes(tiles)) / 8, 0);
      u32 sum = 0, got = 0;
      EmulatedGpu::run({1, 1, 32}, 0, [&](void*) {
        const gpu::CountLookBack look_back(address(states), tiles);
        if (gpu::lane() == 0)
          for (int t = 0; t < tile; ++t) {
            look_back.publish(t, static_cast<u32>(t * t));
            sum += static_cast<u32>(t * t);
            if (t <= summed) look_back.publish_sum(t, sum);
          }
        const u32 before = look_back.sum_before(tile);
        if (gpu::lane() == 31) got = before;
      });
      EXPECT_EQ(got, sum) << summed << " " << tile;
    }
}

// A block may look back over more tiles than one round of looks takes, and meet the end anywhere.
TEST(GpuLookBack, FarBack) {
  using LookBack = gpu::LookBack<u64, PlainOperator<uint64_t, Reduction::sum>>;
  constexpr i64 tiles = 700;
  for (const i64 sum_at : {0, 1, 333, 571, 572, 699}) {
    std::vector<u64> states(2 * tiles, 0);
    const gpu::TileStates<u64> published(address(states));
    u64 sum = 0, got = 0;
    for (i64 t = 0; t < tiles; ++t) {
      const u64 value = (u64{1} << 40) + static_cast<u64>(t * t);
      sum += value;
      published.publish(t, t <= sum_at ? gpu::sum_so_far : gpu::own_total,
                        t <= sum_at ? sum : value);
    }
    EmulatedGpu::run({1, 1, 32}, sizeof(LookBack::Shared), [&](void* shared) {
      LookBack look_back(*static_cast<LookBack::Shared*>(shared), address(states));
      const u64 before = look_back.sum_before(tiles);
      if (gpu::lane() == 0) got = before;
    });
    EXPECT_EQ(got, sum) << sum_at;
  }
}

using FloatSum = PlainOperator<float, Reduction::sum>;

// The map of segments; its numbers are in `windows` and `tiles`.
struct EmulatedMap {
  EmulatedMap(gpu::ReduceArguments& reduce, i64 window)
      : windows(static_cast<size_t>(blocks_for(reduce.elements, window)) + 1),
        tiles(static_cast<size_t>(gpu::most_long_tiles(reduce.elements))) {
    std::vector<u64> state(2, 0);
    gpu::SegmentMapArguments a{};
    a.state = address(state);
    a.offsets = reduce.offsets;
    a.offset_count = reduce.offset_count;
    a.elements = reduce.elements;
    a.window = window;
    a.windows = reduce.windows = address(windows);
    a.long_count = reduce.long_count = address(count);
    a.long_tiles = reduce.long_tiles = address(tiles);
    EmulatedGpu::run({3, 2}, 0, [&](void*) { gpu::SegmentMapper(a).run(); });
  }
  std::vector<gpu::SegmentWindow> windows;
  std::vector<u64> count{99};
  std::vector<gpu::LongTile> tiles;
};

// `blocks` besides those for long segments.
template <class Block>
void emulated_reduce(gpu::ReduceArguments a, i64 blocks, int threads, i64 long_blocks,
                     const std::vector<float>& values) {
  const auto long_tiles = static_cast<size_t>(gpu::most_long_tiles(a.elements));
  std::vector<u64> totals(long_tiles);
  std::vector<u32> finished(long_tiles, 0);
  a.long_blocks = long_blocks;
  a.finished = address(finished);
  a.totals = address(totals);
  const FloatSum source{values.data()};
  EmulatedGpu::run(
      {long_blocks + blocks, 3, threads}, sizeof(typename Block::Shared),
      [&](void* shared) { Block(*static_cast<typename Block::Shared*>(shared), source, a).run(); });
}

TEST(GpuSegmentedReduce, AgreesWithTheCpu) {
  std::vector<Lengths> cases = every_kind_of_segments();
  cases.push_back({"long ones", {30000, 5, 8193, 0, 100000, 2048, 2049, 4093, 4096, 4097}});
  cases.push_back({"empty ones after the last window", {2048, 0, 2000, 48, 0, 0}});
  std::vector<int32_t> far_more_empty(3000, 0);
  far_more_empty[1500] = 5000;
  far_more_empty.back() = 7;
  cases.push_back({"more empty ones than a block holds", far_more_empty});
  for (const Lengths& segments : cases) {
    if (segments.elements() == 0) continue;
    SCOPED_TRACE(segments.what);
    std::vector<int32_t> offsets = segments.offsets();
    const std::vector<float> values = numbers<float>(segments.elements());
    const auto want = read(segmented_sum(Array<1, float>(values), Array<1, int32_t>(offsets)));
    const auto count = static_cast<int64_t>(segments.lengths.size());
    std::vector<float> out(segments.lengths.size());
    gpu::ReduceArguments a{};
    a.elements = segments.elements();
    a.offsets = address(offsets);
    a.offset_count = static_cast<i64>(offsets.size());
    a.out = address(out);
    const auto check_staged = [&](int threads, i64 blocks) {
      a.threads = threads;
      std::fill(out.begin(), out.end(), 99.0f);
      emulated_reduce<gpu::StagedReduce<u32, FloatSum>>(a, blocks, gpu::block_threads, 2, values);
      EXPECT_TRUE(same(want, elements(out, Shape<1>(count)))) << threads;
    };
    const auto check_windows = [&](i64 window) {
      const EmulatedMap map(a, window);
      for (const int threads : {1, 4, 16})
        check_staged(threads, static_cast<i64>(map.windows.size()) - 1);
    };
    const i64 longest = *std::max_element(segments.lengths.begin(), segments.lengths.end());
    if (longest <= gpu::longest_staged) check_windows(gpu::large_window(longest));
    check_windows(gpu::small_window);
    const EmulatedMap map(a, gpu::small_window);
    const auto check_groups = [&]<int width>(i64 segments_of_warp) {
      a.segments = segments_of_warp;
      std::fill(out.begin(), out.end(), 99.0f);
      emulated_reduce<gpu::GroupedReduce<u32, FloatSum, width>>(
          a, blocks_for(count, segments_of_warp * gpu::group_warps), gpu::group_threads, 3, values);
      EXPECT_TRUE(same(want, elements(out, Shape<1>(count)))) << width << " threads each";
    };
    check_groups.operator()<8>(32);
    check_groups.operator()<16>(8);
    check_groups.operator()<32>(3);
    if (a.elements > gpu::small_window) continue;
    a.windows = 0;  // the segments are not mapped
    check_staged(2, 1);
  }
}

template <class K, bool descending>
struct PlainOrder {
  static constexpr gpu::KeyKind kind = detail::kind<K> == 2  ? gpu::floating_key
                                       : std::is_signed_v<K> ? gpu::signed_key
                                                             : gpu::unsigned_key;
  template <class U>
  static U ordered(U key) {
    return gpu::ordered(key, kind, descending);
  }
  template <class U>
  static U last_key() {
    return gpu::last_key<U>(kind, descending);
  }
};

template <class K, class V, bool descending, class Word>
void emulated_sort(std::vector<K>& keys, std::vector<V>* values) {
  using U = ir::UnsignedOf<sizeof(K)>;
  using Order = PlainOrder<K, descending>;
  using Pass = gpu::SortPass<U, V, Order, Word>;
  const auto n = static_cast<i64>(keys.size());
  const i64 tiles = blocks_for(n, gpu::sort_tile(std::max(sizeof(K), sizeof(V))));
  std::vector<K> other_keys(keys.size());
  std::vector<V> other_values(keys.size());
  std::vector<u64> counts(sizeof(K) * 256, 0);
  gpu::SortArguments a{};
  a.elements = n;
  a.counts = address(counts);
  a.keys = address(keys);
  EmulatedGpu::run({3, 3}, sizeof(gpu::CountShared<U>), [&](void* shared) {
    gpu::sort_count<U, Order>(*static_cast<gpu::CountShared<U>*>(shared), a);
  });
  EmulatedGpu::run({sizeof(K), 2}, sizeof(gpu::PrefixShared<u64>), [&](void* shared) {
    gpu::sort_starts(*static_cast<gpu::PrefixShared<u64>*>(shared), a);
  });
  for (size_t byte = 0; byte < sizeof(K); ++byte) {
    std::vector<Word> states(static_cast<size_t>(tiles) * 256, 0);
    a.keys = address(keys);
    a.key_target = address(other_keys);
    if (values) {
      a.values = byte == 0 ? 0 : address(*values);
      a.value_target = address(other_values);
    }
    a.byte = static_cast<i64>(byte);
    a.states = address(states);
    EmulatedGpu::run(
        {tiles, 3, gpu::sort_threads}, sizeof(typename Pass::Shared),
        [&](void* shared) { Pass(*static_cast<typename Pass::Shared*>(shared), a).run(); });
    keys.swap(other_keys);
    if (values) values->swap(other_values);
  }
}

template <class K, class V, bool descending, class Word = u32>
void check_sort(int64_t n) {
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
  emulated_sort<K, V, descending, Word>(sorted, &order);
  EXPECT_TRUE(order == want);
  emulated_sort<K, gpu::NoValue, descending, Word>(alone, nullptr);
  for (size_t i = 0; i < keys.size(); ++i)
    ASSERT_EQ(std::bit_cast<ir::UnsignedOf<sizeof(K)>>(alone[i]),
              std::bit_cast<ir::UnsignedOf<sizeof(K)>>(keys[want[i]]));
}

TEST(GpuSort, IsStable) {
  for (const int64_t n : {1, 100, 30000}) {
    check_sort<int32_t, u32, false>(n);
    check_sort<float, u32, true>(n);
  }
  check_sort<double, u64, false>(9000);
  check_sort<int8_t, u32, true>(9000);
  check_sort<uint16_t, u64, false, u64>(9000);
}

// The indices of the first `count` keys, ascending; `passes` that were needed.
template <class K, bool descending>
std::vector<u32> emulated_top_k(std::vector<K> keys, i64 count, u64& passes) {
  using U = ir::UnsignedOf<sizeof(K)>;
  using Order = PlainOrder<K, descending>;
  const auto n = static_cast<i64>(keys.size());
  gpu::TopKState state{};
  std::vector<u32> out(static_cast<size_t>(count), ~0u);
  std::vector<u64> counts(gpu::digits * 12, 0);
  gpu::TopKArguments a{};
  a.elements = n;
  a.count = count;
  a.keys = address(keys);
  a.index_bytes = n > 65536 ? 3 : n > 256 ? 2 : 1;
  a.state = reinterpret_cast<i64>(&state);
  a.counts = address(counts);
  a.out = address(out);
  for (i64 pass = 0; pass < i64{sizeof(K)} + a.index_bytes; ++pass)
    EmulatedGpu::run({3, 2}, sizeof(gpu::TopKShared), [&](void* shared) {
      gpu::TopKPass<U, Order>(*static_cast<gpu::TopKShared*>(shared), a).run();
    });
  EmulatedGpu::run({2, 2}, 1, [&](void*) { gpu::top_k_collect<U, Order>(a); });
  EXPECT_EQ(state.chosen, static_cast<u64>(count));
  EXPECT_EQ(state.complete, 1u);
  passes = state.passes;
  std::sort(out.begin(), out.end());
  return out;
}

template <class K, bool descending>
u64 check_top_k(const std::vector<K>& keys, i64 count) {
  std::vector<u32> want(keys.size());
  std::iota(want.begin(), want.end(), 0u);
  std::stable_sort(want.begin(), want.end(), [&](u32 a, u32 b) {
    return ir::sort_key(keys[a], descending) < ir::sort_key(keys[b], descending);
  });
  want.resize(static_cast<size_t>(count));
  std::sort(want.begin(), want.end());
  u64 passes = 0;
  EXPECT_EQ((emulated_top_k<K, descending>(keys, count, passes)), want) << count;
  return passes;
}

TEST(GpuTopK, ChoosesWhatSortingPutsFirst) {
  for (const i64 count : {1, 7, 100, 4000}) {
    check_top_k<float, true>(numbers<float>(12000), count);
    check_top_k<int16_t, false>(numbers<int16_t>(12000), count);
    check_top_k<double, false>(numbers<double>(5000), count);
  }
  check_top_k<float, true>(numbers<float>(1), 1);
}

// Equal keys are told apart by the bytes of their index, different ones are not.
TEST(GpuTopK, EndsWhenAllCandidatesAreChosen) {
  const std::vector<uint8_t> equal(3000, 5);
  EXPECT_EQ((check_top_k<uint8_t, true>(equal, 300)), 3u);
  EXPECT_EQ((check_top_k<uint8_t, false>(equal, 3000)), 1u);
  std::vector<uint32_t> different(3000);
  std::iota(different.begin(), different.end(), 1u << 20);
  EXPECT_EQ((check_top_k<uint32_t, true>(different, 300)), 4u);
  EXPECT_EQ((check_top_k<uint32_t, false>(different, 256)), 3u);
}

// The CPU's own product: chains of fma over 256 at a time, added up.
template <class T>
std::vector<T> product_of(const std::vector<T>& a, const std::vector<T>& b,
                          const gpu::ProductArguments& g) {
  std::vector<T> result;
  for (i64 i = 0; i < g.rows; ++i)
    for (i64 j = 0; j < g.columns; ++j) {
      T total = 0, sum = 0;
      for (i64 k = 0; k < g.inner; ++k) {
        const T x = a[static_cast<size_t>(g.a_transposed ? k * g.rows + i : i * g.inner + k)];
        const T y = b[static_cast<size_t>(g.b_transposed ? j * g.inner + k : k * g.columns + j)];
        sum = std::fma(x, y, sum);
        if ((k + 1) % gpu::product_chain && k + 1 < g.inner) continue;
        total += sum;
        sum = 0;
      }
      result.push_back(total);
    }
  return result;
}

template <class T>
void check_products() {
  using Block = gpu::ProductBlock<T>;
  constexpr int side = gpu::product_side(sizeof(T));
  for (const auto [rows, columns, inner] :
       {std::array<i64, 3>{1, 1, 1}, {65, 70, 33}, {64, 132, 300}, {3, 66, 256}, {129, 64, 520}})
    for (int stored = 0; stored < 4; ++stored) {
      std::vector<T> a = numbers<T>(rows * inner), b = numbers<T>(inner * columns);
      std::vector<T> out(static_cast<size_t>(rows * columns), T(-1));
      const gpu::ProductArguments g{address(a), address(b), address(out), rows,
                                    columns,    inner,      stored & 1,   stored >> 1};
      const i64 blocks = blocks_for(rows, side) * blocks_for(columns, side);
      EmulatedGpu::run({blocks, 2}, sizeof(typename Block::Shared), [&](void* shared) {
        Block(*static_cast<typename Block::Shared*>(shared), g).run();
      });
      EXPECT_EQ(out, product_of(a, b, g)) << rows << " x " << columns << " x " << inner;
    }
}

TEST(GpuKernels, Products) {
  check_products<float>();
  check_products<double>();
}

// Matrices that begin one element further on are read without wide accesses.
TEST(GpuKernels, ProductsOfUnalignedMatrices) {
  using Block = gpu::ProductBlock<float>;
  constexpr i64 rows = 64, columns = 64, inner = 32;
  std::vector<float> a = numbers<float>(rows * inner + 1), b = numbers<float>(inner * columns + 1);
  std::vector<float> out(static_cast<size_t>(rows * columns + 1), -1.0f);
  const gpu::ProductArguments g{
      address(a) + 4, address(b) + 4, address(out) + 4, rows, columns, inner, 0, 0};
  EmulatedGpu::run({1, 1}, sizeof(Block::Shared),
                   [&](void* shared) { Block(*static_cast<Block::Shared*>(shared), g).run(); });
  a.erase(a.begin()), b.erase(b.begin()), out.erase(out.begin());
  EXPECT_EQ(out, product_of(a, b, g));
}

TEST(GpuKernels, CopiesBeginAnywhere) {
  for (const size_t from : {0, 1, 4})
    for (const size_t to : {0, 3, 8}) {
      std::vector<unsigned char> source(1030), target(1030, 7);
      std::iota(source.begin(), source.end(), static_cast<unsigned char>(0));
      constexpr i64 bytes = 1019;
      const gpu::CopyArguments a{bytes, address(source) + static_cast<i64>(from),
                                 address(target) + static_cast<i64>(to)};
      EmulatedGpu::run({2, 2}, 1, [&](void*) { gpu::copy(a); });
      for (size_t i = 0; i < target.size(); ++i) {
        const bool inside = i >= to && i < to + bytes;
        ASSERT_EQ(target[i], inside ? source[from + i - to] : 7) << from << ' ' << to << ' ' << i;
      }
    }
}

TEST(GpuKernels, WideAccessesThatAreNotAlignedAreFound) {
  std::vector<float> x(16);
  const auto load = [&](i64 first) {
    EmulatedGpu::run({1, 1}, 1, [&](void*) {
      float piece[gpu::piece_size];
      gpu::load_piece(x.data() + first, piece);
    });
  };
  EXPECT_NO_THROW(load(4));
  EXPECT_THROW(load(3), std::runtime_error);
}

}  // namespace
}  // namespace tutti::test
