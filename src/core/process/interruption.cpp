#include "core/process/interruption.hpp"

#include <utility>

namespace tutti {
namespace {

using Clock = std::chrono::steady_clock;

// The clock restarts at an evaluation that begins this long after the last call of the function.
constexpr auto idle = std::chrono::seconds(1);

thread_local InterruptionScope* innermost = nullptr;
thread_local int protections = 0;
thread_local bool asking = false;

}  // namespace

struct InterruptionAccess {
  static void start_clock(InterruptionScope& scope, Clock::time_point now) {
    if (now - scope.asked_ > idle) scope.asked_ = now;
  }
  static bool wants(InterruptionScope& scope, Clock::time_point now) {
    if (now - scope.asked_ < scope.pause_) return false;
    struct Asking {
      bool before = std::exchange(asking, true);
      ~Asking() { asking = before; }
    } const now_asking;
    const bool wanted = scope.wanted_();
    scope.asked_ = Clock::now();
    return wanted;
  }
  static InterruptionScope* outer(const InterruptionScope& scope) { return scope.outer_; }
};

InterruptionScope::InterruptionScope(std::function<bool()> wanted, Duration pause)
    : wanted_(std::move(wanted)), pause_(pause), outer_(innermost), asked_(Clock::now()) {
  innermost = this;
}

// Scopes of a language binding live as long as their thread, so destruction order may differ.
InterruptionScope::~InterruptionScope() {
  for (InterruptionScope** link = &innermost; *link; link = &(*link)->outer_) {
    if (*link != this) continue;
    *link = outer_;
    return;
  }
}

bool is_asking() { return asking; }

bool may_be_interrupted() { return innermost && protections == 0 && !asking; }

void note_evaluation() {
  if (!innermost) return;
  const Clock::time_point now = Clock::now();
  for (InterruptionScope* scope = innermost; scope; scope = InterruptionAccess::outer(*scope))
    InterruptionAccess::start_clock(*scope, now);
}

void stop_if_interrupted() {
  if (!may_be_interrupted()) return;
  const Clock::time_point now = Clock::now();
  for (InterruptionScope* scope = innermost; scope; scope = InterruptionAccess::outer(*scope))
    if (InterruptionAccess::wants(*scope, now)) throw Interrupted("interrupted");
}

Uninterruptible::Uninterruptible(bool really) : really_(really) {
  if (really_) ++protections;
}
Uninterruptible::~Uninterruptible() {
  if (really_) --protections;
}

}  // namespace tutti
