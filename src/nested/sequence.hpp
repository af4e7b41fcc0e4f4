// A sequence for each row of something: segments, and the rows of elements they point into.
#pragma once
#include <functional>

#include "nested/segments.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::nested {

class Rows;
using RowsRef = std::shared_ptr<const Rows>;

// Rows of elements, made when they are first needed; their number may be a pending size.
class TUTTI_EXPORT Rows {
 public:
  Rows(Size count, Data data) : count_(std::move(count)), data_(std::move(data)) {}
  Rows(Size count, std::function<Data()> make) : count_(std::move(count)), make_(std::move(make)) {}
  // The rows of others, one after the other.
  static RowsRef joined(std::vector<RowsRef> parts);
  int64_t count() const { return count_.get(); }
  const Size& size() const { return count_; }
  const Data& data() const;
  // What they were joined of; rows that were not have no parts.
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

  // The same sequences, one after the other. A view is copied the first time.
  SequenceRef dense() const;
  bool is_packed() const { return dense_ != nullptr; }
  // The same sequences as rows of an inner context: a view.
  SequenceRef brought(const Context& from, const ContextRef& to) const;

 private:
  SegmentsRef segments_;
  RowsRef rows_;
  mutable SequenceRef dense_;
  mutable ContextRef brought_to_;  // the last one only: a branch uses a value many times
  mutable SequenceRef brought_;
};

Data as_data(SegmentsRef segments, RowsRef rows);
Data as_data(const SegmentsRef& dense_segments, Data elements);
Data as_data(NodeRef scalar);

// The sequence that a value holds; throws where it is none.
const Sequence& sequence_of(const Data& data, const char* operation, const Location& where);
const NodeRef& scalar_of(const Data& data, const char* operation, const Location& where);

// Rows at `count` indices (of rank 0: all the same one): numbers are gathered, sequences become
// views.
Data take(const Data& rows, const NodeRef& indices, int64_t count);
// The rows of one, then those of another, of the same type.
Data append(const Data& a, int64_t a_rows, const Data& b, int64_t b_rows);
// yes where the condition holds, else no, row by row.
Data choose(const NodeRef& condition, const Data& yes, const Data& no, int64_t rows);
// Rows whose numbers are stored for each row, also where they are alike.
Data spread(const Data& data, int64_t rows);

}  // namespace tutti::nested
