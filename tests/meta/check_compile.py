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

BASE = ["-std=c++20", "-w"]
HOSTILE = [f"-D{name}=hostile_{name}" for name in ("minor", "major")]
USER = ('#include "logitope/logitope.hpp"\n#include <vector>\n'
        "float NAME(const float* z) { logitope::matrix_view<const float> Z(z, 1, 4); std::vector<float> p(4);\n"
        "  logitope::matrix_view<float> P(p.data(), 1, 4); logitope::softmax(Z, P);\n"
        "  return logitope::abi.find(WANT) == std::string_view::npos ? -1 : p[3]; }\n")


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, stdin=subprocess.DEVNULL)


class Checker:
    def __init__(self, root, folder):
        self.root, self.folder = root, pathlib.Path(folder)
        self.include = ["-I", root / "include"]

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def compile(self, *words, compiler="g++"):
        return run(compiler, *BASE, *self.include, *words)

    def names(self):
        return sorted(str(p.relative_to(self.root / "include")) for p in (self.root / "include").rglob("*.hpp"))

    def headers_alone(self):
        """Each header compiles alone, twice, whatever macros the user has."""
        jobs = []
        for compiler in filter(shutil.which, ("g++", "clang++")):
            for name in self.names():
                text = f'#define min(a, b) hostile\n#define max(a, b) hostile\n#define I hostile\n#include "{name}"\n#include "{name}"\n'
                if "x86/" in name:
                    continue  # only through kernels.hpp
                third_party = re.search(r"interop/|linalg/|polytope/|logitope\.hpp", name)
                if third_party:  # hostile macros break the other library's headers, not ours
                    text = f'#include "{name}"\n#include "{name}"\n'
                jobs.append((compiler, name, self.write(compiler + re.sub(r"\W", "_", name) + ".cpp", text)))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for job, done in zip(jobs, pool.map(lambda j: self.compile("-fsyntax-only", j[2], compiler=j[0]), jobs)):
                if done.returncode:
                    yield f"{job[0]}: {job[1]}: {first_error(done.stderr)}"

    def two_files_link(self):
        """BU03: every header in two translation units of one program."""
        text = "".join(f'#include "{name}"\n' for name in self.names() if "x86/" not in name)
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
        """BU01: files built for different instruction sets share no function that depends on it."""
        sets = {"sse2": [], "avx2_fma": ["-mavx2", "-mfma"]}
        weak, objects = {}, []
        for name, flags in sets.items():
            text = USER.replace("NAME", "use_" + name).replace("WANT", f'"{name}"')
            source = self.write(name + ".cpp", text)
            done = self.compile("-O1", *flags, "-c", source, "-o", source.with_suffix(".o"))
            if done.returncode:
                yield first_error(done.stderr)
                return
            objects.append(source.with_suffix(".o"))
            lines = run("nm", "-C", objects[-1]).stdout.splitlines()
            weak[name] = {l[19:] for l in lines if l[17:18] in ("W", "V", "u") and "logitope::" in l}
        for symbol in sorted(set.intersection(*weak.values())):
            if not re.search(r"logitope::v0::", symbol) and "logitope::" in symbol.split("(")[0]:
                yield f"shared by both: {symbol}"
        if not all(weak.values()):
            yield "no weak symbol of ours found: the check looks at nothing"
        main = self.write("main.cpp", "float use_sse2(const float*); float use_avx2_fma(const float*);\n"
                          "int main(int c, char**) { const float z[] = {1, 2, 3, 4}; auto near = [](float p) { return p > 0.643f && p < 0.645f; };\n"
                          '  return !near(use_sse2(z)) || (__builtin_cpu_supports("avx2") && !near(use_avx2_fma(z))); }\n')
        for order in itertools.permutations(objects):
            done = run("g++", "-std=c++20", main, *order, "-o", self.folder / "mixed")
            if done.returncode or run(self.folder / "mixed").returncode:
                yield f"linked as {[o.stem for o in order]}: {done.stderr or 'a file sees the other set'}"

    def flags(self):
        """SM28, BU06, BU08: what must be refused is, what must compile does."""
        umbrella = self.write("umbrella.cpp", '#include <complex>\n#include "logitope/logitope.hpp"\nstd::complex<long double> z(1, 2);\n'
                              "auto w = std::exp(z) * z;\n")
        config = self.write("config.cpp", '#include "logitope/core/config.hpp"\n')
        for flag in ("-ffast-math", "-ffinite-math-only", "-Ofast"):
            done = self.compile("-fsyntax-only", flag, config)
            if done.returncode == 0 or "NaN and infinity" not in done.stderr:
                yield f"{flag} is not refused by name"
        core = self.write("core.cpp", "".join(f'#include "{n}"\n' for n in self.names() if "/core/" in n or re.search(r"/simd/[a-z_]+\.hpp", n)))
        for source, flags in ((umbrella, []), (core, ["-fno-exceptions", "-fno-rtti"]), (umbrella, ["-mavx2", "-mfma", "-mavx512f", "-mavx512cd", "-mavx512dq", "-mavx512bw"])):
            done = self.compile("-fsyntax-only", *flags, source)
            if done.returncode:
                yield f"{source.name} {flags}: {first_error(done.stderr)}"

    def cost(self):
        """What including a header costs, best of three, in user seconds."""
        budget = {"simd/softmax.hpp": 0.9, "loss/cross_entropy.hpp": 1.0, "logitope.hpp": 2.5}
        for name, limit in budget.items():
            if not (self.root / "include/logitope" / name).is_file():
                yield f"{name} does not exist"
                continue
            source = self.write("cost.cpp", f'#include "logitope/{name}"\n')
            best = float("inf")
            for _ in range(3):
                before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
                self.compile("-O2", "-c", source, "-o", os.devnull)
                best = min(best, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
            print(f"{name}: {best:.2f} s of {limit} s")
            if best > limit:
                yield f"{name}: {best:.2f} s, budget {limit} s"

    def readme(self):
        """Every C++ block of the README does what the text block after it says."""
        text = (self.root / "README.md").read_text()
        blocks = re.findall(r"```cpp\n(.*?)```(?:\s*```text\n(.*?)```)?", text, re.S)
        if not blocks:
            yield "README.md has no C++ block"
        for i, (code, want) in enumerate(blocks):
            source = self.write(f"readme{i}.cpp", code)
            done = self.compile("-O2", source, "-o", source.with_suffix(""))
            if done.returncode:
                yield f"block {i + 1}: {first_error(done.stderr)}"
            else:
                got = run(source.with_suffix(""))
                if got.returncode or (want and got.stdout.strip() != want.strip()):
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
        """A file on its own, a Meson superproject and an installed copy all print 0.6439."""
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
