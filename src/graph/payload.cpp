#include "graph/payload.hpp"

#include "graph/node.hpp"

namespace tutti::ir {
namespace {

uint32_t number_of_value(std::monostate) { return 0; }
uint32_t number_of_value(ReducedAxes axes) { return axes.mask; }
uint32_t number_of_value(IndexAxis index) { return static_cast<uint32_t>(index.axis); }
uint32_t number_of_value(ProgramOutput output) { return static_cast<uint32_t>(output.number); }
template <class Enum>
requires std::is_enum_v<Enum> uint32_t number_of_value(Enum value) {
  return static_cast<uint32_t>(value);
}

template <class Enum>
std::optional<Payload> up_to(Enum last, uint32_t number) {
  if (number > static_cast<uint32_t>(last)) return std::nullopt;
  return Payload(static_cast<Enum>(number));
}

}  // namespace

uint32_t number_of(const Payload& payload) {
  return std::visit([](const auto& value) { return number_of_value(value); }, payload);
}

std::optional<Payload> payload_of(Kind kind, uint32_t number) {
  constexpr uint32_t most_outputs = INT32_MAX;
  switch (kind) {
    case Kind::reduce:
      if (number == 0 || number >> max_rank) return std::nullopt;
      return ReducedAxes{number};
    case Kind::index:
      if (number >= max_rank) return std::nullopt;
      return IndexAxis{static_cast<int>(number)};
    case Kind::program:
      if (number > most_outputs) return std::nullopt;
      return ProgramOutput{static_cast<int>(number)};
    case Kind::scan:
      return up_to(ScanForm::exclusive, number);
    case Kind::sort_permutation:
    case Kind::sort_values:
      return up_to(SortOrder::descending, number);
    case Kind::search_sorted:
      return up_to(SearchSide::right, number);
    case Kind::scatter:
      return up_to(Collision::last, number);
    case Kind::checked_offsets:
      return up_to(OffsetRule::ascend, number);
    case Kind::pack:
      return up_to(PackSize::found, number);
    default:
      if (number != 0) return std::nullopt;
      return Payload();
  }
}

}  // namespace tutti::ir
