// Kernels that read each other's results a few rows away, as the passes of image processing do.
// They may run row block by row block. The results have the bits of the interpreter in any case.
#include "support/compare.hpp"
#include "support/plan_of.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

using Image = Array<2, float>;

// Expensive enough to be computed once and stored.
Image expensive(const Image& a) { return sin(exp(a * 0.01f)) * 100.0f; }

Image column_blur(const Image& a, const Boundary& rule, int reach) {
  Image result(a.shape(), 0.0f);
  for (int i = -reach; i <= reach; ++i)
    result += shift(a, {i, 0}, rule) * (1.0f / static_cast<float>(i + 9));
  return result;
}
Image row_blur(const Image& a, const Boundary& rule, int reach) {
  Image result(a.shape(), 0.0f);
  for (int i = -reach; i <= reach; ++i)
    result += shift(a, {0, i}, rule) * (1.0f / static_cast<float>(i + 9));
  return result;
}

// Few rows, many rows, narrow, wider than a tile, odd everywhere.
const Shape<2> image_shapes[] = {{1, 5000},  {2, 3000},  {17, 700}, {130, 193},
                                 {1000, 37}, {300, 401}, {5000, 3}, {64, 2100}};
const Boundary image_rules[] = {Boundary::clamp(), Boundary::wrap(), Boundary::constant(7.0f)};

template <class Check>
void for_each_image(Check check) {
  for (const Shape<2>& shape : image_shapes)
    for (const Boundary& rule : image_rules) {
      SCOPED_TRACE(detail::to_string(shape.extents()) + " rule " +
                   std::to_string(static_cast<int>(rule.kind())));
      check(plain_array(shape), rule);
    }
}

TEST(Chain, TwoPasses) {
  for_each_image([](const Image& a, const Boundary& rule) {
    expect_same([&] { return column_blur(row_blur(a, rule, 3), rule, 3); });
    expect_same([&] { return row_blur(column_blur(a, rule, 2), rule, 4); });
    expect_same([&] { return column_blur(expensive(a), rule, 1); });
  });
}

TEST(Chain, ThreePassesAndMore) {
  for_each_image([](const Image& a, const Boundary& rule) {
    expect_same([&] {
      return column_blur(column_blur(column_blur(expensive(a), rule, 1), rule, 2), rule, 1);
    });
  });
  const Image a = plain_array<2>({200, 300});
  for (const Boundary& rule : image_rules)
    expect_same([&] {
      Image x = a;
      for (int i = 0; i < 6; ++i) x = expensive(x * 0.25f + shift(x, {i % 3 - 1, 1}, rule) * 0.75f);
      return x;
    });
}

// Planned in time linear in the steps: with every shorter chain tried, this took minutes.
TEST(Chain, ManyTimeSteps) {
  const WithSettings patient([](Settings& s) { s.max_pending_operations = 1 << 20; });
  const Image a = plain_array<2>({96, 64});
  for (const Boundary& rule : image_rules)
    expect_same([&] {
      Image x = a;
      for (int i = 0; i < 250; ++i)
        x = x * 0.5f + (shift(x, {1, 0}, rule) + shift(x, {-1, 0}, rule)) * 0.125f +
            (shift(x, {0, 1}, rule) + shift(x, {0, -1}, rule)) * 0.125f;
      return x;
    });
}

TEST(Chain, OffsetsToOneSideAndFarAway) {
  const Image a = plain_array<2>({300, 401});
  for (const Boundary& rule : image_rules)
    for (const int by : {1, -1, 7, -40, 150, 299, -300}) {
      SCOPED_TRACE(by);
      expect_same([&] {
        const Image x = expensive(a);
        return x + shift(x, {by, 0}, rule) + shift(x, {0, by}, rule);
      });
    }
}

