#include "nesl/eval/machine.hpp"

#include <poll.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <limits>

#include "nesl/core/core.hpp"
#include "nesl/eval/race/patience.hpp"
#include "nesl/io/shared_program.hpp"

namespace tutti::nesl {
namespace {

constexpr std::int64_t steps_between_looks = 20000;  // well under a millisecond
// An operation on this many elements is likely to be faster as compiled code, so it ends a trial
// after a part of its time. With a huge number the host would need much memory.
constexpr std::int64_t steps_of_a_large_operation = 200'000;
constexpr int part_of_trial_when_large = 2;
// To sort takes eight steps an element.
constexpr std::int64_t steps_of_a_huge_operation = 10'000'000;
// More time than any trial has.
constexpr std::int64_t most_trial_steps = std::int64_t{1} << 50;
// An apply-to-each predicts its time after `least_progress`. It counts as long if that is
// `times_for_a_long_one` times the trial.
constexpr std::chrono::milliseconds least_progress{4};
constexpr int times_for_a_long_one = 2;
constexpr std::size_t fewest_to_expect = 64;
constexpr int milliseconds_between_looks = 20;  // while another process is waited for

// Processor time: on a busy machine, the other evaluator would be slower as well.
std::chrono::nanoseconds time_of_this_thread() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

std::atomic<bool> Machine::interrupt{false};

Machine::Machine() {
  write = [](const std::string& text) {
    if (!is_first()) return;
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  };
}

void Machine::print(const std::string& text) {
  if (trial_)
    held_back_ += text;
  else
    write(text);
}

void Machine::seed(std::uint64_t seed) {
  seed_ = seed;
  next_random_ = 0;
}

void Machine::begin_form() { next_random_ = 0; }

// The finaliser of splitmix64 over a Weyl sequence: 32 good bits from each position.
std::uint32_t Machine::random_bits() {
  std::uint64_t z = (seed_ * 0x2545F4914F6CDD1Dull) + ++next_random_ * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 32);
}

bool Machine::is_limit(bool positive) const {
  if (!positive && checks) throw RuntimeError("rand of a number that is not positive");
  return positive;
}

int Machine::random_below(int limit) {
  if (!is_limit(limit > 0)) return 0;
  return static_cast<int>((random_bits() >> 1) % static_cast<std::uint32_t>(limit));
}

double Machine::random_below(double limit) {
  if (!is_limit(limit > 0)) return 0;
  constexpr double resolution = 1.0 / (1 << 30);
  return (random_bits() >> 2) * resolution * limit;
}

float Machine::random_below(float limit) {
  if (!is_limit(limit > 0)) return 0;
  constexpr float resolution = 1.0f / (1 << 24);
  return static_cast<float>(random_bits() >> 8) * resolution * limit;
}

void Machine::end_of_trial() const {
  if (trial_) throw TrialOver();
}

Files& Machine::files() {
  if (!allow_io)
    throw RuntimeError("files and processes are forbidden here (the program runs with --no-io)");
  end_of_trial();
  return files_;
}

void Machine::set_time_limit(double seconds) {
  const auto deadline = std::chrono::steady_clock::now() +
                        std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                            std::chrono::duration<double>(seconds));
  deadline_ = deadline_ ? std::min(*deadline_, deadline) : deadline;
}

void Machine::begin_trial(std::int64_t steps, bool ends_when_large) {
  trial_ = true;
  goes_on_ = has_large_ = false;
  progress_length_ = 0;
  ends_when_large_ = ends_when_large;
  trial_left_ = steps;
  trial_start_ = time_of_this_thread();
  trial_time_ = std::min(steps, most_trial_steps) * time_of_a_step;
  steps_left_ = steps_granted_ = 0;
  random_before_trial_ = next_random_;
  held_back_.clear();
}

void Machine::end_trial(bool keep_output) {
  trial_ = false;
  at_trial_end = nullptr;
  steps_left_ = steps_granted_ = 0;
  if (!keep_output) next_random_ = random_before_trial_;
  if (keep_output && !held_back_.empty()) write(held_back_);
  held_back_.clear();
}

