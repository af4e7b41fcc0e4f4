// A program as the front end holds it: a function whose parameters are the components of its
// inputs, then what it reads from outside. Binding, composing and bundling programs rewrite this.
#pragma once
#include <mutex>
#include <optional>

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

// Where a parameter that is no input gets its argument from, when the program runs.
struct Source {
  enum class Kind : uint8_t {
    bound,         // this node, bound to an input earlier
    value,         // a component of a variable
    elements,      // a component of an array variable, bound to an input: element by element
    array,         // the same, read at computed indices
    extent,        // of an array variable
    interpolates,  // whether an array variable gives what lies between its elements
  };
  Kind kind{};
  NodeRef node;                      // bound
  std::optional<Boundary> boundary;  // bound: how it repeats
  std::shared_ptr<ValueState> value;
  ArrayCell array;
  int component = 0;  // extent: the axis
};

// What a program gives with the modes that its arrays had when it was last applied. Programs that
// differ in what is bound to them share it.
class LastModes {
 public:
  using Nodes = std::vector<NodeRef>;

  // For a function with these results, and modes with this key; nothing where others came last.
  Nodes find(const Nodes& results, const std::vector<uint64_t>& key) const {
    std::lock_guard lock(mutex_);
    return key == key_ && results == of_ ? with_modes_ : Nodes();
  }
  void set(const Nodes& results, std::vector<uint64_t> key, const Nodes& with_modes) {
    std::lock_guard lock(mutex_);
    of_ = results;
    key_ = std::move(key);
    with_modes_ = with_modes;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<uint64_t> key_;
  Nodes of_, with_modes_;
};

struct ProgramData {
  std::vector<Port> inputs, outputs;
  ir::Function function;  // parameters: components of inputs, then one for each source
  std::vector<Source> sources;
  Location where;
  std::shared_ptr<LastModes> last_modes = std::make_shared<LastModes>();

  size_t input_components() const { return function.parameters.size() - sources.size(); }
};

// The program behind a handle; throws where there is none.
const ProgramData& data_of(const std::shared_ptr<const ProgramData>& program);
// Throws an error that names the program and where it was used.
[[noreturn]] void refuse(const ProgramData& program, const std::string& why, const Location& where);
std::string list(const std::vector<Port>& ports);  // "float, 3 x float"
size_t components_of(std::span<const Port> ports);

// The function of a program, with the modes that its arrays have now.
ir::Function function_now(const ProgramData& program);

// A program as a function of its inputs alone: what it reads from outside is as it is now.
ir::Function function_of(const std::shared_ptr<const ProgramData>& program);

}  // namespace tutti::detail
