// What the host must know, read in one round trip for all that is asked at that time: sizes,
// whether an error has happened, and with them the values that are better computed once.
// Input: nodes noted down as a program runs. Output: their numbers, or the first error.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "nested/nodes.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::nested {

// A number of rows, which the host may not have read yet: a known number and multiples of pending
// ones.
class TUTTI_EXPORT Size {
 public:
  Size(int64_t known) : known_(known) {}
  // `number` has rank 0; `wanted` is computed along with it, because it is used right after.
  static Size pending(NodeRef number, std::vector<NodeRef> wanted = {});
  Size times(int64_t factor) const;
  Size plus(const Size& other) const;
  int64_t get() const;                   // reads every pending size there is
  std::optional<int64_t> known() const;  // without reading anything
  NodeRef node() const;                  // the same as an int32 of rank 0, without reading anything

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
  void fold() const;  // terms that have been read become part of the known number

  mutable int64_t known_;
  mutable SmallVector<Term> terms_;
};

// Computes a value with the next round trip, unless it is no longer referenced then. Chains of
// such values that have grown long are computed at once, without waiting for them. Of sequences it
// is where they lie, not their elements.
void want(const NodeRef& node);
void want(const Data& data);
// The same where the next round trip is near, however long the chain.
void want_with_next_size(const NodeRef& node);

// An error that is reported when the host next waits: `wrong` holds in the rows of a context which
// must not be so.
struct Check {
  ContextRef context;
  NodeRef wrong;
  const char* operation;
  // What is wrong with one row: the text, given the numbers of `facts` in this row.
  std::vector<NodeRef> facts;
  std::function<std::string(std::span<const int64_t>)> describe;
  Location where;
  Origin origin = {};  // filled in by `require`
};
// Only instances that are still there in `at` count.
void require(const ContextRef& at, Check check);

// While one lives, nothing may be evaluated or noted down to be: what the host is asked for then is
// an exception, or known afterwards.
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

// The numbers of an evaluated or pending node of any integer type.
std::vector<int64_t> read_integers(const NodeRef& node);

}  // namespace tutti::nested
