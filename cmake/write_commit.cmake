# Writes OUTPUT, a C++ file that holds the commit of the tree SOURCE: its first twelve digits, with
# "+" if files differ from it; empty outside of a git checkout. Keeps the file if nothing changed,
# so that nothing is compiled again.
set(commit "")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE commit
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
  if(status EQUAL 0)
    execute_process(COMMAND ${GIT} -C ${SOURCE} diff-index --quiet HEAD -- RESULT_VARIABLE changed
                    ERROR_QUIET)
    if(changed EQUAL 1)
      string(APPEND commit "+")
    endif()
  else()
    set(commit "")
  endif()
endif()
set(text "namespace tutti::tools {\nextern const char* const commit;\nconst char* const commit = \"${commit}\";\n}\n")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT "${before}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
