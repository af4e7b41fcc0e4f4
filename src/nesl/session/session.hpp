// A session: the environment of a program or of a shell, and what happens to its forms. Output goes
// where the machine writes; errors are printed and counted, and the session goes on.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "nesl/core/core.hpp"
#include "nesl/core/specialise.hpp"
#include "nesl/eval/evaluation.hpp"
#include "nesl/eval/machine.hpp"
#include "nesl/session/background.hpp"
#include "nesl/syntax/ast.hpp"
#include "nesl/syntax/form_reader.hpp"
#include "nesl/types/definition.hpp"
#include "nesl/values/stored_value.hpp"

namespace tutti::nesl {

class Session {
 public:
  // Output goes to `write`; if none is given, to standard output.
  explicit Session(std::function<void(const std::string&)> write = nullptr);
  ~Session();

  // Runs the forms of a text; prints their results if asked to. False if there was an error.
  bool run(const SourceRef& source, bool print);
  // Loads a file, trying the suffixes of the language: as named, or else beside the file that asks.
  bool load(const std::string& name, bool print, const std::string& asking_file = "");
  // Types the forms of a text and runs none. False if there was an error.
  bool check(const SourceRef& source);
  // One form, its errors reported. False if there was one.
  bool run_form(const Form& form, const SourceRef& source, bool print);
  void report(const ProgramError& error, const SourceRef& source, const std::string& in);

  // Gives a value to the program under a name. Its type has no functions inside.
  void define(const std::string& name, StoredValue value);
  // What a program finds as `arguments`.
  void set_arguments(const std::vector<std::string>& arguments);

  // What a program finds as `user`, `display` and `nesl_path`.
  void set_surroundings();
  // The size of the stack that the session runs on, where it is not the usual one.
  void set_stack(std::size_t bytes);

  void print(const std::string& text);  // a paragraph of its own
  bool exit_requested() const { return exit_; }

  Environment& environment() { return environment_; }
  Machine& machine() { return machine_; }
  Evaluation& evaluation() { return evaluation_; }
  Specialiser& specialiser() { return specialiser_; }

  int print_length = 100;
  bool verbose = false;
  bool times = false;             // print how long each form took
  double seconds_for_a_form = 0;  // 0: as many as the machine has for all of them
  std::string last_loaded;

 private:
  friend class Commands;
  void execute(const Form& form, const SourceRef& source, bool print);
  void define_function(const Form& form, const SourceRef& source, bool print);
  void define_datatype(const Form& form, bool print);
  void check_value(const Form& form);
  void assign(const Form& form, const SourceRef& source, bool print);
  // Called before each form: forgets now and then what no name leads to any longer.
  void forget_unused();
  void store(const std::string& name, StoredValue value, const TypeRef& type);
  void print_value(const std::string& name, const StoredValue& value, const TypeRef& type);
  void start_background(const Form& form, const SourceRef& source, const TypeRef& type, bool print);
  // Waits for a background assignment to this name and stores its value; false if there is none.
  bool finish_background(const std::string& name, bool print);
  StoredValue evaluate(const ExprRef& expr, const SourceRef& source);
  void print_profile();
  void print_kernels();
  void write(const std::string& text);

  Environment environment_;
  Machine machine_;
  Specialiser specialiser_;
  Evaluation evaluation_;
  BackgroundQueue background_queue_;
  std::map<std::string, std::unique_ptr<Background>> background_;
  std::vector<std::unique_ptr<Background>> overdue_;  // `get` waits for them no longer
  // The functions of this session, of which a recursive one refers to itself: ~Session() ends that.
  std::vector<std::weak_ptr<Definition>> functions_;
  std::size_t forms_ = 0;  // since the unused ones were last forgotten
  std::string editor_;
  bool exit_ = false;
  bool had_error_ = false;  // in a file that a form loaded
  bool paragraph_ended_ = false;
  bool at_line_start_ = true;
};

}  // namespace tutti::nesl
