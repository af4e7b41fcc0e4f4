// Verifies programs: every value is computed once, before it is used and where it is visible. Every
// statement has the inputs, the type and the blocks that its kind requires.
#include <array>

#include "graph/type_rules.hpp"
#include "graph/verify.hpp"
#include "program/limits.hpp"
#include "program/program.hpp"

namespace tutti::ir {
namespace {

// Local arrays of all lanes are on the stack of the thread that runs a kernel.
constexpr int64_t most_local_bytes = 128 << 10;

void require(bool holds, const char* rule) {
  if (!holds) throw Error(rule);
}

class ProgramVerifier {
 public:
  explicit ProgramVerifier(const ScalarProgram& program)
      : program_(program), known_(program.values.size(), false), made_(known_) {}

  void run() {
    require(program_.inputs >= 0 && static_cast<size_t>(program_.inputs) <= known_.size(),
            "a program has more inputs than values");
    for (size_t i = 0; i < static_cast<size_t>(program_.inputs); ++i) known_[i] = made_[i] = true;
    for (const ScalarProgram::Table& table : program_.tables)
      require(table.rank >= 1 && table.rank <= max_rank, "an array that a program reads has axes");
    int64_t local_bytes = 0;
    for (const ScalarProgram::LocalArray& array : program_.arrays) {
      require(array.size >= 1 && array.size <= largest_local_array, "a local array is too large");
      local_bytes += array.size * size_of(array.type);
      require(local_bytes <= most_local_bytes, "local arrays are too large");
    }
    for (int output : program_.outputs)
      require(is_place(output, program_.slots.size()), "an output is a slot");
    block(program_.body, Inside{});
  }

 private:
  // The constructs around a statement on which jumps depend.
  struct Inside {
    bool loop = false, step = false;  // step: blocks[1] of the innermost loop
  };

  static bool is_place(int place, size_t count) {
    return place >= 0 && static_cast<size_t>(place) < count;
  }

  // Values of a block are not visible after it.
  void block(const Block& statements, const Inside& inside) {
    std::vector<size_t> made_here;
    for (const Statement& s : statements) {
      statement(s, inside);
      if (s.result < 0) continue;
      known_[static_cast<size_t>(s.result)] = true;
      made_here.push_back(static_cast<size_t>(s.result));
    }
    for (size_t value : made_here) known_[value] = false;
  }

  ElementType type(const Statement& s, size_t i) const {
    return program_.values[static_cast<size_t>(s.inputs[i])];
  }

  void statement(const Statement& s, const Inside& inside) {
    for (int input : s.inputs)
      require(is_place(input, known_.size()) && known_[static_cast<size_t>(input)],
              "a statement uses a value that is not there");
    shape(s, inside);
    require((s.result >= 0) == gives_value(s.kind), "a statement and its result");
    if (s.result < 0) return;
    require(is_place(s.result, made_.size()) && !made_[static_cast<size_t>(s.result)],
            "a value is computed once");
    require(program_.values[static_cast<size_t>(s.result)] == s.type, "a value has one type");
    made_[static_cast<size_t>(s.result)] = true;
  }

  static bool gives_value(StatementKind kind) {
    return kind == StatementKind::operation || kind == StatementKind::cast ||
           kind == StatementKind::gather || kind == StatementKind::read ||
           kind == StatementKind::read_element;
  }

  static void count(const Statement& s, size_t inputs, size_t blocks = 0) {
    require(s.inputs.size() == inputs && s.blocks.size() == blocks,
            "a statement with the wrong number of inputs");
  }

  void shape(const Statement& s, const Inside& inside) {
    switch (s.kind) {
      case StatementKind::operation:
        return operation(s);
      case StatementKind::cast:
        return count(s, 1);
      case StatementKind::gather:
        return gather(s);
      case StatementKind::read:
        count(s, 0);
        return require(slot(s) == s.type, "a slot has one type");
      case StatementKind::assign:
        count(s, 1);
        return require(slot(s) == type(s, 0), "a slot has one type");
      case StatementKind::clear:
        count(s, 0);
        array(s);
        return;
      case StatementKind::read_element:
        count(s, 1);
        return require(type(s, 0) == ElementType::i32 && array(s) == s.type,
                       "an element of a local array");
      case StatementKind::assign_element:
        count(s, 2);
        return require(type(s, 0) == ElementType::i32 && array(s) == type(s, 1),
                       "an element of a local array");
      case StatementKind::branch:
        count(s, 1, 2);
        require(type(s, 0) == ElementType::b8, "a condition is bool");
        for (const Block& side : s.blocks) block(side, inside);
        return;
      case StatementKind::loop:
        count(s, 0, 2);
        block(s.blocks[0], {true, false});
        return block(s.blocks[1], {true, true});
      case StatementKind::leave:
        count(s, 0);
        return require(inside.loop, "a jump out of a loop is in one");
      case StatementKind::next:
        count(s, 0);
        return require(inside.loop && !inside.step, "a jump to the end of a loop is in its body");
      case StatementKind::trace:
        count(s, 1);
        return require(is_place(s.place, program_.labels.size()), "a trace has a label");
    }
    throw Error("a statement of an unknown kind");
  }

  void operation(const Statement& s) const {
    count(s, static_cast<size_t>(op_arity(s.op)));
    std::array<ElementType, 3> types{};
    for (size_t i = 0; i < s.inputs.size(); ++i) types[i] = type(s, i);
    require(result_type(s.op, std::span(types.data(), s.inputs.size()), Location()) == s.type,
            "an operation gives another type");
  }

  void gather(const Statement& s) const {
    require(is_place(s.place, program_.tables.size()), "a gather reads an array of the program");
    const ScalarProgram::Table& table = program_.tables[static_cast<size_t>(s.place)];
    count(s, static_cast<size_t>(table.rank) + 1);
    for (size_t i = 0; i + 1 < s.inputs.size(); ++i)
      require(type(s, i) == ElementType::i32, "indices are int32");
    require(table.type == s.type && type(s, s.inputs.size() - 1) == s.type,
            "a gather gives elements of its array");
  }

  ElementType slot(const Statement& s) const {
    require(is_place(s.place, program_.slots.size()), "a slot that is there");
    return program_.slots[static_cast<size_t>(s.place)];
  }
  ElementType array(const Statement& s) const {
    require(is_place(s.place, program_.arrays.size()), "a local array that is there");
    return program_.arrays[static_cast<size_t>(s.place)].type;
  }

  const ScalarProgram& program_;
  std::vector<bool> known_, made_;  // by value: visible here; computed anywhere
};

}  // namespace

void verify(const ScalarProgram& program) { ProgramVerifier(program).run(); }

}  // namespace tutti::ir
