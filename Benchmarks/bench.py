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
import signal
import statistics
import subprocess
import sys
import tempfile

import catching_up
import collector
import keys
import live
import preview
import serving
import sharing
from processes import ROOT, measure, output, run
from tables import Table, say

TABLE = Table("what", "figure", "against", "ratio", "goal")
# The parts of the benchmark, in their order.
PARTS = ["catching-up", "realistic", "preview", "random", "keys", "live", "log", "sharing", "hot", "report", "serving", "device",
         "collector", "webhooks", "publishing"]


def line(what, figure, against="", ratio="", goal=""):
    TABLE.add(what, figure, against, ratio, goal)


def timed(*command):
    """Wall seconds of a whole process whose output is thrown away."""
    return measure(*command).wall


def remove(path):
    for suffix in ("", "-wal", "-shm", ".lock"):
        pathlib.Path(f"{path}{suffix}").unlink(missing_ok=True)


def bench_report(bin, store, label, rounds):
    """funnel-report as a process: all days, three days, JSON with the breakdown."""
    cases = {"all days": [], "three days": ["--from", "2026-03-03", "--to", "2026-03-05"]}
    for name, options in cases.items():
        command = [bin / "funnel-report", "--store", f"sqlite:{store}", "--format", "json", *options]
        timed(*command)
        times = [timed(*command) for _ in range(rounds)]
        line(f"funnel-report, {label}, {name}", f"{statistics.median(times) * 1000:.1f} ms", "", "", "under 20 ms")


def bench_trend(bin, folder, rounds):
    """funnel-report as a process: 90 days by day, with a breakdown of ten values over 50,000 installs."""
    store = folder / "trend.sqlite"
    run(bin / "funnel-bench", "trend-store", "--store", store)
    command = [bin / "funnel-report", "--store", f"sqlite:{store}", "--format", "json", "--by", "day"]
    timed(*command)
    times = [timed(*command) for _ in range(rounds)]
    line("funnel-report, 90 days by day, ten values, 50,000 installs", f"{statistics.median(times) * 1000:.1f} ms", "", "",
         "under 60 ms")


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


def bench_serving(bin, folder, quick):
    """funnel-report serve; see serving.py."""
    if shutil.which("wrk") is None:
        say("  without funnel-report serve: wrk is missing (scripts/bootstrap --bench installs it)")
        return
    store = folder / "serving.sqlite"
    run(bin / "funnel-bench", "trend-store", "--store", store)
    serving.bench(bin, store, folder, 2 if quick else 10, line)


def bench_collector(bin, quick):
    """event-collector beside a bare Hummingbird route; see collector.py."""
    if shutil.which("wrk") is None:
        say("  without event-collector: wrk is missing (scripts/bootstrap --tests installs it)")
        return
    parser = argparse.ArgumentParser()
    collector.add_options(parser)
    options = parser.parse_args(["--seconds", "2", "--outage-seconds", "5"] if quick else [])
    collector.bench(bin, options, lambda row: line(*row))


def bench_webhooks(bin, rounds):
    """Notifications of the App Store, verified and turned into events on one core."""
    pinned = ["taskset", "-c", "0"] if shutil.which("taskset") else []
    results = [json.loads(output(*pinned, bin / "store-notifications-bench")) for _ in range(rounds)]
    rate = statistics.median(result["notifications_per_second"] for result in results)
    line("notifications of the App Store, verified, three signatures each" + (", one core" if pinned else ""),
         f"{rate:,.0f} notifications/s", f"{results[0]['bytes_per_notification']:,} bytes each", "",
         "at least 1,000 notifications/s")


def bench_reports(bin, folder, events, installs, quick):
    """Reports, and the consumer's code without a broker."""
    store, _ = bench_path(bin, folder, events, installs)
    bench_report(bin, store, f"{events:,} events", 20)
    bench_trend(bin, folder, 20)
    if not quick:
        store, _ = bench_path(bin, folder, events * 10, installs)
        bench_report(bin, store, f"{events * 10:,} events of the same installs", 20)
        _, result = bench_path(bin, folder, events * 4, 1_000_000)
        line("memory at 1,000,000 installs", f"{result['bytes_per_install']:,} bytes per install",
             f"{result['matching_per_install']:.1f} matching events each")


