// Flocking: characters keep to the middle of those near them, fly their way and keep their
// distance. Neighbours are found by a uniform grid. Characters are sorted by cell, and each reads
// the cells around it: one range of characters in each of three rows.
#pragma once
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

namespace applications {
using namespace tutti;

class Flock {
 public:
  // On a square of cells x cells; characters see as far as a cell is wide.
  Flock(const Array<1, Value2f>& position, const Array<1, Value2f>& direction, int cells)
      : position(position), direction(direction), cells_(cells) {
    const float radius = 1.0f / static_cast<float>(cells);
    const auto home_of = [=](const Value2f& p) {
      return clamp(cast<Value2i>(p * static_cast<float>(cells)), 0, cells - 1);
    };
    cell_of_ = program([=](Value2f p) {
      const Value2i at = home_of(p);
      return at(0) * cells + at(1);
    });
    steer_ = BEGIN {
      In<Value2f> p, d;
      Out<Value2f> new_position, new_direction;
      Value2f middle(0, 0), along(0, 0), apart(0, 0);
      Value1f near = 0.0f;
      const Value2i home = home_of(p);
      const Value1i left = max(home(1) - 1, 0), right = min(home(1) + 1, cells - 1);
      FOR(Value1i r = max(home(0) - 1, 0), r <= min(home(0) + 1, cells - 1), r += 1) {
        const Value1i end = first_[r * cells + right + 1];
        FOR(Value1i k = first_[r * cells + left], k < end, k += 1) {
          const Value2f other = this->position[k], away = p - other;
          const Value1f distance2 = dot(away, away);
          IF(distance2 < radius * radius && distance2 > 0.0f) {
            near += 1.0f;
            middle += other;
            along += this->direction[k];
            apart += away * (0.02f * radius * radius / distance2);
          }
          ENDIF;
        }
        ENDFOR;
      }
      ENDFOR;
      Value2f wish = d;
      IF(near > 0.0f) {
        wish += 0.25f * (along / near - d) + 0.8f * (middle / near - p) / radius +
                8.0f * apart / radius;
      }
      ENDIF;
      const Value2f turned = normalize(wish);
      new_direction = turned;
      const Value2f moved = p + turned * speed;
      new_position = moved - floor(moved);
    }
    END;
  }
  Flock(const Flock&) = delete;
  Flock& operator=(const Flock&) = delete;

  void step() {
    const Array<1, int> cell = cell_of_(position);
    const Array<1, int> order = sort_permutation(cell);
    position = position[order];
    direction = direction[order];
    first_ = lower_bound(Array<1, int>(cell[order]), index<1>({cells_ * cells_ + 1}, 0));
    bundle(position, direction) = steer_(position, direction);
    evaluate(position, direction);
  }

  Array<1, Value2f> position, direction;
  Value1f speed = 0.0015f;

 private:
  int cells_;
  Array<1, int> first_;  // by cell: its first character, and one more
  Program cell_of_, steer_;
};

}  // namespace applications
