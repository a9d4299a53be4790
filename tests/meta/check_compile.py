# SPDX-License-Identifier: BSD-3-Clause
"""The rules of the tree that a compiler must confirm.

usage: check_compile.py SOURCE RULE; what was refused (or wrongly accepted) is printed."""
import concurrent.futures
import itertools
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

BASE = ["-std=c++20"]
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Werror"]
HOSTILE = "".join(f"#undef {m.split('(')[0]}\n#define {m} hostile\n" for m in ("min(a, b)", "max(a, b)", "I", "major", "minor"))
AVX512 = ["-mavx2", "-mfma", "-mavx512f", "-mavx512cd", "-mavx512dq", "-mavx512bw"]
SETS = {"sse2": [], "avx2_fma": ["-mavx2", "-mfma"], "avx512bw_fma": AVX512}
# one of everything whose code depends on the instruction set; prints its ABI and lanes, returns 0 where the numbers are right
USER = r"""
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>
#include "logitope/logitope.hpp"
namespace lt = logitope;
struct constant_source { std::uint64_t operator()() { return std::uint64_t{1} << 63; } };
template <class T> static bool near(T a, double b) { return std::fabs(double(a) - b) < 1e-6; }
template <class T, class P> static bool right() {
  const std::vector<T> z{1, 2, 3, 4}, h{1, 0}, w{1, 0, 2, 0, 3, 0, 4, 0}, target{0, 0, 0, 1};
  const std::vector<int> y{3};
  std::vector<T> p(4), s(1), dh(2), dw(8);
  const lt::matrix_view<const T> Z(z.data(), 1, 4), H(h.data(), 1, 2), W(w.data(), 4, 2), Q(target.data(), 1, 4);
  const lt::matrix_view<T> out(p.data(), 1, 4), dH(dh.data(), 1, 2), dW(dw.data(), 4, 2);
  const double lse = 4.440189698561196, top = 0.6439142598879722;
  lt::softmax<P>(Z, out);
  bool good = near(p[3], top);
  lt::log_softmax<P>(Z, out);
  good = good && near(p[3], 4 - lse);
  lt::logsumexp<P>(Z, std::span<T>(s));
  good = good && near(s[0], lse) && near(lt::softmax<P>(z)[3], top) && near(lt::logsumexp<P>(z), lse);
  std::vector<std::byte> bytes(1 << 22);
  lt::workspace ws(bytes);
  const lt::dense_head<T> head(W);
  good = good && near(lt::cross_entropy<P>(head, H, y, ws).sum, lse - 4);
  good = good && near(lt::kl_divergence_grad<P>(head, H, Q, dH, dW, ws).sum, lse - 4) && near(dw[6], top - 1);
  dw.assign(8, T(7));
  good = good && near(lt::cross_entropy_grad<P>(head, H, y, dH, dW, ws).sum, lse - 4) && near(dw[6], top - 1);
  return good;
}
template <class P> static bool chosen() {
  std::vector<float> z(1000, -3.0f);
  z[7] = 5, z[70] = 9, z[700] = 7;
  std::vector<double> wide(z.begin(), z.end());
  lt::matrix<float> two(2, 1000);
  constant_source half;
  const lt::sampling_options nucleus{.temperature = 0.5, .top_k = 10, .top_p = 0.9}, all{};
  bool good = lt::argmax<P>(z) == 70 && lt::argmax<P>(wide) == 70 && lt::sample<P>(z, half, nucleus) == 70 &&
              lt::sample<P>(wide, half, nucleus) == 70 && lt::sample<P>(z, half, all) == 70 && lt::sample<P>(two, half, all).size() == 2;
  const auto best = lt::top_k<P>(z, 4), of_wide = lt::top_k<P>(wide, 4);
  for (const auto* k : {&best, &of_wide}) good = good && (*k)[0] == 70 && (*k)[1] == 700 && (*k)[2] == 7 && (*k)[3] == 0;
  return good;
}
template <class P, class S> static bool stored() {
  std::vector<S> z(3000, S(-60.0f)), p(3000);
  z[1] = S(1.0f), z[20] = S(2.0f), z[300] = S(3.0f), z[2999] = S(4.0f);
  const std::span<const S> row(z);
  std::vector<float> wide(3000);
  lt::widen<P, S>(row, wide);
  bool good = wide[20] == 2;
  lt::softmax_row<P, S>(row, p);
  good = good && std::fabs(float(p[2999]) - 0.6439f) < 2e-3f && std::fabs(lt::logsumexp_row<P, S>(row) - 4.44019f) < 1e-5f;
  lt::log_softmax_row<P, S>(row, p);
  return good && std::fabs(float(p[2999]) + 0.44019f) < 2e-3f;
}
int NAME() {
  std::printf("%s %zu\n", lt::abi.data(), lt::simd::lanes<float>);
  return right<float, lt::default_policy>() && right<double, lt::default_policy>() && right<float, lt::precise_policy>() &&
                 chosen<lt::default_policy>() && stored<lt::default_policy, lt::bf16>() && stored<lt::precise_policy, lt::f16>() ? 0 : 1;
}
"""


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, stdin=subprocess.DEVNULL)