TEST(Chain, SeveralValuesAtOnce) {
  for_each_image([](const Image& a, const Boundary& rule) {
    expect_same([&] {  // as a corner detector does
      const Image x = shift(a, {0, 1}, rule) - shift(a, {0, -1}, rule),
                  y = shift(a, {1, 0}, rule) - shift(a, {-1, 0}, rule);
      const Image xx = column_blur(row_blur(x * x, rule, 1), rule, 1),
                  yy = column_blur(row_blur(y * y, rule, 1), rule, 1),
                  xy = column_blur(row_blur(x * y, rule, 1), rule, 1);
      return xx * yy - xy * xy - 0.04f * (xx + yy) * (xx + yy);
    });
    expect_same([&] {  // read near and far, and by two kernels
      const Image x = expensive(a), y = column_blur(x, rule, 2);
      return expensive(y) + shift(expensive(y), {1, 0}, rule) + shift(x, {-3, 2}, rule) * a;
    });
  });
}

// What is between is wanted too: it must be whole.
TEST(Chain, WithResultsInTheMiddle) {
  for_each_image([](const Image& a, const Boundary& rule) {
    const auto build = [&] {
      const Image x = row_blur(a, rule, 2), y = column_blur(x, rule, 2),
                  z = column_blur(y, rule, 1);
      evaluate(z, y);
      return join(z, y, x);
    };
    expect_same(build);
  });
}

TEST(Chain, OfOtherTypes) {
  const Shape<2> shape(333, 250);
  const Array<2, uint8_t> bytes = plain_array<2, uint8_t>(shape);
  const Array<2, double> doubles = plain_array<2, double>(shape);
  for (const Boundary& rule : image_rules) {
    expect_same([&] {
      const auto x = cast<uint8_t>(sqrt(cast<float>(bytes)) * 9.0f);
      return shift(x, {1, 0}, rule) + shift(x, {-2, 1}, rule) + x;
    });
    expect_same([&] {
      const auto x = exp(sin(doubles));
      const auto mask = shift(x, {1, 0}, rule) > shift(x, {-1, 0}, rule);
      return cond(mask, shift(x, {0, 1}, rule), -x);
    });
  }
}

TEST(Chain, WithAxesTurned) {
  const Image a = plain_array<2>({257, 300});
  for (const Boundary& rule : image_rules) {
    expect_same([&] { return column_blur(transpose(expensive(a)), rule, 1); });
    expect_same([&] {
      const Image x = expensive(a);
      return x + section(x, {{256, 257, -1}, {299, 300, -1}}) + shift(x, {1, 0}, rule);
    });
    expect_same([&] {
      const Image x = expensive(a);
      return column_blur(x, rule, 1) + replicate(section(x, {{3, 1}, {0, 300}}), {257, 300});
    });
  }
}

