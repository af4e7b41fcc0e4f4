// The front end's representation of a program: a function whose parameters are the components of
// its inputs, then its reads from outside. Binding, composing and bundling rewrite it.
#pragma once
#include <mutex>
#include <optional>

#include "core/process/fork.hpp"
#include "program/function.hpp"
#include "tutti/detail/array_link.hpp"
#include "tutti/detail/capture.hpp"

namespace tutti::detail {

// A variable of a program being captured, or the cell that a variable shares with programs.
class ValueState {
 public:
  int64_t capture = 0;  // the capture that it belongs to; 0: a cell
  int first_slot = 0;
  Location where;
  std::vector<ScalarValue> numbers;  // of a cell
};

// One input or output: a tuple.
struct Port {
  std::vector<ElementType> types;
  Location where;
};
std::string describe(const Port& port);  // "3 x float"

// The source of a parameter that is not an input: its argument when the program runs.
struct Source {
  enum class Kind : uint8_t {
    bound,         // this node, bound to an input earlier
    value,         // a component of a variable
    elements,      // a component of an array variable, bound to an input: element by element
    array,         // the same, read at computed indices
    extent,        // of an array variable
    interpolates,  // whether an array variable interpolates between its elements
  };
  Kind kind{};
  NodeRef node;                      // bound
  std::optional<Boundary> boundary;  // bound: the rule by which it repeats
  std::shared_ptr<ValueState> value;
  ArrayCell array;
  int component = 0;  // extent: the axis
};

// The results of a program with the modes that its arrays had when it was last applied. Programs
// that differ only in their bound arguments share it.
class LastModes {
 public:
  using Nodes = std::vector<NodeRef>;

  // Returns the results with modes for a function and a key, or nothing if others were set last.
  Nodes find(const Nodes& results, const std::vector<uint64_t>& key) const {
    const auto lock = lock_renewable(mutex_, last_);
    return key == last_.key && results == last_.of ? last_.with_modes : Nodes();
  }
  void set(const Nodes& results, std::vector<uint64_t> key, const Nodes& with_modes) {
    const auto lock = lock_renewable(mutex_, last_);
    last_ = {std::move(key), results, with_modes};
  }

 private:
  struct Entry {
    std::vector<uint64_t> key;
    Nodes of, with_modes;
  };
  mutable ForkMutex mutex_;
  mutable Entry last_;
};

struct ProgramData {
  std::vector<Port> inputs, outputs;
  ir::Function function;  // parameters: components of inputs, then one for each source
  std::vector<Source> sources;
  Location where;
  std::shared_ptr<LastModes> last_modes = std::make_shared<LastModes>();

  size_t input_components() const { return function.parameters.size() - sources.size(); }
};

// Returns the program of a handle. Throws if there is none.
const ProgramData& data_of(const std::shared_ptr<const ProgramData>& program);
// Throws an error that names the program and the line of its use.
[[noreturn]] void refuse(const ProgramData& program, const std::string& why, const Location& where);
std::string list(const std::vector<Port>& ports);  // "float, 3 x float"
size_t components_of(std::span<const Port> ports);

// Returns the function of a program, with the current modes of its arrays.
ir::Function function_now(const ProgramData& program);

// Returns a program as a function of its inputs alone, with the current values from outside.
ir::Function function_of(const std::shared_ptr<const ProgramData>& program);

}  // namespace tutti::detail
