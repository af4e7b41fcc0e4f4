// The base of the verifiers of nodes: the inputs of a node, and rules that many kinds share. A
// broken rule throws Error with its text.
#pragma once
#include "graph/node.hpp"
#include "tutti/error.hpp"

namespace tutti::ir {

class NodeRules {
 public:
  explicit NodeRules(const Node& node) : node_(node), inputs_(node.inputs()) {}

 protected:
  static void require(bool holds, const char* rule) {
    if (!holds) throw Error(rule);
  }
  ElementType type(size_t i) const { return inputs_[i]->type; }
  const Extents& shape(size_t i) const { return inputs_[i]->shape; }
  void count(size_t wanted) const {
    require(inputs_.size() == wanted, "the number of inputs is wrong");
  }
  void reduction() const {
    const Reduction canonical =
        checked_reduction(node_.reduction, node_.type, reduction_name(node_.reduction), Location());
    require(canonical == node_.reduction && !sums_in_float(node_.reduction, node_.type),
            "a reduction has another name, or another type");
  }

  const Node& node_;
  const std::span<const NodeRef> inputs_;
};

}  // namespace tutti::ir
