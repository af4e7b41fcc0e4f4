// A fast Fourier transform against its definition, and of an image: rows, then columns.
#include "fft.hpp"

#include "../check.hpp"
#include "../support/rgb.hpp"

using namespace tutti;
using applications::RowTransform;

int main(int argc, char** argv) {
  // Against the definition, for one row.
  constexpr int few = 16;
  std::vector<Value2f> values;
  for (int i = 0; i < few; ++i) values.emplace_back(std::sin(1.3f * i), 0.1f * i);
  const auto fast = RowTransform(few)(Array<2, Value2f>(values, 1, few)).to_vector();
  for (int k = 0; k < few; ++k) {
    std::complex<double> slow = 0;
    for (int i = 0; i < few; ++i)
      slow += std::complex<double>(values[i].get(0), values[i].get(1)) *
              std::polar(1.0, -2 * std::numbers::pi * i * k / few);
    CHECK(close(fast[k].get(0), slow.real(), 1e-4) && close(fast[k].get(1), slow.imag(), 1e-4));
  }

  // The diffraction pattern of three slits and a round hole.
  constexpr int n = 512;
  const Program aperture = BEGIN {
    In<Value2i> at;
    Out<Value2f> light;
    const Value2f p = Value2f(at) - Value2f(n / 2);
    Value1bool open = length(p - Value2f(0, 60)) < 12.0f;
    for (int k = -1; k <= 1; ++k)
      open = open || (abs(p(1) + 40.0f - 14.0f * k) < 2.0f && abs(p(0)) < 20.0f);
    light = Value2f(cond(open, Value1f(1), Value1f(0)), 0.0f);
  }
  END;
  const auto flipped = [](const Array<2, Value2f>& a) { return transpose(a); };
  const Array<2, Value2f> field = aperture(grid(n, n));
  RowTransform transform(n);
  const Array<2, Value2f> far = flipped(transform(flipped(transform(field))));
  const Array<2, float> power =
      far.component(0) * far.component(0) + far.component(1) * far.component(1);
  const float total = sum(power), open = sum(field.component(0));
  CHECK(close(total / (float(n) * n), open, 1e-3));  // Parseval
  picture::save(argc, argv, "fft",
                picture::heat(log(1.0f + rotate(power, {n / 2, n / 2})) / 13.0f));
  return ok();
}
