#include "compiler/graph_passes/repeated_code.hpp"

#include <algorithm>
#include <limits>
#include <ranges>

namespace tutti::compiler {

using ir::Kind;

RepeatedCode::Contents RepeatedCode::contents_of(int root) const {
  Contents result;
  std::vector<int> stack(nodes_[root].inputs);
  while (!stack.empty()) {
    const int i = stack.back();
    stack.pop_back();
    const Kind kind = nodes_[i].kind;
    if (in_memory_[i])
      result.loaded.push_back(i);
    else if (kind != Kind::leaf && kind != Kind::constant && kind != Kind::index &&
             result.computed.insert(i).second)
      stack.insert(stack.end(), nodes_[i].inputs.begin(), nodes_[i].inputs.end());
  }
  return result;
}

bool RepeatedCode::is_long(int i) const {
  return operations_[i] > most_operations_ && !own_rules_[i] && nodes_[i].kind != Kind::affine &&
         ir::computes_elements(nodes_[i].kind);
}

// Returns the materialised nodes that are computed before a kernel: those that it loads, and the
// inputs of primitives among them. Nodes before `first` are left out, and the walk ends there:
// without that it would be quadratic in the length of a chain of primitives.
std::set<int> RepeatedCode::available_to(const Contents& contents, int first) const {
  std::set<int> available;
  std::vector<int> stack = contents.loaded;
  while (!stack.empty()) {
    const int i = stack.back();
    stack.pop_back();
    if (i < first || !available.insert(i).second || ir::computes_elements(nodes_[i].kind)) continue;
    for (int input : nodes_[i].inputs)
      if (in_memory_[input]) stack.push_back(input);
  }
  return available;
}

int RepeatedCode::find_in_kernel_of(int root) {
  const Contents contents = contents_of(root);
  int first = std::numeric_limits<int>::max();  // kernel that has computed some of the long code
  for (int i : contents.computed)
    if (!computed_by_[i].empty() && is_long(i)) first = std::min(first, *computed_by_[i].begin());
  if (first < std::numeric_limits<int>::max()) {
    const std::set<int> available = available_to(contents, first);
    for (const int i : std::views::reverse(contents.computed))
      if (is_long(i) && std::ranges::any_of(computed_by_[i],
                                            [&](int other) { return available.contains(other); }))
        return i;
  }
  for (int i : contents.computed) computed_by_[i].insert(root);
  return -1;
}

}  // namespace tutti::compiler
