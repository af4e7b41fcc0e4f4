// Programs that several tests capture.
#pragma once
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

namespace tutti::test {

// Halves a number until it is 1 or less; how often that was.
inline Program halving() {
  return BEGIN {
    In<Value1f> x;
    Out<Value1f> y = x;
    Out<Value1i> n = 0;
    WHILE(y > 1.0f) {
      y *= 0.5f;
      n += 1;
    }
    ENDWHILE;
  }
  END;
}

}  // namespace tutti::test
