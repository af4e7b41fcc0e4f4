#include "core/interned.hpp"

#include <mutex>
#include <unordered_set>

namespace tutti {
namespace {

struct Texts {
  std::mutex mutex;
  std::unordered_set<std::string> all;  // whose elements stay where they are
};
Texts& texts() {
  static Texts* instance = new Texts;  // kernels in static variables outlive every other object
  return *instance;
}

}  // namespace

const std::string& interned(std::string text) {
  std::lock_guard lock(texts().mutex);
  return *texts().all.insert(std::move(text)).first;
}

}  // namespace tutti
