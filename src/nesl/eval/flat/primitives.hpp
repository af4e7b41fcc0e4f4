// The primitives on values of contexts. What is not in the table is done on the host, instance by
// instance, by the plain implementation.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "nesl/eval/machine.hpp"
#include "nesl/types/mono_type.hpp"
#include "tutti/detail/nested.hpp"

namespace tutti::nesl {
struct Primitive;
}

namespace tutti::nesl::flat {

// Takes what primitives require, where it is not the contexts that check it.
class Checks {
 public:
  virtual void require_not(const nested::Value& wrong, const char* message) = 0;

 protected:
  ~Checks() = default;
};

struct Call {
  const Primitive& primitive;
  const nested::ContextRef& at;
  std::span<const nested::Value> operands;
  std::span<const Mono> types;
  Mono result;
  Machine& machine;
  Checks* instead = nullptr;

  const nested::Value& operator[](int i) const { return operands[static_cast<std::size_t>(i)]; }
};

using Function = nested::Value (*)(const Call&);
using Table = std::unordered_map<std::string, Function>;

void add_scalar_functions(Table& table);
void add_sequence_functions(Table& table);
void add_fold_functions(Table& table);

nested::Value random_numbers(const Call& call);
nested::Value name(const Call& call);
// The position of the first of equal rows for each row of several columns: sequences of
// scalars.
nested::Value name_of_columns(const Call& call, const std::vector<nested::Value>& columns);
nested::Value hash(const Call& call);
bool can_hash(Mono type);  // else the host does it
// name for elements that can be hashed; nothing where hashes could not distinguish them.
std::optional<nested::Value> name_by_hash(const Call& call);

// Null where the host does it.
Function find(const Primitive& primitive, Mono first_operand);
nested::Value on_the_host(const Call& call);

// ---- what the tables are made of
nested::Value apply(const Call& call, Op op, std::initializer_list<nested::Value> operands);
nested::Value integer(int value);
nested::Value floating(double value);  // of the precision chosen
// An error, worded by the message alone, in the instances where `wrong` holds, when checks are on.
void require_not(const Call& call, const nested::Value& wrong, const char* message);

}  // namespace tutti::nesl::flat
