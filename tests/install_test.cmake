# Installs the build in BUILD to a fresh prefix and uses it as another project would:
#
# - the project in EXAMPLE is configured, built and run against it;
# - each installed header compiles alone, so none includes a header that is not installed;
# - the installed program starts, and its manual pages and completions came along.
#
# FLAGS are for the compiler.
set(scratch ${BUILD}/install_test)
file(REMOVE_RECURSE ${scratch})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${scratch}/prefix
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

set(include ${scratch}/prefix/include/wmi)
file(GLOB_RECURSE headers RELATIVE ${include} ${include}/*.h)
list(LENGTH headers count)
if(count LESS 50)
  message(FATAL_ERROR "only ${count} headers were installed")
endif()
foreach(header IN LISTS headers)
  cmake_path(REPLACE_EXTENSION header cpp OUTPUT_VARIABLE source)
  file(WRITE ${scratch}/headers/${source} "#include \"${header}\"\n")
  file(STRINGS ${include}/${header} library REGEX "#include <[^>]*[./]")
  if(library AND NOT library STREQUAL "#include <gmpxx.h>")
    message(FATAL_ERROR "${header} is installed and includes another library: ${library}")
  endif()
endforeach()

execute_process(COMMAND ${CMAKE_COMMAND} -S ${EXAMPLE} -B ${scratch}/build -G Ninja
                        -DCMAKE_PREFIX_PATH=${scratch}/prefix -DCMAKE_BUILD_TYPE=Debug
                        -DCMAKE_CXX_FLAGS=${FLAGS} -DHEADERS=${scratch}/headers
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${scratch}/build COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${scratch}/build/example COMMAND_ERROR_IS_FATAL ANY)

execute_process(COMMAND ${scratch}/prefix/bin/wmi --version COMMAND_ERROR_IS_FATAL ANY)
foreach(file share/man/man1/ciber.1 share/man/man1/ciber-query.1 share/man/man1/wmi.1
             share/bash-completion/completions/wmi share/zsh/site-functions/_ciber
             share/fish/vendor_completions.d/ciber.fish)
  if(NOT EXISTS ${scratch}/prefix/${file})
    message(FATAL_ERROR "${file} was not installed")
  endif()
endforeach()
if(EXISTS ${scratch}/prefix/bin/wmi-fuzz)
  message(FATAL_ERROR "wmi-fuzz was installed; a fuzzer is a test")
endif()
