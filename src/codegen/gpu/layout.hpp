// What kernels of GPUs and their launches agree on besides the schedule.
#pragma once

namespace tutti::codegen {

constexpr int product_tile = 16;  // threads of a block along rows and along columns of a product

// Arguments that a launch takes by value: 4 KB, on every driver.
constexpr int most_parameter_words = 500;

// Stored kernels of another layout do not fit the launches of this one: to be changed with it.
constexpr int gpu_layout = 5;

}  // namespace tutti::codegen
