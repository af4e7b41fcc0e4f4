// The functions that libtutti finds in the bitcode: void name(const i64* words, const i64* a), with
// the words of the fused kernels, if there are any, and the arguments, one of the structs of these
// headers. What combines elements is not known here: the names tutti_combine_... are defined
// by the code generator, which links, inlines and specialises.
#include "kernels/gpu/indices.hpp"
#include "kernels/gpu/pack.hpp"
#include "kernels/gpu/product.hpp"
#include "kernels/gpu/reduce.hpp"
#include "kernels/gpu/scan.hpp"
#include "kernels/gpu/sort.hpp"

using namespace tutti::gpu;

#define TUTTI_FOR_EACH_SIZE(X) X(u8) X(u16) X(u32) X(u64)

namespace {

template <class U>
struct Fused;

template <class Arguments>
const Arguments& as(const i64* a) {
  return *reinterpret_cast<const Arguments*>(a);
}

}  // namespace

extern "C" bool tutti_in_pieces();
extern "C" bool tutti_consumes();
extern "C" bool tutti_computes_values();
#define TUTTI_FUSED(U)                                                                            \
  extern "C" U tutti_combine_##U(U, U);                                                           \
  extern "C" U tutti_neutral_##U();                                                               \
  extern "C" U tutti_nothing_##U();                                                               \
  extern "C" U tutti_element_##U(const i64* words, i64 i);                                        \
  extern "C" void tutti_piece_##U(const i64* words, i64 first, U* x);                             \
  extern "C" void tutti_consume_element_##U(const i64* words, i64 i, U x);                        \
  extern "C" void tutti_consume_piece_##U(const i64* words, i64 first, const U* x);               \
  template <>                                                                                     \
  struct Fused<U> {                                                                               \
    const i64* words;                                                                             \
    static U combine(U a, U b) { return tutti_combine_##U(a, b); }                                \
    static U neutral() { return tutti_neutral_##U(); }                                            \
    static U nothing() { return tutti_nothing_##U(); }                                            \
    static bool in_pieces() { return tutti_in_pieces(); }                                         \
    U element(i64 i) const { return tutti_element_##U(words, i); }                                \
    void piece(i64 first, U* x) const { tutti_piece_##U(words, first, x); }                       \
    static bool consumes() { return tutti_consumes(); }                                           \
    void consume_element(i64 i, U x) const { tutti_consume_element_##U(words, i, x); }            \
    void consume_piece(i64 first, const U* x) const { tutti_consume_piece_##U(words, first, x); } \
  };
TUTTI_FOR_EACH_SIZE(TUTTI_FUSED)

extern "C" i64 tutti_key_kind();
extern "C" bool tutti_descending();
struct FusedOrder {
  template <class U>
  static U ordered(U key) {
    return tutti::gpu::ordered(key, tutti_key_kind(), tutti_descending());
  }
  template <class U>
  static U last_key() {
    return tutti::gpu::last_key<U>(tutti_key_kind(), tutti_descending());
  }
};

#define TUTTI_SCAN(U)                                                  \
  extern "C" void scan_##U(const i64* words, const i64* a) {           \
    using Block = ScanBlock<U, Fused<U>, false>;                       \
    TUTTI_SHARED(Block::Shared, shared);                               \
    Block(shared, {words}, as<ScanArguments>(a)).run();                \
  }                                                                    \
  extern "C" void segmented_scan_##U(const i64* words, const i64* a) { \
    using Block = ScanBlock<U, Fused<U>, true>;                        \
    TUTTI_SHARED(Block::Shared, shared);                               \
    Block(shared, {words}, as<ScanArguments>(a)).run();                \
  }
TUTTI_FOR_EACH_SIZE(TUTTI_SCAN)

#define TUTTI_WRITE_SECTION(U)                                        \
  extern "C" void write_section_##U(const i64* words, const i64* a) { \
    write_section<U>(Fused<U>{words}, as<SectionArguments>(a));       \
  }
TUTTI_FOR_EACH_SIZE(TUTTI_WRITE_SECTION)

// What is packed: computed, or in memory.
template <class V>
struct FusedValues;
#define TUTTI_VALUES(V)                                                               \
  extern "C" V tutti_value_##V(const i64* words, i64 i);                              \
  extern "C" void tutti_value_piece_##V(const i64* words, i64 first, V* x);           \
  template <>                                                                         \
  struct FusedValues<V> {                                                             \
    const i64* words;                                                                 \
    InMemory<V> memory;                                                               \
    V element(i64 i) const {                                                          \
      return tutti_computes_values() ? tutti_value_##V(words, i) : memory.element(i); \
    }                                                                                 \
    void piece(i64 first, V* x) const {                                               \
      if (tutti_computes_values())                                                    \
        tutti_value_piece_##V(words, first, x);                                       \
      else                                                                            \
        memory.piece(first, x);                                                       \
    }                                                                                 \
  };
TUTTI_FOR_EACH_SIZE(TUTTI_VALUES)

#define TUTTI_PACK(V)                                                 \
  extern "C" void pack_##V(const i64* words, const i64* a) {          \
    using Block = PackBlock<V, Fused<u8>, FusedValues<V>>;            \
    TUTTI_SHARED(Block::Shared, shared);                              \
    const auto& arguments = as<PackArguments>(a);                     \
    const FusedValues<V> values{words, {array<V>(arguments.values)}}; \
    Block(shared, {words}, values, arguments).run();                  \
  }
TUTTI_FOR_EACH_SIZE(TUTTI_PACK)

#define TUTTI_REDUCE_SEGMENTS(name, U, Block)                  \
  extern "C" void name##_##U(const i64* words, const i64* a) { \
    TUTTI_SHARED(Block::Shared, shared);                       \
    Block(shared, {words}, as<ReduceArguments>(a)).run();      \
  }
#define TUTTI_REDUCE(U)                               \
  using Staged_##U = StagedReduce<U, Fused<U>>;       \
  using By8_##U = GroupedReduce<U, Fused<U>, 8>;      \
  using By16_##U = GroupedReduce<U, Fused<U>, 16>;    \
  using By32_##U = GroupedReduce<U, Fused<U>, 32>;    \
  TUTTI_REDUCE_SEGMENTS(reduce_staged, U, Staged_##U) \
  TUTTI_REDUCE_SEGMENTS(reduce_by_8, U, By8_##U)      \
  TUTTI_REDUCE_SEGMENTS(reduce_by_16, U, By16_##U)    \
  TUTTI_REDUCE_SEGMENTS(reduce_by_32, U, By32_##U)
TUTTI_FOR_EACH_SIZE(TUTTI_REDUCE)

#define TUTTI_SORT_PASS(name, U, V, Word)          \
  extern "C" void name(const i64*, const i64* a) { \
    using Pass = SortPass<U, V, FusedOrder, Word>; \
    TUTTI_SHARED(Pass::Shared, shared);            \
    Pass(shared, as<SortArguments>(a)).run();      \
  }
#define TUTTI_SORT(U)                                                                         \
  extern "C" void sort_count_##U(const i64*, const i64* a) {                                  \
    TUTTI_SHARED(CountShared<U>, shared);                                                     \
    sort_count<U, FusedOrder>(shared, as<SortArguments>(a));                                  \
  }                                                                                           \
  TUTTI_SORT_PASS(sort_pass_##U, U, NoValue, u32)                                             \
  TUTTI_SORT_PASS(sort_pass_##U##_u32, U, u32, u32)                                           \
  TUTTI_SORT_PASS(sort_pass_##U##_u64, U, u64, u32)                                           \
  TUTTI_SORT_PASS(sort_many_##U, U, NoValue, u64)                                             \
  TUTTI_SORT_PASS(sort_many_##U##_u32, U, u32, u64)                                           \
  TUTTI_SORT_PASS(sort_many_##U##_u64, U, u64, u64)                                           \
  extern "C" void search_sorted_##U(const i64*, const i64* a) {                               \
    search_sorted<U, FusedOrder>(as<SearchArguments>(a));                                     \
  }                                                                                           \
  extern "C" void gather_##U(const i64*, const i64* a) { gather<U>(as<GatherArguments>(a)); } \
  extern "C" void scatter_winners_##U(const i64*, const i64* a) {                             \
    scatter_winners<U>(as<ScatterArguments>(a));                                              \
  }                                                                                           \
  extern "C" void scatter_runs_##U(const i64*, const i64* a) {                                \
    scatter_runs<U, Fused<U>>(as<ScatterArguments>(a));                                       \
  }
TUTTI_FOR_EACH_SIZE(TUTTI_SORT)

#define TUTTI_JOIN(name, U, parts) \
  extern "C" void name(const i64*, const i64* a) { join<U, parts>(as<JoinArguments>(a)); }
TUTTI_JOIN(join_2_u32, u32, 2)
TUTTI_JOIN(join_4_u32, u32, 4)
TUTTI_JOIN(join_2_u64, u64, 2)

#define TUTTI_PRODUCT(name, T)                              \
  extern "C" void name(const i64*, const i64* a) {          \
    TUTTI_SHARED(ProductBlock<T>::Shared, shared);          \
    ProductBlock<T>(shared, as<ProductArguments>(a)).run(); \
  }
TUTTI_PRODUCT(product_f32, float)
TUTTI_PRODUCT(product_f64, double)

extern "C" {
void scatter_combine_u32(const i64*, const i64* a) {
  scatter_combine<u32, Fused<u32>>(as<ScatterArguments>(a));
}
void scatter_combine_u64(const i64*, const i64* a) {
  scatter_combine<u64, Fused<u64>>(as<ScatterArguments>(a));
}
void scatter_add_u32(const i64*, const i64* a) { scatter_add<u32>(as<ScatterArguments>(a)); }
void scatter_add_u64(const i64*, const i64* a) { scatter_add<u64>(as<ScatterArguments>(a)); }
void copy(const i64*, const i64* a) { copy(as<CopyArguments>(a)); }
void narrow(const i64*, const i64* a) { narrow(as<NarrowArguments>(a)); }
void sort_starts(const i64*, const i64* a) {
  TUTTI_SHARED(PrefixShared<u64>, shared);
  sort_starts(shared, as<SortArguments>(a));
}
void fill(const i64*, const i64* a) { fill(as<FillArguments>(a)); }
void element_segments(const i64*, const i64* a) { element_segments(as<SegmentArguments>(a)); }
void map_segments(const i64*, const i64* a) { SegmentMapper(as<SegmentMapArguments>(a)).run(); }
void check_offsets(const i64*, const i64* a) { check_offsets(as<SegmentArguments>(a)); }
void scatter_compete(const i64*, const i64* a) { scatter_compete(as<ScatterArguments>(a)); }
void scatter_keys(const i64*, const i64* a) { scatter_keys(as<ScatterArguments>(a)); }
}
