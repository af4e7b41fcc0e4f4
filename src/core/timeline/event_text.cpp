#include "core/timeline/event_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <functional>

namespace tutti::timeline {
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

int64_t number_of_track(const char* track) {
  // Thread numbers of Linux are smaller.
  return (int64_t{1} << 31) + static_cast<int64_t>(std::hash<std::string_view>()(track) % 1000003);
}

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

}  // namespace tutti::timeline
