# In: BUILD, SOURCE, WORK, GENERATOR, COMPILER. Fails with a message, or says "ok".
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

# As a part of another project: configured alone, for the library is the one that was built above.
foreach(way add_subdirectory fetch_content)
  step(${CMAKE_COMMAND} -S ${SOURCE}/tests/install/inside -B ${WORK}/${way} -G ${GENERATOR}
       -D CMAKE_CXX_COMPILER=${COMPILER} -D WAY=${way} -D TUTTI_SOURCE=${SOURCE})
endforeach()
message("ok")
