#include "ranks/session.hpp"

#include <cstring>
#include <exception>
#include <utility>

namespace tutti::ranks {
namespace {

// The next operation of a rank as a message: fixed words, then texts and message.
struct Header {
  uint64_t hash = 0;
  uint32_t line = 0, file_bytes = 0, what_bytes = 0, failure_bytes = 0;
};

struct Intention {
  uint64_t hash = 0;
  uint32_t line = 0;
  std::string file, what;
  std::string failure;  // of this rank, in an earlier alone()
  Bytes message;

  std::string words() const {
    return what + (line ? " (" + file + ":" + std::to_string(line) + ")" : "");
  }
};

uint32_t length_of(const std::string& text) { return static_cast<uint32_t>(text.size()); }

Bytes pack(const Intention& intention, std::span<const std::byte> message) {
  const Header header{intention.hash, intention.line, length_of(intention.file),
                      length_of(intention.what), length_of(intention.failure)};
  Bytes bytes;
  bytes.reserve(sizeof header + header.file_bytes + header.what_bytes + header.failure_bytes +
                message.size());
  bytes.resize(sizeof header);
  std::memcpy(bytes.data(), &header, sizeof header);
  for (const std::string* text : {&intention.file, &intention.what, &intention.failure}) {
    const auto* first = reinterpret_cast<const std::byte*>(text->data());
    bytes.insert(bytes.end(), first, first + text->size());
  }
  bytes.insert(bytes.end(), message.begin(), message.end());
  return bytes;
}

Intention unpack(const Bytes& bytes) {
  Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  const char* text = reinterpret_cast<const char*>(bytes.data()) + sizeof header;
  const auto next = [&](uint32_t length) {
    std::string result(text, length);
    text += length;
    return result;
  };
  Intention result{header.hash,
                   header.line,
                   next(header.file_bytes),
                   next(header.what_bytes),
                   next(header.failure_bytes),
                   {}};
  const std::byte* message = reinterpret_cast<const std::byte*>(text);
  result.message.assign(message, bytes.data() + bytes.size());
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

void require_same(const Intention& first, const Intention& other, int rank) {
  if (first.hash == other.hash && first.what == other.what) return;
  const bool same_words = first.words() == other.words();
  throw RankError("the ranks do different things: rank 0 is to " + first.words() + ", rank " +
                  std::to_string(rank) + " to " + other.words() +
                  (same_words ? ", with other operations, shapes or constants" : "") +
                  ". Every rank must run the same operations on arrays; let only printing and "
                  "files depend on tutti::ranks::rank()");
}

[[noreturn]] void throw_failure(int rank, const std::string& text) {
  throw RankError("rank " + std::to_string(rank) + " failed: " + text);
}

constexpr std::byte failed{1}, good{0};

}  // namespace

std::vector<Bytes> Session::all_gather(std::span<const std::byte> mine) {
  ++traffic_.gathers;
  traffic_.bytes += static_cast<int64_t>(mine.size()) * (size_ - 1);
  return transport_.all_gather(mine);
}

void Session::all_to_all(std::span<const Outgoing> out, std::span<const Incoming> in) {
  for (const Outgoing& message : out) {
    if (message.to == rank_) continue;
    ++traffic_.messages;
    traffic_.bytes += static_cast<int64_t>(message.bytes.size());
  }
  transport_.all_to_all(out, in);
}

std::vector<Bytes> Session::agree(const std::string& what, uint64_t hash,
                                  const std::source_location& where,
                                  std::span<const std::byte> message) {
  return agree_after(what, hash, where, [&] { return Bytes(message.begin(), message.end()); });
}

std::vector<Bytes> Session::agree_after(const std::string& what, uint64_t hash,
                                        const std::source_location& where,
                                        const std::function<Bytes()>& alone) {
  require_own_thread();
  activity_ = {what, where};
  Intention mine{
      hash, where.line(), where.line() ? where.file_name() : "", what, std::exchange(failure_, {}),
      {}};
  std::exception_ptr failure;
  Bytes message;
  try {
    message = alone();
  } catch (...) {
    failure = std::current_exception();
    mine.failure = message_of(failure);
  }
  const std::vector<Bytes> all = all_gather(pack(mine, message));
  std::vector<Intention> intentions;
  for (const Bytes& bytes : all) intentions.push_back(unpack(bytes));
  if (failure) std::rethrow_exception(failure);
  for (int r = 0; r < size_; ++r)
    if (const std::string& text = intentions[static_cast<size_t>(r)].failure; !text.empty())
      throw_failure(r, text);
  for (int r = 1; r < size_; ++r)
    require_same(intentions[0], intentions[static_cast<size_t>(r)], r);
  std::vector<Bytes> messages;
  for (Intention& intention : intentions) messages.push_back(std::move(intention.message));
  return messages;
}

std::vector<Bytes> Session::gather_after(const std::function<Bytes()>& alone) {
  std::exception_ptr failure;
  Bytes mine;  // whether this rank failed, then its message
  try {
    mine = alone();
    mine.push_back(good);
  } catch (...) {
    failure = std::current_exception();
    const std::string text = message_of(failure);
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    mine.assign(bytes.begin(), bytes.end());
    mine.push_back(failed);
  }
  std::vector<Bytes> all = all_gather(mine);
  if (failure) std::rethrow_exception(failure);
  for (int r = 0; r < size_; ++r) {
    Bytes& bytes = all[static_cast<size_t>(r)];
    const bool has_failed = bytes.back() == failed;
    bytes.pop_back();
    if (has_failed)
      throw_failure(r, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  return all;
}

void Session::together(const std::function<void()>& alone) {
  gather_after([&] {
    alone();
    return Bytes();
  });
}

void Session::alone(const std::function<void()>& last) {
  try {
    last();
  } catch (...) {
    failure_ = message_of(std::current_exception());
    throw;
  }
}

void Session::require_own_thread() const {
  if (session() == this) return;
  throw RankError(
      "an array that is split between ranks was read by a thread that has not joined them; read "
      "it on the thread that called tutti::ranks::use()");
}

}  // namespace tutti::ranks
