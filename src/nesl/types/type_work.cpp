#include "nesl/types/type_work.hpp"

#include <utility>

namespace tutti::nesl {
namespace {

constexpr int parts_between_looks = 4096;  // well under a millisecond

thread_local TypeWorkScope* innermost = nullptr;

}  // namespace

TypeWorkScope::TypeWorkScope(std::function<void()> look)
    : look_(std::move(look)),
      until_look_(parts_between_looks),
      outer_(std::exchange(innermost, this)) {}

TypeWorkScope::~TypeWorkScope() { innermost = outer_; }

void note_type_work() {
  if (!innermost || --innermost->until_look_ > 0) return;
  innermost->until_look_ = parts_between_looks;
  innermost->look_();
}

}  // namespace tutti::nesl
