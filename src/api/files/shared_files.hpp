// Files that ranks read and write together. What fails on one rank with a FileError is the same
// FileError on all of them, so that programs which catch it go on alike.
#pragma once
#include <functional>

#include "ranks/session.hpp"
#include "tutti/files.hpp"

namespace tutti::detail {

// Returns the ranks that share arrays with the calling thread; null if there are none.
ranks::Session* shared_session();

// Gathers what `alone` gives on each rank. Collective. The first also finds ranks that do something
// else; `what` says in words what is done.
std::vector<Bytes> agree_on_file(ranks::Session& session, const std::string& what,
                                 const Location& where, const std::function<Bytes()>& alone);
std::vector<Bytes> share_file_errors(ranks::Session& session, const std::function<Bytes()>& alone);

// The elements of an array: numbers of a type, or complex numbers whose parts have it.
struct FileElements {
  ElementType type{};
  bool is_complex = false;
  bool operator==(const FileElements&) const = default;
};
std::string name_of(const FileElements& elements);
// Throws FileError if a file holds elements of another type or rank than is asked for.
void require_file_kind(const FileElements& held, const Extents& shape, const FileElements& asked,
                       int rank, const std::string& path, const Location& where);

}  // namespace tutti::detail
