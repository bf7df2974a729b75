# Installs the build in BUILD to a fresh prefix; then configures, builds and runs, against it alone,
# the project in EXAMPLE, and the installed program.
set(scratch ${BUILD}/install_test)
file(REMOVE_RECURSE ${scratch})

execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${scratch}/prefix
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -S ${EXAMPLE} -B ${scratch}/build -G Ninja
                        -DCMAKE_PREFIX_PATH=${scratch}/prefix -DCMAKE_BUILD_TYPE=Debug
                        -DCMAKE_CXX_FLAGS=${FLAGS}
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${scratch}/build COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${scratch}/build/example COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${scratch}/prefix/bin/wmi --version COMMAND_ERROR_IS_FATAL ANY)

# What the programs tell of themselves came along.
foreach(file share/man/man1/ciber.1 share/man/man1/ciber-query.1 share/man/man1/wmi.1
             share/bash-completion/completions/wmi share/zsh/site-functions/_ciber
             share/fish/vendor_completions.d/ciber.fish)
  if(NOT EXISTS ${scratch}/prefix/${file})
    message(FATAL_ERROR "${file} was not installed")
  endif()
endforeach()
