"""Loads `funnel-report serve` with wrk: the page of an unchanged store for one reader and for a hundred, the answers 304
for pages that a reader has, and sixty readers who ask for different days each time.

Called by bench.py.
"""

import json
import re
import statistics
import subprocess
import time
import urllib.request

from processes import memory, usage

PORT = 18082
PAGE = "/funnels/{funnel}?last=28d&by=day"
# What 32 MiB of answers may take besides: two reports under way, a hundred connections, the allocator's leftovers.
MEMORY_BOUND = 160
# Each first day with each last day: more than the answers that are kept.
DIFFERENT = """local days = {%s}
local first, last = 1, 0
request = function()
  last = last + 1
  if last > #days then
    first = first %% #days + 1
    last = first
  end
  return wrk.format("GET", "/funnels/%s?by=day&from=" .. days[first] .. "&to=" .. days[last])
end
"""


def wrk(url, seconds, connections, script=None):
    """The median of the latencies in milliseconds, requests a second, and how many there were."""
    command = ["wrk", "--latency", "-t1", f"-c{connections}", f"-d{seconds}s"]
    output = subprocess.run([*command, *(["-s", script] if script else []), url], check=True, capture_output=True,
                            text=True).stdout
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
    if refused:
        raise SystemExit(f"{refused[1]} requests were refused")
    value, unit = re.search(r"50%\s+([\d.]+)(us|ms|s)", output).groups()
    median = float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit]
    return median, float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1]), int(
        re.search(r"(\d+) requests in", output)[1])


def get(path):
    return urllib.request.urlopen(f"http://127.0.0.1:{PORT}{path}", timeout=10)


def wait_until_ready(server):
    for _ in range(600):
        if server.poll() is not None:
            raise SystemExit(f"funnel-report serve has ended with {server.returncode}")
        try:
            get("/readyz").close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("funnel-report serve was not ready after 60 s")


def measured(server, *arguments):
    """What wrk measures, and the microseconds of the server's processor time for a request."""
    before = usage(server.pid).processor
    median, rate, count = wrk(*arguments)
    return median, rate, (usage(server.pid).processor - before) / count * 1e6


def bench(bin, store, folder, seconds, line):
    """Calls `line` with each row: what, figure, against, ratio, goal."""
    server = subprocess.Popen([bin / "funnel-report", "serve", "--store", f"sqlite:{store}", "--listen",
                               f"127.0.0.1:{PORT}"], stderr=subprocess.DEVNULL)
    try:
        wait_until_ready(server)
        with get("/api/v1/funnels") as answer:
            funnel = json.load(answer)["funnels"][0]["name"]
        path = PAGE.format(funnel=funnel)
        url = f"http://127.0.0.1:{PORT}{path}"
        with get(path) as answer:
            tag, size = answer.headers["ETag"], len(answer.read())
        times = []
        for _ in range(200):
            start = time.perf_counter()
            get(path).read()
            times.append(time.perf_counter() - start)
        line("funnel-report serve, a page of an unchanged store, a new connection each time",
             f"{statistics.median(times) * 1000:.2f} ms at the median", f"{size // 1024} KiB", "", "under 2 ms")
        median, rate, cost = measured(server, url, seconds, 1)
        line("funnel-report serve, a page of an unchanged store, one reader",
             f"{median:.2f} ms at the median, {cost:.0f} µs of processor a request", "", "", "under 2 ms")
        median, rate, cost = measured(server, url, seconds, 100)
        line("funnel-report serve, a page of an unchanged store, a hundred readers",
             f"{rate:,.0f} requests/s, {1e6 / cost:,.0f} a second of processor", "", "", "at least 1,000")
        known = folder / "known.lua"
        known.write_text(f"wrk.headers['If-None-Match'] = '{tag}'\n")
        median, rate, cost = measured(server, url, seconds, 100, known)
        line("funnel-report serve, 304 for a hundred readers",
             f"{rate:,.0f} requests/s, {1e6 / cost:,.0f} a second of processor")
        different = folder / "different.lua"
        with get(f"/api/v1/funnels/{funnel}?by=day") as answer:
            days = [bucket["from"] for bucket in json.load(answer)["funnels"][0]["trend"]]
        different.write_text(DIFFERENT % (", ".join(f"'{day}'" for day in days), funnel))
        median, rate, cost = measured(server, url, seconds, 60, different)
        _, peak = memory(server.pid)
        line("funnel-report serve, sixty readers who ask for 4,000 different pages",
             f"{rate:,.0f} reports/s, {peak >> 20} MiB at most", "", "", f"bounded: under {MEMORY_BOUND} MiB")
    finally:
        server.terminate()
        if server.wait(60) != 0:
            raise SystemExit(f"funnel-report serve has ended with {server.returncode}")
