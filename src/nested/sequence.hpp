// A sequence for each row: segments, and the rows of elements that they refer to.
#pragma once
#include <functional>

#include "nested/segments.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::nested {

class Rows;
using RowsRef = std::shared_ptr<const Rows>;

// Rows of elements, made on first use; their number may be a pending size.
class TUTTI_EXPORT Rows {
 public:
  Rows(Size count, Data data) : count_(std::move(count)), data_(std::move(data)) {}
  Rows(Size count, std::function<Data()> make) : count_(std::move(count)), make_(std::move(make)) {}
  // Concatenates the rows of others.
  static RowsRef joined(std::vector<RowsRef> parts);
  int64_t count() const { return count_.get(); }
  const Size& size() const { return count_; }
  const Data& data() const;
  // Returns the parts that were joined; empty for other rows.
  const std::vector<RowsRef>& parts() const { return parts_; }

 private:
  Size count_;
  std::vector<RowsRef> parts_;
  mutable Data data_;
  mutable std::function<Data()> make_;
};

class TUTTI_EXPORT Sequence : public std::enable_shared_from_this<Sequence> {
 public:
  Sequence(SegmentsRef segments, RowsRef rows)
      : segments_(std::move(segments)), rows_(std::move(rows)) {}

  const SegmentsRef& segments() const { return segments_; }
  const RowsRef& rows() const { return rows_; }
  const Data& elements() const { return rows_->data(); }

  // Returns the same sequences, contiguous. A view is copied the first time.
  SequenceRef dense() const;
  bool is_packed() const { return dense_ != nullptr; }
  // Returns the same sequences as rows of an inner context: a view.
  SequenceRef lifted(const Context& from, const ContextRef& to) const;

 private:
  SegmentsRef segments_;
  RowsRef rows_;
  mutable SequenceRef dense_;
  mutable ContextRef lifted_to_;  // only the last one: a branch uses a value many times
  mutable SequenceRef lifted_;
};

Data as_data(SegmentsRef segments, RowsRef rows);
Data as_data(const SegmentsRef& dense_segments, Data elements);
Data as_data(NodeRef scalar);

// Returns the sequence (the node) of a value; throws if it has another kind.
const Sequence& sequence_of(const Data& data, const char* operation, const Location& where);
const NodeRef& scalar_of(const Data& data, const char* operation, const Location& where);

// Returns rows at `count` indices (of rank 0: the same for all). Numbers are gathered, sequences
// become views.
Data take(const Data& rows, const NodeRef& indices, int64_t count);
// Concatenates rows of the same type.
Data append(const Data& a, int64_t a_rows, const Data& b, int64_t b_rows);
// Returns yes where the condition is true, else no, row by row.
Data choose(const NodeRef& condition, const Data& yes, const Data& no, int64_t rows);
// Returns rows with a stored number for each row, even if all are equal.
Data spread(const Data& data, int64_t rows);

}  // namespace tutti::nested
