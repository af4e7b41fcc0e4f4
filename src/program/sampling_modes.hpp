// Modes of arrays that a function gathers from: how it reads beyond their borders and between their
// elements. They are decided when the function is applied, so the captured function leaves them
// open: its gathers name a rule that is replaced here, and where the code differs it holds both
// ways under a switch, of which here one is left.
#pragma once
#include <unordered_map>

#include "program/function.hpp"

namespace tutti::ir {

struct Modes {
  struct Rule {
    Boundary::Kind boundary;
    ScalarValue fill;
  };
  std::unordered_map<const Node*, Rule> rules;     // by the parameter that stands for an array
  std::unordered_map<const Node*, bool> switches;  // by parameter: choose(parameter, a, b)
};

// The function with these modes; it has the same parameters, of which switches are not read.
Function with_modes(const Function& function, const Modes& modes);

}  // namespace tutti::ir
