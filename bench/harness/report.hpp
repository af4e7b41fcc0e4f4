// Shows results: a progress line while they are made, a table for people, JSON for programs.
#pragma once
#include <iosfwd>
#include <string>

#include "bench/harness/runner.hpp"

namespace tutti::bench {

// One line on stderr, rewritten in place on a terminal; a line for each step elsewhere.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  void show(const std::string& text);

 private:
  bool terminal_;
};

void print_table(std::ostream& out, const Results& results);
void print_list(std::ostream& out, const Options& options);
void write_json(std::ostream& out, const Results& results, const Options& options);

}  // namespace tutti::bench
