// A captured program that reports its own faults. Its only output is the number of the first
// statement that overflowed or indexed outside of an array, or 0. Branches that are not taken
// report nothing, nor do values that a conditional does not choose.
#pragma once
#include "program/program.hpp"

namespace tutti::ir {

// Returns the output for the arguments of a node of Kind::program, as int32. Returns null if no
// statement can have one of these faults (core/settings/checks.hpp). Statements are numbered from 1
// in the order of for_each_statement().
NodeRef make_fault_output(const Node& node, int faults);

}  // namespace tutti::ir
