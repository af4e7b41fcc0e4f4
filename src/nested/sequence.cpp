#include "nested/sequence.hpp"

#include "nested/context.hpp"

namespace tutti::nested {
namespace {

// Two sets of sequences pointing into one set of rows: those of a, followed by those of b.
struct Joined {
  RowsRef rows;
  NodeRef shift;  // what is added to the starts of b
};
Joined join_rows(const Sequence& a, const Sequence& b) {
  if (a.rows() == b.rows()) return {a.rows(), number(0)};
  const auto make = [left = a.rows(), right = b.rows()] {
    return append(left->data(), left->count(), right->data(), right->count());
  };
  return {std::make_shared<const Rows>(a.rows()->size().plus(b.rows()->size()), make),
          a.rows()->size().node()};
}

}  // namespace

const Data& Rows::data() const {
  if (make_) {
    data_ = make_();
    make_ = nullptr;
  }
  return data_;
}

SequenceRef Sequence::dense() const {
  if (segments_->is_dense()) return shared_from_this();
  if (!dense_) {
    const SegmentsRef packed = segments_->packed();
    const auto make = [from = segments_, rows = rows_, packed] {
      Data elements = take(rows->data(), from->packed_from(*packed), packed->total().get());
      want(elements);
      return elements;
    };
    dense_ = std::make_shared<const Sequence>(packed,
                                              std::make_shared<const Rows>(packed->total(), make));
  }
  return dense_;
}

SequenceRef Sequence::brought(const Context& from, const ContextRef& to) const {
  if (brought_to_ != to) {
    brought_ = std::make_shared<const Sequence>(
        Segments::view(to->count(), to->bring(segments_->starts(), from),
                       to->bring(segments_->lengths(), from), to->told_total(*segments_)),
        rows_);
    brought_to_ = to;
  }
  return brought_;
}

Data as_data(SegmentsRef segments, RowsRef rows) {
  Data data;
  data.kind = Kind::sequence;
  data.sequence = std::make_shared<const Sequence>(std::move(segments), std::move(rows));
  return data;
}
Data as_data(const SegmentsRef& dense_segments, Data elements) {
  return as_data(dense_segments,
                 std::make_shared<const Rows>(dense_segments->total(), std::move(elements)));
}
Data as_data(NodeRef scalar) {
  Data data;
  data.node = std::move(scalar);
  return data;
}

const Sequence& sequence_of(const Data& data, const char* operation, const Location& where) {
  if (data.kind != Kind::sequence)
    throw TypeError(std::string(operation) + " takes a sequence" + detail::at(where));
  return *data.sequence;
}
const NodeRef& scalar_of(const Data& data, const char* operation, const Location& where) {
  if (data.kind != Kind::scalar)
    throw TypeError(std::string(operation) + " takes a number" + detail::at(where));
  return data.node;
}

Data take(const Data& rows, const NodeRef& places, int64_t count) {
  Data result = rows;
  switch (rows.kind) {
    case Kind::scalar:
      result.node = pick(rows.node, places);
      break;
    case Kind::tuple:
      for (Data& part : result.parts) part = take(part, places, count);
      break;
    case Kind::sequence: {
      const Segments& segments = *rows.sequence->segments();
      result = as_data(
          Segments::view(count, pick(segments.starts(), places), pick(segments.lengths(), places)),
          rows.sequence->rows());
      break;
    }
  }
  return result;
}

Data append(const Data& a, int64_t a_rows, const Data& b, int64_t b_rows) {
  if (b_rows == 0) return a;
  if (a_rows == 0) return b;
  Data result = a;
  switch (a.kind) {
    case Kind::scalar:
      result.node = append(a.node, a_rows, b.node, b_rows);
      break;
    case Kind::tuple:
      for (size_t i = 0; i < a.parts.size(); ++i)
        result.parts[i] = append(a.parts[i], a_rows, b.parts[i], b_rows);
      break;
    case Kind::sequence: {
      const Joined joined = join_rows(*a.sequence, *b.sequence);
      const Segments &left = *a.sequence->segments(), &right = *b.sequence->segments();
      result = as_data(
          Segments::view(a_rows + b_rows,
                         append(left.starts(), a_rows, add(right.starts(), joined.shift), b_rows),
                         append(left.lengths(), a_rows, right.lengths(), b_rows)),
          joined.rows);
      break;
    }
  }
  return result;
}

Data choose(const NodeRef& condition, const Data& yes, const Data& no, int64_t rows) {
  Data result = yes;
  switch (yes.kind) {
    case Kind::scalar:
      result.node = yes.node == no.node ? yes.node : choose(condition, yes.node, no.node);
      break;
    case Kind::tuple:
      for (size_t i = 0; i < yes.parts.size(); ++i)
        result.parts[i] = choose(condition, yes.parts[i], no.parts[i], rows);
      break;
    case Kind::sequence: {
      const Joined joined = join_rows(*yes.sequence, *no.sequence);
      const Segments &left = *yes.sequence->segments(), &right = *no.sequence->segments();
      result = as_data(
          Segments::view(rows, choose(condition, left.starts(), add(right.starts(), joined.shift)),
                         choose(condition, left.lengths(), right.lengths())),
          joined.rows);
      break;
    }
  }
  return result;
}

Data spread(const Data& data, int64_t rows) {
  Data result = data;
  if (data.kind == Kind::scalar) result.node = spread(data.node, rows);
  for (Data& part : result.parts) part = spread(part, rows);
  return result;
}

}  // namespace tutti::nested
