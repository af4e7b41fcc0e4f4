// RapidMind, "Programs": the particle system, with control flow and several outputs.
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include <vector>

#include "check.hpp"

using namespace tutti;

int main() {
  Value3f acc(0, -10, 0);   // acceleration
  Value1f del_time = 0.5f;  // time increment
  Value1f max_time = 1.0f;  // maximum particle lifetime

  Program evolve = BEGIN {
    InOut<Value3f> vel, pos;
    InOut<Value1f> time;
    vel += acc * del_time;
    pos += vel * del_time;
    time += del_time;
    IF(time > max_time) {
      pos = Value3f(0, 0, 0);
      vel = normalize(hash(pos));
    }
    ENDIF;
  }
  END;

  constexpr int n = 100000;
  std::vector<float> start(n);
  for (int i = 0; i < n; ++i) start[i] = i % 2 ? 0.0f : 0.75f;
  Array<1, Value3f> Vel({n}, Value3f(1, 0, 0)), Pos({n}, Value3f(0, 100, 0));
  Array<1, Value1f> Time(start);

  bundle(Vel, Pos, Time) =
      evolve(Vel, Pos, Time);  // all inputs are read before any output is assigned

  std::vector<Value3f> vel = Vel.to_vector(), pos = Pos.to_vector();
  std::vector<float> time = Time.to_vector();
  CHECK(close(vel[1].get(1), -5) && close(pos[1].get(1), 97.5) && close(time[1], 0.5));
  CHECK(close(pos[0].get(1), 0) && close(time[0], 1.25));
  double length = 0;
  for (int k = 0; k < 3; ++k) length += vel[0].get(k) * vel[0].get(k);
  CHECK(close(length, 1, 1e-4));

  // Loops that depend on the data: how often can each value be halved before it drops below one?
  Program halvings = BEGIN {
    In<Value1f> x;
    Out<Value1i> count;
    Value1f rest = x;
    Value1i steps = 0;
    WHILE(rest >= 1.0f) {
      rest *= 0.5f;
      steps += 1;
    }
    ENDWHILE;
    count = steps;
  }
  END;
  Array<1, Value1i> halved = halvings(Array<1, Value1f>(std::vector<float>{0.5f, 1, 2, 1000}));
  CHECK(halved.to_vector() == (std::vector<int>{0, 1, 2, 10}));

  Program collatz = BEGIN {
    In<Value1i> start;
    Out<Value1i> steps;
    Value1i x = start, s = 0;
    FOR(Value1i k = 0, k < 1000 && x != 1, k += 1) {
      IF((x & 1) == 1) { x = 3 * x + 1; }
      ELSE { x = x / 2; }
      ENDIF;
      s += 1;
    }
    ENDFOR;
    steps = s;
  }
  END;
  Array<1, Value1i> lengths = collatz(Array<1, Value1i>(std::vector<int>{1, 2, 3, 27, 97}));
  CHECK(lengths.to_vector() == (std::vector<int>{0, 1, 7, 111, 118}));
  return ok();
}
