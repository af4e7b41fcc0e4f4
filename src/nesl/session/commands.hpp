// The commands of the top level: load, describe, set, show and the rest.
#pragma once
#include "nesl/session/session.hpp"

namespace tutti::nesl {

class Commands {
 public:
  explicit Commands(Session& session) : session_(session) {}
  void run(const Form& form, const SourceRef& source);

 private:
  void help();
  void load(const Form& form, const SourceRef& source);
  void describe(const Form& form, const std::string& name);
  void apropos(const std::string& part);
  void set(const Form& form, const std::vector<std::string>& words);
  void set_trace(const Form& form, const std::vector<std::string>& words);
  void set_profile(const Form& form, const std::vector<std::string>& words);
  void show(const Form& form, const std::vector<std::string>& words);
  void shell(const std::string& command);
  void edit(const std::string& file);
  const DefinitionRef function_named(const Form& form, const std::string& name);

  Session& session_;
};

}  // namespace tutti::nesl
