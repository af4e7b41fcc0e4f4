// Flocking: 16,000 characters keep to the middle of those near them, fly their way and keep their
// distance. Who is near is found through a uniform grid: characters are sorted by cell, and each
// looks into the nine cells around it.
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include <random>

#include "../check.hpp"
#include "../support/rgb.hpp"

using namespace tutti;

constexpr int n = 16000, cells = 64;
constexpr float radius = 1.0f / cells;

int main(int argc, char** argv) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(0, 1);
  std::vector<std::array<float, 2>> start, heading;
  for (int i = 0; i < n; ++i) {
    start.push_back({uniform(random), uniform(random)});
    const float angle = 6.2832f * uniform(random);
    heading.push_back({std::cos(angle), std::sin(angle)});
  }
  Array<1, Value2f> position(start), direction(heading);
  Array<1, int> first;  // by cell: its first character, and one more
  Value1f speed = 0.0015f;

  const Program cell_of = program([](Value2f p) {
    const Value2i at = clamp(cast<Value2i>(p * float(cells)), 0, cells - 1);
    return at(0) * cells + at(1);
  });
  const Program steer = BEGIN {
    In<Value2f> p, d;
    Out<Value2f> new_position, new_direction;
    Value2f middle(0, 0), along(0, 0), apart(0, 0);
    Value1f near = 0.0f;
    const Value2i home = clamp(cast<Value2i>(p * float(cells)), 0, cells - 1);
    FOR(Value1i r = max(home(0) - 1, 0), r <= min(home(0) + 1, cells - 1), r += 1) {
      FOR(Value1i c = max(home(1) - 1, 0), c <= min(home(1) + 1, cells - 1), c += 1) {
        const Value1i cell = r * cells + c;
        FOR(Value1i k = first[cell], k < first[cell + 1], k += 1) {
          const Value2f other = position[k], away = p - other;
          const Value1f distance2 = dot(away, away);
          IF(distance2 < radius * radius && distance2 > 0.0f) {
            near += 1.0f;
            middle += other;
            along += direction[k];
            apart += away * (0.02f * radius * radius / distance2);
          }
          ENDIF;
        }
        ENDFOR;
      }
      ENDFOR;
    }
    ENDFOR;
    Value2f wish = d;
    IF(near > 0.0f) {
      wish +=
          0.25f * (along / near - d) + 0.8f * (middle / near - p) / radius + 8.0f * apart / radius;
    }
    ENDIF;
    const Value2f turned = normalize(wish);
    new_direction = turned;
    const Value2f moved = p + turned * speed;
    new_position = moved - floor(moved);
  }
  END;

  double agreement = 0;
  for (int step = 0; step < 120; ++step) {
    const Array<1, int> cell = cell_of(position);
    const Array<1, int> order = sort_permutation(cell);
    position = position[order];
    direction = direction[order];
    first = lower_bound(Array<1, int>(cell[order]), index<1>({cells * cells + 1}, 0));
    evaluate(position, direction, first);
    bundle(position, direction) = steer(position, direction);
    evaluate(position, direction);
    if (step == 0 || step == 119) {
      // How well neighbours in the order of cells agree about the way.
      const Array<1, Value2f> next = rotate(direction, {1});
      const double now = float(sum(direction.component(0) * next.component(0) +
                                   direction.component(1) * next.component(1))) /
                         n;
      if (step == 0) agreement = now;
      if (step == 119) CHECK(now > agreement + 0.3);
    }
  }
  const Array<1, Value2i> pixel =
      join(cast<int>(position.component(0) * 600.0f), cast<int>(position.component(1) * 600.0f));
  const Array<2, float> none(600, 600);
  const auto drawn = [&](const Array<1, float>& shade) {
    return scatter(none, pixel, shade, Collision::max);
  };
  const Array<1, float> x = direction.component(0), y = direction.component(1);
  picture::save(argc, argv, "flocking",
                join(drawn(0.6f + 0.4f * x), drawn(0.6f + 0.4f * y), drawn(0.7f - 0.3f * x)));
  return ok();
}
