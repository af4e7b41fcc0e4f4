// The data of a node besides its kind, type, shape and inputs: one typed value that depends on the
// kind. Kinds that are not listed have none.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "tutti/detail/graph.hpp"

namespace tutti::ir {

enum class Kind : uint8_t;

// reduce: the axes that are folded away, a bit for each.
struct ReducedAxes {
  uint32_t mask = 0;
  bool has(int axis) const { return mask >> axis & 1; }
  bool operator==(const ReducedAxes&) const = default;
};
// index: the axis whose coordinates are the elements.
struct IndexAxis {
  int axis = 0;
  bool operator==(const IndexAxis&) const = default;
};
// program: the index of the output.
struct ProgramOutput {
  int number = 0;
  bool operator==(const ProgramOutput&) const = default;
};
// recurrence: its axis, whether it starts at the end of the axis, and the index of the output.
struct RecurrenceStep {
  int axis = 0;
  bool backward = false;
  int output = 0;
  bool operator==(const RecurrenceStep&) const = default;
};
// fourier_lines: the axis of the lines, whether the result is the imaginary part, and whether it is
// divided by the length.
struct FourierLines {
  int axis = 0;
  bool imaginary = false;
  bool scaled = false;
  bool operator==(const FourierLines&) const = default;
};
// The names of an enum payload's values in printed graphs; "" is not printed.
template <class Enum>
inline constexpr auto payload_words = nullptr;

// scan
enum class ScanForm : uint32_t { inclusive, exclusive };
template <>
inline constexpr auto payload_words<ScanForm> = std::to_array({"", "exclusive"});
// sort_permutation, sort_values
enum class SortOrder : uint32_t { ascending, descending };
template <>
inline constexpr auto payload_words<SortOrder> = std::to_array({"", "descending"});
// search_sorted: before or after the elements that equal a query.
enum class SearchSide : uint32_t { left, right };
template <>
inline constexpr auto payload_words<SearchSide> = std::to_array({"left", "right"});
// scatter has a Collision.
template <>
inline constexpr auto payload_words<Collision> =
    std::to_array({"any", "sum", "min", "max", "first", "last"});
// checked_offsets: the offsets divide the elements of the second input, or only ascend from 0.
enum class OffsetRule : uint32_t { divide_elements, ascend };
template <>
inline constexpr auto payload_words<OffsetRule> = std::to_array({"", ""});
// pack: the number of elements is known from the shape, or found and stored in the buffer. Then the
// shape has room for all elements, and those after the found ones are unspecified.
enum class PackSize : uint32_t { known, found };
template <>
inline constexpr auto payload_words<PackSize> = std::to_array({"", ""});

using Payload =
    std::variant<std::monostate, ReducedAxes, IndexAxis, ProgramOutput, ScanForm, SortOrder,
                 SearchSide, Collision, OffsetRule, PackSize, RecurrenceStep, FourierLines>;

// Returns the name of an enum payload's value, else "".
const char* payload_word(const Payload& payload);
// Returns the axis and the part of a transform, with a blank before them.
std::string lines_text(const FourierLines& lines);
// Returns the value as a number. For payloads of one kind, equal numbers mean equal values.
uint32_t number_of(const Payload& payload);
// Returns the payload of a kind from its number, or nothing if the kind has no such value.
std::optional<Payload> payload_of(Kind kind, uint32_t number);

}  // namespace tutti::ir
