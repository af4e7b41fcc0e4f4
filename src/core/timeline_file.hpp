// Writes the file of a trace: takes recorded events ten times a second and writes them in the
// Chrome trace format, which Perfetto and chrome://tracing open. After every write the file is a
// complete JSON array, so the process may end at any time. One trace is recorded at a time.
#pragma once
#include <string>
#include <vector>

#include "core/timeline.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::timeline {

// Starts recording to a file. Returns the problem, or an empty string on success.
TUTTI_EXPORT std::string start(const std::string& path);
// Writes the remaining events and ends the recording.
TUTTI_EXPORT void stop();
// Writes the events recorded so far.
TUTTI_EXPORT void flush();
TUTTI_EXPORT std::string current_file();  // empty: nothing is recorded

// Events as JSON text, one a line, separated by commas.
class EventWriter {
 public:
  explicit EventWriter(int64_t process) : process_(process) {}
  void add(int64_t thread, const Event& event);
  void name_thread(int64_t thread, const std::string& name);
  void name_process(const std::string& name);
  bool empty() const { return text_.empty(); }
  const std::string& text() const { return text_; }

 private:
  void open(char kind, int64_t thread, int64_t begin);
  int64_t process_;
  std::string text_;
};

// Returns text in JSON quotes; bytes beyond ASCII become question marks.
TUTTI_EXPORT std::string quoted(std::string_view text);

}  // namespace tutti::timeline
