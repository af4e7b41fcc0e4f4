// A program as it was captured: statements whose operands are nodes of rank 0. A parameter node is
// an input of the program, a value from outside of it, or the result of a read statement.
#pragma once
#include <string>
#include <unordered_set>

#include "program/program.hpp"

namespace tutti::ir {

struct RecordedStatement;
using RecordedBlock = std::vector<RecordedStatement>;

struct RecordedStatement {
  Statement::Kind kind{};  // read, assign, clear, read_element, assign_element, branch, loop, ...
  int place = -1;          // slot, local array, label
  NodeRef node;            // assigned or tested value; for a read: the parameter of its result
  NodeRef index;           // into a local array
  std::vector<RecordedBlock> blocks;
  Location where;
};

struct Recording {
  RecordedBlock body;
  std::vector<ElementType> slots;
  std::vector<ScalarProgram::LocalArray> arrays;
  std::vector<std::string> labels;
  std::unordered_set<const Node*> inputs;  // parameters that vary by element
};

// Returns the final values of these slots as nodes: outputs of one program. Computations that
// depend only on outside values stay outside: they are arguments of the program, computed once.
std::vector<NodeRef> make_outputs(const Recording& recording, const std::vector<int>& slots,
                                  const Location& where);

}  // namespace tutti::ir
