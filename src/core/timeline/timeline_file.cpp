#include "core/timeline/timeline_file.hpp"

#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>

#include "core/escape.hpp"
#include "core/process/fork.hpp"
#include "core/process/process_end.hpp"
#include "core/process/thread.hpp"
#include "core/settings/environment.hpp"
#include "core/statistics.hpp"
#include "core/timeline/array_file.hpp"
#include "core/timeline/event_text.hpp"

namespace tutti::timeline {
namespace {

constexpr int64_t milliseconds_between_writes = 100;

struct Recorder {
  std::mutex mutex;
  ArrayFile file;
  std::string wanted_path;
  std::set<int64_t> named_threads;
  std::set<const char*> named_tracks;
  int64_t dropped = 0, memory_noted = -1;
  bool rotated = false, thread_runs = false;

  sem_t wake{};
  // A thread that has stopped for good and waits for its events to be written.
  std::atomic<int64_t> crashed_thread{0};
  std::atomic<bool> crash_is_written{false};
};
Recorder& recorder() {
  static Recorder* instance = [] {
    auto* made = new Recorder;
    sem_init(&made->wake, 0, 0);
    return made;
  }();
  return *instance;
}

// ---- with the lock held

void give_up(Recorder& r, const std::string& why) {
  report("the trace " + escaped(r.file.path()) + " ends here: " + why +
         "; what was written until now can be opened");
  recording.store(false, std::memory_order_relaxed);
  r.file.close();
}

std::string begin_file(Recorder& r) {
  r.named_threads.clear();
  r.named_tracks.clear();
  r.memory_noted = -1;
  EventWriter names(getpid());
  std::array<char, 64> name{};
  if (FILE* comm = std::fopen("/proc/self/comm", "re")) {
    if (std::fgets(name.data(), name.size(), comm)) name[std::strcspn(name.data(), "\n")] = '\0';
    std::fclose(comm);
  }
  names.name_process(name[0] ? name.data() : "tutti");
  return r.file.append(names.text()) ? "" : std::strerror(errno);
}

// Perfetto opens files of this size.
constexpr int64_t usual_limit = int64_t{512} << 20;
int64_t limit_of_file() {
  static const int64_t limit =
      number_from_environment("TUTTI_TRACE_BYTES", 0, INT64_MAX).value_or(usual_limit);
  return limit;
}

// Half of the limit is for the present file, half for the previous one.
void keep_within_limit(Recorder& r) {
  const int64_t limit = limit_of_file();
  if (limit <= 0 || r.file.bytes() < limit / 2) return;
  if (!r.rotated)
    report("the trace " + escaped(r.file.path()) + " has reached half of TUTTI_TRACE_BYTES (" +
           std::to_string(limit) + "); it goes on with the newest events, and the half before is " +
           escaped(with_part(r.file.path(), "before")));
  r.rotated = true;
  std::string problem = r.file.begin_again();
  if (problem.empty()) problem = begin_file(r);
  if (!problem.empty()) give_up(r, problem);
}

void add_memory(Recorder& r, EventWriter& text) {
  const int64_t bytes = counters().bytes_in_use.load(std::memory_order_relaxed);
  if (bytes == r.memory_noted) return;
  r.memory_noted = bytes;
  Event event;
  event.kind = Event::Kind::counter;
  event.category = "memory";
  event.name = "bytes in use";
  event.amount = {"bytes", bytes};
  event.begin = event.end = now();
  text.add(0, event);
}

void write_events(Recorder& r) {
  if (!r.file.is_open()) return;
  EventWriter text(getpid());
  for (const ThreadName& thread : threads())
    if (r.named_threads.insert(thread.thread).second) text.name_thread(thread.thread, thread.name);
  for (const TakenEvent& taken : take_events()) {
    if (taken.event.track && r.named_tracks.insert(taken.event.track).second)
      text.name_thread(number_of_track(taken.event.track), taken.event.track);
    text.add(taken.thread, taken.event);
  }
  if (const int64_t crashed = r.crashed_thread.load())
    for (const Event& event : running_scopes(crashed)) text.add(crashed, event);
  r.dropped += take_dropped();
  add_memory(r, text);
  if (text.empty()) return;
  if (!r.file.append(text.text())) return give_up(r, std::strerror(errno));
  keep_within_limit(r);
}

void finish(Recorder& r) {
  write_events(r);
  if (r.dropped > 0)
    report(std::to_string(r.dropped) + " events are missing in the trace " +
           escaped(r.file.path()) + ": they came faster than they could be written");
  r.dropped = 0;
  r.file.close();
}

// ---- the thread that writes

void write_from_time_to_time(void*) {
  Recorder& r = recorder();
  while (true) {
    timespec until{};
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += milliseconds_between_writes * 1'000'000;
    until.tv_sec += until.tv_nsec / 1'000'000'000;
    until.tv_nsec %= 1'000'000'000;
    sem_timedwait(&r.wake, &until);
    std::lock_guard lock(r.mutex);
    try {
      write_events(r);
    } catch (const std::exception& error) {  // no memory: the taken events are missing
      report(std::string("writing the trace: ") + error.what());
    }
    if (r.crashed_thread.load()) r.crash_is_written.store(true);
  }
}

void start_thread_that_writes() {
  Recorder& r = recorder();
  std::lock_guard lock(r.mutex);
  if (r.thread_runs) return;
  constexpr size_t stack = size_t{256} << 10;
  r.thread_runs = start_thread(stack, write_from_time_to_time, nullptr);
}

// ---- signals that end the process

constexpr int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT, SIGHUP};

// Requests that the recorded events are written, waits for that, and lets the signal take effect.
void on_fatal_signal(int number) {
  Recorder& r = recorder();
  int64_t none = 0;
  if (recording.load() &&
      r.crashed_thread.compare_exchange_strong(none, this_thread() ? this_thread() : -1)) {
    sem_post(&r.wake);
    for (int waited = 0; waited < 2000 && !r.crash_is_written.load(); ++waited) {
      const timespec pause{0, 1'000'000};
      nanosleep(&pause, nullptr);
    }
  }
  signal(number, SIG_DFL);
  raise(number);
}

// Installs handlers for signals that the program does not handle.
void watch_signals() {
  for (const int number : fatal_signals) {
    struct sigaction present{};
    if (sigaction(number, nullptr, &present) != 0 || present.sa_handler != SIG_DFL) continue;
    struct sigaction ours{};
    ours.sa_handler = on_fatal_signal;
    ours.sa_flags = SA_ONSTACK;
    sigemptyset(&ours.sa_mask);
    sigaction(number, &ours, nullptr);
  }
}

// ---- fork and exit

// The child writes a file of its own.
void go_on_in_child() {
  Recorder& r = recorder();
  const bool was_on = is_on();
  recording.store(false);
  forget_threads();
  new (&r.mutex) std::mutex;
  r.thread_runs = false;
  r.file.close();  // the parent's lock stays
  if (!was_on) return;
  const std::string path = with_part(r.wanted_path, std::to_string(getpid()));
  if (const std::string problem = start(path); !problem.empty())
    report("cannot write the trace " + escaped(path) + ": " + problem);
}

void at_exit(void*) {
  Recorder& r = recorder();
  std::lock_guard lock(r.mutex);
  recording.store(false);
  finish(r);
}

void arrange_ends() {
  static const bool once = [] {
    watch_signals();
    in_forked_child(go_on_in_child);
    at_process_exit(at_exit);
    return true;
  }();
  (void)once;
}

// TUTTI_TRACE is read when the library is loaded; the file is made with the first event.
void open_file_of_environment() {
  static std::once_flag once;
  std::call_once(once, [] {
    const char* path = variable("TUTTI_TRACE");
    if (!path || !current_file().empty()) return;
    if (const std::string problem = start(path); !problem.empty()) {
      report("cannot write the trace " + escaped(path) + " (TUTTI_TRACE): " + problem +
             "; nothing is recorded");
      recording.store(false);
    }
  });
}

[[maybe_unused]] const bool looked_at_environment = []() noexcept {
  before_first_event = [] {
    open_file_of_environment();
    if (is_on()) start_thread_that_writes();
  };
  buffer_fills = [] { sem_post(&recorder().wake); };
  if (variable("TUTTI_TRACE")) recording.store(true);
  return true;
}();

}  // namespace

// ---- starting and ending

std::string start(const std::string& path) {
  arrange_ends();
  Recorder& r = recorder();
  std::lock_guard lock(r.mutex);
  if (r.file.is_open()) return "a trace is being recorded already, to " + r.file.path();
  r.wanted_path = path;
  r.rotated = false;
  std::string problem = r.file.open(path);
  if (problem.empty()) problem = begin_file(r);
  if (!problem.empty()) {
    r.file.close();
    return problem;
  }
  take_events();  // of an earlier trace
  take_dropped();
  recording.store(true);
  return "";
}

void stop() {
  Recorder& r = recorder();
  std::lock_guard lock(r.mutex);
  recording.store(false);
  finish(r);
}

void flush() {
  Recorder& r = recorder();
  std::lock_guard lock(r.mutex);
  write_events(r);
}

std::string current_file() {
  Recorder& r = recorder();
  std::lock_guard lock(r.mutex);
  return r.file.is_open() ? r.file.path() : "";
}

}  // namespace tutti::timeline
