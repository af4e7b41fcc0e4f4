// The type-erased interface of nested data parallelism: contexts, values that belong to them, and
// operations on such values. The templates of seq.hpp and the evaluator of NESL call it.
//
// A context is a set of instances of one piece of program, which run together. A value belongs to a
// context and has one row for each of its instances: a number, a tuple, or a sequence of any type.
// Every operation is given the context `at` that it is written in. It runs in the outermost context
// in which all of its operands are known, and its operands are lifted to that context. So values
// that do not depend on an instance are computed once. Only sizes and flags that the host must know
// are evaluated. They are read together, and errors found so far are thrown then.
//
// Values of one program belong to one thread.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tutti/detail/export.hpp"
#include "tutti/detail/graph.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti::nested {

using detail::Location;
using detail::NodeRef;

class Context;
class Segments;
class Sequence;
using ContextRef = std::shared_ptr<const Context>;
using SegmentsRef = std::shared_ptr<const Segments>;
using SequenceRef = std::shared_ptr<const Sequence>;

enum class Kind : uint8_t { scalar, tuple, sequence };

struct Type {
  Kind kind = Kind::scalar;
  ElementType element = ElementType::i32;  // scalar
  std::vector<Type> parts;                 // tuple: its parts; sequence: its element
  bool operator==(const Type&) const = default;
};

// Rows of one type. The owner knows their number.
struct Data {
  Kind kind = Kind::scalar;
  NodeRef node;             // scalar: one number for each row, or of rank 0: one for all rows
  std::vector<Data> parts;  // tuple
  SequenceRef sequence;     // sequence: the segment of each row, and the elements
};

struct Value {
  Data data;
  ContextRef context;
};

// Rows of one type on the host.
struct HostData {
  Type type;
  int64_t rows = 0;
  std::vector<std::byte> numbers;  // scalar: of all rows; bool is one byte
  std::vector<int32_t> offsets;    // sequence: the begin of each row's elements, and the end
  std::vector<HostData> parts;     // tuple: its parts; sequence: its elements
};

// ---- contexts

ContextRef top_context();     // one instance: the program outside of any each()
const ContextRef& current();  // the context of this thread, for front ends that pass none
int64_t instances(const ContextRef& context);

// Makes a context the current one during its lifetime.
class ScopedContext {
 public:
  explicit ScopedContext(ContextRef context);
  ~ScopedContext();
  ScopedContext(const ScopedContext&) = delete;
  ScopedContext& operator=(const ScopedContext&) = delete;

 private:
  ContextRef before_;
};

// ---- sources, results and facts

Value from_host(HostData data, const Location& where);  // one row, in the top context
Value constant(ScalarValue value, const Location& where);
Value from_node(NodeRef node);  // of rank 0: a scalar; of rank 1: a sequence
Value zero(const Type& type);   // 0, false, the empty sequence, in every part
Type type_of(const Data& data);
// Evaluates a value in the only instance of the top context.
HostData to_host(const Value& value, const char* operation, const Location& where);
NodeRef to_node(const Value& value, const char* operation, const Location& where);
// Return the rows of a value in all instances of a context, and a value made of such rows.
HostData rows_to_host(const ContextRef& at, const Value& value, const char* operation,
                      const Location& where);
Value rows_from_host(const ContextRef& at, HostData rows, const Location& where);
// Evaluates all sizes and flags that the host has requested so far, and throws errors found so far.
void synchronise();
// A position in a program of an evaluator. Checks made after set_origin() hold it, and their errors
// return it. Contexts do not interpret it.
struct Origin {
  const void* parts[3] = {};
};
void set_origin(const Origin& origin);
// An error in an instance of an operation. Operation and problem are part of the message, which
// also names the instance and the source line.
class InstanceError : public ShapeError {
 public:
  InstanceError(std::string operation, std::string problem, const std::string& place,
                const Origin& origin)
      : ShapeError(operation + ": " + problem + place),
        operation(std::move(operation)),
        problem(std::move(problem)),
        origin(origin) {}
  std::string operation, problem;
  Origin origin;
};
// Reports an error at the next synchronisation if a flag is true in any instance.
void require_not(const ContextRef& at, const Value& wrong, const char* operation,
                 const std::string& message, const Location& where);
// Does the same; `describe` makes the text from the values of `facts` in the instance.
void require_not(const ContextRef& at, const Value& wrong, std::span<const Value> facts,
                 const char* operation,
                 std::function<std::string(std::span<const int64_t>)> describe,
                 const Location& where);
// Drops pending evaluations and checks, because the program has been abandoned.
void abandon();
// Work that may be abandoned. Its pending evaluations and checks are dropped with it, unless keep()
// is called. Those from before the attempt stay.
class Attempt {
 public:
  Attempt();
  ~Attempt();
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;
  void keep();

 private:
  struct Before;
  std::unique_ptr<Before> before_;
};

// ---- apply to each

// The elements of sequences of one length; each index is an instance of a new context.
struct Elements {
  ContextRef outer;    // the context that the sequences are values of
  ContextRef context;  // has an instance for each element; without instances nothing is run
  SegmentsRef segments;
  std::vector<Value> values;  // the elements, one value for each sequence
};
Elements enter(const ContextRef& at, std::span<const Value> sequences, const char* operation,
               const Location& where);
