# Debian packages, made by `./run package` (CPack): `wmi` has the programs with their manual pages and
# completions, `libwmi-dev` the headers, libraries and the CMake package.

set(CPACK_PACKAGE_NAME wmi)
set(CPACK_PACKAGE_VENDOR wmi)
set(CPACK_PACKAGE_CONTACT "the wmi developers <wmi@localhost>")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL programs development)
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

include(CPack)
