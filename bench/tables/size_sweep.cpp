// Measures how the time of a program depends on the size of its arrays, from a thousand elements
// on. Programs: axpby, a = 0.12 b + 7.54 c of vectors; heat1, heat2, heat3, eight steps of the heat
// equation. One length of axpby is 33,553,921, at which the implementation of the CUDA Expression
// Templates paper becomes slower by a third. Prints a table as CSV, and the largest change of the
// time of an element from one size to the next. Draws a picture if it gets a name.
//   size_sweep [--processor-time] [program [largest size [picture.svg]]]
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "tutti/tutti.hpp"

namespace {

using tutti::Array;
using tutti::Shape;
using tutti::Vec;

struct Point {
  int64_t size;
  double seconds;
  double bytes;  // of an element, the least that is read and written
  double bandwidth() const { return bytes * static_cast<double>(size) / seconds; }
  double of_an_element() const { return seconds / static_cast<double>(size); }
};

clockid_t measured_clock = CLOCK_MONOTONIC;

double now() {
  timespec time{};
  clock_gettime(measured_clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double seconds_of(const std::function<void()>& run) {
  const double start = now();
  run();
  tutti::synchronize();
  return now() - start;
}

Point measure(int64_t size, double bytes, const std::function<void()>& run) {
  seconds_of(run), seconds_of(run);
  const int each = static_cast<int>(std::clamp<int64_t>(4'000'000 / size, 1, 1000));
  double best = 1e9;
  for (int repetition = 0; repetition < 9; ++repetition)
    best = std::min(best, seconds_of([&] {
                            for (int i = 0; i < each; ++i) run();
                          }) / each);
  return {size, best, bytes};
}

// Eight sizes for each doubling.
std::set<int64_t> sizes_up_to(int64_t largest) {
  std::set<int64_t> result;
  for (double n = 1024; n <= static_cast<double>(largest) * 1.001; n *= std::exp2(0.125))
    result.insert(std::lround(n));
  return result;
}

// Uneven lengths, and both sides of the paper's limit.
std::vector<int64_t> vector_lengths(int64_t largest) {
  std::set<int64_t> result;
  for (int64_t n : sizes_up_to(largest)) result.insert(n | 1);
  for (int64_t n : {33'553'919, 33'553'920, 33'553'921, 33'553'922})
    if (n <= largest) result.insert(n);
  return {result.begin(), result.end()};
}

Point measure_axpby(int64_t n) {
  const Vec<float> b(n, 1.5f), c(n, 2.5f);
  Vec<float> a(n);
  return measure(n, 12, [&] { a = 0.12f * b + 7.54f * c; });
}

// ---- heat

constexpr int steps = 8;

template <int D>
Array<D, float> heat(Array<D, float> x) {
  for (int i = 0; i < steps; ++i) {
    Array<D, float> flow = -2.0f * D * x;
    for (int axis = 0; axis < D; ++axis)
      for (int by : {-1, 1}) {
        Shape<D> to;
        to[axis] = by;
        flow += shift(x, to);
      }
    x = x + 0.05f * flow;
  }
  return x;
}

// Sides of lines, squares and cubes, powers of two and their neighbours among them.
template <int D>
std::vector<int64_t> sides(int64_t largest) {
  std::set<int64_t> result;
  for (int64_t n : sizes_up_to(largest))
    result.insert(std::lround(std::pow(static_cast<double>(n), 1.0 / D)));
  for (int64_t side = 8; std::pow(side + 1, D) <= static_cast<double>(largest); side *= 2)
    if (std::pow(side - 1, D) >= 1000) result.insert({side - 1, side, side + 1});
  return {result.begin(), result.end()};
}

template <int D>
Point measure_heat(int64_t side) {
  Shape<D> shape;
  for (int axis = 0; axis < D; ++axis) shape[axis] = side;
  const Array<D, float> start = tutti::cast<float>(tutti::index<D>(shape, D - 1) % 7 == 0);
  start.evaluate();
  return measure(shape.size(), 8.0 * steps, [&] { heat(start).evaluate(); });
}

struct Program {
  std::vector<int64_t> (*lengths)(int64_t largest);
  Point (*measure)(int64_t length);
};
const std::map<std::string, Program> programs{{"axpby", {vector_lengths, measure_axpby}},
                                              {"heat1", {sides<1>, measure_heat<1>}},
                                              {"heat2", {sides<2>, measure_heat<2>}},
                                              {"heat3", {sides<3>, measure_heat<3>}}};

// Bandwidth over length, both logarithmic, with a line for each power of ten.
class Picture {
 public:
  Picture(const std::string& program, const std::vector<Point>& points, const char* file)
      : out_(std::fopen(file, "w")) {
    if (!out_) throw std::runtime_error(std::string("cannot write to ") + file);
    for (const Point& p : points) {
      x_.add(static_cast<double>(p.size));
      y_.add(p.bandwidth());
    }
    print(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 420\" "
        "font-family=\"sans-serif\" font-size=\"13\">\n"
        "<rect width=\"800\" height=\"420\" fill=\"white\"/>\n"
        "<text x=\"60\" y=\"20\">%s: bytes a second over elements</text>\n",
        program.c_str());
    for (double n = 1e3; n <= x_.last; n *= 10)
      line(across(n), top, across(n), bottom, across(n) - 12, bottom + 18, n);
    for (double n = 1e9; n <= y_.last; n *= 10)
      line(left, down(n), right, down(n), left - 48, down(n) + 4, n);
    print("<polyline fill=\"none\" stroke=\"#1f5fa8\" stroke-width=\"2\" points=\"");
    for (const Point& p : points)
      print("%.1f,%.1f ", across(static_cast<double>(p.size)), down(p.bandwidth()));
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
    std::vector<std::string> words(argv + 1, argv + argc);
    if (std::erase(words, "--processor-time")) measured_clock = CLOCK_PROCESS_CPUTIME_ID;
    const std::string name = words.empty() ? "axpby" : words[0];
    const auto program = programs.find(name);
    if (program == programs.end())
      throw std::runtime_error("no program is called " + name +
                               ": there are axpby, heat1, heat2, heat3");
    const int64_t largest = words.size() > 1 ? std::stoll(words[1]) : 50'000'000;
    if (largest < 2000) throw std::runtime_error("the largest size is at least 2000");
    std::vector<Point> points;
    double change = 1;
    std::printf("# %s\nlength,elements,microseconds,nanoseconds_an_element,gigabytes_a_second\n",
                tutti::device().description.c_str());
    for (int64_t length : program->second.lengths(largest)) {
      const Point point = program->second.measure(length);
      std::printf("%lld,%lld,%.3f,%.4f,%.2f\n", static_cast<long long>(length),
                  static_cast<long long>(point.size), point.seconds * 1e6,
                  point.of_an_element() * 1e9, point.bandwidth() * 1e-9);
      std::fflush(stdout);
      if (!points.empty()) {
        const double ratio = point.of_an_element() / points.back().of_an_element();
        change = std::max({change, ratio, 1 / ratio});
      }
      points.push_back(point);
    }
    std::printf("# an element takes at most %.2f times as long as at the next or last size\n",
                change);
    if (words.size() > 2) Picture(name, points, words[2].c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "size_sweep: %s\n", error.what());
    return 2;
  }
}
