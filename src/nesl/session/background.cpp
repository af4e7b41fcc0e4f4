#include "nesl/session/background.hpp"

#include <system_error>

#include "nesl/eval/large_stack.hpp"

namespace tutti::nesl {

Background::Background(TypeRef type, CoreFunctionRef expression, std::vector<CoreFunctionRef> used,
                       const Machine& settings, Evaluation::Mode mode, double seconds)
    : type_(std::move(type)),
      expression_(std::move(expression)),
      used_(std::move(used)),
      evaluation_(machine_) {
  machine_.checks = settings.checks;
  machine_.allow_io = settings.allow_io;
  machine_.stack_bytes = settings.stack_bytes;
  machine_.stop = &stop_;
  machine_.share_time_limit(settings);
  machine_.write = [this](const std::string& text) { output_ += text; };
  if (seconds > 0) machine_.set_time_limit(seconds);
  evaluation_.mode = mode;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    run();  // no thread is to be had: the program waits for it here
  }
}

Background::~Background() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

void Background::run() {
  try {
    with_large_stack([this] { value_ = evaluation_.run(*expression_); }, machine_.stack_bytes);
  } catch (...) {
    failure_ = std::current_exception();
  }
}

StoredValue Background::take() {
  if (thread_.joinable()) thread_.join();
  if (failure_) std::rethrow_exception(failure_);
  return *value_;
}

}  // namespace tutti::nesl
