// A program for one element in executable form: statements over numbered values, each computed
// once, and slots, which are assigned and read repeatedly, under structured control flow. Arrays
// that it reads at computed indices are its tables. Local arrays live as long as the computation of
// one element. Straight-line programs are Functions instead (program/function.hpp).
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/block_pool.hpp"
#include "graph/node.hpp"

namespace tutti::ir {

struct Statement;
using Block = std::vector<Statement>;

struct Statement {
  enum class Kind : uint8_t {
    operation,       // result = op(inputs)
    cast,            // result = inputs[0] as `type`
    gather,          // result = table[inputs...] under a boundary rule; the last input is the fill
    read,            // result = slot
    assign,          // slot = inputs[0]
    clear,           // all elements of a local array become 0
    read_element,    // result = local array[inputs[0]]; 0 outside of it
    assign_element,  // local array[inputs[0]] = inputs[1]; nothing outside of it
    branch,          // blocks[0] if inputs[0] holds, else blocks[1]
    loop,            // blocks[0], then blocks[1], repeatedly
    leave,           // leaves the innermost loop
    next,            // continues with blocks[1] of the innermost loop
    trace,           // prints inputs[0] under a label, when programs are debugged
  };
  Kind kind{};
  Op op{};
  Boundary::Kind boundary{};
  ElementType type{};  // of the result
  int result = -1;
  int place = -1;  // index of the slot, local array, table or label
  SmallVector<int> inputs;
  std::vector<Block> blocks;
};

using StatementKind = Statement::Kind;

struct ScalarProgram {
  struct Table {
    ElementType type;
    int rank;
  };
  struct LocalArray {
    ElementType type;
    int64_t size;
  };

  std::vector<ElementType> values;  // by number; the first are the inputs
  int inputs = 0;
  std::vector<Table> tables;
  std::vector<ElementType> slots;  // 0 at the start
  std::vector<LocalArray> arrays;  // 0 at the start
  std::vector<std::string> labels;
  Block body;
  std::vector<int> outputs;  // slots

  // Derived by finish_program().
  std::string key;  // the whole structure, as text
  int64_t id = 0;   // equal for equal keys, within the process
  bool loops = false;
  int operations = 0;  // statements that compute
  double cost = 0;     // an estimate, in additions; see program.cpp
};
using ProgramRef = std::shared_ptr<const ScalarProgram>;

// Drops statements that no output needs and renumbers the rest: equal programs have equal keys.
ProgramRef finish_program(const ScalarProgram& program);

// Returns the program with these outputs alone.
ProgramRef specialise(const ScalarProgram& program, const std::vector<int>& outputs);

// Returns the program with one more output, true where a loop was left because it had run too
// often. It has three more inputs: 1 and the limit as int64, and true.
ProgramRef limit_iterations(const ScalarProgram& program);

// Returns one output of a program applied to arguments and tables. Arguments broadcast.
NodeRef make_program(const ProgramRef& program, std::span<const NodeRef> inputs, int output,
                     const Location& where);

// Calls f(statement) for all statements, outer ones first.
template <class F>
void for_each_statement(const Block& block, F f) {
  for (const Statement& statement : block) {
    f(statement);
    for (const Block& inner : statement.blocks) for_each_statement(inner, f);
  }
}

}  // namespace tutti::ir
