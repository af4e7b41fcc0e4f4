// Finding circles of a known size: an edge detector, then a convolution with a circle-shaped mask.
// The mask has few weights that are not zero; a plain C++ `if` while the program is captured leaves
// only those in the code.
#pragma once
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include <cmath>

namespace applications {
using namespace tutti;

// How strong an edge is at each place of an image.
inline Array<2, float> edges(const Array<2, float>& image) {
  const Program sobel = BEGIN {
    In<Value2i> at;
    Out<Value1f> strength;
    const auto tap = [&](int r, int c) { return image[at + Value2i(r, c)]; };
    const Value1f down =
        tap(1, -1) + 2 * tap(1, 0) + tap(1, 1) - tap(-1, -1) - 2 * tap(-1, 0) - tap(-1, 1);
    const Value1f right =
        tap(-1, 1) + 2 * tap(0, 1) + tap(1, 1) - tap(-1, -1) - 2 * tap(0, -1) - tap(1, -1);
    strength = sqrt(down * down + right * right);
  }
  END;
  return sobel(grid(image.extent(0), image.extent(1)));
}

// How much of a circle of this size is in an image of edges, around each place.
class CircleMask {
 public:
  explicit CircleMask(float size) : reach_(static_cast<int>(size) + 2) {
    for (int r = -reach_; r <= reach_; ++r)
      for (int c = -reach_; c <= reach_; ++c) {
        const bool on_circle = std::abs(std::hypot(r, c) - size) < 0.5;
        weights_.push_back(on_circle ? 1.0f : 0.0f);
        taps_ += on_circle;
      }
  }
  int taps() const { return taps_; }

  Program response(const Array<2, float>& strength) const {
    return BEGIN {
      In<Value2i> at;
      Out<Value1f> total = 0.0f;
      auto weight = weights_.begin();
      for (int r = -reach_; r <= reach_; ++r)
        for (int c = -reach_; c <= reach_; ++c, ++weight)
          if (*weight != 0) total += *weight * strength[at + Value2i(r, c)];
    }
    END;
  }

 private:
  int reach_, taps_ = 0;
  std::vector<float> weights_;
};

}  // namespace applications
