#!/usr/bin/env python3
"""Loads event-collector and a bare Hummingbird route that reads the same bodies with wrk, in turns, and prints the ratio;
then stops Kafka under full load and prints how much memory the collector takes.

Called by scripts/bench-collector, which builds the programs first.
"""

import argparse
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


def wrk(port, script, seconds, connections):
    output = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", script, f"http://127.0.0.1:{port}/v1/events"],
        check=True, capture_output=True, text=True).stdout
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
    return rate, int(refused[1]) if refused else 0


def resident(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) // 1024


def wait_until_ready():
    for _ in range(300):
        try:
            urllib.request.urlopen("http://127.0.0.1:18080/readyz", timeout=1)
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the collector was not ready after 30 s")


def write_script(path, events):
    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    body = "[" + ",".join(EVENT % (number, now, number % 10, number) for number in range(events)) + "]"
    path.write_text("wrk.method = 'POST'\n"
                    "wrk.headers['Content-Type'] = 'application/cloudevents-batch+json'\n"
                    "wrk.headers['Authorization'] = 'Bearer bench-secret-0123456789'\n"
                    f"wrk.body = [==[{body}]==]\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--outage-seconds", type=int, default=20)
    options = parser.parse_args()
    broker = subprocess.Popen([options.bin / "embedded-broker", "--topic", "app-events:6"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True)
    collector = None
    try:
        servers = broker.stdout.readline().strip()
        collector = subprocess.Popen([options.bin / "collector-bench", "--bootstrap-servers", servers])
        wait_until_ready()
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "post.lua"
            for events in (1, 50):
                write_script(script, events)
                ours, bare = [], []
                for _ in range(options.rounds):
                    rate, refused = wrk(18080, script, options.seconds, 64)
                    if refused:
                        raise SystemExit(f"{refused} requests were refused")
                    ours.append(rate)
                    bare.append(wrk(18081, script, options.seconds, 64)[0])
                rate, against = statistics.median(ours), statistics.median(bare)
                print(f"{events} events a request: {rate:,.0f} requests/s, {rate * events:,.0f} events/s, "
                      f"bare route {against:,.0f} requests/s, ratio {rate / against:.2f} (goal: at least 0.5)", flush=True)
            before = resident(collector.pid)
            broker.send_signal(signal.SIGSTOP)
            peak = before
            load = threading.Thread(target=lambda: wrk(18080, script, options.outage_seconds, 512))
            load.start()
            while load.is_alive():
                peak = max(peak, resident(collector.pid))
                time.sleep(0.2)
            broker.send_signal(signal.SIGCONT)
            print(f"Kafka stopped for {options.outage_seconds} s under load: {before} MiB before, {peak} MiB at most "
                  "(64 MiB may wait for Kafka)")
    finally:
        if collector:
            collector.terminate()
            collector.wait(60)
        broker.send_signal(signal.SIGCONT)
        broker.stdin.close()
        broker.wait(10)


main()
