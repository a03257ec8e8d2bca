"""How fast funnels are tried: a preview over a topic beside the consumer to the end of the same topic, and over files.

And what it costs that installs may ask to be erased."""

import json
import re
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
    paths["erasing"] = folder / "erasing.ndjson"
    requests = _with_requests(paths["plain"], paths["erasing"])
    files["erasing"] = []
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
    line(f"the same file with {requests:,} requests to erase, one of a hundred installs", rate(files["erasing"]),
         "the file without them", f"{median(files['plain'], 'wall') / median(files['erasing'], 'wall'):.2f}",
         "at least 0.95")


def _with_requests(source, target):
    """Copies a file of events, and puts a request to erase behind the first event of every hundredth install."""
    seen, count = set(), 0
    install_of = re.compile(rb'"install_id":"([^"]+)"')
    with open(source, "rb") as events, open(target, "wb") as output_file:
        for event in events:
            output_file.write(event)
            install = install_of.search(event).group(1)
            if install in seen:
                continue
            seen.add(install)
            if len(seen) % 100 == 0:
                request = json.loads(event)
                data = {"install_id": request["data"]["install_id"]}
                request.update(id=f"erase-{count}", type="erasure_request", data=data)
                output_file.write(json.dumps(request).encode() + b"\n")
                count += 1
    return count
