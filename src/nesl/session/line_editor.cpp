#include "nesl/session/line_editor.hpp"

#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iostream>

namespace tutti::nesl {
namespace {

constexpr std::size_t max_history = 1000;

// Keys beyond the characters.
enum Key : int {
  key_none = 1000,
  key_up,
  key_down,
  key_left,
  key_right,
  key_home,
  key_end,
  key_delete,
  key_word_left,
  key_word_right,
  key_end_of_input
};
constexpr int control(char c) { return c & 31; }

// The terminal hands over single keys while one of these lives.
class RawMode {
 public:
  RawMode() {
    tcgetattr(STDIN_FILENO, &before_);
    termios raw = before_;
    raw.c_iflag &= ~(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
    raw.c_lflag &= ~(ECHO | ICANON | IEXTEN | ISIG);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
  }
  ~RawMode() { tcsetattr(STDIN_FILENO, TCSADRAIN, &before_); }

 private:
  termios before_;
};

int read_byte() {
  unsigned char c;
  for (;;) {
    const ssize_t n = ::read(STDIN_FILENO, &c, 1);
    if (n == 1) return c;
    if (n == 0 || errno != EINTR) return -1;
  }
}

void put(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

std::size_t columns() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

bool in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

LineEditor::LineEditor(Complete complete) : complete_(std::move(complete)) {}
LineEditor::~LineEditor() = default;

LineEditor::Line LineEditor::read(const std::string& prompt) {
  if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) return edit(prompt);
  std::string text;
  if (!std::getline(std::cin, text)) return {End::end_of_input, ""};
  return {End::line, text};
}

void LineEditor::remember(const std::string& entry) {
  if (entry.empty() || (!history_.empty() && history_.back() == entry)) return;
  history_.push_back(entry);
  if (history_.size() > max_history) history_.erase(history_.begin());
  if (history_file_.empty() || entry.find('\n') != std::string::npos) return;
  std::ofstream(history_file_, std::ios::app) << entry << '\n';
}

void LineEditor::load_history(const std::string& file) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) history_.push_back(line);
  if (history_.size() > max_history) history_.erase(history_.begin(), history_.end() - max_history);
  history_file_ = file;
}

// Arrow keys and the like arrive as escape sequences.
int LineEditor::read_key() {
  const int c = read_byte();
  if (c < 0) return key_end_of_input;
  if (c != 27) return c;
  int next = read_byte();
  if (next == 'b') return key_word_left;
  if (next == 'f') return key_word_right;
  if (next != '[' && next != 'O') return key_none;
  std::string digits;
  for (next = read_byte(); (next >= '0' && next <= '9') || next == ';'; next = read_byte())
    digits += static_cast<char>(next);
  const bool with_control = digits.size() > 1 && digits.back() == '5';
  switch (next) {
    case 'A':
      return key_up;
    case 'B':
      return key_down;
    case 'C':
      return with_control ? key_word_right : key_right;
    case 'D':
      return with_control ? key_word_left : key_left;
    case 'H':
      return key_home;
    case 'F':
      return key_end;
    case '~':
      if (digits == "3") return key_delete;
      if (digits == "1" || digits == "7") return key_home;
      if (digits == "4" || digits == "8") return key_end;
      return key_none;
    default:
      return key_none;
  }
}

// One line of the terminal shows a window of the text around the cursor.
void LineEditor::show() {
  const std::size_t room =
      std::max<std::size_t>(columns(), prompt_.size() + 10) - prompt_.size() - 1;
  const std::size_t from = cursor_ < room ? 0 : cursor_ - room + 1;
  std::string visible = text_.substr(from, room);
  std::replace(visible.begin(), visible.end(), '\n', ' ');
  put("\r" + prompt_ + visible + "\033[K\r\033[" + std::to_string(prompt_.size() + cursor_ - from) +
      "C");
}

void LineEditor::insert(char c) { text_.insert(cursor_++, 1, c); }

void LineEditor::erase(std::size_t from, std::size_t to) {
  text_.erase(from, to - from);
  cursor_ = from;
}

void LineEditor::browse(int step) {
  if ((step < 0 && history_at_ == 0) || (step > 0 && history_at_ == history_.size())) return;
  if (history_at_ == history_.size()) pending_ = text_;
  history_at_ += step;
  text_ = history_at_ == history_.size() ? pending_ : history_[history_at_];
  cursor_ = text_.size();
}

std::size_t LineEditor::word_left() const {
  std::size_t at = cursor_;
  while (at > 0 && !in_word(text_[at - 1])) --at;
  while (at > 0 && in_word(text_[at - 1])) --at;
  return at;
}

std::size_t LineEditor::word_right() const {
  std::size_t at = cursor_;
  while (at < text_.size() && !in_word(text_[at])) ++at;
  while (at < text_.size() && in_word(text_[at])) ++at;
  return at;
}

void LineEditor::complete() {
  std::size_t begin = cursor_;
  while (begin > 0 && in_word(text_[begin - 1])) --begin;
  const std::string word = text_.substr(begin, cursor_ - begin);
  const std::vector<std::string> names = complete_(word);
  if (word.empty() || names.empty()) return;
  std::string common = names[0];
  for (const std::string& name : names) {
    std::size_t same = 0;
    while (same < common.size() && same < name.size() && common[same] == name[same]) ++same;
    common.resize(same);
  }
  if (common.size() > word.size()) {
    for (char c : common.substr(word.size())) insert(c);
    return;
  }
  if (names.size() < 2) return;
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : "  ") + name;
  put("\r\n" + list + "\r\n");
}

LineEditor::Line LineEditor::edit(const std::string& prompt) {
  const RawMode raw;
  prompt_ = prompt;
  text_.clear();
  cursor_ = 0;
  history_at_ = history_.size();
  for (;;) {
    show();
    const int key = read_key();
    switch (key) {
      case '\r':
      case '\n':
        put("\r\n");
        return {End::line, text_};
      case control('c'):
        put("^C\r\n");
        return {End::interrupted, ""};
      case key_end_of_input:
        return {End::end_of_input, ""};
      case control('d'):
        if (text_.empty()) {
          put("\r\n");
          return {End::end_of_input, ""};
        }
        [[fallthrough]];
      case key_delete:
        if (cursor_ < text_.size()) erase(cursor_, cursor_ + 1);
        break;
      case 127:
      case control('h'):
        if (cursor_ > 0) erase(cursor_ - 1, cursor_);
        break;
      case control('w'):
        erase(word_left(), cursor_);
        break;
      case control('k'):
        erase(cursor_, text_.size());
        break;
      case control('u'):
        erase(0, cursor_);
        break;
      case control('l'):
        put("\033[2J\033[H");
        break;
      case control('a'):
      case key_home:
        cursor_ = 0;
        break;
      case control('e'):
      case key_end:
        cursor_ = text_.size();
        break;
      case control('b'):
      case key_left:
        cursor_ -= cursor_ > 0;
        break;
      case control('f'):
      case key_right:
        cursor_ += cursor_ < text_.size();
        break;
      case key_word_left:
        cursor_ = word_left();
        break;
      case key_word_right:
        cursor_ = word_right();
        break;
      case control('p'):
      case key_up:
        browse(-1);
        break;
      case control('n'):
      case key_down:
        browse(1);
        break;
      case '\t':
        complete();
        break;
      default:
        if (key >= 32 && key < 256) insert(static_cast<char>(key));
    }
  }
}

}  // namespace tutti::nesl
