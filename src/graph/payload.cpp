#include "graph/payload.hpp"

#include "graph/node.hpp"

namespace tutti::ir {
namespace {

uint32_t number_of_value(std::monostate) { return 0; }
uint32_t number_of_value(ReducedAxes axes) { return axes.mask; }
uint32_t number_of_value(IndexAxis index) { return static_cast<uint32_t>(index.axis); }
uint32_t number_of_value(ProgramOutput output) { return static_cast<uint32_t>(output.number); }
uint32_t number_of_value(RecurrenceStep step) {
  return static_cast<uint32_t>(step.axis) | static_cast<uint32_t>(step.backward) << 8 |
         static_cast<uint32_t>(step.output) << 9;
}
uint32_t number_of_value(FourierLines lines) {
  return static_cast<uint32_t>(lines.axis) | static_cast<uint32_t>(lines.imaginary) << 8 |
         static_cast<uint32_t>(lines.scaled) << 9;
}
template <class Enum>
requires std::is_enum_v<Enum>
uint32_t number_of_value(Enum value) {
  return static_cast<uint32_t>(value);
}

// Returns the payload of a type from its number.
template <class T>
std::optional<Payload> from_number(uint32_t number) {
  if constexpr (std::is_enum_v<T>) {
    if (number >= payload_words<T>.size()) return std::nullopt;
    return static_cast<T>(number);
  } else if constexpr (std::is_same_v<T, ReducedAxes>) {
    if (number == 0 || number >> max_rank) return std::nullopt;
    return ReducedAxes{number};
  } else if constexpr (std::is_same_v<T, IndexAxis>) {
    if (number >= max_rank) return std::nullopt;
    return IndexAxis{static_cast<int>(number)};
  } else if constexpr (std::is_same_v<T, ProgramOutput>) {
    if (number > INT32_MAX) return std::nullopt;
    return ProgramOutput{static_cast<int>(number)};
  } else if constexpr (std::is_same_v<T, RecurrenceStep>) {
    const RecurrenceStep step{static_cast<int>(number & 0xff), (number >> 8 & 1) != 0,
                              static_cast<int>(number >> 9)};
    if (step.axis >= max_rank) return std::nullopt;
    return step;
  } else if constexpr (std::is_same_v<T, FourierLines>) {
    const FourierLines lines{static_cast<int>(number & 0xff), (number >> 8 & 1) != 0,
                             (number >> 9 & 1) != 0};
    if (lines.axis >= max_rank || number >> 10 != 0) return std::nullopt;
    return lines;
  } else {
    if (number != 0) return std::nullopt;
    return Payload();
  }
}

}  // namespace

uint32_t number_of(const Payload& payload) {
  return std::visit([](const auto& value) { return number_of_value(value); }, payload);
}

std::string lines_text(const FourierLines& lines) {
  return " axis " + std::to_string(lines.axis) + (lines.imaginary ? " imaginary" : " real") +
         (lines.scaled ? " scaled" : "");
}

std::optional<Payload> payload_of(Kind kind, uint32_t number) {
  using none = std::monostate;
  switch (kind) {
#define TUTTI_KIND(id, name, payload, keeps_type) \
  case Kind::id:                                  \
    return from_number<payload>(number);
#define TUTTI_PRIMITIVE(id, name, payload, keeps_type, reduces, computed, offsets) \
  case Kind::id:                                                                   \
    return from_number<payload>(number);
#include "tutti/detail/kinds.def"
  }
  return std::nullopt;
}

const char* payload_word(const Payload& payload) {
  return std::visit(
      []<class T>(const T& value) {
        if constexpr (std::is_enum_v<T>)
          return payload_words<T>[static_cast<size_t>(value)];
        else
          return "";
      },
      payload);
}

}  // namespace tutti::ir
