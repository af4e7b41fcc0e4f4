#include "core/timeline/timeline.hpp"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <mutex>
#include <set>

#include "core/statistics.hpp"

namespace tutti::timeline {

constinit std::atomic<bool> recording{false};
void (*before_first_event)() = nullptr;
void (*buffer_fills)() = nullptr;

namespace {

constexpr size_t chunk_events = 256;
constexpr int most_chunks = 1024;  // per thread; about 20 MB
constexpr int many_chunks = 16;    // added chunks that wake the writer

// One thread writes, the thread that writes the file reads. `count` events are complete.
struct Chunk {
  std::array<Event, chunk_events> events;
  std::atomic<size_t> count{0};
  std::atomic<Chunk*> next{nullptr};
};

struct ThreadBuffer {
  ~ThreadBuffer() {
    for (Chunk* chunk = first; chunk;) {
      Chunk* const next = chunk->next;
      delete chunk;
      chunk = next;
    }
  }

  int64_t thread = 0;
  std::string name;
  // Used by the thread that records.
  Chunk* last = nullptr;
  int64_t memory_noted = -1, memory_noted_at = 0, first_node = 0, last_node = 0, nodes = 0;
  std::atomic<const Scope*> innermost{nullptr};
  // Used by the thread that takes events.
  Chunk* first = nullptr;
  size_t taken = 0;

