// Recurrences along an axis with a user-defined step: y[i] = f(y[i - 1], x[i]), with a given y[-1].
// Steps run in order, so f need not be associative. Elements of y and x may be tuples.
#pragma once
#include "program/function.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::ir {

struct RecurrenceAxis {
  int axis = 0;
  bool backward = false;  // y[i] = f(y[i + 1], x[i])
};

// The parameters of the step are the components of y, then those of x, and its results are those of
// y. Each of `initial` has rank 0, or the shape of the elements without the axis.
TUTTI_EXPORT std::vector<NodeRef> make_recurrence(const Function& step,
                                                  std::span<const NodeRef> initial,
                                                  std::span<const NodeRef> components,
                                                  const RecurrenceAxis& along,
                                                  const Location& where);

}  // namespace tutti::ir