// Returns the results of all instances as a sequence of the outer context.
Value leave(const Elements& elements, const Value& result);

// ---- choices

// The instances of a context, divided between two branches. A side without instances is null; a
// side that all instances take is the context itself.
struct Branches {
  ContextRef at;
  ContextRef then_side, else_side;
  NodeRef flags;    // per instance, where both sides are taken
  NodeRef running;  // the number of instances up to this one that take the first side
};
Branches branch(const ContextRef& at, const Value& condition, const Location& where);
// Merges the results of both sides; both must have instances.
Value merge(const Branches& branches, const Value& then_result, const Value& else_result,
            const Location& where);
// Returns yes where the condition holds, no elsewhere. Both have been computed. Of any structure.
Value select(const ContextRef& at, const Value& condition, const Value& yes, const Value& no,
             const Location& where);

// ---- operations on numbers, and on sequences of numbers element by element

Value elementwise(const ContextRef& at, Op op, std::span<const Value> operands,
                  const Location& where);
Value cast(const ContextRef& at, const Value& value, ElementType type, const Location& where);
// Compares whole values of any structure: one flag for each instance.
Value equal(const ContextRef& at, const Value& a, const Value& b, const Location& where);

// ---- tuples

Value tuple(const ContextRef& at, std::span<const Value> parts);
Value part(const Value& tuple, int i);
Value zip(const ContextRef& at, std::span<const Value> sequences, const Location& where);
Value unzip(const Value& sequence_of_tuples, int i);

// ---- sequences: lengths and single elements

Value length(const Value& sequence);
Value lengths(const ContextRef& at, const Value& sequence_of_sequences, const Location& where);
Value index(const ContextRef& at, const Value& sequence, const Value& i, const Location& where);
Value gather(const ContextRef& at, const Value& sequence, const Value& indices,
             const Location& where);
// A sequence of numbers or tuples in the form that captured programs read. All instances share the
// components. Element i of an instance is at starts + i in each of them.
struct Table {
  std::vector<NodeRef> components;  // of rank 1
  int64_t rows = 0;                 // of each component
  Value starts, lengths;
};
Table table_of(const Value& sequence);
Value slice(const ContextRef& at, const Value& sequence, const Value& begin, const Value& count,
            const Location& where);

// ---- making sequences

Value literal(const ContextRef& at, std::span<const Value> elements, const Location& where);
Value iota(const ContextRef& at, const Value& count, const Location& where);
Value distribute(const ContextRef& at, const Value& value, const Value& count,
                 const Location& where);
Value concat(const ContextRef& at, std::span<const Value> sequences, const Location& where);
Value flatten(const ContextRef& at, const Value& sequence_of_sequences, const Location& where);
Value partition(const ContextRef& at, const Value& sequence, const Value& counts,
                const Location& where);
Value filter(const ContextRef& at, const Value& sequence, const Value& flags,
             const Location& where);

// ---- folding

Value reduce(const ContextRef& at, Reduction reduction, const Value& sequence,
             const Location& where);
Value scan(const ContextRef& at, Reduction reduction, const Value& sequence, bool exclusive,
           const Location& where);
// Captures a user-defined operator on numbers or tuples as a function that needs no context:
// `combine` is called once with two symbolic values. Returns null if that is impossible: `combine`
// works on sequences, uses values of an inner context, asks for sizes or may fail.
class Operator;
using OperatorRef = std::shared_ptr<const Operator>;
OperatorRef capture_operator(const Type& element,
                             const std::function<Value(const Value&, const Value&)>& combine);
// Combine neighbours in a fixed order. An empty sequence yields the neutral element. The scan is
// exclusive.
Value reduce(const ContextRef& at, const Operator& combine, const Value& sequence,
             const Value& neutral, const Location& where);
Value scan(const ContextRef& at, const Operator& combine, const Value& sequence,
           const Value& neutral, const Location& where);
// Returns the index of the first greatest or least element; -1 for an empty sequence.
Value extreme_index(const ContextRef& at, Reduction max_or_min, const Value& sequence,
                    const Location& where);

// ---- reordering

// Returns the values in the order of their keys; stable.
Value sort(const ContextRef& at, const Value& keys, const Value& values, bool descending,
           const Location& where);
// Returns the position that each element has after sorting.
Value rank(const ContextRef& at, const Value& keys, bool descending, const Location& where);
Value reverse(const ContextRef& at, const Value& sequence, const Location& where);
Value rotate(const ContextRef& at, const Value& sequence, const Value& by, const Location& where);
// Returns result[indices[k]] = values[k]; the indices are a permutation of those of the sequence.
Value permute(const ContextRef& at, const Value& values, const Value& indices,
              const Location& where);
// Returns `into` with values[k] at indices[k]; of several values for one index the last is kept.
Value put(const ContextRef& at, const Value& values, const Value& indices, const Value& into,
          const Location& where);
// Combines, for numbers, several values for one index and the element of `into`.
Value put(const ContextRef& at, const Value& values, const Value& indices, const Value& into,
          Collision collision, const Location& where);
// Counts for each query the elements of a sorted sequence that are less, or less or equal.
Value search(const ContextRef& at, const Value& sorted, const Value& queries, bool right_side,
             const Location& where);

}  // namespace tutti::nested
TUTTI_END_EXPORTS
