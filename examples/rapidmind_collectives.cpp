// RapidMind, "Arrays" and "Collective operations".
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include <vector>

#include "check.hpp"

using namespace tutti;
using std::vector;

int main() {
  Array<1, Value1f> B(vector<float>{10, 20, 30, 40});
  Array<1, Value1i> U(vector<int>{3, 0, 0});

  Array<1, Value1f> A = B[U];  // gather
  CHECK(A.to_vector() == (vector<float>{40, 10, 10}));

  Array<1, Value1f> C({5}, 0.0f), before = C;  // arrays are values: copies cost O(1)
  C[Array<1, Value1i>(vector<int>{4, 1})] = Array<1, Value1f>(vector<float>{7, 8});  // scatter
  CHECK(C.to_vector() == (vector<float>{0, 8, 0, 0, 7}));
  CHECK(before.to_vector() == (vector<float>{0, 0, 0, 0, 0}));
  Array<1, Value1i> same(vector<int>{2, 2, 2});
  CHECK(scatter(before, same, A, Collision::sum).to_vector() == (vector<float>{0, 0, 60, 0, 0}));

  Program combiner = BEGIN {
    In<Value1f> a, b;
    Out<Value1f> r = max(a, b);
  }
  END;
  Value1f largest = reduce(combiner, B);
  CHECK(largest.get(0) == 40.0f);
  CHECK(float(sum(B)) == 100.0f && float(product(U)) == 0.0f && float(min_val(B)) == 10.0f);
  auto [where, what] = arg_max(B);
  CHECK(int(where) == 3 && float(what) == 40.0f);
  CHECK(int(count(B > 15.0f)) == 3);

  // access patterns
  CHECK(slice(B, 1, 3).to_vector() == (vector<float>{20, 30}));
  CHECK(offset(B, 2).to_vector() == (vector<float>{30, 40}));
  CHECK(stride(B, 2).to_vector() == (vector<float>{10, 30}));
  Array<1, Value1f> D = B;
  slice(D, 0, 2) =
      Array<1, Value1f>(vector<float>{-1, -2});  // an accessor on the left assigns a part
  CHECK(D.to_vector() == (vector<float>{-1, -2, 30, 40}) && B.to_vector()[0] == 10.0f);

  Array<2, Value2i> cells =
      grid(2, 3);  // a virtual array: its elements are its indices, no storage
  CHECK(cells.component(1).to_vector() == (vector<int>{0, 1, 2, 0, 1, 2}));

  // random access inside a program, under a boundary rule
  Array<1, Value1f> ring = B;
  ring.boundary(Boundary::wrap());
  Program neighbours = BEGIN {
    In<Value1i> i;
    Out<Value1f> total = ring[i - 1] + ring[i + 1];
  }
  END;
  Array<1, Value1f> around = neighbours(Array<1, Value1i>(vector<int>{0, 1, 2, 3}));
  CHECK(around.to_vector() == (vector<float>{60, 40, 60, 40}));

  // real coordinates in [0, 1] with linear interpolation (samples sit at (i + 0.5) / n)
  Array<1, Value1f> table(vector<float>{0, 10});
  table.interpolation(Interpolation::linear);
  Program lookup = BEGIN {
    In<Value1f> x;
    Out<Value1f> y = table(x);
  }
  END;
  Array<1, Value1f> looked = lookup(Array<1, Value1f>(vector<float>{0.25f, 0.5f, 0.75f, 1.0f}));
  CHECK(looked.to_vector() == (vector<float>{0, 5, 10, 10}));

  // tuples: swizzle, write mask, componentwise functions
  Value4f rgba(1, 2, 3, 4);
  Value3f bgr = rgba(2, 1, 0);
  CHECK(bgr.get(0) == 3 && bgr.get(2) == 1);
  rgba(0, 3) = Value2f(9, 8);
  CHECK(rgba.get(0) == 9 && rgba.get(1) == 2 && rgba.get(3) == 8);

  // results written into memory that the caller owns
  vector<float> mine(4);
  ArrayRef<1, Value1f> target(mine);
  target = B * 2.0f;
  CHECK(mine == (vector<float>{20, 40, 60, 80}));
  return ok();
}
