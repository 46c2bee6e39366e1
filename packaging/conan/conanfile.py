"""The recipe of Conan 2. What riffle needs comes from the system's packages: conan create packaging/conan"""
import pathlib
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy
from conan.tools.system.package_manager import Apt, Brew, Dnf

NEEDED = ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "cmake/*", "docs/*.md",
          "examples/*.cpp", "include/*", "src/*")


class Riffle(ConanFile):
    name = "riffle"
    license = "MIT"
    description = "Reads lines, words, rows of CSV, values and bytes of any input; a truncated file is an error, not SIGBUS"
    topics = ("io", "mmap", "io_uring", "csv", "lines")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "uring": [True, False], "decoders": [True, False]}
    default_options = {"shared": False, "uring": True, "decoders": True}

    def root(self):
        return pathlib.Path(self.recipe_folder).parent.parent

    def set_version(self):
        header = (self.root() / "include/riffle/version.hpp").read_text()
        self.version = ".".join(re.findall(r"#define RIFFLE_VERSION_[A-Z]+ (\d+)", header))

    def config_options(self):
        if self.settings.os != "Linux":
            del self.options.uring

    def export_sources(self):
        for pattern in NEEDED:
            copy(self, pattern, src=self.root(), dst=self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def system_requirements(self):
        uring = self.options.get_safe("uring")
        apt = ["libhwy-dev"] + ["liburing-dev"] * bool(uring)
        if self.options.decoders:
            apt += ["libisal-dev", "zlib1g-dev", "libzstd-dev", "liblzma-dev", "libbz2-dev", "liblz4-dev"]
        Apt(self).install(apt, check=True)
        Dnf(self).install(["highway-devel"] + ["liburing-devel"] * bool(uring), check=True)
        Brew(self).install(["highway"], check=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["RIFFLE_URING"] = "ON" if self.options.get_safe("uring") else "OFF"
        toolchain.cache_variables["RIFFLE_DECODERS"] = "AUTO" if self.options.decoders else "OFF"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        self.cpp_info.set_property("cmake_find_mode", "none")  # riffle's own files are better than generated ones
        self.cpp_info.builddirs = ["lib/cmake/riffle"]
        self.cpp_info.libs = ["riffle"]
        self.cpp_info.system_libs = ["pthread"] if self.settings.os == "Linux" else []
