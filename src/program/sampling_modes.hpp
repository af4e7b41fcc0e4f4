// Modes of arrays that a function gathers from: the rules beyond their borders and between their
// elements. They are decided when the function is applied, so the captured function leaves them
// open. Its gathers name a rule that is replaced here. Where the code differs, it contains both
// variants under a switch, and one of them is removed here.
#pragma once
#include <unordered_map>

#include "program/function.hpp"

namespace tutti::ir {

struct Modes {
  struct Rule {
    Boundary::Kind boundary;
    ScalarValue fill;
  };
  std::unordered_map<const Node*, Rule> rules;     // by the parameter that represents an array
  std::unordered_map<const Node*, bool> switches;  // by the parameter p of choose(p, a, b)
};

// Returns the function with these modes. It has the same parameters, but reads no switches.
Function with_modes(const Function& function, const Modes& modes);

}  // namespace tutti::ir
