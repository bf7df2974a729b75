# Debian packages, made by `./run package` (CPack): `wmi` has the programs with their manual pages and
# completions, `libwmi-dev` the headers, libraries and the CMake package, `python3-ciber` the Python
# package.

set(CPACK_PACKAGE_NAME wmi)
set(CPACK_PACKAGE_VENDOR wmi)
set(CPACK_PACKAGE_CONTACT "the wmi developers <wmi@localhost>")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL programs development)
if(TARGET _core)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION math)

set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME wmi)
set(CPACK_COMPONENT_PROGRAMS_DESCRIPTION
    "Exact weighted model integration, and exact answers about uncertain networks")
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SHLIBDEPS ON)
# Without it LibTorch uses a reference BLAS, and trains many times slower.
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_RECOMMENDS libopenblas0-pthread)

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libwmi-dev)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "Headers and static libraries of exact weighted model integration")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libgmp-dev, libmpfr-dev, libmpfi-dev, libflint-dev, libflint-arb-dev, libcdd-dev, libz3-dev")

if(TARGET _core)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-ciber)
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION
      "Exact weighted model integration and exact answers about uncertain networks, in Python")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  # An extension is for one minor version of Python.
  get_property(python_version GLOBAL PROPERTY wmi_python_version)
  string(REGEX MATCH "^3\\.([0-9]+)" ignored "${python_version}")
  math(EXPR next "${CMAKE_MATCH_1} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "python3 (>= 3.${CMAKE_MATCH_1}), python3 (<< 3.${next})")
  # Learning is done by the program; arrays are numpy's.
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "wmi, python3-numpy")
endif()

include(CPack)
