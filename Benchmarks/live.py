"""What one more event costs: a consumer that has counted a history, then takes in events as they happen."""

import argparse
import pathlib
import subprocess
import tempfile

import processes
from processes import ROOT, next_result, usage
from stores import PostgresStore, SQLiteStore, postgres_binaries
from tables import Table, say
from topics import new_topic

# The matching events an install has at first, and the number of installs. 4,000 events of as many installs would be 20
# million events to publish first. With fewer installs a commit takes in more events of each, so 40 events are measured
# with 1,000 installs, too, to compare with.
HISTORIES = {"40": (40, 5_000), "400": (400, 5_000), "40x1000": (40, 1_000), "4000": (4_000, 1_000)}
STORES = {"sqlite": SQLiteStore, "postgres": PostgresStore}
GOALS = {
    (40, 2_000): "≤ 25 µs",
    (400, 2_000): "≤ 25 µs, ≤ 5,000 bytes",
    (400, 10_000): "≤ 15 µs, p99 ≤ 1.5 s",
    (4_000, 2_000): "≤ 1.5 × 40 events",
}


def add_options(parser):
    parser.add_argument("--live-seconds", type=int, default=20, help="of each live part (default: %(default)s)")
    parser.add_argument("--histories", default=",".join(HISTORIES), metavar="N,…",
                        help="matching events an install has at first, of %(default)s; 40x1000 has as many installs as "
                             "4000 has, the others have 5,000")
    parser.add_argument("--rates", default="2000,10000", metavar="N,…",
                        help="events per second (default: %(default)s)")
    parser.add_argument("--stores", default=",".join(STORES), metavar="NAME,…", help="of %(default)s")


def bench(bin, options, funnels="Benchmarks/day-funnels.yaml"):
    """Measures each store and history, with one consumer for all rates; returns the table."""
    table = Table("store", "matching events an install", "events/s", "processor an event", "of a core",
                  "written an event", "lag p50, p99, greatest", "memory, peak", "goal on SQLite")
    if not pathlib.Path("/proc/self/io").exists():
        say("  without the live load: it reads what processes cost from /proc, which Linux has")
        return table
    rates = [int(rate) for rate in options.rates.split(",")]
    for store in options.stores.split(","):
        if store == "postgres" and postgres_binaries() is None:
            say("  without PostgreSQL: it is not installed")
            continue
        for name in options.histories.split(","):
            history, installs = HISTORIES[name]
            with tempfile.TemporaryDirectory(prefix="funnel-bench-") as folder, new_topic(bin, 6) as topic:
                place = STORES[store](folder)
                try:
                    _measure(bin, topic, place, f"{folder}/consumer.log", funnels, history, installs, rates,
                             options.live_seconds, table)
                finally:
                    place.close()
    return table


def _measure(bin, topic, store, log, funnels, history, installs, rates, seconds, table):
    brokers, name = topic
    errors = open(log, "w+")
    consumer = subprocess.Popen(
        [str(bin / "funnel-consumer"), "--bootstrap-servers", brokers, "--topic", name,
         "--dead-letter-topic", f"{name}.dlq", "--group-id", name, "--store", store.url, "--funnels", funnels],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=errors)
    load = subprocess.Popen(
        [str(bin / "funnel-bench"), "live", "--bootstrap-servers", brokers, "--topic", name, "--store", store.watch_url,
         "--installs", str(installs), "--history", str(history), "--seconds", str(seconds),
         *[part for rate in rates for part in ("--rates", str(rate))]],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        caught_up = next_result(load)
        matching = history
        per_event = usage(consumer.pid).processor / max(1, caught_up["events"]) * 1e6
        table.add(store.name, f"{matching:,} ({installs:,} installs)", "the history", f"{per_event:.1f} µs", "", "", "",
                  _megabytes(consumer.pid),
                  "≤ 300 MB" if (installs * history, store.name) == (2_000_000, "SQLite") else "")
        for rate in rates:
            store.write_out()
            before, server_before = usage(consumer.pid), store.server_usage()
            load.stdin.write("\n")
            load.stdin.flush()
            result = next_result(load)
            copied = store.write_out()
            own, server = usage(consumer.pid) - before, store.server_usage() - server_before
            own.written += copied
            table.add(
                store.name, f"{matching:,} ({installs:,} installs)", f"{rate:,}",
                _per_event(own, server, result, lambda use: use.processor * 1e6, "µs"),
                f"{100 * (own.processor + server.processor) / result['seconds']:.0f} %",
                _per_event(own, server, result, lambda use: use.written, "bytes"),
                ", ".join(f"{result[f'lag_{part}_ms'] / 1000:.2f} s" for part in ("p50", "p99", "max")),
                _megabytes(consumer.pid), GOALS.get((history, rate), "") if store.name == "SQLite" else "")
            if result["counted"] != result["events"]:
                say(f"  NOT VALID: of {result['events']:,} events {result['counted']:,} were counted: the broker "
                    "deleted the others before the consumer read them, or two minutes were not enough")
            matching += result["events"] // installs
    except (RuntimeError, FileNotFoundError):
        errors.seek(0)
        say("the consumer's log ends with:\n" + "".join(errors.readlines()[-10:]))
        raise
    finally:
        for process in (load, consumer):
            process.terminate()
        for process in (load, consumer):
            process.wait()
        errors.close()


def _per_event(own, server, result, value, unit):
    """The consumer's figure for an event, and after a plus sign the database server's."""
    text = f"{value(own) / result['events']:,.1f}" if unit == "µs" else f"{value(own) / result['events']:,.0f}"
    if server.processor > 0:
        text += f" + {value(server) / result['events']:,.{1 if unit == 'µs' else 0}f}"
    return f"{text} {unit}"


def _megabytes(pid):
    return ", ".join(f"{size / 1e6:,.0f} MB" for size in processes.memory(pid))