def bench_row_log(bin, folder, quick):
    """A live event of installs with a history, from memory: with SQLite's rows in the log, and in place."""
    def events(*options):
        store = folder / "log.sqlite"
        result = json.loads(output(
            bin / "funnel-bench", "path", "--store", store, "--funnels", ROOT / "Benchmarks/day-funnels.yaml",
            "--history", "400", "--installs", "500" if quick else "5000", "--events", "20000" if quick else "200000",
            "--commit-every", "400", *options))
        remove(store)
        return result["written_per_event"], result["commit_s"] / result["events"] * 1e6

    (logged, logged_us), (in_place, in_place_us) = events(), events("--in-place")
    line("a live event after 400 others in SQLite: bytes written with the log of rows", f"{logged:,} bytes",
         f"in place: {in_place:,} bytes", f"{logged / in_place:.2f}", "0.5")
    line("the same: its part of a commit", f"{logged_us:.1f} µs", f"in place: {in_place_us:.1f} µs",
         f"{logged_us / in_place_us:.2f}", "under 1")


def bench_hot_install(bin):
    """One more event of an install, in the engine alone."""
    sizes = [json.loads(row) for row in output(bin / "funnel-bench", "hot").splitlines()]
    line("one more event of an install in the engine, by its matching events",
         "; ".join(f"{size['evidence']:,}: {size['count_us']:,} µs" for size in sizes), "", "", "the same for all")


def bench_publishing(bin, events):
    for name, command in {
        "flow.present": [bin / "flow-kit-bench"],
        "sink": [bin / "kafka-sink-bench", "--events", str(min(events, 400_000))],
    }.items():
        say(f"{name}:")
        say(output(*command))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=pathlib.Path, help="the folder of the release build")
    parser.add_argument("--only", action="append", choices=PARTS, help="this part; may be repeated (default: all)")
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--installs", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true",
                        help="a tenth of the events, without ClickHouse, and one live part of ten seconds")
    live.add_options(parser.add_argument_group("live"))
    sharing.add_options(parser.add_argument_group("sharing"))
    options = parser.parse_args()
    if options.quick:
        options.histories, options.rates, options.stores, options.live_seconds = "400", "2000", "sqlite", 10
    return options


def main():
    options = arguments()
    # Ends what was started and removes the topics, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    bin, quick = options.bin, options.quick
    parts = options.only or PARTS
    events = options.events // 10 if quick else options.events
    load = os.getloadavg()[0]
    if load > 0.5:
        say(f"this machine is busy (load {load:.1f}): do not quote what follows")
    live_table = sharing_table = None
    with tempfile.TemporaryDirectory(prefix="funnel-bench-") as folder:
        folder = pathlib.Path(folder)
        if "catching-up" in parts:
            ours = catching_up.bench_light(bin, folder, events, options.installs, options.rounds, line)
            if not quick:
                bench_clickhouse(bin, folder, events, options.installs, ours)
        if "realistic" in parts:
            catching_up.bench_realistic(bin, folder, events, events * 35 // 1000, options.rounds, line)
        if "preview" in parts:
            preview.bench(bin, folder, events, options.rounds, line)
        if "random" in parts:
            catching_up.bench_random(bin, folder, events * 5, events, line)
        if "keys" in parts:
            keys.bench(bin, folder, events, options.installs, options.rounds, line)
            keys.bench_report(bin, folder, events, options.installs, 20, line)
        if "live" in parts:
            live_table = live.bench(bin, options)
        if "log" in parts:
            bench_row_log(bin, folder, quick)
        if "sharing" in parts:
            sharing_table = sharing.bench(bin, options)
        if "hot" in parts:
            bench_hot_install(bin)
        if "report" in parts:
            bench_reports(bin, folder, events, options.installs, quick)
        if "serving" in parts:
            bench_serving(bin, folder, quick)
        if "device" in parts:
            bench_device(bin, min(events, 200_000), 3)
        if "collector" in parts:
            bench_collector(bin, quick)
        if "webhooks" in parts:
            bench_webhooks(bin, 3)
        if "publishing" in parts:
            bench_publishing(bin, events)
    TABLE.print()
    for table in (live_table, sharing_table):
        if table is not None:
            table.print()
    say(f"\n{os.cpu_count()} cores, load {load:.1f} at the start, {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main()
