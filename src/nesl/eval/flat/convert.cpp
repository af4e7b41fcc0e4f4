#include "nesl/eval/flat/convert.hpp"

#include <cstring>

#include "nested/context.hpp"
#include "nested/sequence.hpp"
#include "tutti/error.hpp"

namespace tutti::nesl::flat {
namespace {

using detail::Location;
using nested::Data;
using nested::HostData;

template <class T, class Read>
std::vector<std::byte> bytes_of(const Values& rows, const Read& read) {
  std::vector<std::byte> bytes(rows.size() * sizeof(T));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const T number = static_cast<T>(read(rows[i]));
    std::memcpy(bytes.data() + i * sizeof(T), &number, sizeof(T));
  }
  return bytes;
}

// Of numbers that are stored as contexts have them.
template <class T>
std::vector<std::byte> bytes_of(const Values& rows) {
  const std::span<const std::byte> bytes = std::as_bytes(rows.numbers<T>());
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> scalar_bytes(const Values& rows, Mono type) {
  switch (type->kind) {
    case MonoType::Kind::integer:
      return bytes_of<int>(rows);
    case MonoType::Kind::floating:
      if (type->single) return bytes_of<float>(rows, [](const Value& v) { return v.floating(); });
      return bytes_of<double>(rows);
    case MonoType::Kind::boolean:
      return bytes_of<std::uint8_t>(rows, [](const Value& v) { return v.boolean(); });
    default:
      return bytes_of<unsigned char>(rows);
  }
}

// `type` is a representation: scalars, pairs and sequences.
HostData to_host(const Values& rows, Mono type) {
  HostData host;
  host.type = nested_type(type);
  host.rows = static_cast<std::int64_t>(rows.size());
  if (type->kind == MonoType::Kind::pair) {
    host.parts.push_back(to_host(rows.column(0), type->a));
    host.parts.push_back(to_host(rows.column(1), type->b));
  } else if (type->kind == MonoType::Kind::sequence) {
    if (rows.are_rows()) {
      host.offsets.assign(rows.offsets().begin(), rows.offsets().end());
      host.parts.push_back(to_host(rows.contents().elements(), type->a));
      return host;
    }
    Values elements;
    host.offsets.push_back(0);
    std::size_t total = 0;
    for (const Value& row : rows) total += row.elements().size();
    elements.reserve(total);
    for (const Value& row : rows) {
      elements.append(row.elements());
      host.offsets.push_back(static_cast<std::int32_t>(elements.size()));
    }
    host.parts.push_back(to_host(elements, type->a));
  } else {
    host.numbers = scalar_bytes(rows, type);
  }
  return host;
}

template <class T>
T number_at(const HostData& host, std::int64_t row) {
  T number;
  std::memcpy(&number, host.numbers.data() + row * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return number;
}

Values rows_from(const HostData& host, std::int64_t begin, std::int64_t end, Mono type);

Value from_host(const HostData& host, std::int64_t row, Mono type) {
  switch (type->kind) {
    case MonoType::Kind::integer:
      return number_at<std::int32_t>(host, row);
    case MonoType::Kind::floating:
      return type->single ? number_at<float>(host, row) : number_at<double>(host, row);
    case MonoType::Kind::boolean:
      return number_at<std::uint8_t>(host, row) != 0;
    case MonoType::Kind::character:
      return static_cast<unsigned char>(number_at<std::uint8_t>(host, row));
    case MonoType::Kind::pair:
      return Value(from_host(host.parts[0], row, type->a), from_host(host.parts[1], row, type->b));
    default:
      break;
  }
  return rows_from(host.parts[0], host.offsets[row], host.offsets[row + 1], type->a);
}

// Of numbers that values store as contexts do.
template <class T>
Values numbers_from(const HostData& host, std::int64_t begin, std::int64_t end) {
  std::vector<T> numbers(static_cast<std::size_t>(end - begin));
  if (begin < end)
    std::memcpy(numbers.data(), host.numbers.data() + begin * static_cast<std::int64_t>(sizeof(T)),
                numbers.size() * sizeof(T));
  return Values(std::move(numbers));
}

Values rows_from(const HostData& host, std::int64_t begin, std::int64_t end, Mono type) {
  if (type->kind == MonoType::Kind::integer) return numbers_from<int>(host, begin, end);
  if (type->kind == MonoType::Kind::character) return numbers_from<unsigned char>(host, begin, end);
  if (type->kind == MonoType::Kind::floating && !type->single)
    return numbers_from<double>(host, begin, end);
  if (type->kind == MonoType::Kind::pair)
    return Values::zipped(rows_from(host.parts[0], begin, end, type->a),
                          rows_from(host.parts[1], begin, end, type->b));
  if (type->kind == MonoType::Kind::sequence) {
    const auto* offsets = host.offsets.data() + begin;
    std::vector<int> from_zero(offsets, offsets + (end - begin) + 1);
    for (int& offset : from_zero) offset -= offsets[0];
    return Values::nested(std::move(from_zero),
                          rows_from(host.parts[0], offsets[0], offsets[end - begin], type->a));
  }
  Values rows;
  rows.reserve(static_cast<std::size_t>(end - begin));
  for (std::int64_t i = begin; i < end; ++i) rows.push_back(from_host(host, i, type));
  return rows;
}

std::optional<std::int64_t> total_of(const nested::Segments& segments, Sizes sizes) {
  const bool wait = sizes == Sizes::waited_for;
  std::optional<nested::Size> total = segments.known_total();
  if (!total && wait) total = segments.packed()->total();
  if (!total) return {};
  return wait ? total->get() : total->known();
}

// `type` is a representation. Elements that are scalars are not asked for.
bool fits(const Data& data, std::int64_t rows, Mono type, std::int64_t& left, Sizes sizes) {
  if (type->kind == MonoType::Kind::pair)
    return fits(data.parts[0], rows, type->a, left, sizes) &&
           fits(data.parts[1], rows, type->b, left, sizes);
  left -= rows;
  if (type->kind != MonoType::Kind::sequence || left < 0) return left >= 0;
  const std::optional<std::int64_t> total = total_of(*data.sequence->segments(), sizes);
  if (!total || *total > left) return false;
  if (type->a->is_scalar()) return (left -= *total) >= 0;
  return fits(data.sequence->dense()->elements(), *total, type->a, left, sizes);
}

std::int64_t numbers_in(const Data& data, std::int64_t rows) {
  std::int64_t total = 0;
  switch (data.kind) {
    case nested::Kind::scalar:
      return rows;
    case nested::Kind::tuple:
      for (const Data& part : data.parts) total += numbers_in(part, rows);
      return total;
    case nested::Kind::sequence:
      break;
  }
  const nested::SequenceRef dense = data.sequence->dense();
  return rows + numbers_in(dense->elements(), dense->rows()->count());
}

// Strings are shown whole.
bool is_string(const Data& data) {
  const nested::Type type = nested::type_of(data);
  return type.kind == nested::Kind::sequence && type.parts[0].kind == nested::Kind::scalar &&
         type.parts[0].element == ElementType::u8;
}

void collect_nodes(const Data& data, std::vector<detail::NodeRef>& nodes) {
  if (data.kind == nested::Kind::scalar) nodes.push_back(data.node);
  for (const Data& part : data.parts) collect_nodes(part, nodes);
  if (data.kind != nested::Kind::sequence) return;
  nodes.push_back(data.sequence->segments()->lengths());
  collect_nodes(data.sequence->elements(), nodes);
}

}  // namespace

ElementType element_type(Mono scalar) {
  switch (scalar->kind) {
    case MonoType::Kind::integer:
      return ElementType::i32;
    case MonoType::Kind::floating:
      return scalar->single ? ElementType::f32 : ElementType::f64;
    case MonoType::Kind::boolean:
      return ElementType::b8;
    default:
      return ElementType::u8;
  }
}

nested::Type nested_type(Mono given) {
  const Mono type = mono::representation(given);
  nested::Type result;
  if (type->kind == MonoType::Kind::sequence) {
    result.kind = nested::Kind::sequence;
    result.parts = {nested_type(type->a)};
  } else if (type->kind == MonoType::Kind::pair) {
    result.kind = nested::Kind::tuple;
    result.parts = {nested_type(type->a), nested_type(type->b)};
  } else {
    result.element = element_type(type);
  }
  return result;
}

nested::Value to_flat(const Value& value, Mono type) {
  return nested::from_host(to_host({value}, mono::representation(type)), Location());
}

Value to_plain(const nested::Value& value, Mono type) {
  return from_host(nested::to_host(value, "result", Location()), 0, mono::representation(type));
}

Values rows_of(const nested::Value& value, const nested::ContextRef& context, Mono type) {
  const HostData host = nested::rows_to_host(context, value, "rows", Location());
  return rows_from(host, 0, host.rows, mono::representation(type));
}

nested::Value from_rows(const Values& rows, const nested::ContextRef& context, Mono type) {
  return nested::rows_from_host(context, to_host(rows, mono::representation(type)), Location());
}

nested::Value constant_of(const Value& value, Mono scalar) {
  ScalarValue number;
  switch (scalar->kind) {
    case MonoType::Kind::integer:
      number = scalar_value(std::int32_t{value.integer()});
      break;
    case MonoType::Kind::floating:
      number = scalar->single ? scalar_value(static_cast<float>(value.floating()))
                              : scalar_value(value.floating());
      break;
    case MonoType::Kind::boolean:
      number = scalar_value(value.boolean());
      break;
    default:
      number = scalar_value(std::uint8_t{value.character()});
  }
  return nested::constant(number, Location());
}

bool fits(const nested::Value& value, Mono type, std::int64_t& left, Sizes sizes) {
  return fits(value.data, nested::instances(value.context), mono::representation(type), left,
              sizes);
}

std::int64_t numbers_in(const nested::Value& value) { return numbers_in(value.data, 1); }

void force(const nested::Value& value) {
  nested::synchronise();
  std::vector<detail::NodeRef> nodes;
  collect_nodes(value.data, nodes);
  detail::evaluate(nodes);
}

nested::Value head_of(const nested::Value& value, int length) {
  const nested::ContextRef top = nested::top_context();
  if (value.data.kind == nested::Kind::tuple) {
    std::vector<nested::Value> parts;
    for (std::size_t i = 0; i < value.data.parts.size(); ++i)
      parts.push_back(head_of(nested::part(value, static_cast<int>(i)), length));
    return nested::tuple(top, parts);
  }
  if (value.data.kind == nested::Kind::scalar || is_string(value.data)) return value;
  const std::int64_t rows = value.data.sequence->dense()->rows()->count();
  const auto count = static_cast<std::int32_t>(std::min<std::int64_t>(rows, length));
  const auto number = [](std::int32_t n) { return nested::constant(scalar_value(n), Location()); };
  return nested::slice(top, value, number(0), number(count), Location());
}

}  // namespace tutti::nesl::flat
