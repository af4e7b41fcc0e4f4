// A straight-line function of numbers: parameters are rank-0 nodes of Kind::parameter, results are
// nodes over them (element-wise operations, casts, constants, gathers from arrays). Parameters of
// a higher rank stand for arrays that the body gathers from.
// Applying a function to arrays substitutes the arguments for the parameters: what comes out
// are ordinary nodes, which fuse with everything around them.
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

// The results for these arguments, one for each parameter and of its type. Arguments may have any
// shapes that broadcast; an argument for a parameter of rank > 0 has that rank. What depends on no
// parameter is shared, not copied.
TUTTI_EXPORT std::vector<NodeRef> inline_function(const Function& function,
                                                  std::span<const NodeRef> arguments,
                                                  const Location& where);

// Whether a function is an operator on tuples of these components: for reduce and scan. Throws
// otherwise; `operation` is the user's word for who asks.
TUTTI_EXPORT void require_operator(const Function& function,
                                   std::span<const ElementType> components, const char* operation,
                                   const Location& where);

// For an operator that combines each component of two tuples by a reduction with a name (x + y,
// max(x, y), ...): these reductions, one for each component. Otherwise nothing.
std::vector<Reduction> known_reductions(const Function& combiner);

// Operations in the body, each counted once.
int count_operations(const Function& function);

bool has_loops(const Function& function);
// The function with one more result: whether some loop was left because it had run `limit` times.
Function with_loop_limit(const Function& function, int64_t limit);

// The reference interpreter for functions of numbers. Reads arrays that the body gathers from when
// it is made; call with graph_mutex() held.
class TUTTI_EXPORT FunctionInterpreter {
 public:
  explicit FunctionInterpreter(const Function& function);
  std::vector<ScalarValue> operator()(std::span<const ScalarValue> arguments);

 private:
  struct Step {
    const Node* node;
    std::vector<int> inputs;                       // positions of earlier steps
    std::vector<std::vector<std::byte>> tables{};  // elements of arrays that it reads from
  };
  ScalarValue run_program(const Step& step, std::span<const ScalarValue> operands) const;
  ScalarValue gather(const Step& step) const;

  Function function_;        // whose nodes the steps refer to
  std::vector<Step> steps_;  // the parameters first
  std::vector<ScalarValue> values_;
  std::vector<int> results_;
  size_t parameters_ = 0;
};

}  // namespace tutti::ir
