// Reads the values that the host needs in one round trip: sizes, whether an error has occurred, and
// with them values that are better computed once.
// In: nodes noted while a program runs. Out: their values, or the first error.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "nested/nodes.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::nested {

// A number of rows that the host may not have read yet: a known number plus multiples of pending
// ones.
class TUTTI_EXPORT Size {
 public:
  Size(int64_t known) : known_(known) {}
  // `number` has rank 0. `wanted` is computed along with it, because it is used right after.
  static Size pending(NodeRef number, std::vector<NodeRef> wanted = {});
  Size times(int64_t factor) const;
  Size plus(const Size& other) const;
  int64_t get() const;                   // reads all pending sizes
  std::optional<int64_t> known() const;  // without reading anything
  void note() const;                     // is read at the next round trip, with the others
  NodeRef node() const;                  // as an int32 of rank 0, without reading anything

  struct State {
    NodeRef number;
    std::vector<NodeRef> wanted;
    std::optional<int64_t> value;
  };

 private:
  struct Term {
    std::shared_ptr<State> state;
    int64_t factor;
  };
  void fold() const;  // adds terms that have been read to the known number

  mutable int64_t known_;
  mutable SmallVector<Term> terms_;
};

// Computes a value with the next round trip, unless it has no other reference by then. Long chains
// of such values are computed at once, without waiting. For sequences it computes the segments, not
// the elements.
void want(const NodeRef& node);
void want(const Data& data);
// Does the same if the next round trip is near, however long the chain is.
void want_with_next_size(const NodeRef& node);

// An error that is reported when the host next waits: `wrong` marks the rows of a context that
// violate a condition.
struct Check {
  ContextRef context;
  NodeRef wrong;
  const char* operation;
  // The text of the error in one row is describe(values of `facts` in this row).
  std::vector<NodeRef> facts;
  std::function<std::string(std::span<const int64_t>)> describe;
  Location where;
  Origin origin = {};  // filled in by `require`
};
// Counts only instances that still exist in `at`.
void require(const ContextRef& at, Check check);

// An error if sequences have more elements in all than a vector holds, even if no element of them
// is ever computed: offsets in them are int32. Counts only if `at` has an instance.
void require_vector_size(const ContextRef& at, const Size& total);

// During its lifetime nothing may be evaluated or noted for evaluation. A read throws Violated;
// holds() reports whether anything was noted.
class NothingIsRead {
 public:
  struct Violated {};
  NothingIsRead();
  ~NothingIsRead();
  NothingIsRead(const NothingIsRead&) = delete;
  bool holds() const;  // so far

 private:
  struct Before;
  std::unique_ptr<Before> before_;
};

// Returns the values of an evaluated or pending node of any integer type.
std::vector<int64_t> read_integers(const NodeRef& node);

}  // namespace tutti::nested
