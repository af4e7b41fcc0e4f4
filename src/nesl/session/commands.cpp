#include "nesl/session/commands.hpp"

#include <cstdlib>
#include <sstream>

#include "nesl/errors.hpp"
#include "nesl/syntax/ast_printer.hpp"
#include "nesl/types/infer.hpp"

namespace tutti::nesl {
namespace {

constexpr const char* help_text =
    "Forms end with ; or $.\n"
    "  function name(pattern) = exp;   defines a function\n"
    "  datatype name(type);            defines a record\n"
    "  pattern = exp;                  assigns\n"
    "  exp;                            evaluates and assigns to `it`\n"
    "Commands:\n"
    "  load \"file\";                    runs the forms of a file (load; does it again);\n"
    "                                  load \"file\", print := t; prints their results\n"
    "  describe name;                  type and meaning of a name\n"
    "  apropos word;                   names that contain a word\n"
    "  set arg_check on|off;           run-time checks\n"
    "  set print_length n;             how many elements of a sequence are printed\n"
    "  set trace name 0..4; set trace off;\n"
    "  set profile name on|off; set profile off;\n"
    "  set verbose on|off; set editor \"command\";\n"
    "  show status; show code name; show compiled name; show bugs;\n"
    "  edit \"file\"; shell \"command\"; get name;\n"
    "  exit;                           ends the shell";

constexpr const char* bugs_text =
    "Known differences, kept because programs know them:\n"
    "  An expression without variables inside an apply-to-each is evaluated once, so\n"
    "  {rand(100) + i : i in a} adds one random number to all elements.\n"
    "  The body of a filtered apply-to-each is evaluated for the dropped elements, too.\n"
    "  Both sides of `and` and `or` are evaluated.";

// A word of the language, not a function: it measures before its argument has a value.
constexpr const char* time_text =
    "time : a -> (a, float) :: (a in any)\n"
    "  time(exp): the value of an expression, and the seconds that evaluating it took.";

std::vector<std::string> split_words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) {
    for (char& c : word)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    words.push_back(word);
  }
  return words;
}

std::string unquoted(const std::string& text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    return text.substr(1, text.size() - 2);
  return text;
}

[[noreturn]] void complain(const Form& form, const std::string& message) {
  throw ProgramError(form.span, message);
}

int number(const Form& form, const std::string& word) {
  char* end = nullptr;
  const long value = std::strtol(word.c_str(), &end, 10);
  if (word.empty() || *end != '\0' || value < 0 || value > 1'000'000'000)
    complain(form, word + " is not a number that fits here");
  return static_cast<int>(value);
}

bool on_or_off(const Form& form, const std::string& word) {
  if (word == "on" || word == "t") return true;
  if (word == "off" || word == "f") return false;
  complain(form, "on or off is expected, not " + word);
}

}  // namespace

void Commands::run(const Form& form, const SourceRef& source) {
  const std::vector<std::string> words = split_words(form.words);
  const std::string first = words.empty() ? "" : words[0];
  if (form.name == "help") return help();
  if (form.name == "exit") {
    session_.exit_ = true;
    return;
  }
  if (form.name == "load") return load(form, source);
  if (form.name == "describe") return describe(form, first);
  if (form.name == "apropos") return apropos(first);
  if (form.name == "set") return set(form, words);
  if (form.name == "show") return show(form, words);
  if (form.name == "shell") return shell(unquoted(form.words));
  if (form.name == "edit") return edit(unquoted(form.words));
  if (form.name == "get") {
    if (!session_.finish_background(first, true) && !session_.environment_.find(first))
      complain(form, "the name " + first + " is undefined");
    return;
  }
  if (form.name == "defconfig") return;  // there is one configuration, this machine
  if (form.name == "dump")
    complain(form, "there is no VCODE here to dump; show compiled NAME shows what is evaluated");
  complain(form, "there is no Lisp under this implementation");
}

void Commands::help() { session_.print(help_text); }

void Commands::load(const Form& form, const SourceRef& source) {
  std::string name = session_.last_loaded;
  if (form.body) {
    Inference inference(session_.environment_);
    const TypeRef type = inference.check_expression(form.body);
    if (!unify(type, sequence_of(char_type())))
      complain(form, "load takes the name of a file, a string");
    name = session_.evaluate(form.body, source).plain().text();
  }
  if (name.empty()) complain(form, "no file has been loaded yet");
  if (!session_.machine_.allow_io) throw RuntimeError("files are forbidden here (--no-io)");
  bool print = false;
  for (const auto& [option, value] : form.options) {
    if (option != "print" && option != "verbose") complain(form, "load has no option " + option);
    if (option == "print") print = value->kind == Expr::Kind::boolean && value->integer;
  }
  if (!session_.load(name, print, source->name)) session_.had_error_ = true;
}