  std::atomic<int> chunks{0};
  std::atomic<bool> ended{false};
};

struct Registry {
  std::mutex mutex;
  std::vector<ThreadBuffer*> buffers;
};
Registry& registry() {
  static auto* instance = new Registry;
  return *instance;
}
constinit std::atomic<int64_t> dropped{0};

[[gnu::tls_model("initial-exec")]] constinit thread_local ThreadBuffer* mine = nullptr;

// Marks the buffer when the thread ends.
struct EndOfThread {
  ~EndOfThread() {
    if (mine) mine->ended.store(true, std::memory_order_release);
    mine = nullptr;
  }
};

ThreadBuffer* new_buffer() {
  if (before_first_event) before_first_event();
  thread_local EndOfThread end;
  (void)&end;
  auto made = std::make_unique<ThreadBuffer>();
  made->thread = syscall(SYS_gettid);
  char name[32] = {};
  pthread_getname_np(pthread_self(), name, sizeof name);
  made->name = made->thread == getpid() ? "main" : name;
  made->first = made->last = new Chunk;
  made->chunks = 1;
  std::lock_guard lock(registry().mutex);
  registry().buffers.push_back(made.get());
  return mine = made.release();
}

ThreadBuffer* buffer() noexcept {
  if (mine) [[likely]]
    return mine;
  try {
    return new_buffer();
  } catch (const std::exception&) {
    return nullptr;
  }
}

// Returns null if the file's writer does not keep up, or if there is no memory.
Chunk* chunk_with_room(ThreadBuffer& to) noexcept {
  if (to.last->count.load(std::memory_order_relaxed) < chunk_events) [[likely]]
    return to.last;
  if (to.chunks.load(std::memory_order_relaxed) >= most_chunks) return nullptr;
  auto* chunk = new (std::nothrow) Chunk;
  if (!chunk) return nullptr;
  if (++to.chunks % many_chunks == 0 && buffer_fills) buffer_fills();
  to.last->next.store(chunk, std::memory_order_release);
  return to.last = chunk;
}

// Takes all events of one thread. Returns false if the thread has ended and nothing is left.
bool take_from(ThreadBuffer& from, std::vector<TakenEvent>& result) {
  const bool ended = from.ended.load(std::memory_order_acquire);
  while (true) {
    Chunk& chunk = *from.first;
    Chunk* const next = chunk.next.load(std::memory_order_acquire);
    const size_t count = chunk.count.load(std::memory_order_acquire);
    for (; from.taken < count; ++from.taken)
      result.push_back({from.thread, std::move(chunk.events[from.taken])});
    if (!next) return !ended;
    from.first = next;
    from.taken = 0;
    delete &chunk;
    --from.chunks;
  }
}

}  // namespace

int64_t now() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void record(Event event) noexcept {
  ThreadBuffer* const to = buffer();
  Chunk* const chunk = to ? chunk_with_room(*to) : nullptr;
  if (!chunk) {
    dropped.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  const size_t place = chunk->count.load(std::memory_order_relaxed);
  chunk->events[place] = std::move(event);
  chunk->count.store(place + 1, std::memory_order_release);
}

void note_memory_in_use() noexcept {
  ThreadBuffer* const to = buffer();
  const int64_t bytes = counters().bytes_in_use.load(std::memory_order_relaxed);
  if (!to || to->memory_noted == bytes) return;
  constexpr int64_t least_distance = 100'000;
  const int64_t time = now();
  if (time - to->memory_noted_at < least_distance) return;
  to->memory_noted_at = time;
  to->memory_noted = bytes;
  record({.kind = Event::Kind::counter,
          .category = "memory",
          .name = "bytes in use",
          .label = nullptr,
          .amount = {"bytes", bytes},
          .begin = time,
          .end = time});
}

void Scope::begin(const char* category, const char* name, const LabelRef* label) noexcept {
  ThreadBuffer* const in = buffer();
  if (!in) return;
  category_ = category;
  name_ = name;
  label_ = label;
  outer_ = in->innermost.load(std::memory_order_relaxed);
  begin_ = now();
  in->innermost.store(this, std::memory_order_release);
}

void Scope::end() noexcept {
  if (!mine) return;  // the thread is ending
  mine->innermost.store(outer_, std::memory_order_release);
  record({.category = category_,
          .name = name_,
          .label = label_ ? *label_ : nullptr,
          .amount = amount_,
          .begin = begin_,
          .end = now()});
}

LabelRef current_label() noexcept {
  if (!is_on() || !mine) return nullptr;
  for (const Scope* scope = mine->innermost.load(std::memory_order_relaxed); scope;
       scope = scope->outer_)
    if (scope->label_) return *scope->label_;
  return nullptr;
}

void note_node_slowly() noexcept {
  ThreadBuffer* const in = buffer();
  if (!in) return;
  in->last_node = now();
  if (in->nodes++ == 0) in->first_node = in->last_node;
}

void graph_was_built() noexcept {
  if (!is_on() || !mine || mine->nodes == 0) return;
  record({.category = "build",
          .name = "build graph",
          .label = nullptr,
          .amount = {"nodes", mine->nodes},
          .begin = mine->first_node,
          .end = mine->last_node});
  mine->nodes = 0;
}

const char* lasting(const std::string& text) {
  static auto* const mutex = new std::mutex;
  static auto* const names = new std::set<std::string>;
  std::lock_guard lock(*mutex);
  return names->insert(text).first->c_str();
}

// ---- for the writer

std::vector<TakenEvent> take_events() {
  std::vector<TakenEvent> result;
  std::lock_guard lock(registry().mutex);
  std::erase_if(registry().buffers, [&](ThreadBuffer* from) {
    if (take_from(*from, result)) return false;
    delete from;
    return true;
  });
  return result;
}

std::vector<ThreadName> threads() {
  std::vector<ThreadName> result;
  std::lock_guard lock(registry().mutex);
  for (const ThreadBuffer* buffer : registry().buffers)
    result.push_back({buffer->thread, buffer->name});
  return result;
}

int64_t take_dropped() noexcept { return dropped.exchange(0, std::memory_order_relaxed); }

std::vector<Event> running_scopes(int64_t thread) {
  std::vector<Event> result;
  std::lock_guard lock(registry().mutex);
  for (ThreadBuffer* buffer : registry().buffers) {
    if (buffer->thread != thread) continue;
    for (const Scope* scope = buffer->innermost.load(std::memory_order_acquire); scope;
         scope = scope->outer_)
      result.insert(result.begin(), {.kind = Event::Kind::running,
                                     .category = scope->category_,
                                     .name = scope->name_,
                                     .label = scope->label_ ? *scope->label_ : nullptr,
                                     .amount = scope->amount_,
                                     .begin = scope->begin_,
                                     .end = scope->begin_});
  }
  return result;
}

int64_t this_thread() noexcept { return mine ? mine->thread : 0; }

// Buffers of other threads are not freed: the fork may have interrupted a write.
void forget_threads() noexcept {
  mine = nullptr;
  new (&registry().mutex) std::mutex;
  new (&registry().buffers) std::vector<ThreadBuffer*>;
}

}  // namespace tutti::timeline
