// Runs tests on the emulated GPU instead of a device of this machine.
#include <gtest/gtest.h>

#include <tutti/tutti.hpp>

#include "support/emulated_gpu/device.hpp"

int main(int arguments, char** argument) {
  testing::InitGoogleTest(&arguments, argument);
  tutti::test::add_emulated_gpu();
  tutti::use("emulated");
  tutti::Settings settings = tutti::settings();
  settings.wait_for_compiler = true;
  tutti::set_settings(settings);
  return RUN_ALL_TESTS();
}
