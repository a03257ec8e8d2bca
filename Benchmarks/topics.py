"""Topics for a benchmark: on an embedded broker, or on the one that KAFKA_BOOTSTRAP_SERVERS names."""

import contextlib
import itertools
import os
import socket
import struct
import subprocess

_numbers = itertools.count(1)


@contextlib.contextmanager
def new_topic(bin, partitions, embedded_partitions=None):
    """Makes a topic and its dead-letter topic, both empty, and removes them at the end. Yields (brokers, name).

    The embedded broker keeps 5 MiB of a partition, about 50,000 events that are published in large batches. A benchmark
    that publishes all events before it reads them needs more partitions there than on a real broker.
    """
    servers = os.environ.get("KAFKA_BOOTSTRAP_SERVERS")
    name = f"funnel-bench-{os.getpid()}-{next(_numbers)}"
    if not servers:
        broker = subprocess.Popen(
            [bin / "embedded-broker", "--topic", f"{name}:{embedded_partitions or partitions}",
             "--topic", f"{name}.dlq:1"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            yield broker.stdout.readline().strip(), name
        finally:
            broker.stdin.close()
            broker.wait()
    else:
        _create(servers, {name: partitions, f"{name}.dlq": 1})
        try:
            yield servers, name
        finally:
            _delete(servers, [name, f"{name}.dlq"])


# Two requests of Kafka's protocol, https://kafka.apache.org/protocol, because neither kcat nor the embedded broker's
# library has them as a command. The listener must be plain text.

def _create(servers, topics):
    # CreateTopics 4: -1 is the cluster's default replication factor; no assignments, no settings.
    body = struct.pack(">i", len(topics))
    for name, partitions in topics.items():
        body += _string(name) + struct.pack(">ihii", partitions, -1, 0, 0)
    answer = _request(servers, 19, 4, body + struct.pack(">i?", 30_000, False))
    for _ in range(answer.number(">i")):
        name, code, message = answer.string(), answer.number(">h"), answer.string()
        if code != 0:
            raise RuntimeError(f"cannot create the topic {name}: {message or f'Kafka error {code}'}")


def _delete(servers, names):
    # DeleteTopics 1.
    body = struct.pack(">i", len(names)) + b"".join(_string(name) for name in names) + struct.pack(">i", 30_000)
    answer = _request(servers, 20, 1, body)
    for _ in range(answer.number(">i")):
        name, code = answer.string(), answer.number(">h")
        if code != 0:
            raise RuntimeError(f"cannot delete the topic {name}: Kafka error {code}")


def _request(servers, key, version, body):
    """Sends a request to the first broker. Brokers of a KRaft cluster forward it to the controller."""
    host, port = servers.split(",")[0].rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        request = struct.pack(">hhi", key, version, 1) + _string("funnel-bench") + body
        connection.sendall(struct.pack(">i", len(request)) + request)
        with connection.makefile("rb") as stream:
            answer = _Answer(stream.read(struct.unpack(">i", stream.read(4))[0]))
    answer.number(">i")  # the number of the request
    answer.number(">i")  # the milliseconds that a quota held it back
    return answer


def _string(text):
    return struct.pack(">h", len(text)) + text.encode()


class _Answer:
    def __init__(self, data):
        self.data = data

    def number(self, layout):
        return struct.unpack(layout, self._take(struct.calcsize(layout)))[0]

    def string(self):
        length = self.number(">h")
        return None if length < 0 else self._take(length).decode()

    def _take(self, count):
        taken, self.data = self.data[:count], self.data[count:]
        return taken
