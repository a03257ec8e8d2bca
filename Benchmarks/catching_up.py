"""How fast a consumer counts a topic that is full already, beside kcat reading the same topic to nothing."""

import json
import re
import statistics

from processes import measure, output
from stores import SQLiteStore
from topics import new_topic


def bench_light(bin, folder, events, installs, rounds, line):
    """Half of the events match a step of three funnels. Returns the events per second."""
    return _bench(bin, folder, "light load", "light", "Benchmarks/light-funnels.yaml", events, installs, rounds, 24,
                  "at least 0.4", line)


def bench_realistic(bin, folder, events, installs, rounds, line):
    """A day of people who open 30 screens, of which nine of ten match a step of four funnels."""
    return _bench(bin, folder, "realistic load", "realistic", "Benchmarks/day-funnels.yaml", events, installs, rounds,
                  24, "at least 0.4, at most 3 µs", line,
                  ("the same with `next` and two parts of a breakdown", "Benchmarks/day-questions.yaml", "at least 0.5"))


def bench_random(bin, folder, events, installs, line):
    """Five events of each install on average, in random order: most events are of an install that is not in the cache
    any more, where the cache is smaller than all installs."""
    return _bench(bin, folder, "random order", "random", "Benchmarks/day-funnels.yaml", events, installs, 1, 128,
                  "at least 250,000 events/s, at most 900 MB", line)


def _bench(bin, folder, label, load, funnels, events, installs, rounds, embedded_partitions, goal, line, other=None):
    """kcat, and funnel-consumer from the first fetch to the last commit, which it logs itself; in turns. Processor
    times are those of the whole processes.

    kcat sees the end of a partition when a fetch is answered without records. By default a broker keeps such a fetch
    for half a second, which would be half of kcat's time for a million events. So its fetches wait for 10 ms.

    `other` is a name, a funnels file and a goal: the consumer counts these funnels, too, and is compared with itself.
    """
    store = SQLiteStore(folder)
    kcat, consumer, others = [], [], []
    with new_topic(bin, 6, embedded_partitions) as (brokers, topic):
        published = json.loads(
            output(bin / "funnel-bench", "publish", "--load", load, "--bootstrap-servers", brokers, "--topic", topic,
                   "--events", events, "--installs", installs))
        for _ in range(rounds):
            kcat.append(
                measure("kcat", "-X", "fetch.wait.max.ms=10", "-C", "-b", brokers, "-t", topic, "-e", "-q", "-f", ""))
            for runs, path in [(consumer, funnels)] + ([(others, other[1])] if other else []):
                store.remove()
                run = measure(bin / "funnel-consumer", "--exit-at-end", "--bootstrap-servers", brokers,
                              "--store", store.url, "--funnels", path, "--topic", topic,
                              "--dead-letter-topic", f"{topic}.dlq")
                records, seconds = re.search(r"records=(\d+) seconds=([\d.]+).*read and committed", run.log).groups()
                assert int(records) == events, run.log
                run.wall = float(seconds)
                runs.append(run)
    store.remove()

    def median(runs, name):
        return statistics.median(getattr(run, name) for run in runs)

    def figure(runs):
        return (f"{events / median(runs, 'wall'):,.0f} events/s, "
                f"{median(runs, 'processor') / events * 1e6:.2f} µs of processor each")

    line(f"funnel-consumer, {label}, Kafka to SQLite, {events:,} events of {published['bytes_per_event']} bytes, "
         f"{installs:,} installs",
         f"{figure(consumer)}, at most {median(consumer, 'peak_memory') / 1e6:,.0f} MB",
         f"kcat reading only: {figure(kcat)}",
         f"{median(kcat, 'wall') / median(consumer, 'wall'):.2f}", goal)
    if other:
        line(f"{label}, {other[0]}", f"{figure(others)}, at most {median(others, 'peak_memory') / 1e6:,.0f} MB", "",
             f"{median(consumer, 'wall') / median(others, 'wall'):.2f}", other[2])
    return events / median(consumer, "wall")
