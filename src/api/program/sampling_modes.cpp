// The modes of the arrays that a program reads, taken when it is applied.
#include "program/sampling_modes.hpp"
#include "api/program/program_data.hpp"

namespace tutti::detail {
namespace {

using Kind = Source::Kind;

ir::Modes::Rule rule_of(const Source& source) {
  const Boundary& boundary = source.array->modes.boundary;
  return {boundary.kind(), boundary.value(source.component)};
}

bool interpolates(const Source& source) {
  return source.array->modes.interpolation == Interpolation::linear;
}

}  // namespace

ir::Function function_now(const ProgramData& program) {
  std::vector<uint64_t> key;
  for (const Source& source : program.sources) {
    if (source.kind == Kind::interpolates) key.push_back(interpolates(source));
    if (source.kind != Kind::array) continue;
    const auto [boundary, fill] = rule_of(source);
    key.insert(key.end(), {static_cast<uint64_t>(boundary), static_cast<uint64_t>(fill.type),
                           boundary == Boundary::Kind::constant ? fill.bits : 0});
  }
  const ir::Function& open = program.function;
  if (key.empty()) return open;
  if (auto known = program.last_modes->find(open.results, key); !known.empty())
    return {open.parameters, std::move(known)};
  ir::Modes modes;
  const size_t inputs = program.input_components();
  for (size_t i = 0; i < program.sources.size(); ++i) {
    const Source& source = program.sources[i];
    const ir::Node* parameter = open.parameters[inputs + i].get();
    if (source.kind == Kind::array) modes.rules.emplace(parameter, rule_of(source));
    if (source.kind == Kind::interpolates) modes.switches[parameter] = interpolates(source);
  }
  ir::Function made = ir::with_modes(open, modes);
  program.last_modes->set(open.results, std::move(key), made.results);
  return made;
}

}  // namespace tutti::detail
