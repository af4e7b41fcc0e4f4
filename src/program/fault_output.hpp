// A captured program that reports its own faults: the program with one output instead of its own,
// the number of the first statement that overflowed or indexed outside of an array; 0: none.
// Branches that are not taken report nothing, nor do values that a conditional does not choose.
#pragma once
#include "program/program.hpp"

namespace tutti::ir {

// The output for the arguments of a node of Kind::program, as int32; null if no statement can have
// one of these faults (core/checks.hpp). Statements are numbered from 1, as for_each_statement()
// visits them.
NodeRef make_fault_output(const Node& node, int faults);

}  // namespace tutti::ir
