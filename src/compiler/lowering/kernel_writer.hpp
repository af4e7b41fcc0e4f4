// Writes the body of a kernel: appends instructions, loads and sources and returns their numbers.
// Scalars, coordinates as values and boundary tests are written once. In: a kernel whose
// coordinates are built by Coordinates.
#pragma once
#include <initializer_list>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/lowering/coordinates.hpp"

namespace tutti::compiler {

using Indices = std::vector<int>;  // the coordinate of each axis of a node

class KernelWriter {
 public:
  KernelWriter(Kernel& kernel, const Coordinates& coordinates)
      : kernel_(kernel), coordinates_(coordinates) {}

  // Appends equal operations once. A node is lowered once for each set of coordinates, and much of
  // it does not depend on all of them. (The compiler of a GPU merges them later.)
  bool merges = false;

  int add(const Instruction& instruction);
  int op(Op op, ElementType type, std::initializer_list<int> inputs);
  int cast(ElementType type, int input);
  int scalar(ElementType type, int slot);  // a scalar argument
  // A coordinate as a value of type int32 or int64.
  int index_value(int index, ElementType type);
  // Whether a coordinate is in [0, extent).
  int is_in(int index, int64_t extent);
  // The conjunction of two flags; a negative number stands for no flag.
  int both(int a, int b);
  int load(Source source, const Extents& shape, const Indices& at);
  int output_of_call(int call, int output);
  // The state of a recurrence one step before; `initial` at its first step.
  int previous(int state, ElementType type, int initial);
  int source_number(const Source& source);

 private:
  Kernel& kernel_;
  const Coordinates& coordinates_;
  std::map<int, int> scalars_;                               // by slot
  std::map<std::pair<int, ElementType>, int> index_values_;  // by coordinate
  std::map<std::pair<int, int64_t>, int> is_in_;             // by coordinate and extent
  std::map<std::tuple<Instruction::Kind, ElementType, Op, int, int, int>, int> operations_;
};

}  // namespace tutti::compiler
