#include "nested/sequence.hpp"

#include <algorithm>

#include "nested/context.hpp"
#include "nested/error_texts.hpp"

namespace tutti::nested {
namespace {

// With more parts, choosing among them for each element costs more than concatenating them.
constexpr size_t most_parts = 8;

std::vector<RowsRef> parts_of(const RowsRef& rows) {
  return rows->parts().empty() ? std::vector<RowsRef>{rows} : rows->parts();
}

// Returns rows that contain those of both. Shared parts occur once.
RowsRef join(const RowsRef& a, const RowsRef& b) {
  if (a == b) return a;
  std::vector<RowsRef> parts = parts_of(a);
  for (const RowsRef& part : parts_of(b))
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
  if (parts.size() > most_parts) parts = {a, b};
  return Rows::joined(std::move(parts));
}

// Returns the number of rows before part k.
Size rows_before(const std::vector<RowsRef>& parts, size_t k) {
  Size result(0);
  for (size_t i = 0; i < k; ++i) result = result.plus(parts[i]->size());
  return result;
}

// Maps starts in `from` to starts in `to`, which was joined from it and others.
NodeRef moved_starts(const NodeRef& starts, const RowsRef& from, const RowsRef& to) {
  if (from == to) return starts;
  const std::vector<RowsRef>& targets = to->parts();
  const auto place_of = [&](const RowsRef& part) {
    return static_cast<size_t>(std::find(targets.begin(), targets.end(), part) - targets.begin());
  };
  if (const size_t whole = place_of(from); whole < targets.size())
    return add(starts, rows_before(targets, whole).node());
  const std::vector<RowsRef>& parts = from->parts();
  NodeRef result;
  for (size_t k = 0; k < parts.size(); ++k) {
    const size_t place = place_of(parts[k]);
    if (k > 0 && place == place_of(parts[k - 1]) + 1)
      continue;  // has the same shift as the part
                 // before
    const NodeRef first = rows_before(parts, k).node();
    const NodeRef here = add(starts, subtract(rows_before(targets, place).node(), first));
    result = result ? choose(apply(Op::less, starts, first), result, here) : here;
  }
  return result;
}

// Two sets of sequences as views into the same rows.
struct Joined {
  Joined(const Sequence& left, const Sequence& right)
      : rows(join(left.rows(), right.rows())),
        left_starts(moved_starts(left.segments()->starts(), left.rows(), rows)),
        right_starts(moved_starts(right.segments()->starts(), right.rows(), rows)),
        left_lengths(left.segments()->lengths()),
        right_lengths(right.segments()->lengths()) {}

  RowsRef rows;
  NodeRef left_starts, right_starts, left_lengths, right_lengths;
};

}  // namespace

RowsRef Rows::joined(std::vector<RowsRef> parts) {
  const auto make = [parts] {
    Data all = parts[0]->data();
    int64_t rows = parts[0]->count();
    for (size_t i = 1; i < parts.size(); ++i) {
      all = append(all, rows, parts[i]->data(), parts[i]->count());
      rows += parts[i]->count();
    }
    return all;
  };
  auto result = make_small<Rows>(rows_before(parts, parts.size()), make);
  result->parts_ = std::move(parts);
  return result;
}

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
      Data elements = take(rows->data(), from->packed_from(), packed->total().get());
      want(elements);
      return elements;
    };
    dense_ = make_small<const Sequence>(packed, make_small<const Rows>(packed->total(), make));
  }
  return dense_;
}

SequenceRef Sequence::lifted(const Context& from, const ContextRef& to) const {
  if (lifted_to_ != to) {
    lifted_ = make_small<const Sequence>(
        Segments::view(to->count(), to->lift(segments_->starts(), from),
                       to->lift(segments_->lengths(), from), to->total_here(*segments_, from)),
        rows_);
    lifted_to_ = to;
  }
  return lifted_;
}

Data as_data(SegmentsRef segments, RowsRef rows) {
  Data data;
  data.kind = Kind::sequence;
  data.sequence = make_small<const Sequence>(std::move(segments), std::move(rows));
  return data;
}
Data as_data(const SegmentsRef& dense_segments, Data elements) {
  return as_data(dense_segments,
                 make_small<const Rows>(dense_segments->total(), std::move(elements)));
}
Data as_data(NodeRef scalar) {
  Data data;
  data.node = std::move(scalar);
  return data;
}

const Sequence& sequence_of(const Data& data, const char* operation, const Location& where) {
  if (data.kind != Kind::sequence)
    throw TypeError(std::string(operation) + " takes a sequence" + detail::at(where));
  if (!data.sequence) throw Error(no_value(operation) + detail::at(where));
  return *data.sequence;
}
const NodeRef& scalar_of(const Data& data, const char* operation, const Location& where) {
  if (data.kind != Kind::scalar)
    throw TypeError(std::string(operation) + " takes a number" + detail::at(where));
  if (!data.node) throw Error(no_value(operation) + detail::at(where));
  return data.node;
}

Data take(const Data& rows, const NodeRef& indices, int64_t count) {
  Data result = rows;
  switch (rows.kind) {
    case Kind::scalar:
      result.node = pick(rows.node, indices);
      break;
    case Kind::tuple:
      for (Data& part : result.parts) part = take(part, indices, count);
      break;
    case Kind::sequence: {
      const Segments& segments = *rows.sequence->segments();
      result = as_data(Segments::view(count, pick(segments.starts(), indices),
                                      pick(segments.lengths(), indices)),
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
      const Joined joined(*a.sequence, *b.sequence);
      result =
          as_data(Segments::view(a_rows + b_rows,
                                 append(joined.left_starts, a_rows, joined.right_starts, b_rows),
                                 append(joined.left_lengths, a_rows, joined.right_lengths, b_rows)),
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
      const Joined joined(*yes.sequence, *no.sequence);
      result =
          as_data(Segments::view(rows, choose(condition, joined.left_starts, joined.right_starts),
                                 choose(condition, joined.left_lengths, joined.right_lengths)),
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
