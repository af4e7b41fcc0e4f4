# All ways to use the library in another project: find_package, pkg-config, FetchContent and
# add_subdirectory. Each builds a program and runs it.
# In: BUILD, SOURCE, WORK, GENERATOR, COMPILER, LAUNCHER. Fails with a message, or says "ok".
file(REMOVE_RECURSE ${WORK})
set(PREFIX ${WORK}/prefix)

function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${out}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()

# Installed in one folder and moved to another: nothing may depend on the first.
step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
file(RENAME ${WORK}/first ${PREFIX})

# The command finds its library from there, without help from the environment.
if(EXISTS ${PREFIX}/bin/tutti)
  step(${CMAKE_COMMAND} -E env --unset=LD_LIBRARY_PATH ${PREFIX}/bin/tutti --version)
  if(NOT out MATCHES "^tutti [0-9]+\\.[0-9]+\\.[0-9]+( \\([0-9a-f]+\\+?\\))?\n$")
    message(FATAL_ERROR "tutti --version printed:\n${out}")
  endif()
endif()

# Users see no LLVM: neither its headers nor its name.
file(GLOB_RECURSE headers ${PREFIX}/include/*)
if(NOT headers)
  message(FATAL_ERROR "no header was installed")
endif()
foreach(header ${headers})
  file(READ ${header} text)
  string(TOLOWER "${text}" text)
  if(text MATCHES "llvm")
    message(FATAL_ERROR "${header} mentions LLVM")
  endif()
endforeach()

# The outside project is copied together with the examples it is made of.
file(COPY ${SOURCE}/tests/install/outside/CMakeLists.txt ${SOURCE}/examples/accelerator_blur.cpp
          ${SOURCE}/examples/accelerator_tables.cpp ${SOURCE}/examples/check.hpp
     DESTINATION ${WORK}/outside)
step(${CMAKE_COMMAND} -S ${WORK}/outside -B ${WORK}/build -G ${GENERATOR}
     -D CMAKE_PREFIX_PATH=${PREFIX} -D CMAKE_CXX_COMPILER=${COMPILER})
step(${CMAKE_COMMAND} --build ${WORK}/build)
foreach(example accelerator_blur accelerator_tables)
  step(${WORK}/build/${example})
  if(NOT out MATCHES "ok")
    message(FATAL_ERROR "${example} did not say ok:\n${out}")
  endif()
endforeach()

# The same by pkg-config, where there is one.
find_program(PKG_CONFIG pkg-config)
if(PKG_CONFIG)
  file(GLOB_RECURSE description ${PREFIX}/*/tutti.pc)
  cmake_path(GET description PARENT_PATH folder)
  step(${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${folder} ${PKG_CONFIG} --cflags --libs tutti)
  separate_arguments(flags UNIX_COMMAND "${out}")
  cmake_path(GET folder PARENT_PATH libraries)
  step(${COMPILER} -std=c++20 ${WORK}/outside/accelerator_tables.cpp ${flags}
       -Wl,-rpath,${libraries} -o ${WORK}/by_pkg_config)
  step(${WORK}/by_pkg_config)
  if(NOT out MATCHES "ok")
    message(FATAL_ERROR "by_pkg_config did not say ok:\n${out}")
  endif()
endif()

# As a part of another project, which compiles the library itself. With ccache its files are those of
# the build above; without it that would take many minutes, and the projects are configured alone.
# They lie beside that build: the paths that ccache compares may be relative to the build folder.
foreach(way add_subdirectory fetch_content)
  set(inside ${BUILD}_${way})
  file(REMOVE_RECURSE ${inside})
  step(${CMAKE_COMMAND} -S ${SOURCE}/tests/install/inside -B ${inside} -G ${GENERATOR}
       -D CMAKE_BUILD_TYPE=Release -D CMAKE_CXX_COMPILER=${COMPILER}
       -D CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -D WAY=${way} -D TUTTI_SOURCE=${SOURCE})
  if(NOT LAUNCHER MATCHES "ccache$")
    message("${way}: configured, not built: there is no ccache")
    continue()
  endif()
  step(${CMAKE_COMMAND} --build ${inside})
  # What a project has in its tree it also installs: the program and the library.
  step(${CMAKE_COMMAND} --install ${inside} --prefix ${WORK}/${way})
  foreach(program ${inside}/inside ${WORK}/${way}/bin/inside)
    step(${CMAKE_COMMAND} -E env --unset=LD_LIBRARY_PATH ${program})
    if(NOT out STREQUAL "12\n")
      message(FATAL_ERROR "${program} printed:\n${out}")
    endif()
  endforeach()
  file(REMOVE_RECURSE ${inside} ${WORK}/${way})  # 150 MB each
endforeach()
message("ok")
