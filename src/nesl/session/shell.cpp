#include "nesl/session/shell.hpp"

#include <unistd.h>

#include <csignal>

#include "core/settings/environment.hpp"
#include "nesl/errors.hpp"
#include "nesl/syntax/form_reader.hpp"
#include "tutti/runtime.hpp"

namespace tutti::nesl {
namespace {

constexpr const char* prompt = "<Nesl> ";
constexpr const char* more_prompt = "   ... ";

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n\f") == std::string::npos;
}

void interrupt_program(int) { Machine::interrupt = true; }

}  // namespace

Shell::Shell(Session& session)
    : session_(session), editor_([&session](const std::string& word) {
        std::vector<std::string> names;
        session.environment().for_each([&](const Definition& definition) {
          if (definition.name.starts_with(word)) names.push_back(definition.name);
        });
        return names;
      }) {
  if (const char* home = variable("HOME"); home && isatty(STDIN_FILENO))
    editor_.load_history(std::string(home) + "/.tutti_nesl_history");
}

void Shell::greet() const {
  session_.machine().write(std::string("Tutti ") + version() +
                           ", NESL. help; shows the commands, exit; ends.\n");
}

int Shell::run() {
  struct sigaction action{};
  action.sa_handler = interrupt_program;
  sigaction(SIGINT, &action, nullptr);
  const bool interactive = isatty(STDIN_FILENO);
  if (interactive) greet();
  while (!session_.exit_requested()) {
    const LineEditor::Line line = editor_.read(text_.empty() ? prompt : more_prompt);
    if (line.end == LineEditor::End::interrupted) {
      text_.clear();
      continue;
    }
    const bool over = line.end == LineEditor::End::end_of_input;
    if (!over) editor_.remember(line.text);
    text_ += line.text + "\n";
    if (is_blank(text_) || run_forms(over)) text_.clear();
    if (over) break;
  }
  return had_error_ && !interactive ? 1 : 0;
}

// Complete forms run at once; an unfinished one waits for the next line.
bool Shell::run_forms(bool input_is_over) {
  Machine::interrupt = false;
  const auto source = std::make_shared<Source>(Source{"", text_});
  FormReader reader(source);
  std::uint32_t done = 0;
  for (;;) {
    try {
      const std::optional<Form> form = reader.next();
      if (!form || session_.exit_requested()) return true;
      done = form->span.end;
      if (!session_.run_form(*form, source, true)) had_error_ = true;
    } catch (const IncompleteForm& error) {
      if (!input_is_over) {
        text_.erase(0, done);
        return false;
      }
      session_.report(error, source, "Error at top level.");
      had_error_ = true;
      return true;
    } catch (const ProgramError& error) {
      session_.report(error, source, "Error at top level.");
      had_error_ = true;
    }
  }
}

}  // namespace tutti::nesl
