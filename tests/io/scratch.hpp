// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_TESTS_IO_SCRATCH_HPP
#define LOGITOPE_TESTS_IO_SCRATCH_HPP

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

/// A folder of this test alone, gone at its end.
struct scratch {
  std::filesystem::path folder = std::filesystem::temp_directory_path() / ("logitope-io-" + std::to_string(::getpid()));
  scratch() { std::filesystem::create_directories(folder); }
  ~scratch() { std::filesystem::remove_all(folder); }
  [[nodiscard]] std::string file(const std::string& bytes) const {
    const auto path = folder / "file";
    std::ofstream(path, std::ios::binary) << bytes;
    return path.string();
  }
};

#endif
