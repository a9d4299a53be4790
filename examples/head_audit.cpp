// SPDX-License-Identifier: BSD-3-Clause
// What can this output head say, what will it learn? Parse, map, audit, print; the work is in logitope/audit/.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "logitope/audit/head_audit.hpp"
#include "logitope/io/atomic_write.hpp"
#include "support/head_sources.hpp"
#include "support/progress_bar.hpp"
#include "support/report_json.hpp"
#include "support/report_text.hpp"

namespace {

enum exit_code { ok = 0, check_failed = 1, bad_input = 2, finished_undecided = 3, nothing_to_do = 4 };

/// Errors of the audit name the source, as those of the readers do.
logitope::head_report audit(const logitope::head_input& head, const logitope::audit_options& options,
                            support::progress_bar& bar) {
  try {
    return logitope::audit_head(head, options, bar);
  } catch (const logitope::error& error) {
    throw logitope::error(head.source + ": " + error.what());
  }
}

int run(const support::head_request& request, logitope::audit_options options, bool usual_supports,
        const std::string& json_path, bool quiet) {
  support::progress_bar bar(!quiet);
  const support::loaded_head loaded = support::load_head(request, bar);
  const logitope::head_input& head = loaded.head;
  if (head.weights.empty()) {
    fmt::print(stderr, "head_audit: {}: nothing to do: the head has {} tokens and dimension {}\n", head.source,
               head.weights.rows(), head.weights.cols());
    return nothing_to_do;
  }
  if (usual_supports) std::erase_if(options.supports, [&](std::size_t k) { return k >= head.weights.rows(); });
  const logitope::head_report report = audit(head, options, bar);
  bar.clear();
  if (!quiet) fmt::print("{}{}{}", loaded.story, loaded.story.empty() ? "" : "\n", support::to_text(report));
  if (!json_path.empty()) {
    logitope::atomic_write(json_path, support::to_json(report).dump(2) + "\n");
    if (!quiet) fmt::print("\nJSON: {}\n", json_path);
  }
  if (std::fflush(stdout) != 0)
    throw logitope::error(fmt::format("standard output: expected room for the report, found {}", std::strerror(errno)));
  return report.argmaxable.undecided.empty() && report.argmaxable.boundary_undecided.empty() ? ok : finished_undecided;
}

/// What CLI11 lets pass: an empty name; a number with a minus, which wraps around, with a leading 0, which it reads in
/// base 8 or 16, and one beyond the largest, which it replaces by that.
const CLI::Validator a_name(
    [](const std::string& text) { return std::string(text.empty() ? "expected a file name, found none" : ""); },
    "FILE");
const CLI::Validator a_size(
    [](const std::string& text) {
      std::uint64_t value = 0;
      const char* end = text.data() + text.size();
      const auto [next, error] = std::from_chars(text.data(), end, value);
      return error != std::errc() || next != end || (text.size() > 1 && text[0] == '0')
                 ? "expected a number >= 0, in base 10 without leading zeros, below 2^64, found '" + text + "'"
                 : std::string();
    },
    "");
const CLI::Validator seconds(
    [](const std::string& text) {
      double value = 0;
      return CLI::detail::lexical_cast(text, value) && value >= 0
                 ? std::string()
                 : "expected a number of seconds >= 0, found '" + text + "'";
    },
    "");

/// Sizes between commas, each of them there: CLI11 would drop an empty one.
std::vector<std::size_t> sizes_of(const std::vector<std::string>& words, const char* option) {
  const std::string text = fmt::format("{}", fmt::join(words, ","));
  std::vector<std::size_t> sizes;
  const char *at = text.data(), *end = at + text.size();
  for (;;) {
    std::size_t size = 0;
    const auto [next, error] = std::from_chars(at, end, size);
    if (error != std::errc() || (next != end && *next != ','))
      throw CLI::ValidationError(fmt::format("{}: expected sizes with commas between, found '{}'", option, text));
    sizes.push_back(size);
    if (next == end) return sizes;
    at = next + 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Audits the softmax head of a language model: which tokens can win, which rank and faces it has,\n"
      "which dimension its vocabulary needs, how ambiguous it is, when it will have learned."};
  app.name("head_audit");
  support::head_request request;
  logitope::audit_options options;
  std::string json_path;
  bool quiet = false;
  std::size_t threads = 1;
  std::vector<std::string> shape, support_sizes;

  auto* arpa =
      app.add_option("--arpa", request.arpa, "n-gram model (ARPA): train a head on its contexts, then audit it")
          ->check(a_name);
  auto* weights = app.add_option("--weights", request.weights, "head weights [V, h] (.npy)")->check(a_name);
  auto* llama2c =
      app.add_option("--llama2c", request.llama2c, "model in the llama2.c format, version 0")->check(a_name);
  auto* random = app.add_option("--random", shape, "Gaussian head of V tokens and dimension h, as V,h")
                     ->expected(1, 2)
                     ->type_name("UINT");
  auto* zipf = app.add_flag("--zipf", request.zipf, "train on a seeded Zipf 3-gram source of our own, then audit");
  app.add_option("--dimension", request.dimension, "dimension of a trained head")->check(a_size)->capture_default_str();
  app.add_option("--bias", request.bias, "bias [V] (.npy), with --weights")->needs(weights)->check(a_name);
  app.add_option("--hidden", request.hidden, "hidden states [N, h] (.npy), with --weights")
      ->needs(weights)
      ->check(a_name);
  app.add_option("--tokenizer", request.tokenizer, "tokenizer of the model: shows what it writes")
      ->needs(llama2c)
      ->check(a_name);
  app.add_option("--contexts", request.contexts, "greedy contexts of the model")->check(a_size)->capture_default_str();
  auto* supports = app.add_option("--k", support_sizes, "support sizes to report on; unless given, those below V")
                       ->type_name("UINT")
                       ->default_str(fmt::format("[{}]", fmt::join(options.supports, ",")));
  app.add_option("--json", json_path, "write the report as JSON")->check(a_name);
  app.add_option("--seed", request.seed, "seed of every random choice")->check(a_size)->capture_default_str();
  app.add_option("--time-limit", options.time_limit, "seconds for the search of faces; what is left is undecided")
      ->check(seconds)
      ->capture_default_str();
  app.add_option("--threads", threads, "1 until an executor exists")->check(CLI::Range(1, 1));
  app.add_flag("--quiet", quiet, "no report and no progress on the terminal");

  if (argc == 1) {
    fmt::print(stderr, "{}", app.help());
    return bad_input;
  }
  try {
    app.parse(argc, argv);
    if (random->count() > 0) request.random = sizes_of(shape, "--random");
    if (random->count() > 0 && request.random.size() != 2)
      throw CLI::ValidationError(fmt::format("--random: expected 2 sizes V,h, found {}", request.random.size()));
    if (supports->count() > 0) options.supports = sizes_of(support_sizes, "--k");
    std::size_t sources = 0;
    for (const CLI::Option* option : {arpa, weights, llama2c, random, zipf}) sources += option->count() > 0;
    if (sources != 1)
      throw CLI::ValidationError(
          fmt::format("expected exactly one of --arpa, --weights, --llama2c, --random, --zipf, found {}", sources));
    std::error_code unknown;  // what cannot be looked at is reported when it is written
    if (std::filesystem::is_directory(json_path, unknown))
      throw CLI::ValidationError(fmt::format("--json {}: expected a file, found a folder", json_path));
    const auto folder = std::filesystem::path(json_path).parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder, unknown))
      throw CLI::ValidationError(
          fmt::format("--json {}: expected a folder {}, found none", json_path, folder.string()));
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "head_audit: {} (head_audit --help lists the options)\n", error.what());
    return bad_input;
  }
  try {
    return run(request, options, supports->count() == 0, json_path, quiet);
  } catch (const logitope::error& error) {
    fmt::print(stderr, "head_audit: {}\n", error.what());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "head_audit: not enough memory for this head\n");
  } catch (const std::length_error&) {  // a vector whose size no memory could hold
    fmt::print(stderr, "head_audit: not enough memory for this head\n");
  } catch (const std::system_error& error) {
    fmt::print(stderr, "head_audit: standard output: {}\n", error.what());
  }
  return bad_input;
}
