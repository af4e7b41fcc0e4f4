# Debian packages and a relocatable tarball: scripts/package runs cpack with these.
set(CPACK_PACKAGE_NAME tutti)
set(CPACK_PACKAGE_VENDOR "The Tutti developers")
set(CPACK_PACKAGE_CONTACT "The Tutti developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_FILE_NAME "tutti-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_COMPONENTS_ALL runtime development command)
if(TUTTI_BUILD_PYTHON AND TUTTI_NANOBIND_BACKEND)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
if(TARGET tutti_mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()

# One archive with everything; one package for each part.
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libtutti${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS "libc6 (>= 2.36), libstdc++6 (>= 12)")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "libopenblas0")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "Data-parallel arrays, compiled at run time: the library")

# Programs load it when they ask for ranks. It works with the MPI that it was built for alone.
set(CPACK_DEBIAN_MPI_PACKAGE_NAME libtutti-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_SECTION libs)
if("${MPI_CXX_LIBRARIES}" MATCHES "mpich")
  set(tutti_mpi_packages "libmpich12, mpich")
else()
  set(tutti_mpi_packages "libopenmpi3, openmpi-bin")
endif()
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS
    "libtutti${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION}), ${tutti_mpi_packages}")
set(CPACK_COMPONENT_MPI_DESCRIPTION "Data-parallel arrays on several processes: ranks over MPI")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libtutti-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libtutti${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Data-parallel arrays: headers and CMake files")

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME tutti)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "libtutti${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "The tutti command: NESL programs and its shell")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-tutti)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
# The versions of Python that scripts/package takes nanobind's code for.
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "libtutti${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION}), python3 (>= 3.11), python3 (<< 3.14)")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "tutti, libtutti-dev")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
    "${PROJECT_SOURCE_DIR}/cmake/debian/postinst;${PROJECT_SOURCE_DIR}/cmake/debian/prerm")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Data-parallel arrays, compiled at run time: for Python")
include(CPack)
