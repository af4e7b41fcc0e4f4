// Times of Tutti on the device in use, for comparison with bench/cuda/handwritten.cu: one line a
// benchmark, "name milliseconds". scripts/gpu_suite runs both in one go.
#include <tutti/tutti.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

using namespace tutti;
using Clock = std::chrono::steady_clock;

namespace {

double milliseconds(Clock::time_point from) {
  return std::chrono::duration<double, std::milli>(Clock::now() - from).count();
}

// Ten evaluations between two waits, the median of eleven such rounds.
template <class Program>
double time_of(Program program) {
  for (int i = 0; i < 3; ++i) program();
  synchronize();
  std::vector<double> times;
  for (int round = 0; round < 11; ++round) {
    const auto start = Clock::now();
    for (int i = 0; i < 10; ++i) program();
    synchronize();
    times.push_back(milliseconds(start) / 10);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

template <class Program>
void report(const std::string& name, Program program) {
  std::printf("%-18s %9.4f\n", name.c_str(), time_of(program));
  std::fflush(stdout);
}

using Image = Array<2, float>;

Image life(const Image& cells) {
  const Image three = cells + rotate(cells, {1, 0}) + rotate(cells, {-1, 0});
  const Image nine = three + rotate(three, {0, 1}) + rotate(three, {0, -1});
  return cond(nine == 3.0f || (nine == 4.0f && cells == 1.0f), 1.0f, 0.0f);
}

Image convolve(const Image& image) {
  const float kernel[] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
  Image x(image.shape(), 0.0f), y(image.shape(), 0.0f);
  for (int i = 0; i < 5; ++i) x += shift(image, {0, i - 2}) * kernel[i];
  for (int i = 0; i < 5; ++i) y += shift(x, {i - 2, 0}) * kernel[i];
  return y;
}

}  // namespace

int main() {
  std::printf("# %s: %s\n", device().name.c_str(), device().description.c_str());
  {
    constexpr int64_t n = int64_t{1} << 28;
    const Array<1, float> b = (cast<float>(index<1>({n}, 0)) * 1e-6f).evaluate(),
                          c = (b + 1.0f).evaluate();
    const Array<1, float> a = (b - c).evaluate();
    report("copy", [&] { (b * 1.0f).evaluate(); });
    report("add", [&] { (b + c).evaluate(); });
    report("axpby", [&] { (0.12f * b + 7.54f * c).evaluate(); });
    report("long",
           [&] { ((b - (a + 3.75f * c) + c - 0.24f * b) / 27.51f + a - 0.25f * b).evaluate(); });
    report("sum_abs", [&] { sum(abs(b)).evaluate(); });
    report("exp", [&] { exp(b).evaluate(); });
  }
  {
    constexpr int n = 16384;
    const Image image =
        cast<float>((index<2>({n, n}, 0) * 7 + index<2>({n, n}, 1) * 13) % 2).evaluate();
    report("life", [&] { life(image).evaluate(); });
    report("convolve", [&] { convolve(image).evaluate(); });
    report("row_sums", [&] { sum(image, 1).evaluate(); });
    report("column_sums", [&] { sum(image, 0).evaluate(); });
    report("transpose", [&] { transpose(image).evaluate(); });
  }
  {
    constexpr int n = 4096;
    const Image a = (cast<float>(index<2>({n, n}, 0)) * 1e-3f).evaluate();
    report("matrix_product", [&] { inner_product(a, a).evaluate(); });
  }
  {
    const Array<1, float> a = (cast<float>(index<1>({1024}, 0)) * 1e-3f).evaluate(),
                          b = (a + 1.0f).evaluate();
    float k = 0;
    std::printf("%-18s %9.4f us\n", "small_cached",
                1e3 * time_of([&] {
                  k += 1;
                  (((a + b) * k - a / b + b * 2.0f) * (a - 3.0f) + b * a).evaluate();
                }));
    Settings s = settings();
    s.disk_cache = false;
    set_settings(s);
    std::vector<double> times;
    for (int i = 0; i < 11; ++i) {
      clear_kernel_cache();
      const auto start = Clock::now();
      ((a + b) * (a - b) * 2.0f).evaluate();
      synchronize();
      times.push_back(milliseconds(start));
    }
    std::sort(times.begin(), times.end());
    std::printf("%-18s %9.4f\n", "first_compile", times[5]);
  }
}
