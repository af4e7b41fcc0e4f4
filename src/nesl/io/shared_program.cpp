#include "nesl/io/shared_program.hpp"

#include <cstring>

#include "ranks/session.hpp"

namespace tutti::nesl {
namespace {

ranks::Session* others() {
  ranks::Session* const session = ranks::session();
  return session && session->size() > 1 ? session : nullptr;
}

}  // namespace

bool is_shared() { return others() != nullptr; }
bool is_first() {
  const ranks::Session* const session = others();
  return !session || session->rank() == 0;
}

std::string from_first(const std::string& what, const std::function<std::string()>& speak) {
  ranks::Session* const session = others();
  if (!session) return speak();
  const ranks::Bytes said = session->agree_after(what, 0, {}, [&] {
    const std::string text = session->rank() == 0 ? speak() : "";
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    return ranks::Bytes(bytes.begin(), bytes.end());
  })[0];
  return std::string(reinterpret_cast<const char*>(said.data()), said.size());
}

double from_first(const std::string& what, double number) {
  if (!is_shared()) return number;
  const std::string bytes = from_first(
      what, [&] { return std::string(reinterpret_cast<const char*>(&number), sizeof number); });
  std::memcpy(&number, bytes.data(), sizeof number);
  return number;
}

}  // namespace tutti::nesl
