// Loops over instances: in each round some instances of a context finish and the others go on.
// Contexts of later rounds are children of the context in which the loop began, never of each
// other, so a round that is over leaves nothing behind but the results of those that finished.
// The order of instances may change from round to round.
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

// The instances of all parts together, in one context within `outer`. Each part has as many values;
// its context lies within `outer` and shares no instances with those of other parts. Values that
// are the same everywhere and known outside stay there.
TUTTI_EXPORT Round regroup(const ContextRef& outer, std::vector<Round> parts);

// The results of instances of `outer`, in any order.
class TUTTI_EXPORT Finished {
 public:
  explicit Finished(ContextRef outer) : outer_(std::move(outer)) {}
  // Those of a context within `outer`.
  void add(const ContextRef& context, const Value& result);
  // When each instance has one.
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
  std::optional<Value> all_;  // where one context had all instances
};

// A result of one side of a choice, kept while the other side runs: without the rows of instances
// that are not there, and of those it was computed from.
TUTTI_EXPORT Value compacted(const Value& value, const ContextRef& side);
// Of a value that is used on this side of a choice only: a sequence of the context that was split
// is brought there, so that nothing keeps it for the instances that are not there.
TUTTI_EXPORT void enter_side(Value& value, const ContextRef& side);
// Of a value that is kept for later: elements are computed with the next round trip, so that what
// they are computed from can go. Of a sequence that was packed, the packed form stays.
TUTTI_EXPORT void settle(Data& data);
// Lets go of what was brought to contexts, from an inner one to an outer one.
TUTTI_EXPORT void forget_brought(const ContextRef& from, const ContextRef& to);

}  // namespace tutti::nested
