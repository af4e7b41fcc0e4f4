// Named arrays that a program keeps in a folder, to go on from them after it was interrupted:
//
//   Checkpoint checkpoint("run1");
//   int64_t step = 0;
//   if (const auto newest = checkpoint.newest()) {
//     step = *newest;
//     plate = checkpoint.get<2, float>("plate");
//   }
//   ...
//   checkpoint.put("plate", plate).save(step);
//
// A checkpoint is there as a whole or not at all: it is written beside its name and renamed. Each
// array is a .npy file, and a sum over its elements is checked when it is read. Ranks write and
// read their own parts; the number of ranks may differ from one run to the next.
#pragma once
#include <optional>

#include "tutti/files.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

class Checkpoint {
 public:
  // The folder is made when something is saved.
  explicit Checkpoint(std::string folder) : folder_(std::move(folder)) {}

  // Arrays of the next save(). They are held until then.
  template <int D, ScalarType T>
  Checkpoint& put(const std::string& name, const Array<D, T>& a) {
    put(name, a.node());
    return *this;
  }
  // The parts of complex numbers are two arrays, name.real and name.imag.
  template <int D, detail::ComplexNumber T>
  Checkpoint& put(const std::string& name, const Array<D, T>& a) {
    return put(name + ".real", a.real()).put(name + ".imag", a.imag());
  }
  // Writes what was put, under a number of at least 0 such as that of a time step. The checkpoint
  // before it is kept, older ones are removed. Throws FileError on all ranks if any of them fails.
  void save(int64_t number, const std::source_location& where = std::source_location::current());

  // Returns the number of the newest checkpoint, if there is one. The same on all ranks.
  std::optional<int64_t> newest(
      const std::source_location& where = std::source_location::current()) const;

  // Returns an array of the newest checkpoint. Throws FileError if it is missing, damaged, or of
  // another type or rank.
  template <int D, ScalarType T>
  Array<D, T> get(const std::string& name,
                  const std::source_location& where = std::source_location::current()) const {
    return Array<D, T>(get(name, element_type<T>, D, where));
  }
  template <int D, detail::ComplexNumber T>
  Array<D, T> get(const std::string& name,
                  const std::source_location& where = std::source_location::current()) const {
    using Part = typename T::value_type;
    return {get<D, Part>(name + ".real", where), get<D, Part>(name + ".imag", where)};
  }

 private:
  void put(const std::string& name, const detail::NodeRef& node);
  detail::NodeRef get(const std::string& name, ElementType type, int rank,
                      const detail::Location& where) const;

  std::string folder_;
  std::vector<std::pair<std::string, detail::NodeRef>> waiting_;
};

}  // namespace tutti
TUTTI_END_EXPORTS
