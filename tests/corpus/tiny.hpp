// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_TESTS_CORPUS_TINY_HPP
#define LOGITOPE_TESTS_CORPUS_TINY_HPP

/// Two outcomes, two contexts; b has no mass left to back off with.
inline constexpr const char* tiny_arpa =
    "\\data\\\nngram 1=3\nngram 2=2\nngram 3=1\n\n\\1-grams:\n-99\t<s>\t0\n-0.5\ta\t-2\n-1\tb\t+99.999\n\n"
    "\\2-grams:\n-1\ta\tb\t-1\n-2\tb\ta\t0\n\n\\3-grams:\n-1\ta\tb\tb\n\n\\end\\\n";

#endif