# mangled names whose own qualified name is in logitope (also their vtables, guards, locals), and what may be shared
OURS = re.compile(r"_Z(T[VISC]|G[VR]|Z)*N?[KVr]*8logitope")
V0_DATA = re.compile(r"_Z(T[VIS]|G[VR])?N?K?8logitope2v0")
V0_ERROR = re.compile(r"_ZN8logitope2v0(5error|\d+[a-z]+_error)([CD]\d|CI\d)|_Z+N8logitope2v08on_error")


class Checker:
    def __init__(self, root, folder):
        self.root, self.folder = root, pathlib.Path(folder)
        self.include = ["-I", root / "include"]

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def compile(self, *words, compiler="g++"):
        return run(compiler, *BASE, "-w", *self.include, *words)

    def strict(self, *words, compiler="g++"):
        return run(compiler, *BASE, *STRICT, *self.include, *words)

    def names(self):
        return sorted(str(p.relative_to(self.root / "include")) for p in (self.root / "include").rglob("*.hpp"))

    def foreign(self, name, seen=None):
        """The <...> includes that a header reaches."""
        seen = set() if seen is None else seen
        found, path = [], (self.root / "include" / name).resolve()
        if path in seen:
            return found
        seen.add(path)
        for mark, target in re.findall(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', path.read_text(), re.M):
            if mark == "<":
                found.append(target)
            else:
                found += self.foreign(path.parent / target, seen)
        return found

    def headers_alone(self):
        """Each header compiles alone, twice, under every warning, whatever macros the user has.

        The other libraries' headers that it reaches come first: hostile macros may break those, not ours."""
        jobs = []

        def add(compiler, stem, names):
            first = dict.fromkeys(f for name in names for f in self.foreign(name))
            text = "".join(f"#if __has_include(<{f}>)\n#include <{f}>\n#endif\n" for f in first) + HOSTILE
            text += 2 * "".join(f'#include "{name}"\n' for name in names)
            jobs.append((compiler, stem, self.write(compiler + re.sub(r"\W", "_", stem) + ".cpp", text)))

        for name in self.names():
            add("g++", name, [name])
        if shutil.which("clang++"):  # one file: each alone would double the time of the slowest test
            add("clang++", "all, last first", self.names()[::-1])
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for job, done in zip(jobs, pool.map(lambda j: self.strict("-fsyntax-only", j[2], compiler=j[0]), jobs)):
                if done.returncode:
                    yield f"{job[0]}: {job[1]}: {first_error(done.stderr)}"

    def two_files_link(self):
        """BU03: every header in two translation units of one program."""
        text = "".join(f'#include "{name}"\n' for name in self.names())
        objects = []
        for name, tail in (("one", "int main() {}"), ("two", "")):
            source = self.write(name + ".cpp", text + tail)
            done = self.compile("-c", source, "-o", source.with_suffix(".o"))
            if done.returncode:
                yield first_error(done.stderr)
                return
            objects.append(source.with_suffix(".o"))
        done = run("g++", *objects, "-o", self.folder / "both", "-llapacke", "-lopenblas")
        if done.returncode:
            yield done.stderr

    def symbols(self):
        """BU01: files built for different instruction sets share no function of ours, and each runs its own."""
        weak, objects = {}, {}
        for name, flags in SETS.items():
            source = self.write(name + ".cpp", USER.replace("NAME", "use_" + name))
            done = self.compile("-O1", *flags, "-c", source, "-o", source.with_suffix(".o"))
            if done.returncode:
                yield f"{name}: {first_error(done.stderr)}"
                return
            objects[name] = source.with_suffix(".o")
            lines = run("nm", objects[name]).stdout.splitlines()
            weak[name] = {(l[17], l[19:]) for l in lines if l[17:18] in ("W", "V", "u") and OURS.match(l[19:])}
            if len(weak[name]) < 20:
                yield f"{name}: {len(weak[name])} weak symbols of ours: the check looks at nothing"
        for one, two in itertools.combinations(SETS, 2):
            for kind, symbol in sorted(weak[one] & weak[two]):
                if not (V0_DATA if kind in "Vu" else V0_ERROR).match(symbol):
                    yield f"shared by {one} and {two}: {run('c++filt', symbol).stdout.strip()}"
        main = self.write("main.cpp", "int use_sse2(); int use_avx2_fma();\n"
                          'int main() { return use_sse2() + (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? use_avx2_fma() : 0); }\n')
        for order in itertools.permutations(("sse2", "avx2_fma")):
            done = run("g++", main, *(objects[name] for name in order), "-o", self.folder / "mixed")
            got = run(self.folder / "mixed") if done.returncode == 0 else done
            want = "v0_sse2 4\nv0_avx2_fma 8\n" if "avx2" in pathlib.Path("/proc/cpuinfo").read_text() else "v0_sse2 4\n"
            if got.returncode or got.stdout != want:
                yield f"linked as {order}: expected {want!r}, got {got.stdout!r} (exit {got.returncode}) {got.stderr}"

    def flags(self):
        """SM28, BU06, BU08: what must be refused is, what must compile does."""
        umbrella = self.write("umbrella.cpp", '#include "logitope/logitope.hpp"\n')
        config = self.write("config.cpp", '#include "logitope/core/config.hpp"\n')
        for flag, source in itertools.product(("-ffast-math", "-ffinite-math-only", "-Ofast"), (config, umbrella)):
            done = self.compile("-fsyntax-only", "-fmax-errors=1", flag, source)
            if done.returncode == 0 or "NaN and infinity" not in done.stderr:
                yield f"{source.stem}: {flag} is not refused by name"
        for compiler in filter(shutil.which, ("g++", "clang++")):  # the file includes nothing: no 32-bit library is needed
            done = self.compile("-fsyntax-only", "-m32", config, compiler=compiler)
            if "x86_64" in os.uname().machine and (done.returncode == 0 or "needs a 64-bit target" not in done.stderr):
                yield f"{compiler} -m32 is not refused by name: {first_error(done.stderr)}"
        wide = self.write("wide.cpp", '#include <complex>\n#include <xtensor/xarray.hpp>\n#include <xtensor/xmath.hpp>\n#include "logitope/logitope.hpp"\n'
                          "using z = std::complex<long double>;\nz f(const xt::xarray<z>& a) { return xt::sum(xt::exp(a) * a + a)(); }\n")
        # xtensor 0.24 throws in its headers, so builds without exceptions take the umbrella but for its door
        door = re.compile(r'#include "(?!interop/)([^"]+)"')
        lines = door.findall((self.root / "include/logitope/logitope.hpp").read_text())
        bare = self.write("bare.cpp", "".join(f'#include "logitope/{line}"\n' for line in lines))
        # Random123 throws too, unless told otherwise as the docstring of random/philox.hpp does
        draws = self.write("draws.cpp", '#include "logitope/random/philox.hpp"\nauto f() { return logitope::philox(1)(); }\n')
        quiet = ["-fno-exceptions", "-fno-rtti", "-DR123_USE_SSE=0", "-DR123_THROW(x)=__builtin_abort()"]
        for source, flags in ((wide, []), (wide, AVX512), (bare, ["-fno-exceptions", "-fno-rtti"]), (draws, quiet)):
            done = self.compile("-fsyntax-only", *flags, source)
            if done.returncode:
                yield f"{source.name} {flags}: {first_error(done.stderr)}"

    def seconds(self, *includes):
        """User seconds of g++ -O2 on a file of nothing but includes."""
        source = self.write("cost.cpp", "".join(f"#include {line}\n" for line in includes))
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = self.compile("-O2", "-fsyntax-only", source)
        spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        return spent if done.returncode == 0 else float("inf")

    def cost(self):
        """What including a header costs, best of three, in user seconds, against the house's budget.

        The budget was set where <xtensor/xtensor.hpp> alone takes 1.35 s. On a slower or busier machine it grows by the
        ratio measured here, taken in turn with ours; on a faster one it stays. What xsimd and the intrinsics of the
        run-time table cost together is a floor that no header of ours can go below: where it leaves less than 0.3 s
        of the budget, the limit is that floor plus 0.3 s."""
        budget = {"simd/softmax.hpp": 0.9, "loss/cross_entropy.hpp": 1.0, "logitope.hpp": 2.5}
        yardstick, floor, own = float("inf"), float("inf"), dict.fromkeys(budget, float("inf"))
        for _ in range(3):
            yardstick = min(yardstick, self.seconds("<xtensor/xtensor.hpp>"))
            floor = min(floor, self.seconds("<xsimd/xsimd.hpp>", "<immintrin.h>"))
            for name in budget:
                own[name] = min(own[name], self.seconds(f'"logitope/{name}"'))
        scale = max(1.0, yardstick / 1.35)
        print(f"xtensor alone {yardstick:.2f} s (reference 1.35 s): budgets times {scale:.2f}")
        print(f"xsimd and immintrin.h together {floor:.2f} s: the floor")
        for name, limit in budget.items():
            allowed = max(limit * scale, floor + 0.3 * scale)
            print(f"{name}: {own[name]:.2f} s of {allowed:.2f} s (budget {limit} s)")
            if own[name] > allowed:
                yield f"{name}: {own[name]:.2f} s, allowed {allowed:.2f} s"
        for room in sorted(p for p in (self.root / "include/logitope").iterdir() if p.is_dir()):
            headers = sorted(room.rglob("*.hpp"))
            lines = sum(path.read_text().count("\n") for path in headers)
            spent = self.seconds(*(f'"{path.relative_to(self.root / "include")}"' for path in headers))
            print(f"{room.name}: {len(headers)} headers, {lines} lines, {spent:.2f} s")
            if spent == float("inf"):
                yield f"{room.name}: its headers do not compile together"

    def readme(self):
        """Every C++ block of the README does what the text block after it says."""
        text = (self.root / "README.md").read_text()
        blocks = re.findall(r"```cpp\n(.*?)```(?:\s*```text\n(.*?)```)?", text, re.S)
        if not blocks:
            yield "README.md has no C++ block"
        for i, (code, want) in enumerate(blocks):
            source = self.write(f"readme{i}.cpp", code)
            done = self.compile("-O2", source, "-o", source.with_suffix(""))
            if not want:
                yield f"block {i + 1}: no text block says what it prints"
            elif done.returncode:
                yield f"block {i + 1}: {first_error(done.stderr)}"
            else:
                got = run(source.with_suffix(""))
                if got.returncode or got.stdout.strip() != want.strip():
                    yield f"block {i + 1}: expected {want!r}, got {got.stdout!r} (exit {got.returncode})"

    def refused(self):
        """tests/fail: each compiles with EXPECT_OK and is refused by the given text without."""
        cases = sorted((self.root / "tests/fail").glob("*.cpp"))
        if not cases:
            yield "tests/fail is empty"
        for case in cases:
            text = re.search(r"^// refused: (.*)$", case.read_text(), re.M).group(1)
            good, bad = (self.compile("-fsyntax-only", *f, case) for f in (["-DEXPECT_OK"], []))
            if good.returncode:
                yield f"{case.name}: does not compile with EXPECT_OK: {first_error(good.stderr)}"
            if bad.returncode == 0 or text not in bad.stderr:
                yield f"{case.name}: not refused with '{text}'"

    def consumers(self):
        """A file on its own, a Meson superproject, an installed copy by pkg-config and by CMake all print 0.6439."""
        source = self.root / "tests/consumers/first.cpp"
        program = self.folder / "first"
        done = self.compile("-O2", source, "-o", program)
        yield from self.prints(done, program, "copied headers")
        project = self.folder / "project"
        (project / "subprojects").mkdir(parents=True)
        shutil.copy(source, project)
        (project / "subprojects/logitope").symlink_to(self.root)
        (project / "meson.build").write_text("project('user', 'cpp', default_options: 'cpp_std=c++20')\n"
                                             "executable('user', 'first.cpp', dependencies: dependency('logitope', fallback: 'logitope'))\n")
        done = run("meson", "setup", project / "b", project)
        done = done if done.returncode else run("ninja", "-C", project / "b")
        yield from self.prints(done, project / "b/user", "subproject")
        if list((project / "b").rglob("test_*")):
            yield "subproject: tests were built"
        lone, stage = self.folder / "lone", self.folder / "stage"
        off = [f"-D{what}=disabled" for what in ("tests", "examples", "bench")]
        done = run("meson", "setup", lone, self.root, "--prefix=/usr", *off)
        done = done if done.returncode else run("meson", "install", "-C", lone, "--destdir", stage)
        if done.returncode:
            yield f"install: {done.stdout[-800:]}"
            return
        os.environ["PKG_CONFIG_PATH"] = str(stage / "usr/share/pkgconfig")
        flags = run("pkg-config", f"--define-variable=prefix={stage}/usr", "--cflags", "logitope")
        done = run("g++", "-std=c++20", "-O2", source, *flags.stdout.split(), "-o", program)
        yield from self.prints(done, program, "installed")
        if not shutil.which("cmake"):
            yield "cmake is missing: find_package was not tried"
            return
        there = self.folder / "cmake"
        there.mkdir()
        shutil.copy(source, there)
        (there / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.18)\nproject(user CXX)\nfind_package(logitope 0.1 REQUIRED)\n"
                                              "add_executable(user first.cpp)\ntarget_link_libraries(user logitope::logitope)\n")
        done = run("cmake", "-S", there, "-B", there / "b", f"-DCMAKE_PREFIX_PATH={stage}/usr", "-DCMAKE_BUILD_TYPE=Release")
        done = done if done.returncode else run("cmake", "--build", there / "b")
        yield from self.prints(done, there / "b/user", "find_package")

    @staticmethod
    def prints(done, program, how):
        got = done.stdout[-600:] + done.stderr[-600:] if done.returncode else run(program).stdout.strip()
        if got != "0.6439":
            yield f"{how}: expected 0.6439, got {got}"


def first_error(text):
    return next((line for line in text.splitlines() if "error" in line), text[:300])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        breaches = list(getattr(Checker(pathlib.Path(sys.argv[1]).resolve(), scratch), sys.argv[2])())
    print("\n".join(breaches))
    sys.exit(bool(breaches))
