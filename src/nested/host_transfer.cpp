// Transfers values from the host and back.
#include "nested/apply.hpp"

namespace tutti::nested {
namespace {

SegmentsRef one_segment(int64_t elements) {
  return Segments::alike(1, number(elements), Size(elements));
}

// Returns rows of a sequence. The one row of the top context is not a vector.
Data data_from(HostData& host, bool is_row_of_top, const Location& where) {
  Data data;
  data.kind = host.type.kind;
  switch (data.kind) {
    case Kind::scalar:
      data.node = detail::from_host(host.type.element,
                                    is_row_of_top ? detail::Extents{} : rows_shape(host.rows),
                                    host.numbers.data(), static_cast<size_t>(host.rows), where);
      break;
    case Kind::tuple:
      for (HostData& part : host.parts) data.parts.push_back(data_from(part, is_row_of_top, where));
      break;
    case Kind::sequence: {
      HostData& elements = host.parts[0];
      const SegmentsRef segments =
          is_row_of_top ? one_segment(elements.rows)
                        : Segments::of_offsets(
                              host.rows,
                              detail::from_host(ElementType::i32, rows_shape(host.rows + 1),
                                                host.offsets.data(), host.offsets.size(), where),
                              Size(elements.rows));
      data = as_data(segments, data_from(elements, false, where));
      break;
    }
  }
  return data;
}

// Makes everything dense, with a number for each row, and notes it for the next evaluation.
Data prepare(const Data& data, int64_t rows) {
  Data result = data;
  switch (data.kind) {
    case Kind::scalar:
      result.node = spread(data.node, rows);
      want(result.node);
      break;
    case Kind::tuple:
      for (Data& part : result.parts) part = prepare(part, rows);
      break;
    case Kind::sequence: {
      const SequenceRef dense = data.sequence->dense();
      want(dense->segments()->offsets());
      result = as_data(dense->segments(), prepare(dense->elements(), dense->rows()->count()));
      break;
    }
  }
  return result;
}

HostData read(const Data& data, int64_t rows) {
  HostData host;
  host.type = type_of(data);
  host.rows = rows;
  switch (data.kind) {
    case Kind::scalar:
      host.numbers.resize(static_cast<size_t>(rows * size_of(data.node->type)));
      detail::copy_to_host(data.node, host.numbers.data());
      break;
    case Kind::tuple:
      for (const Data& part : data.parts) host.parts.push_back(read(part, rows));
      break;
    case Kind::sequence:
      host.offsets.resize(static_cast<size_t>(rows + 1));
      detail::copy_to_host(data.sequence->segments()->offsets(), host.offsets.data());
      host.parts.push_back(read(data.sequence->elements(), data.sequence->rows()->count()));
      break;
  }
  return host;
}

}  // namespace

Value from_host(HostData data, const Location& where) {
  return {data_from(data, true, where), top_context()};
}

Value constant(ScalarValue value, const Location& where) {
  return {as_data(detail::constant(value, {}, where)), top_context()};
}

Value from_node(NodeRef node) {
  if (is_uniform(node)) return {as_data(std::move(node)), top_context()};
  const SegmentsRef segments = one_segment(node->shape[0]);
  return {as_data(segments, as_data(std::move(node))), top_context()};
}

namespace {

// The elements of an empty sequence are no rows.
Data zeros(const Type& type, int64_t rows) {
  Data data;
  data.kind = type.kind;
  switch (type.kind) {
    case Kind::scalar:
      data.node = detail::constant({type.element, 0}, {}, Location());
      break;
    case Kind::tuple:
      for (const Type& part : type.parts) data.parts.push_back(zeros(part, rows));
      break;
    case Kind::sequence:
      data = as_data(Segments::alike(rows, number(0), Size(0)), zeros(type.parts[0], 0));
      break;
  }
  return data;
}

}  // namespace

Value zero(const Type& type) { return {zeros(type, 1), top_context()}; }

Type type_of(const Data& data) {
  Type type{data.kind, ElementType::i32, {}};
  switch (data.kind) {
    case Kind::scalar:
      type.element = data.node->type;
      break;
    case Kind::tuple:
      for (const Data& part : data.parts) type.parts.push_back(type_of(part));
      break;
    case Kind::sequence:
      type.parts.push_back(type_of(data.sequence->elements()));
      break;
  }
  return type;
}

HostData to_host(const Value& value, const char* operation, const Location& where) {
  return rows_to_host(top_context(), value, operation, where);
}

HostData rows_to_host(const ContextRef& at, const Value& value, const char* operation,
                      const Location& where) {
  const Application a = Application::in(at, at, {&value, 1}, operation, where);
  const Data ready = prepare(a.operand(0), a.count());
  synchronise();
  return read(ready, a.count());
}

Value rows_from_host(const ContextRef& at, HostData rows, const Location& where) {
  if (rows.rows != at->count())
    throw ShapeError("rows_from_host: " + std::to_string(rows.rows) + " rows for " +
                     std::to_string(at->count()) + " instances" + detail::at(where));
  return {data_from(rows, !at->parent(), where), at};
}

NodeRef to_node(const Value& value, const char* operation, const Location& where) {
  const Application a =
      Application::in(top_context(), top_context(), {&value, 1}, operation, where);
  const Data& data = a.operand(0);
  if (data.kind == Kind::scalar) return data.node;
  const SequenceRef dense = sequence_of(data, operation, where).dense();
  const NodeRef rows = scalar_of(dense->elements(), operation, where);
  synchronise();
  return spread(rows, dense->rows()->count());
}

}  // namespace tutti::nested
