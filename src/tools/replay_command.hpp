// tutti replay: computes the graph of a file once more, on every device.
#pragma once

namespace tutti::tools {

int replay_command(int argc, char** argv);

}  // namespace tutti::tools
