#include "ir/modes.hpp"

#include <map>
#include <optional>

#include "ir/program.hpp"
#include "ir/substitute.hpp"

namespace tutti::ir {
namespace {

// Of one call of a program: by table and by input what is decided about it.
struct CallModes {
  std::vector<std::optional<Modes::Rule>> rules;
  std::vector<std::optional<bool>> switches;
};

// Rewrites the statements of a program, and the arguments of a call of it.
class ProgramModes {
 public:
  ProgramModes(const ScalarProgram& program, const CallModes& modes,
               std::vector<NodeRef>& arguments)
      : program_(program), modes_(modes), arguments_(arguments) {
    for (size_t v = 0; v < program.values.size(); ++v) stands_for_.push_back(static_cast<int>(v));
  }

  ProgramRef run() {
    program_.body = rewrite(std::move(program_.body));
    return finish_program(std::move(program_));
  }

 private:
  Block rewrite(Block block) {
    Block result;
    for (Statement& s : block) {
      for (int& input : s.inputs) input = stands_for_[static_cast<size_t>(input)];
      for (Block& inner : s.blocks) inner = rewrite(std::move(inner));
      if (s.kind == StatementKind::gather) set_rule(s);
      if (const auto side = decided(s))
        stands_for_[static_cast<size_t>(s.result)] = s.inputs[*side ? 1 : 2];
      else
        result.push_back(std::move(s));
    }
    return result;
  }

  void set_rule(Statement& gather) {
    const auto& rule = modes_.rules[static_cast<size_t>(gather.place)];
    if (!rule) return;
    gather.boundary = rule->boundary;
    const auto fill = static_cast<size_t>(gather.inputs.back());
    if (gather.inputs.back() >= program_.inputs)
      throw InternalError("with_modes: what a gather gives outside is not an argument");
    arguments_[fill] = make_constant(convert(rule->fill, gather.type), {}, arguments_[fill]->where);
  }

  std::optional<bool> decided(const Statement& s) const {
    if (s.kind != StatementKind::operation || s.op != Op::choose || s.inputs[0] >= program_.inputs)
      return std::nullopt;
    return modes_.switches[static_cast<size_t>(s.inputs[0])];
  }

  ScalarProgram program_;
  const CallModes& modes_;
  std::vector<NodeRef>& arguments_;
  std::vector<int> stands_for_;  // by value
};

// The calls of programs in a function, each known by its program and its inputs: the outputs of one
// call stay outputs of one call.
class Calls {
 public:
  explicit Calls(const Modes& modes) : modes_(modes) {}

  NodeRef output(const Node& node, std::span<const NodeRef> inputs) {
    std::vector<const Node*> key;
    for (const NodeRef& input : node.inputs()) key.push_back(input.get());
    const auto [place, fresh] = calls_.try_emplace({node.program.get(), std::move(key)});
    Call& call = place->second;
    if (fresh) call = make(node, inputs);
    return make_program(call.program, call.arguments, static_cast<int>(node.axes), node.where);
  }

 private:
  struct Call {
    ProgramRef program;
    std::vector<NodeRef> arguments;
  };

  Call make(const Node& node, std::span<const NodeRef> inputs) const {
    const auto numbers = static_cast<size_t>(node.program->inputs);
    CallModes call{std::vector<std::optional<Modes::Rule>>(node.program->tables.size()),
                   std::vector<std::optional<bool>>(numbers)};
    bool any = false;
    for (size_t i = 0; i < node.inputs().size(); ++i) {
      const Node* input = node.inputs()[i].get();
      if (const auto found = modes_.switches.find(input);
          i < numbers && found != modes_.switches.end())
        call.switches[i] = found->second, any = true;
      if (const auto found = modes_.rules.find(input); i >= numbers && found != modes_.rules.end())
        call.rules[i - numbers] = found->second, any = true;
    }
    Call result{node.program, {inputs.begin(), inputs.end()}};
    if (any) result.program = ProgramModes(*node.program, call, result.arguments).run();
    return result;
  }

  const Modes& modes_;
  std::map<std::pair<const ScalarProgram*, std::vector<const Node*>>, Call> calls_;
};

}  // namespace

Function with_modes(const Function& function, const Modes& modes) {
  Calls calls(modes);
  Function result{function.parameters, {}};
  result.results = substitute(
      function, function.parameters, [&](const Node& node, std::span<const NodeRef> inputs) {
        if (node.kind == Kind::program) return calls.output(node, inputs);
        const Node* first = node.inputs()[0].get();
        if (node.kind == Kind::elementwise && node.op == Op::choose)
          if (const auto found = modes.switches.find(first); found != modes.switches.end())
            return inputs[found->second ? 1 : 2];
        if (node.kind == Kind::gather)
          if (const auto found = modes.rules.find(first); found != modes.rules.end())
            return make_gather(inputs[0], inputs.subspan(1), found->second.boundary,
                               found->second.fill, node.where);
        return rebuild(node, inputs, node.where);
      });
  return result;
}

}  // namespace tutti::ir
