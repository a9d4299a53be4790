# SPDX-License-Identifier: BSD-3-Clause
"""The rules of the tree that need no compiler: layers, who may name a library, tests, docs, version.

usage: check_tree.py SOURCE RULE; every breach is printed as file: what."""
import pathlib
import re
import sys

LAYERS = {
    "core": "", "simd": "core", "special": "core", "random": "core", "statistics": "core", "io": "core", "interop": "core",
    "corpus": "core io", "linalg": "core simd", "heads": "core simd", "loss": "core simd heads",
    "ambiguity": "core simd heads statistics", "polytope": "core simd special statistics random linalg",
    "sensing": "core simd special statistics", "hebbian": "core simd special random", "optimise": "core simd linalg",
    "rank": "core simd linalg heads loss optimise",
    "flow": "core simd special random linalg heads loss ambiguity corpus",
}
LAYERS["audit"] = " ".join(LAYERS)
LIBRARIES = {
    "xsimd": r"simd/arch\.hpp", "xtensor": r"interop/xtensor\.hpp", "Random123": r"random/.*", "lapacke": r"linalg/.*",
    "cblas": r"linalg/.*", "nlohmann": r"io/safetensors\.hpp", "boost": r"polytope/.*",
}
BANNED = {
    "include": [r"#\s*define\s+(XTENSOR|XSIMD)_", r"using namespace", r"(?<!-)\b(printf|std::cout|std::cerr|std::exit)\b"],
    "tests": [r"BOOST_CHECK_CLOSE", r"BOOST_REQUIRE_CLOSE"],
}
EVERYWHERE = [r"/(work|home|tmp)/", r"\b(TODO|FIXME|XXX)\b"]


def layers(root):
    for path, name, text in headers(root):
        room = name.split("/")[0]
        if "/" not in name:
            continue  # the umbrella
        if room not in LAYERS:
            yield f"{name}: room {room} has no layer"
            continue
        for line in re.findall(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', text, re.M):
            target = (path.parent / line).resolve()
            if target.is_file() and target.is_relative_to(root / "include/logitope"):
                other = str(target.relative_to(root / "include/logitope")).split("/")[0]
                if other != room and other not in LAYERS[room].split():
                    yield f"{name}: {room} may not include {line}"
            for library, allowed in LIBRARIES.items():
                if re.match(library + r"[/.]", line) and not re.fullmatch(allowed, name):
                    yield f"{name}: {library} is not for this header"


def words(root):
    for folder in ("include", "tests", "examples", "bench"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".hpp", ".cpp", ".py", ".sh", ".build") or path.name == "check_tree.py":
                continue
            text = path.read_text()
            for pattern in BANNED.get(folder, []) + EVERYWHERE:
                for found in re.finditer(pattern, text):
                    line = text[: found.start()].count("\n") + 1
                    yield f"{path.relative_to(root)}:{line}: {found.group()}"


def tested(root):
    for _, name, _ in headers(root):
        if "/" in name and not (root / "tests" / name).with_suffix(".cpp").is_file():
            yield f"{name}: no tests/{name[:-4]}.cpp"


def documented(root):
    for _, name, text in headers(root):
        if not text.startswith("// SPDX-License-Identifier: BSD-3-Clause\n"):
            yield f"{name}: no SPDX line first"
        if "///" not in text:
            yield f"{name}: no docstring"
        guard = "LOGITOPE_" + re.sub(r"[/.]", "_", name).upper()
        if f"#ifndef {guard}" not in text:
            yield f"{name}: include guard is not {guard}"
        if text.count("\n") > 350:
            yield f"{name}: more than 350 lines"


def version(root):
    meson = re.search(r"^\s*version: '([^']+)'", (root / "meson.build").read_text(), re.M).group(1)
    ours = re.search(r'version = "([^"]+)"', (root / "include/logitope/core/info.hpp").read_text()).group(1)
    if meson != ours:
        yield f"meson.build says {meson}, core/info.hpp says {ours}"


def headers(root):
    base = root / "include/logitope"
    for path in sorted(base.rglob("*.hpp")):
        yield path, str(path.relative_to(base)), path.read_text()


if __name__ == "__main__":
    rule = {f.__name__: f for f in (layers, words, tested, documented, version)}[sys.argv[2]]
    breaches = list(rule(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(breaches))
    sys.exit(bool(breaches))
