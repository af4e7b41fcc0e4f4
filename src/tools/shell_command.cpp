// `tutti nesl`: the shell.
#include <unistd.h>

#include <csignal>
#include <iostream>

#include "nesl/eval/large_stack.hpp"
#include "nesl/session/shell.hpp"
#include "tools/nesl_command.hpp"
#include "tools/nesl_options.hpp"
#include "tools/time_limit.hpp"

namespace tutti::tools {

int shell_command(int argc, char** argv) {
  try {
    NeslOptions options = read_nesl_options(argc, argv);
    if (options.help) {
      std::cout << nesl_help("nesl");
      return 0;
    }
    std::signal(SIGPIPE, SIG_IGN);
    // In an interactive shell the limit is for each form; text from elsewhere is a program.
    options.limits_forms = isatty(STDIN_FILENO);
    const TimeLimit limit(options.limits_forms ? 0 : options.seconds);
    int status = 0;
    nesl::with_large_stack(
        [&] {
          apply(options);
          nesl::Session session;
          apply(options, session);
          if (!options.file.empty()) session.load(options.file, options.print);
          status = nesl::Shell(session).run();
        },
        stack_bytes(options));
    return status;
  } catch (const UsageError& error) {
    std::cerr << "tutti nesl: " << error.what() << '\n';
    return 2;
  }
}

}  // namespace tutti::tools