void Commands::describe(const Form& form, const std::string& name) {
  if (name == "time") return session_.print(time_text);
  const DefinitionRef definition = session_.environment_.find(name);
  if (!definition) complain(form, "the name " + name + " is undefined");
  std::string text = name + " : " + to_string(definition->type);
  if (!definition->description.empty()) text += "\n  " + definition->description;
  session_.print(text);
}

void Commands::apropos(const std::string& part) {
  std::string text;
  session_.environment_.for_each([&](const Definition& definition) {
    if (definition.name.find(part) == std::string::npos) return;
    if (definition.name.find('-') != std::string::npos && definition.name.size() > 1) return;
    text += (text.empty() ? "" : "\n") + definition.name + " : " + to_string(definition.type);
  });
  session_.print(text.empty() ? "no name contains " + part : text);
}

void Commands::set(const Form& form, const std::vector<std::string>& words) {
  if (words.size() < 2) complain(form, "set takes what to set and a value");
  const std::string& what = words[0];
  if (what == "arg_check") {
    session_.machine_.checks = on_or_off(form, words[1]);
  } else if (what == "print_length") {
    session_.print_length = number(form, words[1]);
  } else if (what == "verbose") {
    session_.verbose = on_or_off(form, words[1]);
  } else if (what == "trace") {
    set_trace(form, words);
  } else if (what == "profile") {
    set_profile(form, words);
  } else if (what == "editor") {
    session_.editor_ = unquoted(words[1]);
  } else if (what == "redefine" || what == "debug" || what == "lnesl" || what == "config" ||
             what == "memory_size" || what == "rsh_command") {
    // Settings of the original's machinery that have no counterpart here.
  } else {
    complain(form, "there is nothing called " + what + " to set");
  }
}

void Commands::set_trace(const Form& form, const std::vector<std::string>& words) {
  Observer& observer = session_.machine_.observer;
  session_.specialiser_.forget();
  if (words[1] == "off") {
    observer.trace.clear();
    return;
  }
  function_named(form, words[1]);
  const int level = words.size() > 2 ? number(form, words[2]) : 1;
  if (level > 4) complain(form, "trace levels go from 0 to 4");
  if (level == 0)
    observer.trace.erase(words[1]);
  else
    observer.trace[words[1]] = level;
}

void Commands::set_profile(const Form& form, const std::vector<std::string>& words) {
  Observer& observer = session_.machine_.observer;
  if (words[1] == "off") {
    observer.profile.clear();
    return;
  }
  function_named(form, words[1]);
  if (words.size() > 2 && !on_or_off(form, words[2]))
    observer.profile.erase(words[1]);
  else
    observer.profile[words[1]] = {};
}

const DefinitionRef Commands::function_named(const Form& form, const std::string& name) {
  const DefinitionRef definition = session_.environment_.find(name);
  if (!definition || definition->kind != Definition::Kind::function)
    complain(form, name + " is not a function written in NESL");
  return definition;
}

void Commands::show(const Form& form, const std::vector<std::string>& words) {
  const std::string what = words.empty() ? "status" : words[0];
  if (what == "bugs") return session_.print(bugs_text);
  if (what == "status") {
    const auto shown = [](bool on) { return on ? std::string("on") : std::string("off"); };
    return session_.print("arg_check " + shown(session_.machine_.checks) + "\nverbose " +
                          shown(session_.verbose) + "\nprint_length " +
                          std::to_string(session_.print_length));
  }
  if (what == "config" || what == "configs")
    return session_.print("one configuration: this machine");
  if ((what == "code" || what == "compiled") && words.size() > 1) {
    const DefinitionRef definition = current(function_named(form, words[1]));
    if (what == "code") {
      const std::string parameter = to_source(*definition->parameter);
      return session_.print("function " + definition->name +
                            (parameter.front() == '(' ? parameter : "(" + parameter + ")") +
                            " =\n  " + to_source(*definition->body));
    }
    const std::string text = session_.specialiser_.specialisations(*definition);
    return session_.print(text.empty() ? words[1] + " has not been called yet" : text);
  }
  complain(form, "show takes status, bugs, config, code NAME or compiled NAME");
}

void Commands::shell(const std::string& command) {
  if (!session_.machine_.allow_io) throw RuntimeError("processes are forbidden here (--no-io)");
  if (std::system(command.empty() ? "${SHELL:-sh}" : command.c_str()) != 0)
    session_.print("the command failed");
}

void Commands::edit(const std::string& file) {
  const std::string name = file.empty() ? session_.last_loaded : file;
  shell((session_.editor_.empty() ? "${EDITOR:-vi}" : session_.editor_) + " '" + name + "'");
}

}  // namespace tutti::nesl
