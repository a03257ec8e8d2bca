"""Stores for a benchmark: a new SQLite file, or a PostgreSQL server of its own."""

import contextlib
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

from processes import Usage, output, run, usage, usage_of_tree


class SQLiteStore:
    """A new file. The consumer's process does all of its work."""
    name = "SQLite"

    def __init__(self, folder):
        self.path = pathlib.Path(folder) / "funnels.sqlite"
        self.remove()
        self.url = self.watch_url = f"sqlite:{self.path}"

    def remove(self):
        for suffix in ("", "-wal", "-shm", ".lock"):
            pathlib.Path(f"{self.path}{suffix}").unlink(missing_ok=True)

    def server_usage(self):
        return Usage()

    def event_count(self):
        """The events that the store has; 0 before there is a store."""
        try:
            with contextlib.closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, timeout=30)) as database:
                return database.execute("SELECT coalesce(sum(events), 0) FROM partitions").fetchone()[0]
        except sqlite3.OperationalError:
            return 0

    def wal_position(self):
        """None: SQLite's log begins again and again, so its size says nothing."""
        return None

    def waits(self):
        return []

    def write_out(self):
        """Copies the write-ahead log into the file, and returns the bytes that this has written.

        SQLite does it by itself once the log has 200 MB, which a short run never reaches. Before a run it leaves the
        consumer an empty log; after a run its bytes belong to the run.
        """
        before = usage(os.getpid()).written
        database = sqlite3.connect(self.path, timeout=30)
        database.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        database.close()
        return usage(os.getpid()).written - before

    def close(self):
        self.remove()


class PostgresStore:
    """A server with the default settings, which listens on a Unix socket in its own folder only."""
    name = "PostgreSQL"

    def __init__(self, folder):
        del folder  # Another user cannot read it.
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="funnel-bench-postgres-"))
        # PostgreSQL refuses to run as root.
        self.user = []
        if os.geteuid() == 0:
            self.user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
            os.chown(self.directory, 65534, 65534)
        self.binaries = postgres_binaries()
        run(*self.user, self.binaries / "initdb", "-D", self.directory / "data", "-U", "funnels", "--auth=trust",
            "-E", "UTF8", "--locale=C", stdout=subprocess.DEVNULL)
        self.server = subprocess.Popen(
            [str(part) for part in [*self.user, self.binaries / "postgres", "-D", self.directory / "data",
             "-c", "listen_addresses=", "-c", f"unix_socket_directories={self.directory}"]],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ready = [str(self.binaries / "pg_isready"), "-q", "-h", str(self.directory)]
        while subprocess.run(ready).returncode != 0:
            if self.server.poll() is not None:
                raise RuntimeError("PostgreSQL did not start")
            time.sleep(0.1)
        # The user of what the benchmark itself asks, which is left out of the server's figures.
        self._sql("CREATE ROLE watcher SUPERUSER LOGIN", "funnels")
        self.url = self._url("funnels")
        self.watch_url = self._url("watcher")

    def _url(self, user):
        return f"postgres:///postgres?host={self.directory}&user={user}"

    def _sql(self, statement, user="watcher"):
        return output(self.binaries / "psql", "-XAtq", "-d", self._url(user), "-c", statement)

    def event_count(self):
        """The events that the store has; 0 before there is a store."""
        if self._sql("SELECT to_regclass('flow_funnels_partitions')").strip() == "":
            return 0
        return int(self._sql("SELECT coalesce(sum(events), 0) FROM flow_funnels_partitions"))

    def wal_position(self):
        """The bytes of write-ahead log since the server was made."""
        return int(self._sql("SELECT pg_current_wal_lsn() - '0/0'").split(".")[0])

    def waits(self):
        """What each connection of a consumer does now: `works`, `between statements`, or the name of what it waits for."""
        return self._sql(
            "SELECT CASE WHEN state <> 'active' THEN 'between statements' WHEN wait_event IS NULL THEN 'works' "
            "ELSE wait_event_type || ':' || wait_event END FROM pg_stat_activity "
            "WHERE usename = 'funnels' AND backend_type = 'client backend'").split("\n")[:-1]

    def server_usage(self):
        return usage_of_tree(self.server.pid, leaving_out="postgres: watcher")

    def write_out(self):
        """Writes the changed pages to the tables' files, in a process of the server, whose bytes count by themselves.

        After it, PostgreSQL logs each page in full when it changes first, so a short run counts more of such pages than
        the five minutes between two ordinary checkpoints do.
        """
        self._sql("CHECKPOINT")
        return 0

    def close(self):
        self.server.send_signal(signal.SIGINT)
        self.server.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


def postgres_binaries():
    """The folder of PostgreSQL's programs; None if it is not installed."""
    versions = pathlib.Path("/usr/lib/postgresql").glob("*/bin")
    newest_first = sorted(versions, key=lambda path: path.parent.name.zfill(9), reverse=True)
    folders = [os.environ.get("PG_BIN"), *newest_first, *os.environ.get("PATH", "").split(":")]
    for folder in filter(None, folders):
        if all(os.access(pathlib.Path(folder) / name, os.X_OK) for name in ("initdb", "postgres", "psql")):
            return pathlib.Path(folder)
    return None
