// Reading lines from a terminal: editing, history, completion. Without a terminal, plain lines.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tutti::nesl {

class LineEditor {
 public:
  // The names that begin with a word.
  using Complete = std::function<std::vector<std::string>(const std::string& word)>;
  explicit LineEditor(Complete complete);
  ~LineEditor();

  enum class End { line, end_of_input, interrupted };
  struct Line {
    End end;
    std::string text;
  };
  Line read(const std::string& prompt);

  void remember(const std::string& entry);
  void load_history(const std::string& file);  // and keeps it up to date

 private:
  Line edit(const std::string& prompt);
  int read_key();
  void show();
  void insert(char c);
  void erase(std::size_t from, std::size_t to);
  void browse(int step);
  void complete();
  std::size_t word_left() const;
  std::size_t word_right() const;

  Complete complete_;
  std::vector<std::string> history_;
  std::string history_file_;
  std::string prompt_, text_, pending_;  // pending: the new line while history is browsed
  std::size_t cursor_ = 0;
  std::size_t history_at_ = 0;
};

}  // namespace tutti::nesl
