// Recording for the timeline: what the threads of this process did, and when. Any layer may record.
// Each thread writes to its own buffer without a lock; timeline_file.cpp takes the events and
// writes them to a file. While recording is off, a scope costs one relaxed load. Events that do not
// fit the bounded buffers are counted and dropped.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tutti/detail/export.hpp"

namespace tutti::timeline {

TUTTI_EXPORT extern constinit std::atomic<bool> recording;
inline bool is_on() { return recording.load(std::memory_order_relaxed); }

// The common part of the events of one step of a plan, made once.
struct Label {
  std::string name;
  std::string members;  // of a JSON object, without its braces; may be empty
};
using LabelRef = std::shared_ptr<const Label>;

// A number that belongs to an event. The name is a literal.
struct Amount {
  const char* name = nullptr;
  int64_t number = 0;
};

struct Event {
  enum class Kind : uint8_t { span, counter, running };
  Kind kind = Kind::span;
  const char* category = "";   // a literal
  const char* name = nullptr;  // a literal; null: the name of the label
  LabelRef label;
  Amount amount;
  int64_t begin = 0, end = 0;   // nanoseconds of now()
  const char* track = nullptr;  // a device; null: the thread that recorded it
};

TUTTI_EXPORT int64_t now() noexcept;
// Adds to the buffer of this thread. Never throws: without memory the event counts as dropped.
TUTTI_EXPORT void record(Event event) noexcept;
void note_memory_in_use() noexcept;  // a counter event, if the value has changed

// A span from here to the end of the C++ scope.
class TUTTI_EXPORT Scope {
 public:
  Scope(const char* category, const char* name) noexcept {
    if (is_on()) [[unlikely]]
      begin(category, name, nullptr);
  }
  // The label must outlive the scope.
  Scope(const char* category, const LabelRef* label) noexcept {
    if (is_on()) [[unlikely]]
      begin(category, nullptr, label);
  }
  ~Scope() {
    if (category_) [[unlikely]]
      end();
  }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  void add(const char* name, int64_t number) noexcept { amount_ = {name, number}; }
  void rename(const char* name) noexcept { name_ = name; }

 private:
  friend std::vector<Event> running_scopes(int64_t);
  friend LabelRef current_label() noexcept;
  void begin(const char* category, const char* name, const LabelRef* label) noexcept;
  void end() noexcept;

  const char* category_ = nullptr;
  const char* name_ = nullptr;
  const LabelRef* label_ = nullptr;
  Amount amount_;
  int64_t begin_ = 0;
  const Scope* outer_ = nullptr;
};

// Returns the label of the innermost scope of this thread that has one, or null if there is none or
// recording is off.
LabelRef current_label() noexcept;

// Notes that a node was added to a graph. Nodes are too numerous for separate events:
// graph_was_built() records one span from the first to the last node since its previous call.
void note_node_slowly() noexcept;
inline void note_node() noexcept {
  if (is_on()) [[unlikely]]
    note_node_slowly();
}
void graph_was_built() noexcept;

// Returns a copy of a name that lives as long as the process, for Event::name and Event::track.
TUTTI_EXPORT const char* lasting(const std::string& text);

// ---- for timeline_file.cpp

struct TakenEvent {
  int64_t thread = 0;
  Event event;
};
// Returns the events of all threads since the last call, in order for each thread.
std::vector<TakenEvent> take_events();
struct ThreadName {
  int64_t thread = 0;
  std::string name;
};
std::vector<ThreadName> threads();  // threads that have recorded
int64_t take_dropped() noexcept;    // number of events that did not fit
// Returns the open scopes of a thread that has stopped for good, the outermost first.
std::vector<Event> running_scopes(int64_t thread);
int64_t this_thread() noexcept;
// In a child of fork(): drops the events that other threads have recorded.
void forget_threads() noexcept;
// Called by a thread before its first event.
extern void (*before_first_event)();
// Called by a thread whose buffer fills faster than it is emptied.
extern void (*buffer_fills)();

}  // namespace tutti::timeline
