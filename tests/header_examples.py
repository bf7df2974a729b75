#!/usr/bin/env python3
"""Compiles the C++ examples in the comments of headers.

    header_examples.py [--compiler "g++ FLAGS..."] [HEADER ...]

Without headers, all of the project that do not need LibTorch. An example is a block of `///` lines
indented by four spaces or more in which a line ends in `;` or carries a result after `//`; other
blocks are displays (mathematics, grammars, samples of files) and are not compiled. An example is
the body of a function in the header's namespace. It may use what the header includes, and declares
every other name that it uses. One that starts with a line ending in `{` at the left margin, a
function or a class, is compiled at namespace scope instead.
"""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

PRELUDE = """\
#include <array>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <vector>
"""


def headers():
    for directory in ("solver", "encoders", "bnn", "frontends"):
        for path in sorted((ROOT / directory).rglob("*.h")):
            header = path.relative_to(ROOT)
            if not header.is_relative_to("bnn/torch"):
                yield header


def blocks(text):
    """The indented blocks of `///` comments: (line number, lines)."""
    block, start = [], 0
    for number, line in enumerate(text.splitlines() + [""], 1):
        comment = re.match(r"\s*///(.*)", line)
        content = comment[1] if comment else None
        if content is not None and content.startswith(" " * 5):
            if not block:
                start = number
            block.append(content[5:])
        elif block and content is not None and not content.strip():
            block.append("")  # a blank line inside a block, or after it
        elif block:
            yield start, block
            block = []


def is_code(block):
    """Whether some line ends in `;`, or has a `//` that is not part of a string."""
    for line in block:
        code = re.sub(r'"(\\.|[^"\\])*"', '""', line)
        if "//" in code or code.rstrip().endswith(";"):
            return True
    return False


def example(header, text, line, block):
    namespace = re.search(r"^namespace ([\w:]+) \{", text, re.M)
    name = re.sub(r"\W", "_", f"example_{header}_{line}")
    opening = re.match(r"(?!if|for|while|\{)\S[^=]*\{$", block[0])
    before, after = ("", "") if opening else (f"void {name}() {{", "}")
    body = "\n".join(block)
    return (f"namespace {namespace[1] if namespace else name} {{\n{before}\n"
            f'#line {line} "{header}"\n{body}\n{after}\n}}\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", default="g++ -std=c++20", help="with its flags")
    parser.add_argument("--list", action="store_true", help="list examples and displays")
    parser.add_argument("--output", help="also write the program to this file")
    parser.add_argument("headers", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    chosen = [path.resolve().relative_to(ROOT) for path in arguments.headers] or list(headers())

    includes, examples = [], []
    for header in chosen:
        text = (ROOT / header).read_text()
        found = [(line, block) for line, block in blocks(text)]
        if arguments.list:
            for line, block in found:
                print(f"{header}:{line}: {'example' if is_code(block) else 'display'}")
        found = [(line, block) for line, block in found if is_code(block)]
        if found:
            includes.append(f'#include "{header}"\n')
            examples += [example(header, text, line, block) for line, block in found]
    program = (PRELUDE + "".join(includes) + "using namespace std::literals;\n"
               + "".join(examples))
    if arguments.output:
        pathlib.Path(arguments.output).write_text(program)
    # Without warnings: an example names results and drops them.
    command = shlex.split(arguments.compiler) + [
        "-w", "-fsyntax-only", "-fdiagnostics-color=never", "-I", str(ROOT), "-x", "c++", "-"]
    compiled = subprocess.run(command, input=program, text=True, cwd=ROOT)
    print(f"{len(examples)} examples of {len(includes)} headers", flush=True)
    return compiled.returncode


if __name__ == "__main__":
    sys.exit(main())
