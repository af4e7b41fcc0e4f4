// Several processes that run one program: `mpirun -n 4 program`. Every rank runs the whole program.
// Arrays with at least TUTTI_RANKS_ELEMENTS elements are split between the ranks along an axis;
// each rank holds all elements of smaller ones. Results have the same bits as on one rank.
//
// The environment variable TUTTI_RANKS=mpi does the same as use("mpi") at the start of main().
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// Thrown on every rank if the ranks compute different things, or if a rank has failed or is gone.
class RankError : public Error {
 public:
  using Error::Error;
};

namespace ranks {

// Joins the ranks that a launcher has started: "mpi", by the library libtutti-mpi. "none" leaves
// them. Evaluations of the calling thread are shared among the ranks from then on; evaluations of
// other threads are not. Every rank must call it.
void use(const std::string& transport);

int rank();  // of this process, from 0
int size();  // 1 if there are no others

// Sets the number of elements from which arrays are split. The default is TUTTI_RANKS_ELEMENTS, or
// 65536. Every rank must set the same number.
void split_from(int64_t elements);
int64_t split_from();

// Runs the body on `count` threads, each of which is a rank. An exception of one rank ends the
// others with RankError and is rethrown.
void run_on_threads(int count, const std::function<void()>& body);

// The messages that this rank has sent to others since it joined them.
struct Traffic {
  int64_t gathers = 0;   // small messages that every rank sends to all others
  int64_t messages = 0;  // elements that one rank sends to another
  int64_t bytes = 0;     // of both
};
Traffic traffic();

// Waits until all ranks have called it.
void barrier(const std::source_location& where = std::source_location::current());

// The elements of an array that a rank holds: those from `begin` to `end` on one axis.
struct Part {
  int axis = 0;
  int64_t begin = 0, end = 0;
  bool is_whole = true;  // every rank holds all elements
};

namespace detail {

Part part_of(const tutti::detail::NodeRef& node);  // evaluates
tutti::detail::NodeRef local_part(const tutti::detail::NodeRef& node);
tutti::detail::NodeRef distribute(const tutti::detail::NodeRef& node, int axis,
                                  const std::source_location& where);
bool gather_on(int rank, const tutti::detail::NodeRef& node, void* destination,
               const std::source_location& where);

}  // namespace detail

// Evaluates the array and returns the part that this rank holds.
template <int D, class T>
Part part_of(const Array<D, T>& a) {
  return detail::part_of(a.node());
}

// Computes the array and splits it along an axis, even if it is small or was split differently.
// Results of the same shape are split in the same way. Without ranks it is the array itself.
template <int D, class T>
Array<D, canonical_t<T>> distribute(
    const Array<D, T>& a, int axis = 0,
    const std::source_location& where = std::source_location::current()) {
  std::array<tutti::detail::NodeRef, components<T>> nodes;
  for (int c = 0; c < components<T>; ++c) nodes[c] = detail::distribute(a.node(c), axis, where);
  return Array<D, canonical_t<T>>(std::move(nodes));
}

// Returns the elements that this rank holds, without a copy, as an array that is not split. Each
// rank gets a different array, so control flow of the program must not depend on it.
template <int D, class T>
Array<D, canonical_t<T>> local_part(const Array<D, T>& a) {
  std::array<tutti::detail::NodeRef, components<T>> nodes;
  for (int c = 0; c < components<T>; ++c) nodes[c] = detail::local_part(a.node(c));
  return Array<D, canonical_t<T>>(std::move(nodes));
}

// Returns all elements on one rank, in row-major order, and an empty vector on the others.
// to_vector() returns them on every rank.
template <int D, ScalarType T>
requires(!std::is_same_v<T, bool>)
std::vector<T> to_vector_on(int rank, const Array<D, T>& a,
                            const std::source_location& where = std::source_location::current()) {
  std::vector<T> elements(ranks::rank() == rank ? static_cast<size_t>(a.size()) : 0);
  detail::gather_on(rank, a.node(), elements.data(), where);
  return elements;
}

}  // namespace ranks
}  // namespace tutti
TUTTI_END_EXPORTS
