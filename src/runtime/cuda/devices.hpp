// NVIDIA GPUs through the driver API.
#pragma once
#include <vector>

#include "runtime/device.hpp"

namespace tutti::runtime::cuda {

std::vector<Device*> devices();  // the GPUs of this machine; none without a driver
const std::string& problem();    // why there are none, or ""

}  // namespace tutti::runtime::cuda
