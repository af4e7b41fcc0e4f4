// The code of docs/guide.md on statistics, matrices, Fourier transforms and files, compiled and
// run.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <iostream>
#include <tutti/tutti.hpp>
#include <vector>

using namespace tutti;

namespace {

TEST(Guide, ConcatAndParts) {
  Array<2, float> a({2, 3}, 1.0f), b({2, 5}, 2.0f);
  Array<2, float> wide = concat({a * 2.0f, b + 1.0f}, 1);  // 2 rows, 8 columns
  Array<3, float> both = stack({a, a + 1.0f});             // a new axis in front
  EXPECT_EQ(wide.to_vector()[3], 3.0f);
  EXPECT_EQ(both.shape(), Shape<3>(2, 2, 3));
  Array<2, float> m({10, 20}, 1.0f);
  Array<1, float> row = m[3], column = m(whole, -1);
  m(whole, range(2, 9)) = 0.0f;                     // m[:, 2:9] = 0
  Array<2, float> turned = m(every(-1), from(10));  // m[::-1, 10:]
  EXPECT_EQ(float(sum(m)), 130.0f);
  EXPECT_EQ(row.size(), 20);
  EXPECT_EQ(column.size(), 10);
  EXPECT_EQ(turned.shape(), Shape<2>(10, 10));
}

TEST(Guide, Recurrences) {
  Array<2, float> image({480, 640}, 1.0f);
  auto smooth = [](auto y, auto x) { return 0.25f * x + 0.75f * y; };
  // along the columns, from the first row
  Array<2, float> down = recurrence(smooth, image[0], image, 0);
  Array<2, float> both = recurrence(smooth, down[-1], down, 0, Direction::backward);
  EXPECT_EQ(both.to_vector(), image.to_vector());
}

TEST(Guide, ComplexNumbers) {
  const std::complex<double> i(0, 1);
  Array<1, double> angle = linspace<double>(0, 3, 4);
  Array<1, std::complex<double>> unit = exp(i * angle);  // also polar(1.0, angle)
  Array<1, std::complex<double>> safe = cond(abs(unit - 1.0) < 1e-9, 1.0, 1.0 / (unit - 1.0));
  std::complex<double> centre = mean(unit), turned = product(unit);
  std::complex<double> square = inner_product(conj(unit), unit);  // 4
  unit(range(0, 2)) = 0.0;  // parts are assigned to as in real arrays
  EXPECT_EQ(safe.to_vector()[0], 1.0);
  EXPECT_NEAR(std::abs(turned - std::polar(1.0, 6.0)), 0, 1e-14);
  EXPECT_NEAR(std::abs(square - 4.0), 0, 1e-14);
  EXPECT_LT(std::abs(centre), 1);
  EXPECT_EQ(unit.to_vector()[1], 0.0);
}

TEST(Guide, RandomNumbersOfPrograms) {
  const Random key(42);
  Array<1, int> arrivals = poisson(key.split(2), Shape<1>(1000), 4.5);
  Program noisy = program([&](RandomIndex i, Value1f x) { return x + 0.1f * normal(key, i); });
  Array<1, float> noise = noisy(cast<uint32_t>(index({1000}, 0)), Array<1, float>({1000}, 2.0f));
  EXPECT_NEAR(double(mean(arrivals)), 4.5, 0.3);
  EXPECT_NEAR(float(mean(noise)), 2, 0.02);
}

TEST(Guide, Gmres) {
  Array<1, int> row(std::vector<int>{0, 0, 1}), column(std::vector<int>{0, 1, 1});
  auto m = Sparse<double>::from_triplets(2, 2, row, column,
                                         Array<1, double>(std::vector<double>{2, 1, 3}));
  // found.x is 1 1
  Iterated<double> found = gmres(m, Array<1, double>(std::vector<double>{3, 3}), 1e-12);
  auto twice = [](const Array<1, double>& v) -> Array<1, double> { return v * 2.0; };
  Iterated<double> halves =
      gmres(twice, Array<1, double>(std::vector<double>{3, 5}), 1e-12, 100, 20);
  EXPECT_NEAR(found.x.to_vector()[0], 1, 1e-12);
  EXPECT_EQ(halves.x.to_vector(), (std::vector<double>{1.5, 2.5}));
}

TEST(Guide, Statistics) {
  Array<2, float> scores(std::vector<float>{1, 4, 2, 8, 5, 7}, 2, 3);
  Array<1, float> means = mean(scores, 1), spread = standard_deviation(scores, 1);
  float middle = median(scores);                      // 4.5
  auto [where, best] = arg_max(scores, 1);            // 1 0, 4 8
  Array<1, int> counts = histogram(scores, 4, 0, 8);  // 1 1 2 2
  EXPECT_NEAR(means.to_vector()[0], 7.0f / 3, 1e-6f);
  EXPECT_NEAR(spread.to_vector()[1], 1.2472191f, 1e-6f);
  EXPECT_EQ(middle, 4.5f);
  EXPECT_EQ(where.to_vector(), (std::vector<int>{1, 0}));
  EXPECT_EQ(best.to_vector(), (std::vector<float>{4, 8}));
  EXPECT_EQ(counts.to_vector(), (std::vector<int>{1, 1, 2, 2}));
}

TEST(Guide, Matrices) {
  Array<2, double> a(std::vector<double>{4, 1, 2, 3}, 2, 2);
  Array<1, double> b(std::vector<double>{1, 2});
  Array<1, double> x = solve(a, b);                   // 0.1 0.6
  double d = determinant(a);                          // 10
  Array<2, double> p = einsum<2>("ij,kj->ik", a, a);  // a times its transpose
  EXPECT_NEAR(x.to_vector()[0], 0.1, 1e-15);
  EXPECT_NEAR(x.to_vector()[1], 0.6, 1e-15);
  EXPECT_EQ(d, 10.0);
  EXPECT_EQ(p.to_vector(), (std::vector<double>{17, 11, 11, 13}));
  Array<1, int> row(std::vector<int>{0, 0, 1}), column(std::vector<int>{0, 1, 1});
  auto m = Sparse<double>::from_triplets(2, 2, row, column,
                                         Array<1, double>(std::vector<double>{2, 1, 3}));
  Array<1, double> y = m * Array<1, double>(std::vector<double>{1, 1});  // 3 3
  EXPECT_EQ(y.to_vector(), (std::vector<double>{3, 3}));
}

TEST(Guide, FourierTransforms) {
  Array<1, double> wave = sin(linspace<double>(0, 6.283185307179586, 8, false));
  Array<1, std::complex<double>> spectrum = rfft(wave);  // 5 elements; the second is -4i
  Array<1, double> back = irfft(spectrum);
  Array<2, std::complex<float>> z(Array<2, float>({4, 6}, 1.0f));
  Array<2, std::complex<float>> all = fftn(z), columns = fft(z, 0);
  EXPECT_EQ(spectrum.size(), 5);
  EXPECT_NEAR(spectrum.to_vector()[1].imag(), -4.0, 1e-14);
  EXPECT_NEAR(back.to_vector()[2], 1.0, 1e-14);
  EXPECT_EQ(all.to_vector()[0], std::complex<float>(24));
  EXPECT_EQ(columns.to_vector()[1], std::complex<float>(4));
}

TEST(Guide, Decompositions) {
  Array<2, double> m(std::vector<double>{2, 1, 1, 3}, Shape<2>(2, 2));
  auto [q, r] = qr(m);                                         // q has orthonormal columns
  Array<1, double> sizes = svd(m).s, values = eigh(m).values;  // 3.618 1.382, and 1.382 3.618
  EXPECT_NEAR(matmul(q, r).to_vector()[3], 3.0, 1e-14);
  EXPECT_NEAR(sizes.to_vector()[0], 3.618033988749895, 1e-14);
  EXPECT_NEAR(values.to_vector()[0], 1.381966011250105, 1e-14);
}

TEST(Guide, Files) {
  namespace fs = std::filesystem;
  const fs::path before = fs::current_path(),
                 folder = fs::temp_directory_path() / ("tutti_guide_" + std::to_string(getpid()));
  fs::create_directories(folder);
  fs::current_path(folder);
  const Array<2, float> noise = uniform(Random(1), Shape<2>(20, 30));
  write_npy("noise.npy", noise);  // numpy.load reads it
  Array<2, float> again = read_npy<2, float>("noise.npy");
  write_image("noise.png", cast<uint8_t>(noise * 255.0f));
  EXPECT_EQ(again.to_vector(), noise.to_vector());
  EXPECT_EQ(read_image("noise.png").shape(), Shape<3>(20, 30, 1));
  fs::current_path(before);
  fs::remove_all(folder);
}

TEST(Guide, SeeingWhatHappens) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(std::filesystem::temp_directory_path());
  Array<1, float> a(std::vector<float>(1000, 1.0f));
  float total = 0;
  {
    ScopedTrace trace("run.json");   // to the end of the scope
    TraceRange range("first part");  // a name of your own in the timeline
    total = sum(a * 2.0f).item();
  }
  EXPECT_EQ(total, 2000.0f);
  EXPECT_TRUE(std::filesystem::remove("run.json"));
  std::filesystem::current_path(before);
  std::cout << memory_report();  // live arrays: bytes, shape, source line
  watch(a, "a");                 // prints it with its source line, on stderr
}

TEST(Guide, Precision) {
  const Array<1, float> a({3}, 0.1f), x({3}, 3.0f), b({3}, -0.3f);
  ScopedPrecision contracted(Precision::contracted);  // to the end of the scope
  Array<1, float> y = a * x + b;                      // fma(a, x, b): one rounding
  EXPECT_EQ(y.to_vector()[0], std::fma(0.1f, 3.0f, -0.3f));
}

TEST(Guide, Blame) {
  const Array<1, float> a(std::vector<float>{1, 4, 2, 9});
  testing::internal::CaptureStderr();
  {
    ScopedChecks checks("nan,overflow");  // to the end of the scope
    try {
      sqrt(a - 3.0f).evaluate();
    } catch (const CheckError& fault) {
      std::cerr << fault.what() << '\n';
    }
  }
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(text.starts_with("check: NaN, made by sqrt for element [0] (")) << text;
  EXPECT_NE(text.find("  sqrt(-2) = nan\n  -2: subtract(1, 3) = -2 ("), std::string::npos) << text;
}

}  // namespace
