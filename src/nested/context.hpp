// A context: instances of one piece of program that run together. The top context has one instance.
// Every other one was made from its parent, by the elements of a sequence or by one side of a
// choice. It maps each instance to the instance of the parent that it came from.
#pragma once
#include <map>
#include <optional>
#include <string>

#include "nested/nodes.hpp"
#include "nested/synchronise.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::nested {

class Context : public std::enable_shared_from_this<Context> {
 public:
  enum class Origin : uint8_t { top, elements, side };
  Context();  // the top
  // `each`: the number of instances here for each instance of the parent, if all have equally many.
  Context(Origin origin, ContextRef parent, int64_t count, NodeRef to_parent,
          std::optional<int64_t> each = {});

  int64_t count() const { return count_; }
  const ContextRef& parent() const { return parent_; }  // null for the top
  bool is_side() const { return origin_ == Origin::side; }
  bool is_within(const Context& other) const;  // the other is this one or further out

  // Lifts rows of an ancestor (of any type): one for each instance of this context.
  NodeRef lift(const NodeRef& rows, const Context& ancestor) const;
  // Returns for each instance the instance of an ancestor that it belongs to; of rank 0 if it is
  // the same for all.
  const NodeRef& instances_of(const Context& ancestor) const;
  // Flags the instances of an ancestor that have any instance here.
  NodeRef live_in(const Context& ancestor) const;
  // Returns segments of `elements` elements each, a sequence for each instance. The same object is
  // returned while it is referenced, so that literals that are used together share it.
  SegmentsRef segments_of(int64_t elements) const;
  // Sequences that were used here recently. A choice in this context counts at once how many of
  // their elements go to each side, because the sides are likely to need it.
  void note(const SegmentsRef& used) const;
  std::vector<SegmentsRef> noted() const;
  // Returns the total number of elements of an ancestor's sequences when they are lifted here, if
  // it is known. For a side it is known after note_total().
  void note_total(const SegmentsRef& segments, Size total);
  std::optional<Size> total_here(const Segments& segments, const Context& ancestor) const;

  // Drops values that were lifted here; they are lifted again on demand.
  void forget_lifted() const;

  // ", for element [3][1]": the position of an instance, for messages.
  std::string place_of(int64_t instance) const;

 private:
  const Origin origin_;
  const ContextRef parent_;
  const int depth_;
  const int64_t count_;
  const NodeRef to_parent_;
  const std::optional<int64_t> each_;
  // Values that were lifted here before, so that each is lifted once.
  struct Lifted {
    const Context* from;
    NodeRef rows, here;
  };
  static constexpr size_t most_lifted = 64;
  mutable SmallVector<Lifted> lifted_;
  mutable std::map<const Context*, NodeRef> instances_, live_;
  mutable SmallVector<std::weak_ptr<const Segments>> alike_;
  static constexpr size_t most_noted = 4;
  mutable SmallVector<std::weak_ptr<const Segments>> noted_;  // the latest last
  // Weak: a context of a recursion outlives the sequences that were split into it.
  std::vector<std::pair<std::weak_ptr<const Segments>, Size>> totals_;
};

// Returns the context in which an operation written at `at` runs. It is the innermost context of
// its operands, or a side of a choice taken directly within it: an operation in a branch is for the
// instances that took it. Values that all instances share are computed in the top context.
TUTTI_EXPORT ContextRef meeting(const ContextRef& at, std::span<const Value> operands,
                                const char* operation, const Location& where);

// Throws Error if a recursion has left too little stack for another level of it.
void require_stack(const char* operation, const Location& where);

// Lifts a value of an outer context to rows of an inner one.
Data lift(const Value& value, const ContextRef& to);

}  // namespace tutti::nested
