// The code of docs/interchange.md and of the quick start of docs/python.md, compiled and run.
#include <gtest/gtest.h>

#include <sstream>
#include <tutti/tutti.hpp>
#include <vector>

using namespace tutti;

namespace {

TEST(InterchangeGuide, RowsWithAPitch) {
  std::vector<float> pixels(768 * 1024, 3.0f);  // rows with a pitch of 1024
  auto image = Array<2, float>::view(pixels.data(), {768, 1000}, {1024, 1});
  auto blurred = (image + shift(image, {0, 1})) * 0.5f;
  EXPECT_EQ(as_mdspan(blurred)(767, 999), 3.0f);
}

TEST(PythonGuide, TheSameInCpp) {
  auto x = cast<double>(index(Shape<1>(1'000'000), 0)) / 999'999.0;
  auto y = sqrt(x) * 2.0 + 1.0;
  double total = sum(y);
  EXPECT_NEAR(total, 1e6 * (4.0 / 3.0 + 1.0), 10.0);
  std::ostringstream plan;
  plan << explain(y);
  EXPECT_NE(plan.str().find("sqrt"), std::string::npos);
  EXPECT_EQ(as_mdspan(y)(999'999), 3.0);
}

}  // namespace
