// The core language: a program after specialisation. Every expression has a type without
// variables, every call its function, every variable a slot of its function's frame. It is what
// the evaluators walk. Tuples are pairs; a function value is the tuple of what it captured.
#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "nesl/syntax/source.hpp"
#include "nesl/types/mono_type.hpp"
#include "nesl/values/value.hpp"

namespace tutti::nesl {

namespace host {
struct Code;
}
struct Primitive;
class StoredValue;
struct CoreExpr;
struct CoreFunction;
using CoreRef = std::shared_ptr<CoreExpr>;

struct CoreExpr {
  enum class Kind {
    constant,   // value
    global,     // a value of the environment
    variable,   // slots[0]
    let,        // slots[i] = operands[i] in the last operand
    condition,  // if operands[0] then operands[1] else operands[2]
    call,       // function with operands in its slots 0, 1, ...
    each,       // the last operand for slots[i] ranging over operands[i]
    pair,       // operands[0], operands[1]
    first,      // of operands[0]
    rest,       // of operands[0]
    sequence,   // [operands...]
    primitive,  // applied to operands
    once,       // operands[0], inside an apply-to-each but without variables: evaluated once, kept
                // in slots[0] until the apply-to-each is over
    time        // (operands[0], seconds)
  };
  Kind kind;
  Mono type;
  Span span;
  Value value;
  std::shared_ptr<StoredValue> global;
  std::vector<int> slots;
  std::vector<CoreRef> operands;
  CoreFunction* function = nullptr;  // owned by the specialiser
  const Primitive* primitive = nullptr;
  bool serial = false;          // each: one element after the other
  bool effects = false;         // each: the order of what its body does shows
  bool pure = false;            // each: how often it is run, and by what, does not show
  std::vector<int> once_slots;  // each: those of `once` expressions inside
  // Where values are not needed any longer (last_uses.hpp).
  bool last = false;  // variable: it is not used after this
  // condition: slots that are not used any longer if the first, or the other, side is taken. let
  // and each: dead[0] are those of its slots that are not used at all.
  std::vector<int> dead[2];
  std::vector<int> in_both;  // condition: slots that are used for the last time on each side
};

// The names of functions that have none.
constexpr const char* top_level_name = "top level";
constexpr const char* lambda_name = "=>";

// The code of a function for the host (host/code.hpp), once it has been made.
class HostCode {
 public:
  HostCode() = default;
  // The code refers to its function, so that of a copy is made anew.
  HostCode(const HostCode&) {}
  HostCode& operator=(const HostCode&) { return *this; }
  ~HostCode();
  const host::Code* get() const { return code_.load(std::memory_order_acquire); }
  // Keeps the first that is given, and returns it.
  const host::Code& set(std::unique_ptr<host::Code> code) const;

 private:
  mutable std::atomic<const host::Code*> code_{nullptr};
};

struct CoreFunction {
  std::string name;
  SourceRef source;
  bool is_library() const { return source && source->library; }
  Mono parameter = nullptr;  // the type of the argument; null for a form, which has none
  int parameter_slot = 0;    // after that of the captured values, if there are any
  Mono result = nullptr;
  int slots = 0;
  CoreRef body;
  bool serial = false;  // has side effects that must happen in order
  // Itself or in what it calls: whether it prints, and at how many places it draws random numbers,
  // where 2 stands for more. Its order shows if it prints or draws at several places.
  bool prints = false;
  int draws = 0;
  // It computes running sums of floats: they are rounded as each evaluator groups them.
  bool rounds_by_position = false;
  bool effects() const { return prints || draws > 1; }
  HostCode code;  // the last member: it refers to the others
};
using CoreFunctionRef = std::shared_ptr<CoreFunction>;

// As indented text, for `show compiled`.
std::string to_text(const CoreFunction& function);

}  // namespace tutti::nesl
