// The showcase: three programs over whole images, each a few lines long. It writes their pictures,
// says what was fused into which kernels and how long they take.
//   showcase [folder]
#include <tutti/tutti.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <string>

#include "support/picture.hpp"

using namespace tutti;
using Image = Array<2, float>;

// The Mandelbrot set with smooth colours, `steps` iterations of z = z*z + c on all pixels at once.
Image mandelbrot(int rows, int columns, int steps) {
  const Shape<2> shape(rows, columns);
  const Image re = cast<float>(index(shape, 1)) * (3.0f / columns) - 2.2f;
  const Image im = cast<float>(index(shape, 0)) * (2.0f / rows) - 1.0f;
  Image x = re, y = im, count(shape, 0.0f);
  for (int i = 0; i < steps; ++i) {
    const Image xx = x * x, yy = y * y;
    const Array<2, bool> inside = xx + yy < 16.0f;
    count += cond(inside, 1.0f, 0.0f);
    y = cond(inside, 2.0f * x * y + im, y);
    x = cond(inside, xx - yy + re, x);
  }
  const Image smooth = count + 1.0f - log2(max(log2(max(x * x + y * y, 1.0f)) * 0.5f, 1.0f));
  return cond(count >= static_cast<float>(steps), 0.0f, smooth / static_cast<float>(steps));
}

// A colour for each value between 0 and 1: dark blue, gold, white.
Array<2, Value3f> colours(const Image& value) {
  const Image t = sqrt(clamp(value, 0.0f, 1.0f));
  return join(clamp(t * 2.2f - 0.2f, 0.0f, 1.0f), clamp(t * t * 1.6f, 0.0f, 1.0f),
              clamp(0.15f + sin(t * 3.1f) * 0.6f, 0.0f, 1.0f));
}

// A 5 x 5 Gaussian in two passes, then where the light changes.
Image edges(const Image& image) {
  const float kernel[] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
  Image across(image.shape(), 0.0f), smooth(image.shape(), 0.0f);
  for (int i = 0; i < 5; ++i) across += shift(image, {0, i - 2}) * kernel[i];
  for (int i = 0; i < 5; ++i) smooth += shift(across, {i - 2, 0}) * kernel[i];
  const Image dx = shift(smooth, {0, -1}) - shift(smooth, {0, 1});
  const Image dy = shift(smooth, {-1, 0}) - shift(smooth, {1, 0});
  return hypot(dx, dy);
}

// Two chemicals that react and spread (Gray and Scott): `steps` steps on a torus.
Image reaction(int side, int steps) {
  const Shape<2> shape(side, side);
  const auto row = index(shape, 0), column = index(shape, 1);
  const auto seed = (row / 16 * 7 + column / 16 * 13) % 11 == 0;
  Image u = cond(seed, 0.5f, 1.0f), v = cond(seed, 0.25f, 0.0f);
  const auto spread = [](const Image& a) {
    return rotate(a, {0, 1}) + rotate(a, {0, -1}) + rotate(a, {1, 0}) + rotate(a, {-1, 0}) -
           4.0f * a;
  };
  for (int i = 0; i < steps; ++i) {
    const Image uvv = u * v * v;
    const Image next_u = u + 0.16f * spread(u) - uvv + 0.035f * (1.0f - u);
    const Image next_v = v + 0.08f * spread(v) + uvv - 0.1f * v;
    u = next_u, v = next_v;
    evaluate(u, v);
  }
  return v * 3.0f;
}

void write(const std::string& path, const Array<2, Value3f>& image) {
  const auto pixels = cast<Value3ub>(clamp(image, 0.0f, 1.0f) * 255.0f + 0.5f).to_vector();
  std::vector<uint8_t> bytes;
  for (const Value3ub& pixel : pixels)
    for (int c = 0; c < 3; ++c) bytes.push_back(pixel.get(c));
  picture::write(path, bytes, static_cast<int>(image.extent(0)), static_cast<int>(image.extent(1)));
  std::printf("wrote %s\n", path.c_str());
}

template <class Program>
void show(const char* title, const std::string& path, Program program) {
  std::printf("\n== %s\n", title);
  const auto picture = program();
  if (const Explanation plan = explain(picture); !plan.kernels().empty()) std::cout << plan;
  picture.evaluate();
  const auto start = std::chrono::steady_clock::now();
  program().evaluate();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  std::printf("%.2f ms, once its kernels are compiled\n", took.count());
  write(path, picture);
}

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? std::string(argv[1]) + "/" : "";
  const auto set = [] { return mandelbrot(720, 1080, 48); };
  show("Mandelbrot set", folder + "mandelbrot.png", [&] { return colours(set()); });
  const Image picture = set().evaluate();
  show("edges of it", folder + "edges.png", [&] { return colours(4.0f * edges(picture)); });
  show("reaction and diffusion", folder + "reaction.png",
       [&] { return colours(reaction(512, 2000)); });
  const Statistics s = statistics();
  std::printf("\n%lld kernels compiled in %.0f ms, %lld from the disk cache, %lld launches\nok\n",
              static_cast<long long>(s.kernels_compiled), s.compile_seconds * 1e3,
              static_cast<long long>(s.kernels_from_disk),
              static_cast<long long>(s.kernel_launches));
}
