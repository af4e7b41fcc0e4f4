// The GPU path on machines without a GPU: PTX is generated for programs of every kind and for
// random graphs, for several generations of devices. Its text is searched for the important
// instructions, and ptxas assembles it where it is installed.
#include <gtest/gtest.h>

#include "codegen/assembler.hpp"
#include "codegen/ptx_of.hpp"
#include "support/random_graph.hpp"

namespace tutti::testing {
namespace {

using codegen::PtxTarget;
using detail::NodeRef;

constexpr PtxTarget targets[] = {{75, 75}, {80, 78}, {90, 78}, {100, 86}};

const Array<1, float>& vector1() {
  static const Array<1, float> a(std::vector<float>(100000, 1.0f));
  return a;
}
const Array<2, float>& matrix() {
  static const Array<2, float> a(std::vector<float>(300 * 500, 1.0f), 300, 500);
  return a;
}

TEST(Ptx, ElementwiseAccessesAreWide) {
  const std::string ptx = only_kernel(0.12f * vector1() + 7.54f * vector1());
  EXPECT_TRUE(has(ptx, "ld.global.nc.v4")) << ptx;
  EXPECT_TRUE(has(ptx, "st.global.v4")) << ptx;
}

// A row of a matrix begins at a multiple of its elements' size, no more is known.
TEST(Ptx, RowsAreNotReadWide) {
  const Array<2, float> m(std::vector<float>(3 * 8193, 1.0f), 3, 8193);
  const Array<1, float> row = drop_dimension(section(m, {{1, 1}, {0, 8193}}), 0);
  constexpr int64_t long_row = 8400001;  // of a reduction in wide accesses
  const Array<2, int8_t> bytes(std::vector<int8_t>(2 * long_row, 1), 2, long_row);
  const auto total = [](const Array<1, int8_t>& a) {
    return ptx_of(max_val(a).nodes(), {90, 78})[0];
  };
  EXPECT_TRUE(has(total(reshape(bytes, Shape<1>(2 * long_row))), "ld.global.nc.b32"));
  const std::string reduced = total(drop_dimension(section(bytes, {{1, 1}, {0, long_row}}), 0));
  EXPECT_FALSE(has(reduced, "ld.global.nc.b32")) << reduced;
  for (const std::string& ptx : {only_kernel(row + 1.0f), reduced})
    EXPECT_FALSE(has(ptx, "ld.global.nc.v") || has(ptx, "ld.global.v")) << ptx;
  const std::string mixed = only_kernel(row + Array<1, float>(std::vector<float>(8193, 1.0f)));
  EXPECT_TRUE(has(mixed, "ld.global.nc.v4") && has(mixed, "ld.global.nc.b32")) << mixed;
  EXPECT_TRUE(has(mixed, "st.global.v4")) << mixed;
}

TEST(Ptx, NothingIsContracted) {
  const std::string ptx = only_kernel(vector1() * 2.0f + vector1());
  EXPECT_FALSE(has(ptx, "fma.")) << ptx;
  EXPECT_TRUE(has(ptx, "mul.rn.f32")) << ptx;
}

// See codegen/nvptx/ptxas_workarounds/negated_operands.hpp.
TEST(Ptx, NegationsInMinimaAreSpelledOut) {
  const Array<1, int> a(std::vector<int>(1000, 1)), b = a + 1, c = a + 2;
  for (const std::string& ptx :
       {only_kernel(min(min(a * b, -b), c)), only_kernel(max(-b, a * c))}) {
    EXPECT_TRUE(has(ptx, "not.b32")) << ptx;
    EXPECT_FALSE(has(ptx, "neg.s32")) << ptx;
    EXPECT_TRUE(assembles(ptx, {90, 78}));
  }
  EXPECT_TRUE(has(only_kernel(min(a, c) - (-b * c)), "min.s32"));
}

TEST(Ptx, LoopsBeginWithANumber) {
  Array<1, float> steps(vector1().shape(), 0.0f), left = vector1();
  for (int i = 0; i < 300; ++i) {
    steps = steps + 1.0f;
    left = left * 0.5f - steps;
  }
  EXPECT_TRUE(assembles(only_kernel(left), {90, 78}));
}

TEST(Ptx, ReductionsKeepSumsInRegisters) {
  for (const std::string& ptx : ptx_of(sum(abs(vector1())).nodes(), {90, 78})) {
    EXPECT_FALSE(has(ptx, ".local")) << ptx;
    EXPECT_TRUE(has(ptx, "shfl.sync.down")) << ptx;
  }
}

// No loop over rows, nothing around the conversions, places in 32 bits until they are addresses.
TEST(Ptx, ComputedPlacesTakeFewInstructions) {
  const auto y = cast<float>(index(matrix().shape(), 0)) * 0.7f;
  const auto x = cast<float>(index(matrix().shape(), 1)) + y;
  const auto i = cast<int>(floor(y)), j = cast<int>(floor(x));
  const auto pixel = [&](int down, int right) {
    return gather(matrix(), Boundary::constant(0.0f), i + down, j + right);
  };
  const std::string ptx = only_kernel(pixel(0, 0) + pixel(0, 1) + pixel(1, 0) + pixel(1, 1));
  EXPECT_TRUE(has(ptx, "cvt.rzi.s32.f32")) << ptx;
  EXPECT_FALSE(has(ptx, "setp.nan")) << ptx;
  EXPECT_FALSE(has(ptx, "nctaid.y")) << ptx;
  EXPECT_FALSE(has(ptx, "mul.lo.s64")) << ptx;
}

TEST(Ptx, BlocksOfAnImageStayInRegisters) {
  const Array<2, float> image(std::vector<float>(256 * 256, 1.0f), 256, 256);
  for (const int side : {2, 16}) {
    const Array<4, float> blocks = reshape(image, Shape<4>(256 / side, side, 256 / side, side));
    const std::string ptx = only_kernel(sum(abs(blocks), {1, 3}));
    EXPECT_FALSE(has(ptx, ".shared") || has(ptx, ".local")) << ptx;
    EXPECT_TRUE(has(ptx, "shfl.sync.down")) << ptx;
  }
}

TEST(Ptx, StencilsWalkWithoutDivision) {
  const std::string ptx =
      only_kernel(shift(matrix(), {0, 1}) + shift(matrix(), {1, 0}, Boundary::wrap()));
  // The walk down the rows begins with the step's label; places are found before it.
  const size_t walk = ptx.rfind("ld.global.nc.v4");
  ASSERT_NE(walk, std::string::npos) << ptx;
  EXPECT_FALSE(has(ptx.substr(walk), "div.") || has(ptx.substr(walk), "rem.")) << ptx;
  EXPECT_FALSE(has(ptx, ".local")) << ptx;
}

TEST(Ptx, EveryKindAssembles) {
  const auto check = [](const auto& array) {
    for (const PtxTarget& target : targets)
      for (const std::string& ptx : ptx_of(array.nodes(), target))
        EXPECT_TRUE(assembles(ptx, target)) << ptx;
  };
  check(pow(vector1(), 1.5f) + sin(vector1()) + erf(vector1()));
  check(tgamma(cast<double>(vector1())));
  check(cast<half>(vector1()) * cast<half>(vector1()));
  check(sum(matrix(), 0));
  check(sum(matrix(), 1));
  check(max_val(shift(matrix(), {1, 1})));
  check(inner_product(matrix(), transpose(matrix())));
  check(gather(matrix(), Boundary::wrap(), cast<int>(matrix()), cast<int>(matrix())));
}

// Control flow of programs is control flow of threads.
TEST(Ptx, ProgramsBranch) {
  Array<1, float> table(std::vector<float>{1, 2, 3});
  table.boundary(Boundary::wrap());
  const Program p = TUTTI_BEGIN {
    In<Value1f> x;
    Out<Value1f> y = x;
    LocalArray<float> seen(4);
    TUTTI_WHILE(y > 1.0f) {
      TUTTI_IF(y > 100.0f) { TUTTI_BREAK; }
      TUTTI_ENDIF;
      seen[cast<Value1i>(y)] = y;
      y = y * 0.5f + table[cast<Value1i>(y)] * 0.001f;
    }
    TUTTI_ENDWHILE;
    y += seen[cast<Value1i>(x) & 3];
  }
  TUTTI_END;
  const Array<1, float> mapped = p(vector1());
  const std::string ptx = only_kernel(mapped);
  EXPECT_TRUE(has(ptx, "bra")) << ptx;
  EXPECT_TRUE(has(ptx, "ld.global.nc.f32") || has(ptx, "ld.global.nc.b32")) << ptx;
  EXPECT_FALSE(has(ptx, "fma.")) << ptx;
  const Array<2, float> wide = p(matrix());
  for (const PtxTarget& target : targets)
    for (const auto& nodes :
         {mapped.nodes(), wide.nodes(), sum(mapped).nodes(), sum(wide, 0).nodes()})
      for (const std::string& text : ptx_of(nodes, target))
        EXPECT_TRUE(assembles(text, target)) << text;
}

// Without local arrays nothing lives in memory but arrays.
TEST(Ptx, ProgramsKeepTheirVariablesInRegisters) {
  const Program p = TUTTI_BEGIN {
    In<Value1f> x;
    Out<Value1f> y = x;
    TUTTI_FOR(Value1i k = 0, k < 10 && y < 4.0f, k += 1) { y = y * y + x; }
    TUTTI_ENDFOR;
  }
  TUTTI_END;
  const Array<1, float> mapped = p(vector1());
  EXPECT_FALSE(has(only_kernel(mapped), ".local"));
}

TEST(Ptx, RandomGraphsGenerate) {
  int kernels = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const auto roots = test::RandomGraph(seed).build();
    const PtxTarget& target = targets[seed % 4];
    for (const std::string& ptx : ptx_of(roots, target)) {
      ++kernels;
      EXPECT_EQ(narrow_arithmetic(ptx), "") << "seed " << seed;
      if (seed % 6 == 0) {
        EXPECT_TRUE(assembles(ptx, target)) << "seed " << seed;
      }
    }
  }
  EXPECT_GT(kernels, 60);
}

TEST(Ptx, TargetFitsDeviceAndDriver) {
  EXPECT_EQ(codegen::ptx_target(90, 13000).sm, 90);
  EXPECT_EQ(codegen::ptx_target(75, 11000).sm, 75);
  EXPECT_EQ(codegen::ptx_target(75, 11000).ptx, 70);
  EXPECT_EQ(codegen::ptx_target(999, 13000).sm, 120);  // unknown and newer: the newest known
  EXPECT_LE(codegen::ptx_target(100, 12000).sm, 90);   // the driver's PTX does not know sm_100
}

}  // namespace
}  // namespace tutti::testing
