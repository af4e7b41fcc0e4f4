// Several processes that run one program: `mpirun -n 4 program`. Every rank runs all of it. Arrays
// from TUTTI_RANKS_ELEMENTS elements on are split between the ranks along an axis; smaller ones are
// held by each rank. Results have the bits that one rank gives.
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

// Ranks that do different things, or a rank that has failed or is gone: thrown on every rank.
class RankError : public Error {
 public:
  using Error::Error;
};

namespace ranks {

// Joins the ranks that a launcher has started: "mpi", by the library libtutti-mpi. "none" leaves
// them. From then on evaluations of the calling thread are shared among the ranks; those of other
// threads are not. Every rank calls it.
void use(const std::string& transport);

int rank();  // of this process, from 0
int size();  // 1 if there are no others

// Arrays from this many elements on are split; TUTTI_RANKS_ELEMENTS is where it starts, else 65536.
// The same on every rank.
void split_from(int64_t elements);
int64_t split_from();

// Runs the body on `count` threads, each of which is a rank. What a rank throws ends the others
// with RankError, and is thrown here.
void run_on_threads(int count, const std::function<void()>& body);

// What this rank has sent to others since it joined them.
struct Traffic {
  int64_t gathers = 0;   // small things that every rank sends to all others
  int64_t messages = 0;  // elements that one rank sends to another
  int64_t bytes = 0;     // of both
};
Traffic traffic();

// Waits until all ranks are here.
void barrier(const std::source_location& where = std::source_location::current());

// Which elements of an array a rank holds: those from `begin` to `end` on one axis.
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

// Computes the array and says which part of it this rank holds.
template <int D, class T>
Part part_of(const Array<D, T>& a) {
  return detail::part_of(a.node());
}

// Computes the array and splits it along an axis, also where it is small or was split otherwise.
// Results of the same shape are split in the same way. Without ranks it is the array itself.
template <int D, class T>
Array<D, canonical_t<T>> distribute(
    const Array<D, T>& a, int axis = 0,
    const std::source_location& where = std::source_location::current()) {
  std::array<tutti::detail::NodeRef, components<T>> nodes;
  for (int c = 0; c < components<T>; ++c) nodes[c] = detail::distribute(a.node(c), axis, where);
  return Array<D, canonical_t<T>>(std::move(nodes));
}

// The elements that this rank holds, where they are: an array that is not split. The ranks get
// different arrays, so what is computed from it must not decide what the program does.
template <int D, class T>
Array<D, canonical_t<T>> local_part(const Array<D, T>& a) {
  std::array<tutti::detail::NodeRef, components<T>> nodes;
  for (int c = 0; c < components<T>; ++c) nodes[c] = detail::local_part(a.node(c));
  return Array<D, canonical_t<T>>(std::move(nodes));
}

// The elements on one rank, in row-major order; nothing on the others. to_vector() gives them to
// every rank.
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
