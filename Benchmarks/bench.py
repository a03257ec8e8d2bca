#!/usr/bin/env python3
"""Runs the benchmarks and prints a table of ratios, each measured in one run on the same data.

Called by scripts/bench, which builds the programs first. The figures of one line belong together; those of different
machines, or of a busy machine, do not.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import collector

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINES = []


def say(text):
    print(text, flush=True)


def line(what, figure, against="", ratio="", goal=""):
    LINES.append((what, figure, against, ratio, goal))
    say(f"  {what}: {figure} {against} {ratio} {goal}")


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, cwd=ROOT, **options)


def output(*command):
    return run(*command, stdout=subprocess.PIPE, text=True).stdout


def timed(*command):
    """Wall seconds of a whole process whose output is thrown away."""
    start = time.perf_counter()
    run(*command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def remove(path):
    for suffix in ("", "-wal", "-shm", ".lock"):
        pathlib.Path(f"{path}{suffix}").unlink(missing_ok=True)


def bench_consumer(bin, broker, folder, events, rounds):
    """kcat reading the topic to nothing, and funnel-consumer counting it from the first fetch to the last commit, which
    it logs itself; in turns."""
    store = folder / "funnels.sqlite"
    kcat, consumer = [], []
    for _ in range(rounds):
        kcat.append(timed("kcat", "-C", "-b", broker, "-t", "app-events", "-e", "-q", "-f", ""))
        remove(store)
        log = run(bin / "funnel-consumer", "--exit-at-end", "--bootstrap-servers", broker, "--store", f"sqlite:{store}",
                  "--funnels", "config/funnels.yaml", "--topic", "app-events",
                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True).stderr
        records, seconds = re.search(r"records=(\d+) seconds=([\d.]+).*read and committed", log).groups()
        assert int(records) >= events, log
        consumer.append(float(seconds))
    ours, theirs = statistics.median(consumer), statistics.median(kcat)
    line("funnel-consumer, Kafka to SQLite", f"{events / ours:,.0f} events/s", f"kcat reading only {events / theirs:,.0f}",
         f"{theirs / ours:.2f}", "at least 0.5")
    return events / ours


def bench_report(bin, store, label, rounds):
    """funnel-report as a process: all days, three days, JSON with the breakdown."""
    cases = {"all days": [], "three days": ["--from", "2026-03-03", "--to", "2026-03-05"]}
    for name, options in cases.items():
        command = [bin / "funnel-report", "--store", f"sqlite:{store}", "--format", "json", *options]
        timed(*command)
        times = [timed(*command) for _ in range(rounds)]
        line(f"funnel-report, {label}, {name}", f"{statistics.median(times) * 1000:.1f} ms", "", "", "under 20 ms")


CLICKHOUSE = """
import sys, time
from chdb import session
path, folder = sys.argv[1], sys.argv[2]
ch = session.Session(folder)
ch.query("CREATE DATABASE IF NOT EXISTS b")
ch.query('''CREATE TABLE b.events (time DateTime64(3), install String, session String, type String, screen String,
    paywall_source String, id String) ENGINE = MergeTree ORDER BY (install, time)''')
times = []
for _ in range(3):
    ch.query("TRUNCATE TABLE b.events")
    start = time.perf_counter()
    ch.query(f'''INSERT INTO b.events SELECT parseDateTime64BestEffort(JSONExtractString(line, 'time'), 3, 'UTC'),
    JSONExtractString(line, 'data', 'install_id'), JSONExtractString(line, 'data', 'session_id'),
    JSONExtractString(line, 'type'), JSONExtractString(line, 'data', 'screen'),
    JSONExtractString(line, 'data', 'paywall_source'), JSONExtractString(line, 'id')
    FROM file('{path}', 'LineAsString', 'line String')''')
    times.append(time.perf_counter() - start)
print(sorted(times)[1])
query = '''SELECT level, count() FROM (SELECT install, windowFunnel(1800000)(toUInt64(toUnixTimestamp64Milli(time)),
    type = 'screen_view' AND screen = 'home', type = 'screen_view' AND screen = 'paywall' AND paywall_source = 'home')
    AS level FROM b.events GROUP BY install) GROUP BY level'''
times = []
for _ in range(5):
    start = time.perf_counter()
    ch.query(query)
    times.append(time.perf_counter() - start)
