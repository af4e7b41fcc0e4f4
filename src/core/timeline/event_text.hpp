// Events of the timeline as text in the Chrome trace format.
#pragma once
#include <string>
#include <string_view>

#include "core/timeline/timeline.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::timeline {

// Returns the number by which a track appears among those of threads.
int64_t number_of_track(const char* track);

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
