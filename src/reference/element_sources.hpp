// The elements of its inputs from which an element of a node is computed, in the order in which the
// interpreter reads them. For a conditional: the chosen value. Inputs that only locate elements
// (indices, offsets, keys, flags) are excluded.
#pragma once
#include <functional>

#include "reference/interpreter.hpp"

namespace tutti::ir {

struct ElementRef {
  const Node* node = nullptr;
  int64_t element = 0;
};

// Calls visit(source) until it returns false. For a program it visits the arguments of the element.
// It visits all of an input if the exact elements are not known.
void visit_sources(const ElementRef& of, Interpretation& interpretation,
                   const std::function<bool(const ElementRef&)>& visit);

// Returns the value of an element, and computes it if necessary.
ScalarValue value_of(const ElementRef& of, Interpretation& interpretation);

// "[2][0]"; for a node of rank 0, "".
std::string index_text(int64_t element, const Extents& shape);

}  // namespace tutti::ir
