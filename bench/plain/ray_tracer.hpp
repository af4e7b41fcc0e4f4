// One pixel of examples/applications/ray_tracer.hpp.
#pragma once
#include "bench/plain/plain.hpp"

namespace tutti::bench::plain {

struct Sphere {
  Vec3 centre;
  float radius;
  Vec3 colour;
};

struct Hit {
  int sphere;  // -1: none
  float distance;
};

TUTTI_PLAIN Hit nearest(const Sphere* spheres, int count, Vec3 from, Vec3 to) {
  Hit hit{-1, 1e9f};
  for (int k = 0; k < count; ++k) {
    const Vec3 away = from - spheres[k].centre;
    const float b = dot(away, to), c = dot(away, away) - spheres[k].radius * spheres[k].radius;
    const float inside = b * b - c;
    if (inside <= 0) continue;
    const float t = -b - sqrtf(inside);
    if (t > 0.001f && t < hit.distance) hit = {k, t};
  }
  return hit;
}

TUTTI_PLAIN Vec3 sky(Vec3 to) {
  const float height = fminf(fmaxf(to.y * 1.5f, 0.0f), 1.0f);
  const Vec3 low{0.9f, 0.95f, 1}, high{0.25f, 0.45f, 0.8f};
  return low + (high - low) * height;
}

TUTTI_PLAIN Vec3 traced(const Sphere* spheres, int count, int row, int column, int rows,
                        int columns) {
  const Vec3 sun = normalize({0.6f, 1, -0.5f});
  const float down = static_cast<float>(row - rows / 2) / static_cast<float>(rows);
  const float right = static_cast<float>(column - columns / 2) / static_cast<float>(rows);
  Vec3 from{0, 1.6f, -4.5f}, to = normalize({right, -down - 0.15f, 1.2f});
  Vec3 light{0, 0, 0}, share{1, 1, 1};
  for (int mirrors = 0; mirrors < 5; ++mirrors) {
    Hit hit = nearest(spheres, count, from, to);
    Vec3 normal, paint;
    float shine = 0.35f;
    const float to_floor = -from.y / to.y;
    if (to_floor > 0.001f && to_floor < hit.distance) {
      hit.distance = to_floor;
      const Vec3 place = from + to * hit.distance;
      const float odd = (floorf(place.x) + floorf(place.z)) * 0.5f;
      normal = {0, 1, 0};
      const float grey = odd - floorf(odd) < 0.25f ? 0.9f : 0.15f;
      paint = {grey, grey, grey};
      shine = 0.1f;
    } else if (hit.sphere >= 0) {
      const Sphere& sphere = spheres[hit.sphere];
      normal = (from + to * hit.distance - sphere.centre) * (1.0f / sphere.radius);
      paint = sphere.colour;
    } else {
      return light + share * sky(to);
    }
    from = from + to * hit.distance;
    const bool lit = nearest(spheres, count, from, sun).sphere < 0;
    const float direct = lit ? fmaxf(dot(normal, sun), 0.0f) : 0.0f;
    light = light + share * paint * ((1.0f - shine) * (0.2f + 0.8f * direct));
    share = share * paint * shine;
    to = to - normal * (2 * dot(normal, to));
  }
  return light;
}

}  // namespace tutti::bench::plain
