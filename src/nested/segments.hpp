// Segments: which rows of elements belong to which sequence of a set. Row start(i) and the
// length(i) - 1 rows after it belong to sequence i. Segments are *dense* if they are contiguous and
// cover all rows; then they also have offsets, and each element knows its segment. Otherwise they
// are *views*: pieces of elements stored elsewhere, found by their starts, and possibly shared by
// many sequences. Derived forms are computed on demand, once, and shared by all sequences with
// these segments.
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
  // Dense segments.
  static SegmentsRef of_lengths(int64_t count, const NodeRef& lengths,  // of rank 0: all alike
                                std::optional<Size> total = {});
  static SegmentsRef of_offsets(int64_t count, NodeRef offsets, Size total);
  static SegmentsRef alike(int64_t count, NodeRef length, Size size);  // a length of rank 0
  // A view. Starts or lengths of rank 0 serve all sequences. The total of the lengths may be known.
  static SegmentsRef view(int64_t count, NodeRef starts, NodeRef lengths,
                          std::optional<Size> total = {});
  // Returns the segments that a view would have if its rows were packed: the same object for all
  // sequences with this view, such as the parts of tuples.
  const SegmentsRef& packed() const;
  void note_total(const Size& total) const {  // of a view, once it is computed
    if (!total_) total_ = total;
  }
  // Returns for each row of the packed segments the row of the view that it comes from.
  const NodeRef& packed_from() const;

  int64_t count() const { return count_; }
  bool is_dense() const { return dense_; }
  NodeRef starts() const;
  NodeRef lengths() const;
  const std::optional<Size>& known_total() const { return total_; }  // may be unknown for a view

  // Dense segments only.
  Size total() const { return *total_; }
  const NodeRef& offsets() const;           // count + 1 of them
  const NodeRef& element_segments() const;  // of each element
  const NodeRef& positions() const;         // of each element in its segment
  // Drops derived forms with a row for each element.
  void forget_derived() const;
  // Returns the context in which each element is an instance.
  ContextRef elements_context(const ContextRef& parent) const;

 private:
  const NodeRef& rows() const;  // the index of each element
  static std::shared_ptr<Segments> make(int64_t count) {
    return make_small<Segments>(Private(), count);
  }

  int64_t count_;
  bool dense_ = true;
  std::optional<Size> each_;  // the common length, if all are equal
  mutable std::optional<Size> total_;
  mutable NodeRef starts_, lengths_, offsets_, rows_, element_segments_, positions_;
  mutable ContextRef elements_context_;
  mutable SegmentsRef packed_;
  mutable NodeRef packed_from_;
};

// Returns offsets of segments of these lengths: running sums, with a zero before them.
NodeRef running_offsets(const NodeRef& lengths);
// Returns the sum of lengths, in 64 bits, so that an overflow of 32 bits is detected.
NodeRef sum_of(const NodeRef& lengths);

}  // namespace tutti::nested
