// Which rows of elements belong to which sequence of a set: row start(i) and the length(i) - 1 that
// follow it belong to sequence i. Segments are *dense* when they lie one after the other and leave
// nothing out; then they also have offsets, and each element knows its segment. Others are *views*:
// pieces of elements that are stored elsewhere, found by starts, possibly shared by many sequences.
// Forms are derived when asked for, once, and shared by all sequences with these segments.
#pragma once
#include <optional>

#include "nested/nodes.hpp"
#include "nested/synchronise.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::nested {

class TUTTI_EXPORT Segments : public std::enable_shared_from_this<Segments> {
  struct Private {};  // segments are made by the functions below

 public:
  Segments(Private, int64_t count) : count_(count) {}
  // Dense.
  static SegmentsRef of_lengths(int64_t count, const NodeRef& lengths,  // of rank 0: all alike
                                std::optional<Size> total = {});
  static SegmentsRef of_offsets(int64_t count, NodeRef offsets, Size total);
  static SegmentsRef alike(int64_t count, NodeRef length, Size size);  // a length of rank 0
  // A view; starts or lengths of rank 0 serve all sequences. The total of the lengths may be known.
  static SegmentsRef view(int64_t count, NodeRef starts, NodeRef lengths,
                          std::optional<Size> total = {});
  // The segments that a view would have if its rows were put one after the other: the same ones
  // for all sequences with this view, such as the parts of tuples.
  const SegmentsRef& packed() const;
  void tell_total(const Size& total) const {  // of a view, once it is computed
    if (!total_) total_ = total;
  }
  // For each row of the packed segments the row of the view it comes from.
  const NodeRef& packed_from() const;

  int64_t count() const { return count_; }
  bool is_dense() const { return dense_; }
  NodeRef starts() const;
  NodeRef lengths() const;
  const std::optional<Size>& known_total() const { return total_; }  // of a view it may not be

  // Dense segments only.
  Size total() const { return *total_; }
  const NodeRef& offsets() const;           // count + 1 of them
  const NodeRef& element_segments() const;  // of each element
  const NodeRef& positions() const;         // of each element in its segment
  // Lets go of what has a row for each element and can be derived again.
  void forget_derived() const;
  // The context in which each element is an instance.
  ContextRef elements_context(const ContextRef& parent) const;

 private:
  const NodeRef& rows() const;  // the number of each element
  static std::shared_ptr<Segments> make(int64_t count) {
    return make_small<Segments>(Private(), count);
  }

  int64_t count_;
  bool dense_ = true;
  std::optional<Size> each_;  // the length of all, where they are alike
  mutable std::optional<Size> total_;
  mutable NodeRef starts_, lengths_, offsets_, rows_, element_segments_, positions_;
  mutable ContextRef elements_context_;
  mutable SegmentsRef packed_;
  mutable NodeRef packed_from_;
};

// Offsets of segments of these lengths: running sums, with a zero before them.
NodeRef running_offsets(const NodeRef& lengths);
// The sum of lengths; in 64 bits, so that too many elements are noticed.
NodeRef sum_of(const NodeRef& lengths);

}  // namespace tutti::nested
