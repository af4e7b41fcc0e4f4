// RapidMind, "Partial evaluation and the program algebra".
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include <vector>

#include "check.hpp"

using namespace tutti;
using std::vector;

int main() {
  Program add = BEGIN {
    In<Value1f> a, b;
    Out<Value1f> r = a + b;
  }
  END;
  Program twice = BEGIN {
    In<Value1f> x;
    Out<Value1f> y = 2.0f * x;
  }
  END;
  Array<1, Value1f> A(vector<float>{1, 2, 3}), B(vector<float>{10, 20, 30});

  Program composed = twice << add;  // the outputs of the right feed the inputs of the left
  Array<1, Value1f> C = composed(A, B);
  CHECK(C.to_vector() == (vector<float>{22, 44, 66}));
  CHECK(explain(composed(A, B)).kernels().size() == 1);

  Value1f k = 100.0f;
  Program tight = add(k);    // binds the value k has now
  Program loose = add << k;  // binds the variable
  k = 200.0f;
  C = tight(A);
  CHECK(C.to_vector() == (vector<float>{101, 102, 103}));
  C = loose(A);
  CHECK(C.to_vector() == (vector<float>{201, 202, 203}));

  Program shifted = add(A);  // an array can be bound as well
  A = Array<1, Value1f>(vector<float>{7, 7, 7});
  C = shifted(B);
  CHECK(C.to_vector() == (vector<float>{11, 22, 33}));

  Value1f gain = 3.0f;
  Program scale = BEGIN {
    In<Value1f> x;
    Out<Value1f> y = gain * x;
  }
  END;
  Program general = scale >> gain;  // the non-local variable becomes the first input
  C = general(A, B);
  CHECK(C.to_vector() == (vector<float>{70, 140, 210}));
  C = (general << gain)(B);
  CHECK(C.to_vector() == (vector<float>{30, 60, 90}));

  Program both = bundle(add, twice);  // inputs a, b, x; outputs r, y
  Array<1, Value1f> R, Y;
  bundle(R, Y) = both(A, B, B);
  CHECK(R.to_vector() == (vector<float>{17, 27, 37}) &&
        Y.to_vector() == (vector<float>{20, 40, 60}));

  Program second = BEGIN {
    In<Value1f> u, v;
    Out<Value1f> w = v;
  }
  END;
  Program specialised = second << both;  // drops r: its computation disappears
  C = specialised(A, B, B);
  CHECK(C.to_vector() == (vector<float>{20, 40, 60}));
  CHECK(specialised.operations() < both.operations());

  bundle(A, B) = bundle(add, twice)(A, B, B);  // inputs may be outputs: old contents are read
  CHECK(A.to_vector() == (vector<float>{17, 27, 37}));
  return ok();
}
