// One step of one particle of examples/applications/particles.hpp.
#pragma once
#include "bench/plain/plain.hpp"

namespace tutti::bench::plain {

struct Particle {
  float vx, vy, x, y, age;
};

TUTTI_PLAIN uint32_t mixed(uint32_t h) {
  h = (h ^ (h >> 16)) * 0x7feb352du;
  h = (h ^ (h >> 15)) * 0x846ca68bu;
  return h ^ (h >> 16);
}
TUTTI_PLAIN uint32_t bits_of(float x) {
  const float whole = floorf(x);
  const float behind = (x - whole) * 4294967296.0f;
  const uint32_t low = behind >= 4294967296.0f ? 0xffffffffu : static_cast<uint32_t>(behind);
  return static_cast<uint32_t>(static_cast<int32_t>(whole)) * 2654435769u + low;
}

TUTTI_PLAIN Particle evolved(Particle p) {
  constexpr float dt = 0.01f, lifetime = 2.0f;
  p.vy += product(-9.8f, dt);
  p.x += product(p.vx, dt);
  p.y += product(p.vy, dt);
  p.age += dt;
  if (p.age > lifetime) {
    uint32_t all = mixed(0x9e3779b9u + bits_of(p.x));
    all = mixed(all + bits_of(p.y));
    all = mixed(all + bits_of(p.age));
    const float first = static_cast<float>(mixed(all + 0x85ebca6bu) >> 8) * 0x1p-24f;
    const float second = static_cast<float>(mixed(all + 2 * 0x85ebca6bu) >> 8) * 0x1p-24f;
    return {product(2.4f, first) - 1.2f, 6.0f + product(2.5f, second), 0, 0, 0.2f * first};
  }
  if (p.y < 0 && p.vy < 0) p.vy *= -0.6f;
  return p;
}

}  // namespace tutti::bench::plain
