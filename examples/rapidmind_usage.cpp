// RapidMind, section IV: the loop nest of the paper, parallelised.
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include "check.hpp"

using namespace tutti;

Value1f f;
Array<2, Value3f> a(512, 512);
Array<2, Value3f> b(512, 512);

void func_arrays() {
  static Program func_prog = BEGIN {  // define program
    In<Value3f> r, s;
    Out<Value3f> q;
    q = (r + s) * f;
  }
  END;
  a = func_prog(a, b);  // execute program
}

int main() {
  b = Array<2, Value3f>({512, 512}, Value3f(1, 2, 3));
  f = 2.0f;
  func_arrays();
  f = 10.0f;
  func_arrays();
  CHECK(close(a.to_vector()[511 * 512 + 511].get(2), 90));  // ((0 + 3) * 2 + 3) * 10
  return ok();
}
