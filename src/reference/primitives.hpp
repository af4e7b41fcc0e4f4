// The vector primitives in the reference interpreter: plain loops over whole inputs.
#pragma once
#include "reference/interpreter.hpp"

namespace tutti::ir {

void interpret_primitive(const Node& node, std::span<const View> inputs, Bytes& out);

}  // namespace tutti::ir
