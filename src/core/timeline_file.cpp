#include "core/timeline_file.hpp"

#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <functional>
#include <mutex>
#include <set>

#include "core/environment.hpp"
#include "core/escape.hpp"
#include "core/fork.hpp"
#include "core/process_end.hpp"
#include "core/statistics.hpp"
#include "core/thread.hpp"

namespace tutti::timeline {
namespace {

constexpr std::string_view begin_of_file = "[\n", end_of_file = "\n]\n";
constexpr int64_t milliseconds_between_writes = 100;

// run.json -> run.<middle>.json
std::string with_part(const std::string& path, const std::string& middle) {
  const size_t slash = path.rfind('/'), dot = path.rfind('.');
  const bool has_suffix = dot != std::string::npos && (slash == std::string::npos || dot > slash);
  const size_t at = has_suffix ? dot : path.size();
  return path.substr(0, at) + "." + middle + path.substr(at);
}

void report(const std::string& text) { std::fprintf(stderr, "tutti: %s\n", text.c_str()); }

// An open file that holds a complete JSON array after every write.
class ArrayFile {
 public:
  ~ArrayFile() { close(); }

  // Opens a file. Returns the problem, or an empty string on success. If another process is writing
  // the file, it is left alone, and this one gets a name with the process number.
  std::string open(const std::string& path) {
    path_ = path;
    std::string problem = open_locked();
    if (descriptor_ < 0 && problem.empty()) {
      path_ = with_part(path, std::to_string(getpid()));
      problem = open_locked();
      if (descriptor_ >= 0)
        report("another process writes the trace " + escaped(path) + "; this one goes to " +
               escaped(path_));
    }
    if (descriptor_ < 0) return problem.empty() ? "another process writes it" : problem;
    end_ = 0;
    has_events_ = false;
    return write_at_end(begin_of_file) ? "" : std::strerror(errno);
  }

  // Returns false on failure, with errno set; the earlier contents are complete then.
  bool append(const std::string& events) {
    const std::string text = (has_events_ ? ",\n" : "") + events;
    if (!write_at_end(text)) return false;
    has_events_ = true;
    return true;
  }

  // Renames the present file and begins a new one.
  std::string begin_again() {
    const std::string before = with_part(path_, "before"), path = path_;
    std::rename(path.c_str(), before.c_str());
    close();
    return open(path);
  }

  void close() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
  }
  bool is_open() const { return descriptor_ >= 0; }
  int64_t bytes() const { return end_; }
  const std::string& path() const { return path_; }

 private:
  // Without a descriptor and without a problem: another process has locked it.
  std::string open_locked() {
    const int file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (file < 0) return std::strerror(errno);
    struct stat status{};
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
      ::close(file);
      return "it is not a regular file";
    }
    if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::close(file);
      return "";
    }
    if (ftruncate(file, 0) != 0) {
      const std::string problem = std::strerror(errno);
      ::close(file);
      return problem;
    }
    descriptor_ = file;
    return "";
  }

  // Overwrites the end of the array with the text and a new end. On failure the former end is
  // restored, which needs no new space.
  bool write_at_end(std::string_view text) {
    std::string all(text);
    all += end_of_file;
    size_t done = 0;
    while (done < all.size()) {
      const ssize_t now = pwrite(descriptor_, all.data() + done, all.size() - done,
                                 static_cast<off_t>(end_ + static_cast<int64_t>(done)));
      if (now < 0 && errno == EINTR) continue;
      if (now <= 0) {
        const int problem = now < 0 ? errno : ENOSPC;
        put_end_back();
        errno = problem;
        return false;
      }
      done += static_cast<size_t>(now);
    }
    end_ += static_cast<int64_t>(text.size());
    return true;
  }
  void put_end_back() {
    const ssize_t put =
        pwrite(descriptor_, end_of_file.data(), end_of_file.size(), static_cast<off_t>(end_));
    if (put < 0 ||
        ftruncate(descriptor_, static_cast<off_t>(end_ + static_cast<int64_t>(end_of_file.size()))))
      errno = EIO;
  }

  std::string path_;
  int descriptor_ = -1;
  int64_t end_ = 0;  // position of the end of the array
  bool has_events_ = false;
};

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

int64_t number_of_track(const char* track) {
  // Thread numbers of Linux are smaller.
  return (int64_t{1} << 31) + static_cast<int64_t>(std::hash<std::string_view>()(track) % 1000003);
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

[[maybe_unused]] const bool looked_at_environment = [] {
  before_first_event = [] {
    open_file_of_environment();
    if (is_on()) start_thread_that_writes();
  };
  buffer_fills = [] { sem_post(&recorder().wake); };
  if (variable("TUTTI_TRACE")) recording.store(true);
  return true;
}();

}  // namespace

// ---- text

namespace {

void append(std::string& to, int64_t number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.begin(), digits.end(), number).ptr;
  to.append(digits.begin(), end);
}

// Appends nanoseconds as microseconds with three decimals.
void append_time(std::string& to, int64_t nanoseconds) {
  append(to, nanoseconds / 1000);
  const auto rest = static_cast<int>(nanoseconds % 1000);
  const char decimals[] = {'.', static_cast<char>('0' + rest / 100),
                           static_cast<char>('0' + rest / 10 % 10),
                           static_cast<char>('0' + rest % 10)};
  to.append(decimals, sizeof decimals);
}

void append_quoted(std::string& to, std::string_view text) {
  to += '"';
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      to += '\\';
      to += letter;
    } else if (code < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", code);
      to += escape;
    } else {
      to += code < 0x80 ? letter : '?';
    }
  }
  to += '"';
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string result;
  append_quoted(result, text);
  return result;
}

void EventWriter::open(char kind, int64_t thread, int64_t begin) {
  if (!text_.empty()) text_ += ",\n";
  text_ += R"({"ph":")";
  text_ += kind;
  text_ += R"(","pid":)";
  append(text_, process_);
  text_ += R"(,"tid":)";
  append(text_, thread);
  text_ += R"(,"ts":)";
  append_time(text_, begin);
}

void EventWriter::name_process(const std::string& name) {
  open('M', 0, 0);
  text_ += R"(,"name":"process_name","args":{"name":)" + quoted(name) + "}}";
}

void EventWriter::name_thread(int64_t thread, const std::string& name) {
  open('M', thread, 0);
  text_ += R"(,"name":"thread_name","args":{"name":)" + quoted(name) + "}}";
}

void EventWriter::add(int64_t thread, const Event& event) {
  const char kind = event.kind == Event::Kind::counter   ? 'C'
                    : event.kind == Event::Kind::running ? 'B'
                                                         : 'X';
  open(kind, event.track ? number_of_track(event.track) : thread, event.begin);
  if (kind == 'X') {
    text_ += R"(,"dur":)";
    append_time(text_, std::max<int64_t>(event.end - event.begin, 0));
  }
  text_ += R"(,"cat":")";
  text_ += event.category;
  text_ += R"(","name":)";
  append_quoted(text_, event.name    ? std::string_view(event.name)
                       : event.label ? std::string_view(event.label->name)
                                     : std::string_view(event.category));
  text_ += R"(,"args":{)";
  if (event.amount.name) {
    append_quoted(text_, event.amount.name);
    text_ += ':';
    append(text_, event.amount.number);
  }
  if (event.label && !event.label->members.empty()) {
    if (event.amount.name) text_ += ',';
    text_ += event.label->members;
  }
  text_ += "}}";
}

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
