// The GPU's vector primitives without a GPU: every function of the bitcode is specialised and
// written as PTX, which ptxas assembles where it is installed. What is kept in registers stays
// there.
#include <gtest/gtest.h>

#include "codegen/assembler.hpp"
#include "codegen/gpu/primitives.hpp"
#include "kernels/gpu/arguments.hpp"
#include "support/plan_of.hpp"
#include "tutti/tutti.hpp"

namespace tutti::testing {
namespace {

using codegen::GpuPrimitive;
using codegen::PtxTarget;

constexpr PtxTarget hopper{90, 78};

// The one primitive with an element kernel that a plan needs.
const compiler::PrimitiveStep& primitive_of(const compiler::Plan& plan) {
  for (const compiler::Step& step : plan.steps)
    if (const auto* primitive = std::get_if<compiler::PrimitiveStep>(&step))
      if (primitive->elements) return *primitive;
  throw InternalError("no element kernel");
}
template <class A>
compiler::Kernel elements_of(const A& array) {
  return primitive_of(*test::gpu_plan(array)).elements->kernel;
}

std::string check(const std::string& function, ElementType type, Reduction reduction,
                  const compiler::Kernel* elements, const PtxTarget& target = hopper) {
  SCOPED_TRACE(function + " of " + name(type));
  GpuPrimitive primitive{function, elements, type, reduction};
  const std::string ptx = codegen::compile_primitive_ptx(primitive, target);
  EXPECT_TRUE(assembles(ptx, target)) << ptx;
  EXPECT_EQ(ptx.find(".local"), std::string::npos) << "something is not in registers";
  EXPECT_EQ(ptx.find("call"), std::string::npos) << "something is not inlined";
  return ptx;
}

TEST(PrimitivePtx, WithElements) {
  if (!codegen::has_gpu_primitives()) GTEST_SKIP() << "built without clang";
  const Array<1, float> a(std::vector<float>(100000, 1.0f));
  const Array<1, int32_t> offsets(std::vector<int32_t>{0, 5, 100000});
  const auto with = [&](const auto& array, const std::string& size, ElementType type) {
    const compiler::Kernel scan = elements_of(sum_scan(array));
    const compiler::Kernel reduce = elements_of(segmented_sum(array, offsets));
    check("scan_" + size, type, Reduction::sum, &scan);
    check("segmented_scan_" + size, type, Reduction::sum, &scan);
    for (const char* regime : {"reduce_staged_", "reduce_by_8_", "reduce_by_16_", "reduce_by_32_"})
      check(regime + size, type, Reduction::sum, &reduce);
  };
  with(a, "u32", ElementType::f32);
  with(sqrt(a) * 2.0f + shift(a, {1}), "u32", ElementType::f32);
  with(cast<double>(a), "u64", ElementType::f64);
  with(gather(a, Boundary::wrap(), cast<int>(a)), "u32", ElementType::f32);
  const Array<1, half> h = cast<half>(a);
  const compiler::Kernel halves = elements_of(max_scan(h));
  check("scan_u16", ElementType::f16, Reduction::max, &halves);
  const compiler::Kernel flags = elements_of(any_scan(a > 1.0f));
  check("segmented_scan_u8", ElementType::b8, Reduction::any, &flags);
  const compiler::Kernel chosen = elements_of(Array<1, float>(
      detail::pack((a > 1.0f).node(), a.node(), 10, std::source_location::current())));
  check("pack_u32", ElementType::b8, Reduction::any, &chosen);
  check("pack_u64", ElementType::b8, Reduction::any, &chosen);
}

TEST(PrimitivePtx, ScansReadAndWriteWide) {
  if (!codegen::has_gpu_primitives()) GTEST_SKIP() << "built without clang";
  const Array<1, float> a(std::vector<float>(100000, 1.0f));
  const compiler::Kernel kernel = elements_of(sum_scan(a * 2.0f));
  const std::string ptx = check("scan_u32", ElementType::f32, Reduction::sum, &kernel);
  EXPECT_NE(ptx.find("ld.global.nc.v4"), std::string::npos) << ptx;
  EXPECT_NE(ptx.find("st.global.v4"), std::string::npos) << ptx;
  EXPECT_EQ(ptx.find("fma."), std::string::npos) << ptx;
}

TEST(PrimitivePtx, ConsumersOfScans) {
  if (!codegen::has_gpu_primitives()) GTEST_SKIP() << "built without clang";
  const Array<1, float> a(std::vector<float>(100000, 1.0f)), y = a;
  const auto with = [&](const auto& array, const char* function, ElementType type) {
    const auto plan = test::gpu_plan(array);
    const compiler::PrimitiveStep& scan = primitive_of(*plan);
    EXPECT_EQ(plan->steps.size(), 1u);
    GpuPrimitive primitive{function, &scan.elements->kernel, type, Reduction::sum};
    primitive.threads = 512;
    primitive.resident = 3;
    primitive.consumer = &scan.consumer->kernel;
    primitive.consumed = scan.consumed();
    const std::string ptx = codegen::compile_primitive_ptx(primitive, hopper);
    EXPECT_TRUE(assembles(ptx, hopper)) << ptx;
    EXPECT_EQ(ptx.find(".local"), std::string::npos) << "something is not in registers";
    return ptx;
  };
  const std::string ptx = with(sum_scan(a) * 2.0f + y, "scan_u32", ElementType::f32);
  EXPECT_NE(ptx.find("st.global.v4"), std::string::npos) << ptx;
  with(sum_scan(a) - shift(a, {1}), "scan_u32", ElementType::f32);
  with(cast<int8_t>(sum_scan(cast<int>(a)) % 100), "scan_u32", ElementType::i32);
  with(sqrt(sum_scan(cast<double>(a))), "scan_u64", ElementType::f64);
}

// The places in wide accesses that leave the caches to what is gathered.
TEST(PrimitivePtx, SparseProductsReadWide) {
  if (!codegen::has_gpu_primitives()) GTEST_SKIP() << "built without clang";
  const Array<1, float> entries(std::vector<float>(100000, 1.0f)), x = entries;
  const Array<1, int32_t> columns(std::vector<int32_t>(100000, 7)),
      offsets(std::vector<int32_t>{0, 5, 100000});
  const compiler::Kernel kernel = elements_of(segmented_sum(entries * gather(x, columns), offsets));
  const std::string ptx = check("reduce_staged_u32", ElementType::f32, Reduction::sum, &kernel);
  EXPECT_NE(ptx.find("ld.global.cs.v2.b64"), std::string::npos) << ptx;
}

// A row of a matrix begins at a multiple of its elements' size, no more is known.
TEST(PrimitivePtx, RowsAreNotReadWide) {
  if (!codegen::has_gpu_primitives()) GTEST_SKIP() << "built without clang";
  const Array<2, float> m(std::vector<float>(3 * 8193, 1.0f), 3, 8193);
  const Array<2, int32_t> all(std::vector<int32_t>(3 * 8193, 7), 3, 8193);
  const Array<1, int32_t> offsets(std::vector<int32_t>{0, 5, 8193});
  const auto row = [](const auto& a) { return drop_dimension(section(a, {{1, 1}, {0, 8193}}), 0); };
  const compiler::Kernel scanned = elements_of(sum_scan(row(m) + row(m)));
  const compiler::Kernel product =
      elements_of(segmented_sum(row(m) * gather(row(m), row(all)), offsets));
  for (const std::string& ptx :
       {check("scan_u32", ElementType::f32, Reduction::sum, &scanned),
        check("reduce_staged_u32", ElementType::f32, Reduction::sum, &product)}) {
    EXPECT_EQ(ptx.find("ld.global.nc.v"), std::string::npos) << ptx;
    EXPECT_EQ(ptx.find("ld.global.cs.v"), std::string::npos) << ptx;
  }
}

TEST(PrimitivePtx, PacksOfComputedValues) {
  if (!codegen::has_gpu_primitives()) GTEST_SKIP() << "built without clang";
  const Array<1, float> a(std::vector<float>(100000, 1.0f));
  const auto with = [&](const auto& values, const char* function, int size = 4) {
    const auto plan = test::gpu_plan(std::remove_cvref_t<decltype(values)>(
        detail::pack((a > 1.0f).node(), values.node(), 10, std::source_location::current())));
    const compiler::PrimitiveStep& pack = primitive_of(*plan);
    ASSERT_TRUE(pack.values);
    GpuPrimitive primitive{function, &pack.elements->kernel, ElementType::b8, Reduction::any};
    primitive.threads = gpu::pack_threads(size);
    primitive.resident = gpu::pack_resident(size);
    primitive.values = &pack.values->kernel;
    const std::string ptx = codegen::compile_primitive_ptx(primitive, hopper);
    EXPECT_TRUE(assembles(ptx, hopper)) << ptx;
    EXPECT_EQ(ptx.find(".local"), std::string::npos) << "something is not in registers";
    EXPECT_EQ(ptx.find("call"), std::string::npos) << "something is not inlined";
  };
  with(sqrt(a) * 2.0f, "pack_u32");
  with(shift(a, {1}) + a, "pack_u32");
  with(index(a.shape(), 0), "pack_u32");
  with(Array<1, bool>(a > 2.0f), "pack_u8", 1);
  with(cast<double>(a) * 2.0, "pack_u64", 8);
}

TEST(PrimitivePtx, WrittenSections) {
  if (!codegen::has_gpu_primitives()) GTEST_SKIP() << "built without clang";
  const Array<2, float> m(std::vector<float>(60000, 1.0f), 200, 300);
  const Range ranges[] = {{3, 20, 2}, {7, 100, 1}};
  const Array<2, float> values = section(m, {{0, 20, 1}, {0, 100, 1}}) * 2.0f;
  const compiler::Kernel computed = elements_of(Array<2, float>(
      std::array{detail::write_section(m.node(), ranges, cast<float>(values).node(), {})}));
  check("write_section_u32", ElementType::f32, Reduction::sum, &computed);
}

TEST(PrimitivePtx, WithoutElements) {
  if (!codegen::has_gpu_primitives()) GTEST_SKIP() << "built without clang";
  const auto plain = [](const std::string& function, const PtxTarget& target = hopper) {
    check(function, ElementType::i32, Reduction::sum, nullptr, target);
  };
  for (const char* size : {"u8", "u64"})
    for (const char* function : {"sort_count_", "sort_pass_", "search_sorted_", "gather_",
                                 "scatter_winners_", "top_k_pass_", "top_k_collect_"})
      plain(std::string(function) + size);
  for (const char* function :
       {"sort_pass_u32_u32", "sort_pass_u32_u64", "sort_many_u64_u64", "sort_starts", "fill",
        "copy", "narrow", "element_segments", "check_offsets", "map_segments", "scatter_compete",
        "scatter_keys", "scatter_add_u32", "scatter_add_u64"})
    plain(function);
  check("scatter_combine_u32", ElementType::f32, Reduction::max, nullptr);
  check("scatter_combine_u64", ElementType::i64, Reduction::min, nullptr);
  check("scatter_runs_u32", ElementType::f32, Reduction::sum, nullptr);
  for (const PtxTarget& target : {PtxTarget{75, 75}, PtxTarget{80, 78}, PtxTarget{100, 86}})
    plain("sort_pass_u32_u32", target);
}

TEST(PrimitivePtx, Products) {
  if (!codegen::has_gpu_primitives()) GTEST_SKIP() << "the library was built without clang";
  check("product_f32", ElementType::f32, Reduction::sum, nullptr);
  check("product_f64", ElementType::f64, Reduction::sum, nullptr);
}

}  // namespace
}  // namespace tutti::testing
