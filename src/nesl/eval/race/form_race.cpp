#include "nesl/eval/race/form_race.hpp"

#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <new>
#include <thread>

#include "tutti/device.hpp"

namespace tutti::nesl {
namespace {

constexpr int whole_share = 16, smallest_share = 1;
// The host is starved if the clock has gone this many times as far as its processor time.
constexpr int times_when_starved = 2;
// It does not begin or go on with less: an operation may compile several kernels.
constexpr std::chrono::milliseconds least_work{40};
// Of the time that the host is expected to take in all, the other one is given this part.
constexpr int part_of_expected_time = 4;
// Elements at the beginning may take less time than others. So it is enough for some kernels if the
// rest takes twice as long.
constexpr std::chrono::milliseconds time_to_compile{120};
// The other evaluator starts only if the rest takes this many times as long as all before it, which
// it has to do again.
constexpr int times_of_what_is_done = 2;
// The host waits at most this multiple of the time that it gives: the machine may be busy.
constexpr int times_to_wait = 6;
// Its speed is known after this number of ends of one apply-to-each, which took at least this long.
constexpr std::size_t fewest_ends = 8;
constexpr std::chrono::milliseconds least_time_to_compare{5};
constexpr int times_faster = 2;
// The most ends that are noted.
constexpr std::size_t most_ends = 1 << 16;

int other_processors() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1);
}

// More threads make flattened code faster, but not the host. Another device costs it nothing, so
// only there it is the whole.
int usual_share() {
  return device().name == "cpu" ? std::min(other_processors(), whole_share - 1) : whole_share;
}

FormRace::Duration time_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

std::function<FormRace::Times()> FormRace::processor_times() {
  clockid_t host = CLOCK_PROCESS_CPUTIME_ID;
  pthread_getcpuclockid(pthread_self(), &host);
  const Duration begin = time_of(host), all_begin = time_of(CLOCK_PROCESS_CPUTIME_ID);
  return [=, others = other_processors(), start = Clock::now()] {
    const Duration its = time_of(host) - begin;
    return Times{its, (time_of(CLOCK_PROCESS_CPUTIME_ID) - all_begin - its) / others,
                 Clock::now() - start};
  };
}

void FormRace::begin(int share) {
  share_ = share > 0 ? share : usual_share();
  if (share_ == whole_share) unbounded_ = true;
  begin_ = Clock::now();
  has_begun_ = true;
}

void FormRace::give(Duration time) {
  if (time.count() <= given_ + given_ / 4) return;
  given_ = time.count();
  given_until_ = (Clock::now() + times_to_wait * time).time_since_epoch().count();
}

void FormRace::note_host_end(const CoreExpr& each) noexcept {
  const std::lock_guard lock(mutex_);
  if (noted_ == most_ends) return;
  ++noted_;
  try {
    host_ends_[&each].push_back(times_().host);
  } catch (const std::bad_alloc&) {
    noted_ = most_ends;  // the program goes on without
  }
}

void FormRace::note_expected_rest(Duration rest) {
  if (rest.count() <= 0) return;
  const Duration so_far = times_().host;
  if (rest <= times_of_what_is_done * so_far) return;
  give(std::max<Duration>((so_far + rest) / part_of_expected_time,
                          rest > 2 * time_to_compile ? time_to_compile : Duration{}));
}

bool FormRace::host_waits() const {
  if (!has_begun_) return false;
  const Clock::rep now = Clock::now().time_since_epoch().count();
  return now < host_waits_until_ || (now < given_until_ && has_given_time());
}

bool FormRace::must_wait() const {
  if (unbounded_ || has_given_time()) return false;
  const Times now = times_();
  const int share = is_starved(now) ? smallest_share : share_;
  return now.other + least_work > now.host / whole_share * share;
}

bool FormRace::is_starved(const Times& now) const {
  const Duration waited(host_waited_.load());
  return now.clock - waited > times_when_starved * now.host;
}

void FormRace::note_end(const CoreExpr& each) {
  std::vector<Duration>& ends = ends_[&each];
  if (ends.size() == most_ends) return;
  const Times now = times_();
  ends.push_back(now.other);
  const std::size_t last = ends.size() - 1, first = last / 2;
  if (unbounded_ || ends.size() < fewest_ends) return;
  Duration host;
  {
    const std::lock_guard lock(mutex_);
    const std::vector<Duration>& its = host_ends_[&each];
    if (its.size() <= last) return;
    host = its[last] - its[first];
  }
  // What is not computed yet takes no time.
  const Duration other = ends[last] - ends[first];
  if (other < least_time_to_compare || other * times_faster > host) return;
  unbounded_ = true;
  give(now.other + now.host / times_faster);
}

}  // namespace tutti::nesl
