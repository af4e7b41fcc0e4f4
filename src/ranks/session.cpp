#include "ranks/session.hpp"

#include <cstring>
#include <exception>

#include "tutti/ranks.hpp"

namespace tutti::ranks {
namespace {

// What a rank is about to do, as it is sent: fixed words, then text and message.
struct Header {
  uint64_t hash = 0;
  uint32_t line = 0, file_bytes = 0, what_bytes = 0;
};

struct Intention {
  uint64_t hash = 0;
  uint32_t line = 0;
  std::string file, what;
  Bytes message;

  std::string words() const {
    return what + (line ? " (" + file + ":" + std::to_string(line) + ")" : "");
  }
};

Bytes pack(const Intention& intention, std::span<const std::byte> message) {
  const Header header{intention.hash, intention.line, static_cast<uint32_t>(intention.file.size()),
                      static_cast<uint32_t>(intention.what.size())};
  Bytes bytes(sizeof header);
  std::memcpy(bytes.data(), &header, sizeof header);
  for (const std::string& text : {intention.file, intention.what}) {
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    bytes.insert(bytes.end(), first, first + text.size());
  }
  bytes.insert(bytes.end(), message.begin(), message.end());
  return bytes;
}

Intention unpack(const Bytes& bytes) {
  Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  const char* text = reinterpret_cast<const char*>(bytes.data()) + sizeof header;
  Intention result{header.hash,
                   header.line,
                   std::string(text, header.file_bytes),
                   std::string(text + header.file_bytes, header.what_bytes),
                   {}};
  const size_t used = sizeof header + header.file_bytes + header.what_bytes;
  result.message.assign(bytes.begin() + static_cast<ptrdiff_t>(used), bytes.end());
  return result;
}

std::string message_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

}  // namespace

std::vector<Bytes> Session::agree(const std::string& what, uint64_t hash,
                                  const std::source_location& where,
                                  std::span<const std::byte> message) {
  const Intention mine{hash, where.line(), where.line() ? where.file_name() : "", what, {}};
  const std::vector<Bytes> all = transport_.all_gather(pack(mine, message));
  std::vector<Intention> intentions;
  for (const Bytes& bytes : all) intentions.push_back(unpack(bytes));
  for (int r = 1; r < size_; ++r) {
    const Intention &first = intentions[0], &other = intentions[static_cast<size_t>(r)];
    if (first.hash == other.hash && first.what == other.what) continue;
    const bool same_words = first.words() == other.words();
    throw RankError("the ranks do different things: rank 0 is to " + first.words() + ", rank " +
                    std::to_string(r) + " to " + other.words() +
                    (same_words ? ", with other operations, shapes or constants" : "") +
                    ". Every rank must run the same operations on arrays; let only printing and "
                    "files depend on tutti::ranks::rank()");
  }
  std::vector<Bytes> messages;
  for (Intention& intention : intentions) messages.push_back(std::move(intention.message));
  return messages;
}

void Session::together(const std::function<void()>& alone) {
  std::exception_ptr failure;
  try {
    alone();
  } catch (...) {
    failure = std::current_exception();
  }
  std::string text;
  if (failure) text.append("!").append(message_of(failure));  // never empty
  const std::vector<Bytes> all =
      transport_.all_gather(std::as_bytes(std::span(text.data(), text.size())));
  if (failure) std::rethrow_exception(failure);
  for (int r = 0; r < size_; ++r) {
    const Bytes& bytes = all[static_cast<size_t>(r)];
    if (!bytes.empty())
      throw RankError(
          "rank " + std::to_string(r) + " failed: " +
          std::string(reinterpret_cast<const char*>(bytes.data()) + 1, bytes.size() - 1));
  }
}

}  // namespace tutti::ranks
