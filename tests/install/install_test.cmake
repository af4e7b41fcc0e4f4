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

step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX})

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
message("ok")
