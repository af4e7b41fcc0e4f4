#include "tools/profile_command.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "tools/options.hpp"
#include "tools/progress.hpp"
#include "tools/trace_report.hpp"
#include "tutti/device.hpp"
#include "tutti/error.hpp"

namespace tutti::tools {
namespace {

namespace fs = std::filesystem;

struct ProfileOptions {
  std::string page, trace;
  bool help = false;
  char** program = nullptr;  // with its arguments, to the null at the end
};

OptionTable table_of(ProfileOptions& options) {
  return {
      {"--html", "FILE", "also write a page with timeline, tables and flame view",
       [&](std::string_view file) { options.page = file; }},
      {"--trace", "FILE", "keep the trace, for ui.perfetto.dev",
       [&](std::string_view file) { options.trace = file; }},
  };
}

// Options end where the program begins: all that follows belongs to it.
ProfileOptions read(int argc, char** argv) {
  ProfileOptions options;
  int own = 0;
  while (own < argc && argv[own][0] == '-') {
    const std::string_view option = argv[own++];
    if (option == "--") break;
    if ((option == "--html" || option == "--trace") && own < argc) ++own;
  }
  const int count = own > 0 && std::string_view(argv[own - 1]) == "--" ? own - 1 : own;
  options.help = read_options(count, argv, table_of(options), [](std::string_view) {});
  if (own < argc) options.program = argv + own;
  return options;
}

// A folder that is removed by the destructor.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_((fs::temp_directory_path() / "tutti_profile_XXXXXX").string()) {
    if (!mkdtemp(path_.data())) throw Error("cannot make the folder " + path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;  // the system removes temporary files eventually
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Replaces this process by the program. NESL programs are run by this command.
[[noreturn]] void become(char** program) {
  std::vector<char*> words;
  static char run[] = "run", self[] = "/proc/self/exe";
  if (fs::path(program[0]).extension() == ".nesl") words = {self, run};
  for (char** word = program; *word; ++word) words.push_back(*word);
  words.push_back(nullptr);
  execvp(words[0], words.data());
  std::fprintf(stderr, "tutti profile: cannot run %s: %s\n", program[0], std::strerror(errno));
  _exit(127);
}

// Returns the status of waitpid(). Signals from the terminal are left to the program.
int run_traced(char** program, const std::string& trace) {
  const pid_t child = fork();
  if (child < 0) throw Error(std::string("cannot start a process: ") + std::strerror(errno));
  if (child == 0) {
    setenv("TUTTI_TRACE", trace.c_str(), 1);
    setenv("TUTTI_TRACE_BYTES", "4G", 0);
    become(program);
  }
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGQUIT, SIG_DFL);
  return status;
}

// Processes started by the program write files of their own.
std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path().string());
  return files;
}

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text << std::flush;
  if (!file) throw Error("cannot write " + path + ": " + std::strerror(errno));
}

void report(const ProfileOptions& options, const std::string& folder) {
  const Progress progress("reading the trace");
  const std::vector<std::string> files = files_in(folder);
  const Trace trace = read_traces(files);
  const TraceReport summary = summarise(trace);
  const std::optional<Peaks> peaks = kept_peaks(device().description);
  std::fputs(("\n" + text_of(summary, peaks)).c_str(), stderr);
  if (!options.page.empty())
    write(options.page,
          page_of(trace, summary, peaks, std::string("Profile of ") + options.program[0]));
  if (!options.trace.empty() && !files.empty())
    fs::copy_file(folder + "/trace.json", options.trace, fs::copy_options::overwrite_existing);
}

}  // namespace

int profile_command(int argc, char** argv) {
  try {
    const ProfileOptions options = read(argc, argv);
    if (options.help || !options.program) {
      ProfileOptions none;
      (options.help ? std::cout : std::cerr)
          << usage_of({"profile", "[options] program [arguments]",
                       "Runs a program or a file of NESL, and prints where its time went."},
                      table_of(none));
      return options.help ? 0 : 2;
    }
    const TemporaryFolder folder;
    const int status = run_traced(options.program, folder.path() + "/trace.json");
    report(options, folder.path());
    if (WIFSIGNALED(status)) {
      std::fprintf(stderr, "tutti profile: the program was ended by a signal: %s\n",
                   strsignal(WTERMSIG(status)));
      return 128 + WTERMSIG(status);
    }
    return WEXITSTATUS(status);
  } catch (const UsageError& error) {
    std::cerr << "tutti profile: " << error.what() << '\n';
    return 2;
  }
}

}  // namespace tutti::tools
