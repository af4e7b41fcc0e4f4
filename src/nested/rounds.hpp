// Loops over instances: in each round some instances of a context finish and the others continue.
// Contexts of later rounds are children of the context in which the loop began, never of each
// other. So a finished round leaves only the results of the instances that finished. The order of
// instances may change from round to round.
#pragma once
#include <vector>

#include "nested/context.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::nested {

// Values for the instances of a context.
struct Round {
  ContextRef context;
  std::vector<Value> values;
};

// Combines the instances of all parts in one context within `outer`. All parts have equally many
// values. The context of each is within `outer` and shares no instances with those of other parts.
// Values that are the same everywhere and known outside stay there.
TUTTI_EXPORT Round regroup(const ContextRef& outer, std::vector<Round> parts);

// Collects the results of instances of `outer`, in any order.
class TUTTI_EXPORT Finished {
 public:
  explicit Finished(ContextRef outer) : outer_(std::move(outer)) {}
  // Adds the results of a context within `outer`.
  void add(const ContextRef& context, const Value& result);
  // Returns the results once every instance has one.
  Value value() const;

 private:
  struct Part {
    int64_t rows;
    NodeRef instances;
    Data data;
  };
  static Part joined(const Part& a, const Part& b);

  ContextRef outer_;
  std::vector<Part> parts_;   // each larger than the next one
  std::optional<Value> all_;  // if one context had all instances
};

// Returns a result of one side of a choice, to be kept while the other side runs. Drops the rows of
// absent instances and the values that it was computed from.
TUTTI_EXPORT Value compacted(const Value& value, const ContextRef& side);
// Lifts a sequence of the split context to this side of a choice, if it is used only here. So it is
// not kept for instances that are absent here.
TUTTI_EXPORT void enter_side(Value& value, const ContextRef& side);
// For a value that is kept for later: its elements are computed with the next round trip, so that
// their inputs can be freed. Of a packed sequence, only the packed form is kept.
TUTTI_EXPORT void settle(Data& data);
// Drops values that were lifted to contexts, from an inner one to an outer one.
TUTTI_EXPORT void forget_lifted(const ContextRef& from, const ContextRef& to);

}  // namespace tutti::nested
