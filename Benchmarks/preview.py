"""How fast funnels are tried: a preview over a topic beside the consumer to the end of the same topic, and over files."""

import statistics

from processes import measure, output, run
from stores import SQLiteStore
from topics import new_topic

FUNNELS = "Benchmarks/day-funnels.yaml"


def bench(bin, folder, events, rounds, line):
    """Whole processes, in turns. The consumer also makes a store that stays."""
    store = SQLiteStore(folder)
    path = folder / "events.ndjson"
    consumer, topics, files = [], [], {"plain": [], "gzip": [], "zstd": []}
    with new_topic(bin, 6, 24) as (brokers, topic):
        output(bin / "funnel-bench", "publish", "--load", "realistic", "--bootstrap-servers", brokers, "--topic", topic,
               "--events", events, "--installs", events * 35 // 1000)
        for _ in range(rounds):
            store.remove()
            consumer.append(
                measure(bin / "funnel-consumer", "--exit-at-end", "--bootstrap-servers", brokers, "--store", store.url,
                        "--funnels", FUNNELS, "--topic", topic, "--dead-letter-topic", f"{topic}.dlq"))
            topics.append(
                measure(bin / "funnel-report", "preview", "--bootstrap-servers", brokers, "--funnels", FUNNELS, "--topic",
                        topic, "--scratch-directory", folder))
        store.remove()
        with open(path, "wb") as file:
            run("kcat", "-C", "-b", brokers, "-t", topic, "-e", "-q", "-f", "%s\\n", stdout=file)
    paths = {"plain": path}
    for name, command in {"gzip": ["gzip", "-1", "-c"], "zstd": ["zstd", "-q", "-c"]}.items():
        paths[name] = folder / f"events.ndjson.{name}"
        with open(paths[name], "wb") as file:
            run(*command, path, stdout=file)
    for _ in range(rounds):
        for name, path in paths.items():
            files[name].append(
                measure(bin / "funnel-report", "preview", "--events", path, "--funnels", FUNNELS, "--scratch-directory",
                        folder))
    for path in paths.values():
        path.unlink()

    def median(runs, name):
        return statistics.median(getattr(run, name) for run in runs)

    def rate(runs):
        return f"{events / median(runs, 'wall'):,.0f} events/s"

    line(f"funnel-report preview over a topic, {events:,} events, whole process",
         f"{rate(topics)}, at most {median(topics, 'peak_memory') / 1e6:,.0f} MB",
         f"funnel-consumer --exit-at-end: {rate(consumer)}",
         f"{median(consumer, 'wall') / median(topics, 'wall'):.2f}", "at least 0.9")
    line("funnel-report preview over a file", f"{rate(files['plain'])}, at most {median(files['plain'], 'peak_memory') / 1e6:,.0f} MB",
         f"gzip: {rate(files['gzip'])}, zstd: {rate(files['zstd'])}", "", "at least 500,000 events/s")