void Machine::look_at_the_clock() {
  if (stop->exchange(false)) throw Interrupted("interrupted");
  if (deadline_ && std::chrono::steady_clock::now() > *deadline_)
    throw Interrupted("the time limit is over");
}

void Machine::wait_for(int descriptor, short events) {
  for (;;) {
    look_at_the_clock();
    pollfd watched{descriptor, events, 0};
    const int ready = poll(&watched, 1, milliseconds_between_looks);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return;
  }
}

void Machine::work_for(const Machine& other) {
  checks = other.checks;
  allow_io = other.allow_io;
  seed_ = other.seed_;
  library_call_ = other.library_call_;
  share_time_limit(other);
}

void Machine::look_up() {
  const std::int64_t spent = steps_granted_ - steps_left_;
  steps_left_ = steps_granted_ = steps_between_looks;
  look_at_the_clock();
  end_if_overtaken();
  if (at_looks) at_looks();
  if (!trial_) return;
  trial_left_ -= spent;
  const std::int64_t at_once = ends_when_large_ ? spent - steps_between_looks : 0;
  if (at_once > steps_of_a_huge_operation) throw TrialOver();
  const bool may_race = at_trial_end != nullptr;
  has_large_ = has_large_ || (may_race && at_once > steps_of_a_large_operation);
  if (may_race && counts_time && !goes_on_ && would_take_long()) goes_on_ = at_trial_end();
  if (trial_left_ < 0 || (has_large_ && !goes_on_)) end_of_steps();
  if (trial_left_ >= 0) steps_left_ = steps_granted_ = std::min(steps_between_looks, trial_left_);
}

// Steps of some operations take less time than others.
bool Machine::is_extended_by_time() {
  const auto time = has_large_ ? trial_time_ / part_of_trial_when_large : trial_time_;
  const auto left = time - (time_of_this_thread() - trial_start_);
  if (left < time_of_a_step) return false;
  trial_left_ = left / time_of_a_step;
  return true;
}

void Machine::begin_progress(std::size_t length) {
  progress_length_ = length;
  progress_done_ = 0;
  if (trial_) progress_start_ = time_of_this_thread();
}

// Zero before it is known.
std::chrono::nanoseconds Machine::rest_of_progress() const {
  if (progress_done_ == 0 || progress_length_ == 0) return {};
  const auto spent = time_of_this_thread() - progress_start_;
  if (spent < least_progress) return {};
  return spent / static_cast<std::int64_t>(progress_done_) *
         static_cast<std::int64_t>(progress_length_ - progress_done_);
}

bool Machine::would_take_long() const {
  return rest_of_progress() > times_for_a_long_one * trial_time_;
}

std::chrono::nanoseconds Machine::expected_rest() const {
  if (!trial_ || progress_length_ < fewest_to_expect) return {};
  return rest_of_progress();
}

// Of a trial.
void Machine::end_of_steps() {
  if (goes_on_) {
    trial_left_ = std::numeric_limits<std::int64_t>::max();
    return;
  }
  if (counts_time && is_extended_by_time()) return;
  if (at_trial_end && at_trial_end()) {
    goes_on_ = true;
    trial_left_ = std::numeric_limits<std::int64_t>::max();
    return;
  }
  throw TrialOver();
}

void Machine::fail_too_deep(const CoreFunction& function) const {
  TooDeep error("recursion is too deep");
  error.place = place_of(function, *function.body);
  throw error;
}

void Machine::note_call(const CoreFunction& caller, const CoreExpr& call) {
  if (call.function->is_library() && !caller.is_library())
    library_call_ = {&caller, &call, call.function};
}

Place Machine::place_of(const CoreFunction& function, const CoreExpr& expr) const {
  return function.is_library() ? library_call_ : Place{&function, &expr, nullptr};
}

}  // namespace tutti::nesl
