// Which elements of its inputs an element of a node is computed from, in the order in which the
// interpreter reads them. Of a conditional: the value that was chosen. Inputs that only say where
// elements are (indices, offsets, keys, flags) are not among them.
#pragma once
#include <functional>

#include "reference/interpreter.hpp"

namespace tutti::ir {

struct ElementRef {
  const Node* node = nullptr;
  int64_t element = 0;
};

// Calls visit(source) while it returns true. Of a program: its arguments for the element. All of
// an input is visited where more is not known.
void visit_sources(const ElementRef& of, Interpretation& interpretation,
                   const std::function<bool(const ElementRef&)>& visit);

// The value of an element, computed if need be.
ScalarValue value_of(const ElementRef& of, Interpretation& interpretation);

// "[2][0]"; of a node of rank 0, "".
std::string index_text(int64_t element, const Extents& shape);

}  // namespace tutti::ir