print(sorted(times)[2])
"""


def clickhouse_python():
    """A Python with chdb, in the build folder; None where it cannot be had."""
    python = ROOT / ".build" / "bench-python" / "bin" / "python3"
    try:
        if not python.exists():
            run(sys.executable, "-m", "venv", python.parent.parent, stdout=subprocess.DEVNULL)
        if subprocess.run([python, "-c", "import chdb"], capture_output=True).returncode != 0:
            say("installing chdb from PyPI ...")
            run(python, "-m", "pip", "install", "--quiet", "chdb", stdout=subprocess.DEVNULL)
        return python
    except (subprocess.CalledProcessError, OSError) as error:
        say(f"  without ClickHouse: {error}")
        return None


def bench_clickhouse(bin, folder, events, installs, ours):
    python = clickhouse_python()
    if python is None:
        return
    path = folder / "events.ndjson"
    run(bin / "funnel-bench", "write", path, "--events", events, "--installs", installs)
    ingest, query = output(python, "-c", CLICKHOUSE, path, folder / "clickhouse").split()
    theirs = events / float(ingest)
    line("ClickHouse (chdb), the same events from a file", f"{theirs:,.0f} events/s", "ours from Kafka over it",
         f"{ours / theirs:.2f}", "more than 1")
    line("ClickHouse windowFunnel, one funnel, all days", f"{float(query) * 1000:.0f} ms")
    path.unlink()


def bench_path(bin, folder, events, installs):
    store = folder / "path.sqlite"
    remove(store)
    result = json.loads(
        output(bin / "funnel-bench", "path", "--store", store, "--events", events, "--installs", installs))
    line(f"read, count and commit from memory, {installs:,} installs", f"{result['events_per_second']:,} events/s",
         f"{result['bytes_per_event']} bytes each")
    return store, result


def bench_device(bin, events, rounds):
    """An app's tracker with its queue on the disk, on one core."""
    pinned = ["taskset", "-c", "0"] if shutil.which("taskset") else []
    text = [output(*pinned, bin / "device-queue-bench", events) for _ in range(rounds)]
    rates = [int(re.search(r"burst: (\d+) events/s", lines)[1]) for lines in text]
    caller = [int(re.search(r"(\d+) ns an event", lines)[1]) for lines in text]
    line("durable tracking, each event synced to the disk" + (", one core" if pinned else ""),
         f"{statistics.median(rates):,.0f} events/s", f"{statistics.median(caller)} ns on the caller of track", "",
         "at least 20,000 events/s")


def bench_collector(bin, quick):
    """event-collector beside a bare Hummingbird route; see collector.py."""
    if shutil.which("wrk") is None:
        say("  without event-collector: wrk is missing (scripts/bootstrap --tests installs it)")
        return
    parser = argparse.ArgumentParser()
    collector.add_options(parser)
    options = parser.parse_args(["--seconds", "2", "--outage-seconds", "5"] if quick else [])
    collector.bench(bin, options, lambda row: line(*row))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--bin", required=True, type=pathlib.Path, help="the folder of the release build")
    arguments.add_argument("--events", type=int, default=1_000_000)
    arguments.add_argument("--installs", type=int, default=50_000)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--quick", action="store_true", help="a tenth of the events, and without ClickHouse")
    options = arguments.parse_args()
    events = options.events // 10 if options.quick else options.events
    load = os.getloadavg()[0]
    if load > 0.5:
        say(f"this machine is busy (load {load:.1f}): do not quote what follows")
    with tempfile.TemporaryDirectory(prefix="funnel-bench-") as folder:
        folder = pathlib.Path(folder)
        broker, embedded = os.environ.get("KAFKA_BOOTSTRAP_SERVERS"), None
        if broker is None:
            # The embedded broker keeps 5 MiB of a partition: with 24 of them a million events stay.
            embedded = subprocess.Popen(
                [options.bin / "embedded-broker", "--topic", "app-events:24", "--topic", "app-events.dlq:1"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            broker = embedded.stdout.readline().strip()
        try:
            say("publishing ...")
            run(options.bin / "funnel-bench", "publish", "--bootstrap-servers", broker, "--events", events,
                "--installs", options.installs)
            ours = bench_consumer(options.bin, broker, folder, events, options.rounds)
        finally:
            if embedded is not None:
                embedded.stdin.close()
                embedded.wait()
        if not options.quick:
            bench_clickhouse(options.bin, folder, events, options.installs, ours)
        store, _ = bench_path(options.bin, folder, events, options.installs)
        bench_report(options.bin, store, f"{events:,} events", 20)
        if not options.quick:
            store, _ = bench_path(options.bin, folder, events * 10, options.installs)
            bench_report(options.bin, store, f"{events * 10:,} events of the same installs", 20)
            _, result = bench_path(options.bin, folder, events * 4, 1_000_000)
            line("memory at 1,000,000 installs", f"{result['bytes_per_install']:,} bytes per install",
                 f"{result['matching_per_install']:.1f} matching events each")
        bench_device(options.bin, min(events, 200_000), 3)
        bench_collector(options.bin, options.quick)
        for name, command in {
            "flow.present": [options.bin / "flow-kit-bench"],
            "sink": [options.bin / "kafka-sink-bench", "--events", str(min(events, 400_000))],
        }.items():
            say(f"{name}:")
            say(output(*command))
    say("\n| what | figure | against | ratio | goal |\n|---|---|---|---|---|")
    for row in LINES:
        say("| " + " | ".join(row) + " |")
    say(f"\n{os.cpu_count()} cores, load {load:.1f} at the start, {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main()
