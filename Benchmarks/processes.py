"""Processes and what they cost: processor time, bytes written, memory.

Processor time and bytes are the processes' own, so they compare better than wall time does on a busy machine.
"""

import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, cwd=ROOT, **options)


def next_result(process):
    """The next line of a process's output, which is JSON."""
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"{process.args[0]} ended early")
    return json.loads(line)


def output(*command):
    return run(*command, stdout=subprocess.PIPE, text=True).stdout


@dataclasses.dataclass
class Run:
    """A whole process: wall and processor seconds, its greatest resident memory in bytes, its standard error."""
    wall: float
    processor: float
    peak_memory: int
    log: str


def measure(*command):
    """Runs a process whose output is thrown away."""
    command = [str(part) for part in command]
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    log = process.stderr.read().decode()
    process.stderr.close()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command, stderr=log)
    # In KiB on Linux, in bytes on macOS.
    peak_memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return Run(wall, usage.ru_utime + usage.ru_stime, peak_memory, log)


@dataclasses.dataclass
class Usage:
    """Processor seconds and bytes written to disk, of the past or between two moments."""
    processor: float = 0
    written: int = 0

    def __add__(self, other):
        return Usage(self.processor + other.processor, self.written + other.written)

    def __sub__(self, other):
        return Usage(self.processor - other.processor, self.written - other.written)


def usage(pid, with_ended_children=False):
    """What a running process has used; see man 5 proc."""
    fields = _read(pid, "stat").rsplit(")", 1)[1].split()
    ticks = int(fields[11]) + int(fields[12])
    if with_ended_children:
        ticks += int(fields[13]) + int(fields[14])
    # write_bytes: what the process made the kernel write to the disk. A file system in memory has 0.
    written = int(_table(pid, "io")["write_bytes"])
    return Usage(ticks / os.sysconf("SC_CLK_TCK"), written)


def usage_of_tree(pid, leaving_out=None):
    """What a process and its children have used, without those whose command line begins with a text."""
    total = usage(pid, with_ended_children=True)
    for child in _read(pid, f"task/{pid}/children").split():
        try:
            if leaving_out is None or not _read(child, "cmdline").startswith(leaving_out):
                total += usage(child)
        except (FileNotFoundError, ProcessLookupError):
            pass  # It has ended, so its parent has its figures.
    return total


def memory(pid):
    """The resident memory of a running process and the greatest it has had, in bytes."""
    table = _table(pid, "status")
    return tuple(int(table[name].split()[0]) * 1024 for name in ("VmRSS", "VmHWM"))


def _read(pid, name):
    return pathlib.Path(f"/proc/{pid}/{name}").read_text()


def _table(pid, name):
    return dict(line.split(":", 1) for line in _read(pid, name).splitlines())
