// `tutti replay`: computes the graph in a file again, on every device.
#pragma once

namespace tutti::tools {

int replay_command(int argc, char** argv);

}  // namespace tutti::tools
