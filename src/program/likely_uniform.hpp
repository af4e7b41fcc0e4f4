// Values of a program that are the same for all lanes most of the time. Such a value is the
// quotient of a coordinate that goes up by one from lane to lane, and one number. If lanes 0 to 15
// have coordinates 100 to 115, `i / 50` is 2 for all of them, and `i % 50` goes up by one. Whether
// they do is known when the program runs.
#pragma once
#include "program/uniformity.hpp"

namespace tutti::ir {

struct LikelyUniform {
  Assumed assumed;    // holds for most lanes that run together
  size_t prefix = 0;  // statements of the body that compute all of them, without control flow
  bool empty() const { return prefix == 0; }
};

// Empty if nothing would be gained: no loop would become uniform, and no access to a table.
LikelyUniform find_likely_uniform(const ScalarProgram& program, const Uniformity& known,
                                  const std::vector<bool>& uniform_inputs,
                                  const std::vector<bool>& consecutive_inputs);

}  // namespace tutti::ir
