"""How far one PostgreSQL goes: one, two and four consumers that share a store, and what they wait for in it. One consumer on
SQLite stands beside them.

All of it runs on one machine, so more consumers are not faster where they have no processor left. What tells how far the
store goes are the processor time of its server for an event, and what its connections are seen to wait for.
"""

import collections
import re
import subprocess
import tempfile
import threading
import time

from processes import ROOT, next_result, output, usage
from stores import PostgresStore, SQLiteStore, postgres_binaries
from tables import Table, say
from topics import new_topic

FUNNELS = "Benchmarks/day-funnels.yaml"
PARTITIONS = 12


def add_options(parser):
    parser.add_argument("--sharing-consumers", default="1,2,4", metavar="N,…",
                        help="consumers on one PostgreSQL (default: %(default)s)")
    parser.add_argument("--sharing-events", type=int, default=2_000_000,
                        help="events to catch up with (default: %(default)s)")
    parser.add_argument("--sharing-installs", type=int, default=100_000,
                        help="installs of these events (default: %(default)s)")
    parser.add_argument("--sharing-rates", default="10000,20000", metavar="N,…",
                        help="events per second as they happen, of as many installs (default: %(default)s)")


def bench(bin, options):
    """Measures each number of consumers, catching up and live; returns the table."""
    table = Table("store", "consumers", "load", "events/s", "lag p50, p99", "consumers, an event", "server, an event",
                  "log, an event", "the connections were seen to")
    cases = [(SQLiteStore, 1)]
    if postgres_binaries() is None:
        say("  without PostgreSQL: it is not installed")
    else:
        cases += [(PostgresStore, int(count)) for count in options.sharing_consumers.split(",")]
    for make, count in cases:
        _in_store(bin, make, options.sharing_events, lambda *place: _catch_up(bin, count, options, table, *place))
        if options.sharing_rates:
            _in_store(bin, make, 0, lambda *place: _live(bin, count, options, table, *place))
    return table


def _in_store(bin, make, events, body):
    # The embedded broker keeps 5 MiB of a partition.
    with (new_topic(bin, PARTITIONS, max(PARTITIONS, events // 40_000)) as (brokers, topic),
          tempfile.TemporaryDirectory(prefix="funnel-bench-") as folder):
        store = make(folder)
        try:
            body(brokers, topic, store)
        finally:
            store.close()


def _log(store, before, events):
    """The bytes of write-ahead log of an event; nothing for a store that does not tell."""
    return "" if before is None else f"{(store.wal_position() - before) / events:,.0f} bytes"


class Consumers:
    """Some consumers in one group, whose logs are kept."""

    def __init__(self, bin, count, brokers, topic, store):
        self.folder = tempfile.TemporaryDirectory(prefix="funnel-bench-")
        self.logs = [open(f"{self.folder.name}/{number}.log", "w+") for number in range(count)]
        self.processes = [
            subprocess.Popen(
                [str(bin / "funnel-consumer"), "--bootstrap-servers", brokers, "--topic", topic, "--dead-letter-topic",
                 f"{topic}.dlq", "--store", store.url, "--funnels", FUNNELS],
                cwd=ROOT, stdout=subprocess.DEVNULL, stderr=log)
            for log in self.logs
        ]

    def check(self):
        for process, log in zip(self.processes, self.logs):
            if process.poll() is not None:
                log.seek(0)
                raise RuntimeError("a consumer has ended:\n" + "".join(log.readlines()[-10:]))

    def are_assigned(self):
        """Whether the group has formed, which takes seconds and is no part of the counting."""
        return any(re.search(" (assigned|reading)", open(log.name).read()) for log in self.logs)

    def processor(self):
        return sum(usage(process.pid).processor for process in self.processes)

    def end(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait()
        for log in self.logs:
            log.close()
        self.folder.cleanup()


class Watch:
    """Looks at the connections of the consumers ten times a second."""

    def __init__(self, store):
        self.seen = collections.Counter()
        self.is_ended = threading.Event()
        self.thread = threading.Thread(target=self._look, args=(store,))
        self.thread.start()

    def _look(self, store):
        while not self.is_ended.wait(0.1):
            self.seen.update(store.waits())

    def end(self):
        """Ends it; returns what was seen most."""
        self.is_ended.set()
        self.thread.join()
        total = sum(self.seen.values()) or 1
        return ", ".join(f"{name} {100 * number / total:.0f} %" for name, number in self.seen.most_common(4))


def _catch_up(bin, count, options, table, brokers, topic, store):
    events = options.sharing_events
    output(bin / "funnel-bench", "publish", "--load", "random", "--bootstrap-servers", brokers, "--topic", topic,
           "--events", events, "--installs", options.sharing_installs)
    wal = store.wal_position()
    consumers = Consumers(bin, count, brokers, topic, store)
    try:
        while not consumers.are_assigned():
            consumers.check()
            time.sleep(0.02)
        start, server = time.perf_counter(), store.server_usage()
        watch = Watch(store)
        while store.event_count() < events:
            consumers.check()
            time.sleep(0.05)
        seconds = time.perf_counter() - start
        own, server = consumers.processor(), store.server_usage() - server
        table.add(store.name, count, f"{events:,} events of {options.sharing_installs:,} installs", f"{events / seconds:,.0f}", "",
                  f"{own / events * 1e6:.1f} µs", f"{server.processor / events * 1e6:.1f} µs",
                  _log(store, wal, events), watch.end())
    finally:
        consumers.end()


def _live(bin, count, options, table, brokers, topic, store):
    rates = options.sharing_rates.split(",")
    consumers = Consumers(bin, count, brokers, topic, store)
    load = subprocess.Popen(
        [str(bin / "funnel-bench"), "live", "--bootstrap-servers", brokers, "--topic", topic, "--store", store.watch_url,
         "--installs", str(options.sharing_installs), "--history", "2", "--seconds", "15",
         *[part for rate in rates for part in ("--rates", rate)]],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        next_result(load)
        for rate in rates:
            own, server, wal = consumers.processor(), store.server_usage(), store.wal_position()
            watch = Watch(store)
            load.stdin.write("\n")
            load.stdin.flush()
            result = next_result(load)
            consumers.check()
            events = result["events"]
            own, server = consumers.processor() - own, store.server_usage() - server
            table.add(store.name, count, f"live, {options.sharing_installs:,} installs", f"{int(rate):,}",
                      ", ".join(f"{result[f'lag_{part}_ms'] / 1000:.2f} s" for part in ("p50", "p99")),
                      f"{own / events * 1e6:.1f} µs", f"{server.processor / events * 1e6:.1f} µs",
                      _log(store, wal, events), watch.end())
            if result["counted"] != events:
                say(f"  NOT VALID: of {events:,} events {result['counted']:,} were counted in time")
    finally:
        load.terminate()
        load.wait()
        consumers.end()
