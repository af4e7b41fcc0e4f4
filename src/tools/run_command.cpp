// `tutti run`, `tutti check` and `tutti explain`: run whole files.
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <optional>
#include <sstream>

#include "engine/plan_log.hpp"
#include "nesl/eval/large_stack.hpp"
#include "ranks/session.hpp"
#include "tools/nesl_command.hpp"
#include "tools/nesl_options.hpp"
#include "tools/progress.hpp"
#include "tools/time_limit.hpp"
#include "tutti/runtime.hpp"

namespace tutti::tools {
namespace {

nesl::SourceRef read_source(const std::string& name) {
  if (std::filesystem::is_directory(name))
    throw UsageError(name + " is a folder; a file with a program is needed");
  std::ifstream file(name);
  std::ostringstream text;
  text.exceptions(std::ios::badbit);  // a partly read file is not a program
  if (file) text << file.rdbuf();
  if (!file) throw UsageError("cannot read " + name);
  return std::make_shared<nesl::Source>(nesl::Source{name, text.str()});
}

// "file.nesl: 120 evaluations, 34 kernels compiled, 12 MB"
std::string progress_text(const std::string& file) {
  const Statistics now = statistics();
  return std::filesystem::path(file).filename().string() + ": " + std::to_string(now.evaluations) +
         " evaluations, " + std::to_string(now.kernels_compiled) + " kernels compiled, " +
         std::to_string(now.bytes_in_use >> 20) + " MB";
}

// Shows the progress of a session, and hides it while the program prints.
class ShownProgress {
 public:
  ShownProgress(nesl::Session& session, const std::string& file)
      : machine_(session.machine()),
        write_(machine_.write),
        progress_([file] { return progress_text(file); }) {
    machine_.write = [this](const std::string& text) {
      progress_.hide();
      write_(text);
    };
  }
  ~ShownProgress() { machine_.write = write_; }
  ShownProgress(const ShownProgress&) = delete;
  ShownProgress& operator=(const ShownProgress&) = delete;

 private:
  nesl::Machine& machine_;
  const std::function<void(const std::string&)> write_;
  Progress progress_;
};

// Runs `work` with a session on a large stack. Returns 0, 1 after an error, 2 for wrong arguments.
template <class Work>
int with_file(const char* command, int argc, char** argv, const Work& work) {
  try {
    const NeslOptions options = read_nesl_options(argc, argv);
    if (options.help || options.file.empty()) {
      (options.help ? std::cout : std::cerr) << nesl_help(command);
      return options.help ? 0 : 2;
    }
    if (!options.page.empty() && command != std::string_view("explain"))
      throw UsageError("--html is an option of tutti explain");
    const TimeLimit limit(options.seconds);
    const nesl::SourceRef source = read_source(options.file);
    bool good = false;
    ranks::Session* const ranks = ranks::session();
    nesl::with_large_stack(
        [&] {
          std::optional<ranks::Joined> joined;  // what main's thread has joined
          if (ranks) joined.emplace(ranks);
          apply(options);
          nesl::Session session;
          apply(options, session);
          std::optional<ShownProgress> shown;
          if (options.progress) shown.emplace(session, options.file);
          good = work(session, source, options);
        },
        stack_bytes(options));
    if (!good && ranks::rank() == 0)
      std::cerr << "tutti " << command << ": there were errors in " << options.file << '\n';
    return good ? 0 : 1;
  } catch (const UsageError& error) {
    std::cerr << "tutti " << command << ": " << error.what() << '\n';
    return 2;
  }
}

void write_page(const std::string& path) {
  std::ofstream file(path);
  file << engine::PlanLog::explanation().html() << std::flush;
  if (!file) throw UsageError("cannot write " + path);
}

}  // namespace

int run_command(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that stops early must not kill the process
  return with_file("run", argc, argv,
                   [](nesl::Session& session, const nesl::SourceRef& source,
                      const NeslOptions& options) { return session.run(source, options.print); });
}

int check_command(int argc, char** argv) {
  return with_file("check", argc, argv,
                   [](nesl::Session& session, const nesl::SourceRef& source, const NeslOptions&) {
                     return session.check(source);
                   });
}

// Runs the program without a trial on the host, so that everything is compiled as for a large
// input. Prints which functions ran which kernels, and with --html describes these kernels.
int explain_command(int argc, char** argv) {
  return with_file(
      "explain", argc, argv,
      [](nesl::Session& session, const nesl::SourceRef& source, const NeslOptions& options) {
        if (options.mode == nesl::Evaluation::Mode::automatic)
          session.evaluation().mode = nesl::Evaluation::Mode::flat;
        session.machine().observer.count_kernels = true;
        if (options.page.empty()) return session.run(source, options.print);
        engine::PlanLog::start();
        const bool good = session.run(source, options.print);
        write_page(options.page);
        return good;
      });
}

}  // namespace tutti::tools
