// Measures how the time of a vector expression depends on its length: a = 0.12 b + 7.54 c for
// lengths from a thousand elements on. One of them is 33,553,921, at which the implementation of
// the CUDA Expression Templates paper becomes slower by a third. Prints a table as CSV, and draws a
// picture if it gets a name.
//   size_sweep [largest length [picture.svg]]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "tutti/tutti.hpp"

namespace {

using tutti::Vec;

struct Point {
  int64_t length;
  double seconds;
  double bandwidth() const { return 12.0 * static_cast<double>(length) / seconds; }
};

// Eight lengths for each doubling, uneven ones, and both sides of the paper's limit.
std::set<int64_t> lengths_up_to(int64_t largest) {
  std::set<int64_t> result;
  for (double n = 1000; n <= static_cast<double>(largest); n *= std::exp2(0.125))
    result.insert(static_cast<int64_t>(n) | 1);
  for (int64_t n : {33'553'919, 33'553'920, 33'553'921, 33'553'922})
    if (n <= largest) result.insert(n);
  return result;
}

double seconds_of(const std::function<void()>& run) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  run();
  tutti::synchronize();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Point measure(int64_t n) {
  const Vec<float> b(n, 1.5f), c(n, 2.5f);
  Vec<float> a(n);
  const auto run = [&] { a = 0.12f * b + 7.54f * c; };
  seconds_of(run);
  const int each = static_cast<int>(std::clamp<int64_t>(4'000'000 / n, 1, 1000));
  double best = 1e9;
  for (int repetition = 0; repetition < 9; ++repetition)
    best = std::min(best, seconds_of([&] {
                            for (int i = 0; i < each; ++i) run();
                          }) / each);
  return {n, best};
}

// Bandwidth over length, both logarithmic, with a line for each power of ten.
class Picture {
 public:
  Picture(const std::vector<Point>& points, const char* file) : out_(std::fopen(file, "w")) {
    if (!out_) throw std::runtime_error(std::string("cannot write to ") + file);
    for (const Point& p : points) {
      x_.add(static_cast<double>(p.length));
      y_.add(p.bandwidth());
    }
    print(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 420\" "
        "font-family=\"sans-serif\" font-size=\"13\">\n"
        "<rect width=\"800\" height=\"420\" fill=\"white\"/>\n"
        "<text x=\"60\" y=\"20\">a = 0.12 b + 7.54 c: bytes a second over elements</text>\n");
    for (double n = 1e3; n <= x_.last; n *= 10)
      line(across(n), top, across(n), bottom, across(n) - 12, bottom + 18, n);
    for (double n = 1e9; n <= y_.last; n *= 10)
      line(left, down(n), right, down(n), left - 48, down(n) + 4, n);
    print("<polyline fill=\"none\" stroke=\"#1f5fa8\" stroke-width=\"2\" points=\"");
    for (const Point& p : points)
      print("%.1f,%.1f ", across(static_cast<double>(p.length)), down(p.bandwidth()));
    print("\"/>\n</svg>\n");
  }
  ~Picture() { std::fclose(out_); }
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;

 private:
  static constexpr double left = 60, right = 780, top = 35, bottom = 390;

  struct Span {
    double first = 1e300, last = 0;
    void add(double n) { first = std::min(first, n), last = std::max(last, n); }
    double part(double n) const { return std::log(n / first) / std::log(last / first); }
  };
  double across(double n) const { return left + (right - left) * x_.part(n); }
  double down(double n) const { return bottom - (bottom - top) * y_.part(n); }

  template <class... Numbers>
  void print(const char* format, Numbers... numbers) {
    std::fprintf(out_, format, numbers...);
  }
  void print(const char* text) { std::fputs(text, out_); }
  void line(double x0, double y0, double x1, double y1, double label_x, double label_y, double n) {
    if (x0 < left - 1 || y0 > bottom + 1) return;  // before the first point
    print(
        "<path stroke=\"#ccc\" d=\"M%.1f %.1fL%.1f %.1f\"/><text x=\"%.1f\" y=\"%.1f\">%.0e"
        "</text>\n",
        x0, y0, x1, y1, label_x, label_y, n);
  }

  std::FILE* out_;
  Span x_, y_;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    const int64_t largest = argc > 1 ? std::atoll(argv[1]) : 50'000'000;
    if (largest < 2000) throw std::runtime_error("the largest length is at least 2000");
    std::vector<Point> points;
    std::printf("# %s\nelements,microseconds,gigabytes_per_second\n",
                tutti::device().description.c_str());
    for (int64_t n : lengths_up_to(largest)) {
      points.push_back(measure(n));
      std::printf("%lld,%.3f,%.2f\n", static_cast<long long>(n), points.back().seconds * 1e6,
                  points.back().bandwidth() * 1e-9);
    }
    if (argc > 2) Picture(points, argv[2]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "size_sweep: %s\n", error.what());
    return 2;
  }
}
