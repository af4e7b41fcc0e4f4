#include "nesl/session/background.hpp"

#include <chrono>

namespace tutti::nesl {
namespace {

constexpr std::chrono::milliseconds between_looks{20};
// Its evaluator looks at the clock between its steps and says itself that the time is over. It gets
// this much for that.
constexpr std::chrono::milliseconds grace{500};

}  // namespace

Background::Background(TypeRef type, CoreFunctionRef expression, std::vector<CoreFunctionRef> used,
                       const Machine& settings, Evaluation::Mode mode, double seconds,
                       BackgroundQueue& queue)
    : type_(std::move(type)),
      expression_(std::move(expression)),
      used_(std::move(used)),
      evaluation_(machine_),
      seconds_(seconds),
      queue_(queue) {
  machine_.checks = settings.checks;
  machine_.allow_io = settings.allow_io;
  machine_.stack_bytes = settings.stack_bytes;
  machine_.stop = &stop_;
  machine_.share_time_limit(settings);
  machine_.write = [this](const std::string& text) { output_ += text; };
  evaluation_.mode = mode;
  queue_.add(*this);
}

Background::~Background() {
  stop_ = true;
  queue_.remove(*this);
  if (thread_) thread_->join();
}

bool Background::start() {
  const auto work = [this] {
    run();
    queue_.note_end();
  };
  try {
    thread_.emplace(work, machine_.stack_bytes);
  } catch (const Error&) {
    return false;
  }
  return true;
}

void Background::run() {
  if (seconds_ > 0) machine_.set_time_limit(seconds_);
  {
    const std::lock_guard lock(mutex_);
    if (const auto deadline = machine_.deadline()) overdue_at_ = *deadline + grace;
  }
  try {
    evaluate();
  } catch (...) {
    failure_ = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  changed_.notify_all();
}

// A value that comes too late is none.
void Background::evaluate() {
  value_ = evaluation_.run(*expression_);
  machine_.look_at_the_clock();
}

bool Background::wait(Machine& waiting) {
  queue_.start_now(*this);
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, between_looks, [this] { return has_ended_; })) {
    if (is_overdue()) return false;
    waiting.look_at_the_clock();
  }
  return true;
}

bool Background::has_ended() {
  const std::lock_guard lock(mutex_);
  return has_ended_;
}

bool Background::is_overdue() const {
  return overdue_at_ && std::chrono::steady_clock::now() > *overdue_at_;
}

StoredValue Background::take() const {
  if (failure_) std::rethrow_exception(failure_);
  return *value_;
}

}  // namespace tutti::nesl
