// RapidMind, "Programs": an ordinary C++ function captured into a program object and applied to an
// array.
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include <vector>

#include "check.hpp"

using namespace tutti;

Value3f reflect(Value3f v, Value3f n) { return Value3f(2.0f * dot(n, v) * n - v); }

int main() {
  Value3f n;
  Program p = BEGIN {
    In<Value3f> v;
    Out<Value3f> r;
    Value3f nn = normalize(n);
    r = reflect(v, nn);
  }
  END;

  Array<2, Value3f> V(1000, 1000);
  V = Array<2, Value3f>({1000, 1000}, Value3f(1, 2, 3));
  Array<2, Value3f> R;

  n = Value3f(0, 0, 2);  // the program uses the value n has when it runs
  R = p(V);
  CHECK(R.shape() == (Shape<2>{1000, 1000}));
  std::vector<Value3f> r = R.to_vector();
  CHECK(close(r[999999].get(0), -1) && close(r[999999].get(1), -2) && close(r[999999].get(2), 3));

  n = Value3f(5, 0, 0);
  R = p(V);
  CHECK(close(R.to_vector()[12345].get(0), 1) && close(R.to_vector()[12345].get(2), -3));

  Value3f one = p(Value3f(1, 2, 3));  // a program applies to a tuple as well
  CHECK(close(one.get(1), -2));
  CHECK(close(reflect(Value3f(1, 2, 3), Value3f(1, 0, 0)).get(0), 1));  // immediate mode: plain C++

  // the same program in today's C++: parameters are the inputs, what is returned the outputs
  Program q = program([&](Value3f v) { return reflect(v, normalize(n)); });
  R = q(V);
  CHECK(close(R.to_vector()[7].get(0), 1));
  return ok();
}