// A window of such rows holds the columns of one tile, and its address is that of a column far
// before it: code for borders must not read the first or last column where no lane is beyond it.
TEST(Chain, RowsInTiles) {
  const Image a = plain_array<2>({5, 100'003});
  const auto bytes = plain_array<2, uint8_t>({20, 100'003});
  for (const Boundary& rule : image_rules) {
    SCOPED_TRACE(static_cast<int>(rule.kind()));
    const auto blurred = [&] {
      return row_blur(expensive(column_blur(row_blur(expensive(a), rule, 1), rule, 1)), rule, 2);
    };
    const auto plan = cpu_plan(blurred());
    const auto* chain = std::get_if<compiler::ChainStep>(&plan->steps[0]);
    if (rule.kind() != Boundary::Kind::wrap) {
      ASSERT_NE(chain, nullptr);
      EXPECT_GT(chain->tiles.size(), 1u);
    }
    expect_same(blurred);
    expect_same([&] {
      const auto roots = [](const Array<2, uint8_t>& x) {
        return Array<2, uint8_t>(cast<uint8_t>(sqrt(cast<float>(x)) * 15.0f));
      };
      const Array<2, uint8_t> x = roots(bytes);
      const Array<2, uint8_t> y = roots(shift(x, {0, 1}, rule) + x + shift(x, {1, 0}, rule));
      return Array<2, uint8_t>(shift(y, {0, -1}, rule) + shift(y, {0, 2}, rule) + y);
    });
  }
}

TEST(Chain, OfThreeDimensions) {
  const Array<3, float> a = plain_array<3>({20, 50, 60});
  for (const Boundary& rule : image_rules)
    expect_same([&] {
      const auto x = sin(exp(a * 0.01f));
      const auto y = sqrt(abs(shift(x, {1, 0, 0}, rule) + shift(x, {0, -1, 2}, rule)));
      return y + shift(y, {-1, 0, 0}, rule) * x;
    });
}

// Every plane of a result reads the image that is computed in row blocks.
TEST(Chain, OverPlanes) {
  using Planes = Array<3, float>;
  const auto scaled = [](const Planes& colours, const Boundary& rule) {
    const Image grey = expensive(Image(colours[0]) + Image(colours[1]));
    const Image blurred = row_blur(column_blur(grey, rule, 2), rule, 2);
    return Planes(colours * add_dimension((grey - blurred) / 100.0f, 0, colours.shape()[0]));
  };
  const auto chain_of = [](const compiler::Plan& plan) {
    return std::get_if<compiler::ChainStep>(&plan.steps[0]);
  };
  const Planes wide = plain_array<3>({2, 6, 100'003});
  for (const Boundary& rule : image_rules) {
    SCOPED_TRACE(static_cast<int>(rule.kind()));
    for (const Shape<3>& shape :
         {Shape<3>{3, 300, 401}, {2, 64, 2100}, {40, 17, 700}, {2, 2, 3000}})
      expect_same([&] { return scaled(plain_array<3>(shape), rule); });
    const auto plan = cpu_plan(scaled(Planes({3, 4000, 3000}, 1.0f), rule));
    ASSERT_EQ(plan->steps.size(), 1u);
    EXPECT_NE(chain_of(*plan), nullptr);
    expect_same([&] { return scaled(wide, rule); });
    // A result of the image beside its planes, and planes that are read again.
    expect_same([&] {
      const Image grey = expensive(Image(wide[0]));
      const Planes planes = wide * add_dimension(column_blur(grey, rule, 1), 0, 2);
      return Planes(planes + shift(sqrt(abs(planes)), {0, 1, 0}, rule));
    });
  }
  const auto tiled = cpu_plan(scaled(wide, Boundary::clamp()));
  ASSERT_NE(chain_of(*tiled), nullptr);
  EXPECT_GT(chain_of(*tiled)->tiles.size(), 1u);
}

// Streaming stores write whole cache lines. Rows of 1403 elements start within one.
TEST(Chain, OverPlanesWhoseRowsStartWithinACacheLine) {
  using Planes = Array<3, float>;
  const auto scaled = [](const Planes& a) {
    const Image grey = column_blur(expensive(Image(a[0])), Boundary::clamp(), 1);
    return Planes(a * add_dimension(row_blur(grey, Boundary::clamp(), 1), 0, 2));
  };
  for (const int64_t columns : {1403, 1408}) {
    const Planes a = plain_array<3>({2, 1600, columns});
    const auto plan = cpu_plan(scaled(a));
    const auto* chain = std::get_if<compiler::ChainStep>(&plan->steps[0]);
    ASSERT_NE(chain, nullptr);
    ASSERT_EQ(plan->steps.size(), 1u);
    EXPECT_EQ(chain->kernels.back().kernel.streaming, columns == 1408);
    expect_same([&] { return scaled(a); });
  }
}

// ---- tiles of one long line

using Line = Array<1, float>;
constexpr int64_t long_line = 200'003;

// Every step is stored if it runs alone: the next one reads it at three points.
Line smoothed(const Line& x, const Boundary& rule, int64_t by = 1) {
  return sin(exp(x * 0.01f)) * 0.25f + shift(x, {by}, rule) * 0.5f + shift(x, {-by}, rule) * 0.2f;
}
Line smoothed_often(Line x, const Boundary& rule, int steps) {
  for (int i = 0; i < steps; ++i) x = smoothed(x, rule);
  return x;
}

TEST(LineChain, IsOneStepInTiles) {
  const Line a = plain_array<1>({long_line});
  for (const Boundary& rule : {Boundary::clamp(), Boundary::constant(7.0f)}) {
    const auto plan = cpu_plan(smoothed_often(a, rule, 4));
    ASSERT_EQ(plan->steps.size(), 1u);
    const auto* chain = std::get_if<compiler::ChainStep>(&plan->steps[0]);
    ASSERT_NE(chain, nullptr);
    EXPECT_EQ(chain->rows, 1);
    EXPECT_GT(chain->tiles.size(), 1u);
  }
}

TEST(LineChain, ShortAndWrappedLinesAreNot) {
  const auto steps_of = [](const Line& a, const Boundary& rule) {
    return cpu_plan(smoothed_often(a, rule, 4))->steps.size();
  };
  EXPECT_GT(steps_of(plain_array<1>({3001}), Boundary::clamp()), 1u);
  EXPECT_GT(steps_of(plain_array<1>({long_line}), Boundary::wrap()), 1u);
}

TEST(LineChain, TimeSteps) {
  const Line a = plain_array<1>({long_line});
  for (const Boundary& rule : image_rules) expect_same([&] { return smoothed_often(a, rule, 5); });
}

TEST(LineChain, OffsetsOfEverySize) {
  const Line a = plain_array<1>({long_line});
  for (const Boundary& rule : image_rules)
    for (const int64_t by : {2, 63, 1000, 16'000, 70'000, 200'003}) {
      SCOPED_TRACE(by);
      expect_same([&] { return smoothed(smoothed(smoothed(a, rule, 1), rule, by), rule, 3); });
    }
}

TEST(LineChain, WithResultsInTheMiddleAndOtherReaders) {
  const Line a = plain_array<1>({long_line}), b = plain_array<1>({long_line});
  const Boundary rule = Boundary::clamp();
  expect_same([&] {
    const Line x = smoothed_often(a, rule, 2), y = smoothed_often(x, rule, 2);
    evaluate(x, y);
    return join(x, y, Line(y + shift(b, {1})));
  });
  expect_same([&] {  // the end is read by the beginning
    const Line x = smoothed_often(a, rule, 2);
    return smoothed_often(Line(x + section(x, {{long_line - 1, long_line, -1}})), rule, 2);
  });
  expect_same([&] {
    const Line x = smoothed_often(a, rule, 3);
    return Line(smoothed_often(x, rule, 2) / sum(x));
  });
}

TEST(LineChain, OfOtherTypes) {
  const Array<1, uint8_t> bytes = plain_array<1, uint8_t>({long_line});
  const Array<1, double> doubles = plain_array<1, double>({long_line});
  for (const Boundary& rule : image_rules) {
    expect_same([&] {
      const auto x = cast<uint8_t>(sqrt(cast<float>(bytes)) * 9.0f);
      const auto y = cast<uint8_t>(sqrt(cast<float>(shift(x, {1}, rule) + shift(x, {-2}, rule))));
      return shift(y, {1}, rule) + shift(y, {-1}, rule) + x;
    });
    expect_same([&] {
      const auto x = exp(sin(doubles));
      const auto y = sqrt(shift(x, {1}, rule) * shift(x, {-1}, rule));
      return cond(shift(y, {1}, rule) > y, shift(y, {-5}, rule), -x);
    });
  }
}

TEST(LineChain, InARecordedBody) {
  Vec<float> x(plain_array<1>({long_line}).to_vector());
  auto recorded = record(
      [&] {
        const Vec<float> flow = sin(x) + shift(x, 1) - shift(x, -1);
        x = x + 0.1f * shift(flow, 1) + 0.2f * shift(flow, -1);
      },
      x);
  const auto expected = [&] {
    Line line(x.to_vector());
    for (int i = 0; i < 3; ++i) {
      const Line flow = sin(line) + shift(line, {1}) - shift(line, {-1});
      line = line + 0.1f * shift(flow, {1}) + 0.2f * shift(flow, {-1});
    }
    return line.to_vector();
  }();
  recorded(3);
  EXPECT_EQ(x.to_vector(), expected);
}

TEST(Chain, StaysUsableWhenMemoryEnds) {
  const Image a = plain_array<2>({600, 1000});
  const auto build = [&] {
    return column_blur(row_blur(a, Boundary::wrap(), 3), Boundary::wrap(), 3);
  };
  const Elements want = read(build());
  trim_pool();
  for (const int64_t room : {1000, 2500000, 2600000, 3000000, 4000000}) {
    const Image x = build();
    {
      const WithSettings limited(
          [&](Settings& s) { s.max_bytes = statistics().bytes_in_use + room; });
      try {
        x.evaluate();
      } catch (const OutOfMemory&) {
      }
    }
    EXPECT_TRUE(same(want, read(x))) << room;
  }
}

// A gather may read any row: what it reads must not be left in row blocks.
TEST(Chain, StencilSampledAtComputedIndices) {
  for (const Shape<2>& shape : {Shape<2>{64, 64}, Shape<2>{200, 130}, Shape<2>{300, 1000}}) {
    const Image a = plain_array(shape);
    const int last = static_cast<int>(shape[0]) - 1;
    const Array<2, int> i = index(shape, 0), j = index(shape, 1);
    const Array<2, int> rows = (last - i).to("cpu"), columns = (j ^ 1).to("cpu");
    for (const Boundary& rule : image_rules) {
      expect_same([&] {
        const Image y = exp(sin(a)) + shift(a, {0, 1}, rule);
        return gather(y, rows, columns) + gather(y, rows, columns + 1);
      });
      expect_same([&] {  // a program that warps a blurred image
        const Image y = column_blur(expensive(a), rule, 1);
        return gather(y, rule, rows, columns) - y;
      });
    }
  }
}

// The same elements as a vector: a row of the image is not a row of the vector.
TEST(Chain, StencilReadAsVector) {
  for_each_image([](const Image& a, const Boundary& rule) {
    expect_same([&] {
      const Image y = column_blur(expensive(a), rule, 1);
      const Array<1, float> v = reshape(y, Shape<1>{y.size()});
      return shift(v, {100}, rule) * 2.0f + v;
    });
  });
}

// A result that is kept and read by the next stage, whose neighbours in turn are read by a third.
TEST(Chain, KeptIntermediates) {
  for_each_image([](const Image& a, const Boundary& rule) {
    expect_same([&] {
      const Image kept = column_blur(expensive(a), rule, 1);
      const Image next = expensive(kept * 2.0f) + expensive(kept + 1.0f);
      const Image last = column_blur(row_blur(next, rule, 1), rule, 2);
      return last + kept;
    });
  });
}

// A task must be longer than it takes to start it: a small image is one row block for each core.
TEST(Chain, SmallImagesHaveOneStripForEachCore) {
  const Array<2, float> cells(std::vector<float>(1'000'000, 1.0f), 1000, 1000);
  const Array<2, float> three = cells + rotate(cells, {1, 0}) + rotate(cells, {-1, 0});
  const Array<2, float> nine = three + rotate(three, {0, 1}) + rotate(three, {0, -1});
  const auto plan = cpu_plan(cond(nine == 3.0f || (nine == 4.0f && cells == 1.0f), 1.0f, 0.0f));
  const auto* chain = std::get_if<compiler::ChainStep>(&plan->steps.at(0));
  ASSERT_NE(chain, nullptr);
  EXPECT_EQ(chain->row_blocks.size(), static_cast<size_t>(target::avx512_tuning.cores));
}

}  // namespace
}  // namespace tutti::test
