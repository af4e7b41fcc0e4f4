// A small ray tracer: spheres that mirror each other above a checkered floor, in the light of one
// sun with shadows. One program follows one ray until it is lost or has been mirrored often enough.
#pragma once
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

namespace applications {
using namespace tutti;

struct Scene {
  Array<1, Value4f> spheres;  // centre and radius
  Array<1, Value3f> colours;
};

// The nearest sphere along a ray: its number (-1: none) and the distance to it.
inline void nearest(const Scene& scene, const Value3f& from, const Value3f& to, Value1i& hit,
                    Value1f& distance) {
  hit = -1;
  distance = 1e9f;
  const int count = static_cast<int>(scene.spheres.size());
  FOR(Value1i k = 0, k < count, k += 1) {
    const Value4f sphere = scene.spheres[k];
    const Value3f centre = sphere(0, 1, 2), away = from - centre;
    const Value1f b = dot(away, to), c = fma(-sphere(3), sphere(3), dot(away, away));
    const Value1f inside = fma(b, b, -c);
    IF(inside > 0.0f) {
      const Value1f t = -b - sqrt(inside);
      IF(t > 0.001f && t < distance) {
        distance = t;
        hit = k;
      }
      ENDIF;
    }
    ENDIF;
  }
  ENDFOR;
}

inline Scene spheres_around_a_sphere() {
  std::vector<std::array<float, 4>> spheres{{0, 1, 0, 1}};
  std::vector<std::array<float, 3>> colours{{0.9f, 0.9f, 0.9f}};
  for (int i = 0; i < 9; ++i) {
    const float angle = 0.7f * static_cast<float>(i), r = 0.25f + 0.04f * static_cast<float>(i % 3);
    spheres.push_back({1.9f * std::cos(angle), r, 1.9f * std::sin(angle), r});
    colours.push_back({0.5f + 0.5f * std::sin(angle), 0.6f, 0.5f + 0.5f * std::cos(angle)});
  }
  return {Array<1, Value4f>(spheres), Array<1, Value3f>(colours)};
}

// Of the pixels of an image.
inline Program ray_tracer(const Scene& scene, int rows, int columns) {
  constexpr int most_mirrors = 5;
  const Value3f eye(0, 1.6f, -4.5f), sun = normalize(Value3f(0.6f, 1, -0.5f));
  return BEGIN {
    In<Value2i> pixel;
    Out<Value3f> colour;
    const Value2f at = (Value2f(pixel) - Value2f(rows / 2, columns / 2)) / static_cast<float>(rows);
    Value3f from = eye, to = normalize(Value3f(at(1), -at(0) - 0.15f, 1.2f));
    Value3f light(0, 0, 0), share(1, 1, 1);
    FOR(Value1i mirrors = 0, mirrors < most_mirrors, mirrors += 1) {
      Value1i hit;
      Value1f distance;
      nearest(scene, from, to, hit, distance);
      Value3f normal, paint;
      Value1f shine = 0.35f;
      const Value1f floor_distance = -from(1) / to(1);
      IF(floor_distance > 0.001f && floor_distance < distance) {
        distance = floor_distance;
        const Value3f place = from + to * distance;
        const Value1f odd = floor(place(0)) + floor(place(2));
        normal = Value3f(0, 1, 0);
        paint = cond(fract(odd * 0.5f) < 0.25f, Value3f(0.9f), Value3f(0.15f));
        shine = 0.1f;
      }
      ELSEIF(hit >= 0) {
        const Value4f sphere = scene.spheres[hit];
        normal = (from + to * distance - sphere(0, 1, 2)) / sphere(3);
        paint = scene.colours[hit];
      }
      ELSE {
        light += share * lerp(Value3f(0.9f, 0.95f, 1), Value3f(0.25f, 0.45f, 0.8f),
                              clamp(to(1) * 1.5f, 0.0f, 1.0f));
        BREAK;
      }
      ENDIF;
      from = from + to * distance;
      Value1i shadow;
      Value1f way;
      nearest(scene, from, sun, shadow, way);
      const Value1f direct = cond(shadow >= 0, Value1f(0), max(dot(normal, sun), 0.0f));
      light += share * (1.0f - shine) * paint * (0.2f + 0.8f * direct);
      share *= shine * paint;
      to = mirror(to, normal);
    }
    ENDFOR;
    colour = light;
  }
  END;
}

}  // namespace applications
