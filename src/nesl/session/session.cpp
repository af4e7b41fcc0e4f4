#include "nesl/session/session.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <sstream>

#include "core/timeline/timeline.hpp"
#include "nesl/errors.hpp"
#include "nesl/io/shared_program.hpp"
#include "nesl/library/builtins.hpp"
#include "nesl/session/commands.hpp"
#include "nesl/session/reachable.hpp"
#include "nesl/syntax/ast_printer.hpp"
#include "nesl/types/forget_types.hpp"
#include "nesl/types/infer.hpp"
#include "nesl/types/type_work.hpp"
#include "nesl/values/value_text.hpp"

namespace tutti::nesl {
namespace {

// Results wider than this begin on a line of their own.
constexpr std::size_t line_width = 120;

std::string heading(const Form& form) {
  const bool function = form.kind == Form::Kind::function || form.kind == Form::Kind::declaration;
  if (function) return "Error in Function definition " + form.name + ".";
  if (form.kind == Form::Kind::datatype) return "Error in datatype definition " + form.name + ".";
  return "Error at top level.";
}

std::string seconds_text(double seconds) {
  char buffer[48];
  std::snprintf(buffer, sizeof buffer, "%.3f ms", seconds * 1e3);
  return buffer;
}

// How a tuple is named where no value follows.
std::string without_parentheses(const std::string& pattern) {
  return pattern.front() == '(' ? pattern.substr(1, pattern.size() - 2) : pattern;
}

// The parts of a value that the variables of a pattern stand for.
void take_apart(const PatternRef& pattern, const StoredValue& value,
                std::vector<StoredValue>& parts) {
  switch (pattern->kind) {
    case Pattern::Kind::pair:
      take_apart(pattern->left, value.part(0), parts);
      take_apart(pattern->right, value.part(1), parts);
      break;
    case Pattern::Kind::record:
      take_apart(pattern->left, value.fields(), parts);
      break;
    default:
      parts.push_back(value);
  }
}

// What a function refers to, perhaps itself.
void forget(Definition& function) {
  function.parameter = nullptr;
  function.body = nullptr;
  function.replaced_by = nullptr;
}

}  // namespace

Session::Session(std::function<void(const std::string&)> write)
    : specialiser_(environment_), evaluation_(machine_) {
  define_builtins(environment_);
  if (is_shared()) {
    evaluation_.patience.settled = true;
    machine_.counts_time = false;
  }
  environment_.define_missing = [this](const std::string& name) { finish_background(name, false); };
  specialiser_.trace_level = [this](const std::string& name) {
    const auto at = machine_.observer.trace.find(name);
    return at == machine_.observer.trace.end() ? 0 : at->second;
  };
  if (!write) write = machine_.write;
  machine_.write = [this, write](const std::string& text) {
    if (text.empty()) return;
    write((paragraph_ended_ ? "\n" : "") + text);
    paragraph_ended_ = false;
    at_line_start_ = text.back() == '\n';
  };
}

Session::~Session() {
  background_.clear();  // what still runs needs the functions
  overdue_.clear();
  for (const std::weak_ptr<Definition>& function : functions_) {
    const DefinitionRef definition = function.lock();
    if (!definition) continue;
    forget(*definition);
  }
}

void Session::define(const std::string& name, StoredValue value) {
  const TypeRef type = as_type(value.type());
  store(name, std::move(value), type);
}

void Session::set_arguments(const std::vector<std::string>& arguments) {
  Values texts;
  for (const std::string& argument : arguments) texts.push_back(Value::text(argument));
  const Mono type = mono::sequence(mono::sequence(mono::character()));
  define("arguments", StoredValue(type, Value(std::move(texts))));
}

void Session::set_surroundings() {
  const Mono type = mono::sequence(mono::character());
  for (const auto& [name, variable] : {std::pair("user", "USER"), std::pair("display", "DISPLAY"),
                                       std::pair("nesl_path", "NESL_PATH")})
    if (const char* value = std::getenv(variable))
      define(name, StoredValue(type, Value::text(value)));
}

void Session::set_stack(std::size_t bytes) {
  // What a call of a function takes while it is translated, its expressions included.
  constexpr std::size_t bytes_of_a_translation = std::size_t{20} << 10;
  machine_.stack_bytes = bytes;
  specialiser_.max_nesting = std::min(specialiser_.max_nesting, bytes / bytes_of_a_translation);
}

void Session::write(const std::string& text) { machine_.write(text); }

// Paragraphs are separated by an empty line, also from what the program prints itself.
void Session::print(const std::string& text) {
  write((at_line_start_ ? "" : "\n") + text + "\n");
  paragraph_ended_ = true;
}

bool Session::run(const SourceRef& source, bool print) {
  FormReader reader(source);
  bool good = true;
  while (!exit_) {
    try {
      const std::optional<Form> form = reader.next();
      if (!form) break;
      good = run_form(*form, source, print) && good;
    } catch (const ProgramError& error) {
      report(error, source, "Error at top level.");
      good = false;
    }
  }
  return good;
}

bool Session::load(const std::string& name, bool print, const std::string& asking_file) {
  const std::string beside = (std::filesystem::path(asking_file).parent_path() / name).string();
  std::string found;
  for (const std::string& base : {name, beside})
    for (const char* suffix : {"", ".nesl", ".lnesl"})
      if (std::error_code error;
          found.empty() && std::filesystem::is_regular_file(base + suffix, error))
        found = base + suffix;
  std::ifstream file(found);
  if (found.empty() || !file) {
    this->print("cannot read the file " + name);
    return false;
  }
  std::ostringstream text;
  text.exceptions(std::ios::badbit);  // a file that is not read to its end is no program
  text << file.rdbuf();
  last_loaded = name;
  return run(std::make_shared<Source>(Source{found, text.str()}), print);
}

bool Session::check(const SourceRef& source) {
  const TypeWorkScope stops_types([this] { machine_.look_at_the_clock(); });
  FormReader reader(source);
  bool good = true;
  for (;;) {
    std::string in = "Error at top level.";
    try {
      const std::optional<Form> form = reader.next();
      if (!form) return good;
      in = heading(*form);
      if (form->kind == Form::Kind::function || form->kind == Form::Kind::declaration)
        define_function(*form, source, true);
      else if (form->kind == Form::Kind::datatype)
        define_datatype(*form, true);
      else if (form->kind != Form::Kind::command)
        check_value(*form);
    } catch (const ProgramError& error) {
      report(error, source, in);
      good = false;
    } catch (const std::bad_alloc&) {
      print(in + "\nout of memory");
      good = false;
    } catch (const Interrupted& error) {
      print(std::string("Interrupted: ") + error.what());
      return false;
    }
  }
}

// A value that is typed and not computed is remembered by its type: it must not be used in a type
// of function, which is all that `check` needs.
void Session::check_value(const Form& form) {
  Inference inference(environment_);
  const TypeRef type = inference.check_expression(form.body);
  std::vector<std::pair<std::string, TypeRef>> names = {{"it", type}};
  if (form.kind == Form::Kind::assignment) names = inference.bind_pattern(form.pattern, type);
  for (const auto& [name, its] : names) {
    auto definition = std::make_shared<Definition>();
    definition->kind = Definition::Kind::value;
    definition->name = name;
    definition->type = generalize(its);
    environment_.define(definition);
    print(name + " : " + to_string(its));
  }
}

void Session::report(const ProgramError& error, const SourceRef& source, const std::string& in) {
  const SourceRef& text = error.source ? error.source : source;
  std::string message = in + "\n" + error.what() + "\n";
  if (!text->name.empty())
    message += text->name + ", line " + std::to_string(line_of(*text, error.where.begin)) + ":\n";
  print(message + excerpt(*text, error.where));
}

bool Session::run_form(const Form& form, const SourceRef& source, bool print_result) {
  const timeline::Scope scope("nesl", "run a form");
  forget_unused();
  const TypeWorkScope stops_types([this] { machine_.look_at_the_clock(); });
  const auto begin = std::chrono::steady_clock::now();
  if (seconds_for_a_form > 0) {
    machine_.forget_time_limit();
    machine_.set_time_limit(seconds_for_a_form);
  }
  try {
    had_error_ = false;
    execute(form, source, print_result);
    if (times) {
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      print("time: " + seconds_text(took.count()));
    }
    print_profile();
    print_kernels();
    return !had_error_;
  } catch (const ProgramError& error) {
    report(error, source, heading(form));
  } catch (const RuntimeError& error) {
    print(std::string("RUNTIME ERROR: ") + error.what());
  } catch (const Interrupted& error) {
    print(std::string("Interrupted: ") + error.what());
  } catch (const std::bad_alloc&) {
    print("RUNTIME ERROR: out of memory");
  } catch (const Error& error) {  // of the library below: out of memory, a device that failed
    print(std::string("RUNTIME ERROR: ") + error.what());
  }
  return false;
}

void Session::print_profile() {
  std::string text;
  for (auto& [name, cost] : machine_.observer.profile) {
    if (cost.calls == 0) continue;
    text += (text.empty() ? "" : "\n") + name + ": " + std::to_string(cost.calls) + " calls, " +
            seconds_text(cost.seconds);
    cost = {};
  }
  if (!text.empty()) print(text);
}

void Session::print_kernels() {
  std::string text;
  for (const auto& [name, kernels] : machine_.observer.kernels) {
    if (kernels.launches == 0) continue;
    text += (text.empty() ? "" : "\n") + name + ": " + std::to_string(kernels.launches) +
            " kernels run in " + std::to_string(kernels.calls) + " calls, " +
            std::to_string(kernels.compiled) + " new, compiled in " +
            seconds_text(kernels.compile_seconds);
  }
  machine_.observer.kernels.clear();
  if (!text.empty()) print(text);
}

void Session::execute(const Form& form, const SourceRef& source, bool print_result) {
  switch (form.kind) {
    case Form::Kind::function:
    case Form::Kind::declaration:
      return define_function(form, source, print_result);
    case Form::Kind::datatype:
      return define_datatype(form, print_result);
    case Form::Kind::assignment:
    case Form::Kind::expression:
      return assign(form, source, print_result);
    case Form::Kind::command:
      return Commands(*this).run(form, source);
  }
}

void Session::define_function(const Form& form, const SourceRef& source, bool print_result) {
  const DefinitionRef builtin = environment_.find_builtin(form.name);
  if (builtin && builtin->fixed)
    throw ProgramError(form.pattern->span, form.name + " is built in and cannot be redefined");
  const DefinitionRef before = environment_.find_own(form.name);
  auto definition = std::make_shared<Definition>();
  functions_.push_back(definition);
  definition->name = form.name;
  definition->description = form.description;
  definition->source = source;
  definition->parameter = form.pattern;
  definition->body = form.body;
  if (form.type.type) definition->type = declared_type(form.type, environment_);
  if (form.kind == Form::Kind::declaration) {
    definition->kind = Definition::Kind::declared;
  } else {
    definition->kind = Definition::Kind::function;
    const bool announced = before && before->kind == Definition::Kind::declared;
    if (announced && !definition->type) definition->type = before->type;
    Inference(environment_).check_function(definition);
    if (announced && !same_type(before->type, definition->type))
      throw ProgramError(
          form.body->span,
          "the function was declared with another type\n  Declared: " + to_string(before->type) +
              "\n  Defined: " + to_string(definition->type));
  }
  if (before && before->kind != Definition::Kind::value) {
    if (same_type(before->type, definition->type)) {
      before->replaced_by = definition;
      specialiser_.forget();
    } else if (print_result) {
      print("The function " + form.name +
            " has a new type; functions that were defined with it keep the old one.");
    }
  }
  environment_.define(definition);
  if (print_result) print(form.name + " = fn : " + to_string(definition->type));
}

void Session::define_datatype(const Form& form, bool print_result) {
  const DatatypeRef datatype = declared_datatype(form.name, form.type, environment_);
  auto constructor = std::make_shared<Definition>();
  constructor->kind = Definition::Kind::constructor;
  constructor->name = form.name;
  constructor->datatype = datatype;
  constructor->type = function_from(datatype->fields, record_of(datatype, datatype->parameters));
  mono::own(datatype, specialiser_);
  environment_.define_datatype(datatype);
  environment_.define(constructor);
  if (print_result) print(form.name + " = fn : " + to_string(constructor->type));
}

StoredValue Session::evaluate(const ExprRef& expr, const SourceRef& source) {
  const CoreFunctionRef function = specialiser_.expression(expr, source);
  return evaluation_.run(*function);
}

void Session::assign(const Form& form, const SourceRef& source, bool print_result) {
  Inference inference(environment_);
  const TypeRef type = inference.check_expression(form.body);
  if (form.kind == Form::Kind::expression) {
    const StoredValue value = evaluate(form.body, source);
    store("it", value, type);
    if (print_result) print_value("it", value, type);
    return;
  }
  const auto names = inference.bind_pattern(form.pattern, type);
  for (const auto& [name, its] : names) {
    const DefinitionRef builtin = environment_.find_builtin(name);
    if (builtin && builtin->fixed)
      throw ProgramError(form.pattern->span, name + " is built in and cannot be redefined");
  }
  // Ranks share the evaluations of one thread.
  if (form.assignment == "&=" && !is_shared())
    return start_background(form, source, type, print_result);
  const StoredValue whole = evaluate(form.body, source);
  std::vector<StoredValue> parts;
  take_apart(form.pattern, whole, parts);
  for (std::size_t i = 0; i < names.size(); ++i) store(names[i].first, parts[i], names[i].second);
  if (!print_result) return;
  if (form.assignment == "|=")  // for values that are not to be seen
    print(without_parentheses(to_source(*form.pattern)) + " : " + to_string(generalize(type)));
  else
    print_value(to_source(*form.pattern), whole, type);
}

void Session::start_background(const Form& form, const SourceRef& source, const TypeRef& type,
                               bool print_result) {
  if (form.pattern->kind != Pattern::Kind::variable)
    throw ProgramError(form.pattern->span, "a background assignment is to one name");
  double seconds = 0;
  for (const auto& [option, value] : form.options) {
    // How much memory and which machine have no counterpart here.
    if (option == "mem" || option == "config") continue;
    if (option != "max_time")
      throw ProgramError(value->span, "a background assignment has no option " + option);
    if (value->kind != Expr::Kind::integer && value->kind != Expr::Kind::floating)
      throw ProgramError(value->span, "max_time takes a number of seconds");
    seconds = value->kind == Expr::Kind::integer ? value->integer : value->floating;
  }
  const CoreFunctionRef expression = specialiser_.expression(form.body, source);
  const std::string& name = form.pattern->name;
  background_[name] =
      std::make_unique<Background>(type, expression, specialiser_.translations(), machine_,
                                   evaluation_.mode, seconds, background_queue_);
  if (print_result) print(name + " is computed in the background; get " + name + "; waits for it");
}

bool Session::finish_background(const std::string& name, bool print_result) {
  const auto at = background_.find(name);
  if (at == background_.end()) return false;
  const bool has_ended = at->second->wait(machine_);
  std::unique_ptr<Background> work = std::move(at->second);
  background_.erase(at);
  if (!has_ended) {
    work->stop();
    overdue_.push_back(std::move(work));
    throw Interrupted("the time limit is over");
  }
  std::exception_ptr failure;
  std::optional<StoredValue> value;
  try {
    value = work->take();
  } catch (...) {
    failure = std::current_exception();
  }
  write(work->output());
  if (failure) std::rethrow_exception(failure);
  store(name, *value, work->type());
  if (print_result) print_value(name, *value, work->type());
  return true;
}

void Session::store(const std::string& name, StoredValue value, const TypeRef& type) {
  auto definition = std::make_shared<Definition>();
  definition->kind = Definition::Kind::value;
  definition->name = name;
  definition->type = generalize(type);
  definition->value = std::make_shared<StoredValue>(std::move(value));
  const DefinitionRef before = environment_.find_own(name);
  if (before && before->kind == Definition::Kind::value && name != "it" &&
      same_type(before->type, definition->type)) {
    // Functions that use the variable see its new value.
    before->replaced_by = definition;
    before->value = nullptr;
    specialiser_.forget();
  }
  environment_.define(definition);
}

// Recursive functions refer to themselves, each definition to the one that has replaced it, and
// each translation to its types: they would live as long as the session.
void Session::forget_unused() {
  constexpr std::size_t fewest = 1024;
  std::erase_if(overdue_, [](const auto& work) { return work->has_ended(); });
  if (++forms_ < std::max(fewest, functions_.size())) return;
  if (!background_.empty() || !overdue_.empty()) return;  // they use some of it
  forms_ = 0;
  const Reachable reachable(environment_);
  for (const std::weak_ptr<Definition>& function : functions_)
    if (const DefinitionRef definition = function.lock();
        definition && !reachable.contains(*definition))
      forget(*definition);
  specialiser_.forget_others(reachable.functions(), reachable.types());
  evaluation_.forget_records();
  std::erase_if(functions_, [](const auto& function) { return function.expired(); });
}

void Session::print_value(const std::string& name, const StoredValue& value, const TypeRef& type) {
  const std::string text = to_text(value.head(print_length + 1), value.type(), print_length) +
                           " : " + to_string(generalize(type));
  const bool wide = name.size() + 3 + text.size() > line_width;
  print(name + (wide ? " =\n  " : " = ") + text);
}

}  // namespace tutti::nesl
