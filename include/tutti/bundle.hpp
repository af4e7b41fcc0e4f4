// Bundle: the outputs of a program, one or more arrays or tuples. bundle(A, B) names the variables
// that they are assigned to: bundle(A, B) = p(X).
#pragma once
#include <memory>
#include <tuple>
#include <vector>

#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

class Program;

namespace detail {

struct ProgramData;
using ProgramHandle = std::shared_ptr<const ProgramData>;

template <class X>
constexpr auto component_types() {
  std::array<ElementType, components<X>> types;
  types.fill(element_type<scalar_t<X>>);
  return types;
}

int output_count(const ProgramHandle& program);
// Returns the components of all outputs as nodes, or records them in the program being captured.
std::vector<NodeRef> run(const ProgramHandle& program);

// The type that the caller expects of an output.
struct Expected {
  std::span<const ElementType> types;
  int rank;  // of the array; 0: a tuple
};
// Throws unless the outputs of the program have these types; `nodes` is the result of run().
void require_outputs(const ProgramHandle& program, std::span<const NodeRef> nodes,
                     std::span<const Expected> expected);

// Throws unless the outputs are pairs of these types, as those of Write are.
void require_writes(const ProgramHandle& program, const Expected& index, const Expected& value,
                    const Location& where);

// Converts the nodes of an output to an array or a tuple.
template <class X>
struct Target;
template <int D, class T>
struct Target<Array<D, T>> {
  static constexpr int rank = D;
  static constexpr auto types = component_types<T>();
  static Array<D, T> from(std::span<const NodeRef> nodes) {
    std::array<NodeRef, components<T>> parts;
    std::copy(nodes.begin(), nodes.end(), parts.begin());
    return Array<D, T>(parts);
  }
};
template <IsValue X>
struct Target<X> {
  using Tuple = ValueOf<X>;
  static constexpr int rank = 0;
  static constexpr auto types = component_types<Tuple>();
  static Tuple from(std::span<const NodeRef> nodes) {
    if (capturing()) {
      typename Tuple::Nodes parts;
      std::copy(nodes.begin(), nodes.end(), parts.begin());
      return {FromNodes{}, parts};
    }
    evaluate(nodes);
    Tuple result;
    for (int i = 0; i < Tuple::size; ++i) {
      ScalarValue number{element_type<typename Tuple::scalar>, 0};
      copy_to_host(nodes[static_cast<size_t>(i)], &number.bits);
      result.set(i, detail::number<typename Tuple::scalar>(number));
    }
    return result;
  }
};

}  // namespace detail

// The outputs of a program that was applied to its inputs.
class Bundle {
 public:
  // Runs a program whose inputs are all bound.
  Bundle(const Program& program);

  // Returns the number of outputs.
  int size() const { return detail::output_count(program_); }
  Bundle operator[](int i) const;  // output i alone

  // Converts a bundle of one output.
  template <int D, class T>
  operator Array<D, T>() const {
    return std::get<0>(take<Array<D, T>>());
  }
  template <int N, class T>
  operator Value<N, T>() const {
    return std::get<0>(take<Value<N, T>>());
  }

  // Returns all outputs as these types. Throws if their number, ranks or types differ.
  template <class... X>
  auto take() const {
    const detail::Expected expected[] = {{detail::Target<X>::types, detail::Target<X>::rank}...};
    detail::require_outputs(program_, nodes_, expected);
    std::span<const detail::NodeRef> rest = nodes_;
    const auto next = [&](size_t count) {
      const auto part = rest.first(count);
      rest = rest.subspan(count);
      return part;
    };
    // Braces evaluate from left to right.
    return std::tuple{detail::Target<X>::from(next(detail::Target<X>::types.size()))...};
  }

  const std::vector<detail::NodeRef>& nodes() const { return nodes_; }
  const detail::ProgramHandle& program() const { return program_; }

 private:
  Bundle(detail::ProgramHandle program, std::vector<detail::NodeRef> nodes)
      : program_(std::move(program)), nodes_(std::move(nodes)) {}
  detail::ProgramHandle program_;
  std::vector<detail::NodeRef> nodes_;
};

namespace detail {

// The variables that the outputs of a program are assigned to: arrays and Values.
template <class... X>
class Targets {
 public:
  explicit Targets(X&... targets) : targets_(targets...) {}
  // All inputs are read before any output is assigned.
  void operator=(const Bundle& outputs) { targets_ = outputs.take<X...>(); }

 private:
  std::tuple<X&...> targets_;
};

}  // namespace detail

// Returns an assignable list of variables: bundle(A, B) = p(X).
template <class... X>
requires(!std::is_same_v<X, Program> && ...)
detail::Targets<X...> bundle(X&... targets) {
  return detail::Targets<X...>(targets...);
}

}  // namespace tutti
TUTTI_END_EXPORTS
