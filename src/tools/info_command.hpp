// `tutti info`: what this machine offers and what Tutti makes of it.
#pragma once

namespace tutti::tools {

// The arguments after the word "info". Returns 0; 2 if there are any.
int info_command(int argc, char** argv);

}  // namespace tutti::tools
