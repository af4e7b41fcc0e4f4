#include "api/files/shared_files.hpp"

#include "core/caching/hash.hpp"

namespace tutti::detail {
namespace {

constexpr std::byte good{0}, failed{1};

// Returns the message of a rank, or the text of its FileError.
Bytes message_of(const std::function<Bytes()>& alone) {
  try {
    Bytes message = alone();
    message.push_back(good);
    return message;
  } catch (const FileError& error) {
    const std::string text = error.what();
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    Bytes message(bytes.begin(), bytes.end());
    message.push_back(failed);
    return message;
  }
}

std::vector<Bytes> without_errors(std::vector<Bytes> messages) {
  for (Bytes& message : messages) {
    const bool has_failed = message.back() == failed;
    message.pop_back();
    if (has_failed)
      throw FileError(std::string(reinterpret_cast<const char*>(message.data()), message.size()));
  }
  return messages;
}

}  // namespace

ranks::Session* shared_session() {
  ranks::Session* const session = ranks::session();
  return session && session->size() > 1 ? session : nullptr;
}

std::vector<Bytes> agree_on_file(ranks::Session& session, const std::string& what,
                                 const Location& where, const std::function<Bytes()>& alone) {
  return without_errors(
      session.agree_after(what, hash_bytes(what), where, [&] { return message_of(alone); }));
}

std::vector<Bytes> share_file_errors(ranks::Session& session, const std::function<Bytes()>& alone) {
  return without_errors(session.gather_after([&] { return message_of(alone); }));
}

std::string name_of(const FileElements& elements) {
  return (elements.is_complex ? "complex numbers of " : "") + std::string(name(elements.type));
}

void require_file_kind(const FileElements& held, const Extents& shape, const FileElements& asked,
                       int rank, const std::string& path, const Location& where) {
  if (held != asked)
    throw FileError(path + ": the elements are " + name_of(held) + ", not " + name_of(asked) +
                    ": read them as they are and cast" + at(where));
  if (shape.rank != rank)
    throw FileError(path + ": the array has the shape " + to_string(shape) + ", not " +
                    std::to_string(rank) + " axes" + at(where));
}

}  // namespace tutti::detail
