// The interactive shell: reads forms, which may take several lines, and runs them.
#pragma once
#include <string>

#include "nesl/session/line_editor.hpp"
#include "nesl/session/session.hpp"

namespace tutti::nesl {

class Shell {
 public:
  explicit Shell(Session& session);
  int run();  // until the end of the input or exit; the exit status

 private:
  bool run_forms(bool input_is_over);  // whether the text was complete
  void greet() const;

  Session& session_;
  LineEditor editor_;
  std::string text_;  // what has been read of the current form
  bool had_error_ = false;
};

}  // namespace tutti::nesl
