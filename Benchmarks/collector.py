#!/usr/bin/env python3
"""Loads event-collector and a bare Hummingbird route that reads the same bodies with wrk, in turns, and prints the ratio
of the requests per second and of the processor time for a request; then stops Kafka under full load and prints how much
memory the collector takes.

Called by scripts/bench and scripts/bench-collector, which build the programs first.
"""

import argparse
import os
import pathlib
import re
import signal
import statistics
import subprocess
import tempfile
import threading
import time
import urllib.request
from datetime import datetime, timezone

EVENT = ('{"specversion":"1.0","id":"0193479e-8f8c-7c3a-9d8e-2f0a6b1c%04x","source":"app://bench","type":"screen_view",'
         '"time":"%s","data":{"install_id":"install-%d","session_id":"0193479e-8f8c-7c3a-9d8e-2f0a6b1c4d5e",'
         '"sequence":%d,"screen":"paywall","previous_screen":"home","transition":"present",'
         '"properties":{"plan":"yearly","price":39.99,"trial":true}}}')
COLLECTOR, BARE = 18080, 18081
# What the limit on waiting events may take besides: librdkafka's queues, connections, the allocator's leftovers.
MEMORY_BOUND = 256


def wrk(port, script, seconds, connections):
    """Requests a second, how many were not answered with 200, and how many there were."""
    output = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", script, f"http://127.0.0.1:{port}/v1/events"],
        check=True, capture_output=True, text=True).stdout
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
    return rate, int(refused[1]) if refused else 0, int(re.search(r"(\d+) requests in", output)[1])


def resident(pid):
    """MiB of memory that a process has now."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) // 1024


def processor_time(pid):
    """Seconds that all threads of a process have had."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_until_ready():
    for _ in range(600):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{COLLECTOR}/readyz", timeout=1)
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the collector was not ready after 60 s")


def write_script(path, events):
    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    body = "[" + ",".join(EVENT % (number, now, number % 10, number) for number in range(events)) + "]"
    path.write_text("wrk.method = 'POST'\n"
                    "wrk.headers['Content-Type'] = 'application/cloudevents-batch+json'\n"
                    "wrk.headers['Authorization'] = 'Bearer bench-secret-0123456789'\n"
                    f"wrk.body = [==[{body}]==]\n")


def measure(pid, port, script, options):
    """Requests a second, and microseconds of the server's processor time for each."""
    before = processor_time(pid)
    rate, refused, count = wrk(port, script, options.seconds, options.connections)
    if refused:
        raise SystemExit(f"{refused} requests were refused")
    return rate, (processor_time(pid) - before) / count * 1e6


def bench_rate(pid, folder, events, options):
    script = folder / "post.lua"
    write_script(script, events)
    ours, bare = [], []
    for _ in range(options.rounds):
        ours.append(measure(pid, COLLECTOR, script, options))
        bare.append(measure(pid, BARE, script, options))
    (rate, cost), (against, bare_cost) = ([statistics.median(column) for column in zip(*rows)] for rows in (ours, bare))
    name = f"event-collector, {events} event{'s' if events > 1 else ''} a request, to Kafka"
    return (name, f"{rate:,.0f} requests/s, {rate * events:,.0f} events/s, {cost:.0f} µs of processor a request",
            f"bare route {against:,.0f} requests/s, {bare_cost:.0f} µs", f"{rate / against:.2f}", "at least 0.5")


def bench_memory(pid, broker, folder, options):
    script = folder / "post.lua"
    write_script(script, 50)
    before = peak = resident(pid)
    broker.send_signal(signal.SIGSTOP)
    load = threading.Thread(target=lambda: wrk(COLLECTOR, script, options.outage_seconds, 512))
    load.start()
    while load.is_alive():
        peak = max(peak, resident(pid))
        time.sleep(0.1)
    broker.send_signal(signal.SIGCONT)
    return (f"event-collector's memory, Kafka stopped for {options.outage_seconds} s under full load",
            f"{peak} MiB at most", f"{before} MiB before", "", f"bounded: under {MEMORY_BOUND} MiB")


def bench(bin, options, report):
    """Calls `report` with each line: what, figure, against, ratio, goal."""
    broker = subprocess.Popen([bin / "embedded-broker", "--topic", "app-events:6"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    collector = None
    try:
        servers = broker.stdout.readline().strip()
        collector = subprocess.Popen([bin / "event-collector-bench", "--bootstrap-servers", servers])
        wait_until_ready()
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for events in options.events:
                report(bench_rate(collector.pid, folder, events, options))
            if options.outage_seconds:
                report(bench_memory(collector.pid, broker, folder, options))
    finally:
        if collector:
            collector.terminate()
            collector.wait(60)
        broker.send_signal(signal.SIGCONT)
        broker.stdin.close()
        broker.wait(60)


def add_options(parser):
    parser.add_argument("--seconds", type=int, default=5, help="of one measurement")
    parser.add_argument("--rounds", type=int, default=3, help="whose median counts")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--events", type=int, nargs="+", default=[1, 10, 50], help="of a request")
    parser.add_argument("--outage-seconds", type=int, default=20)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="the folder of the release build")
    add_options(parser)
    options = parser.parse_args()
    bench(options.bin, options, lambda line: print(" | ".join(part for part in line if part), flush=True))


if __name__ == "__main__":
    main()
