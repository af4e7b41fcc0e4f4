// A straight-line scalar function: parameters are rank-0 nodes of Kind::parameter, results are
// nodes over them (element-wise operations, casts, constants, gathers from arrays). Parameters of a
// higher rank represent arrays that the body gathers from.
// Applying a function to arrays substitutes the arguments for the parameters. The result is
// ordinary nodes, which fuse with everything around them.
//
// An operator of a reduction or a scan over tuples of N components has 2N parameters, the left
// tuple first, and N results.
#pragma once
#include <vector>

#include "graph/node.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::ir {

struct Function {
  std::vector<NodeRef> parameters;
  std::vector<NodeRef> results;
};

TUTTI_EXPORT NodeRef make_parameter(ElementType type, int rank, const Location& where);

// Returns the results for these arguments, one for each parameter and of its type. Arguments may
// have any shapes that broadcast; an argument for a parameter of rank > 0 has that rank. Nodes that
// depend on no parameter are shared, not copied.
TUTTI_EXPORT std::vector<NodeRef> inline_function(const Function& function,
                                                  std::span<const NodeRef> arguments,
                                                  const Location& where);

// Throws unless a function is an operator on tuples of these components, for reduce and scan.
// `operation` is the public function's name.
TUTTI_EXPORT void require_operator(const Function& function,
                                   std::span<const ElementType> components, const char* operation,
                                   const Location& where);

// Returns the reductions of an operator that combines each component of two tuples by a named
// reduction (x + y, max(x, y), ...), one for each component. Otherwise returns nothing.
std::vector<Reduction> known_reductions(const Function& combiner);

// Returns the number of operations in the body, each counted once.
int count_operations(const Function& function);

bool has_loops(const Function& function);
// Returns the function with one more result: whether a loop was left after `limit` iterations.
Function with_loop_limit(const Function& function, int64_t limit);

// The reference interpreter for scalar functions. The constructor reads the arrays that the body
// gathers from. Requires graph_mutex().
class TUTTI_EXPORT FunctionInterpreter {
 public:
  explicit FunctionInterpreter(const Function& function);
  std::vector<ScalarValue> operator()(std::span<const ScalarValue> arguments);

 private:
  struct Step {
    const Node* node;
    std::vector<int> inputs;                       // positions of earlier steps
    std::vector<std::vector<std::byte>> tables{};  // elements of the arrays that it reads
  };
  ScalarValue run_program(const Step& step, std::span<const ScalarValue> operands) const;
  ScalarValue gather(const Step& step) const;

  Function function_;        // owns the nodes of the steps
  std::vector<Step> steps_;  // the parameters first
  std::vector<ScalarValue> values_;
  std::vector<int> results_;
  size_t parameters_ = 0;
};

}  // namespace tutti::ir
