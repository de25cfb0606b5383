"""Servers that the page is tested with: the stand-in, and the program itself (`assay review`)."""

import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from chromium import PATIENCE

HERE = os.path.dirname(os.path.abspath(__file__))


class ServerError(Exception):
    """A server did not start."""


def free_port():
    """A port that is currently free. It is below those that the system assigns to connections, so that a server that
    was killed finds its own port free again."""
    while True:
        port = random.randint(20000, 32000)
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass


class StandInServer:
    """The stand-in as a separate process, with a journal: it can be killed and restarted."""

    def __init__(self, task="mask", name=None, folder=None, port=None, script="mock_server.py"):
        self.folder = folder or tempfile.mkdtemp(prefix="assay-stand-in-")
        self.journal = os.path.join(self.folder, "journal-%s.jsonl" % (name or task))
        self.port = port or free_port()
        self.command = [sys.executable, os.path.join(HERE, script), "--port", str(self.port),
                        "--task", task, "--journal", self.journal]
        if name:
            self.command += ["--name", name]
        self.process = None
        # A port that was free can be another server's by now: tests run in parallel.
        for attempt in range(1 if port else 5):
            try:
                self.start()
                break
            except ServerError:
                if port or attempt == 4:
                    raise
                self.port = free_port()
                self.command[self.command.index("--port") + 1] = str(self.port)

    @property
    def address(self):
        return "http://127.0.0.1:%d/" % self.port

    def link(self, author="anna"):
        return self.address + "#token=" + ("demo" if author == "anna" else "demo-" + author)

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("http"):
            raise ServerError("the stand-in did not start: %r" % line)

    def kill(self):
        """kill -9."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    close = kill

    def until_held(self, count):
        """Waits until this number of requests wait for their responses."""
        while self.trouble()["held"] < count:
            time.sleep(0.02)

    def trouble(self, **settings):
        """Simulates problems: drop=n responses, hold=True, fail=status, expire=True. Returns the current ones."""
        request = urllib.request.Request(self.address + "stand-in", json.dumps(settings).encode(),
                                         {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def entries(self):
        """The stored entries, in order."""
        if not os.path.exists(self.journal):
            return []
        with open(self.journal, encoding="utf-8") as lines:
            return [json.loads(line) for line in lines if line.endswith("\n")]


class Collector:
    """A foreign server on another port of this computer: stores all headers that a browser sends to it, and
    sets cookies with arbitrary names."""

    def __init__(self, cookies=()):
        self.requests, self.cookies = [], cookies
        outer = self

        class Answer(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                outer.requests.append((self.path, dict(self.headers)))
                body = b"<script>fetch('/again', {credentials: 'include'})</script>"
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                for name, value in outer.cookies:
                    self.send_header("Set-Cookie", "%s=%s; Path=/" % (name, value))
                self.end_headers()
                self.wfile.write(body)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.server.daemon_threads = True
        self.address = "http://127.0.0.1:%d/" % self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Tunnel:
    """Forwards another local port to a server, as `ssh -L` does."""

    def __init__(self, port):
        self.target = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self.target))
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self.copy, args=(one, other), daemon=True).start()

    @staticmethod
    def copy(one, other):
        try:
            while data := one.recv(65536):
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def close(self):
        self.listener.close()


def ask(address, headers, body=None):
    """The status of a request with only these headers."""
    request = urllib.request.Request(address, body, headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status
    except urllib.error.HTTPError as refused:
        return refused.code


class Lines:
    """The lines that a process prints, read as they arrive."""

    def __init__(self, stream):
        self.lines, self.stream, self.ended = [], stream, threading.Event()
        self.turn = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.stream:
            with self.turn:
                self.lines.append(line.rstrip("\n"))
                self.turn.notify_all()
        with self.turn:
            self.lines.append(None)
            self.turn.notify_all()
        self.ended.set()

    def until(self, wanted, patience=PATIENCE):
        """Waits for the first line that matches `wanted`; returns the match."""
        end, at = time.monotonic() + patience, 0
        with self.turn:
            while True:
                while at < len(self.lines):
                    line = self.lines[at]
                    at += 1
                    if line is None:
                        raise ServerError("it ended: " + " / ".join(filter(None, self.lines)))
                    found = wanted(line)
                    if found:
                        return found
                if not self.turn.wait(max(0, end - time.monotonic())):
                    raise ServerError("nothing in %d s: %s" % (patience, self.lines))


class AssayServer:
    """The program's own server on a small dataset, started like a user would."""

    command = "review"

    def __init__(self, task="mask", program=None, ledger=True):
        self.program = program or os.environ["ASSAY_PROGRAM"]
        self.folder = tempfile.mkdtemp(prefix="assay-review-")
        self.catalog = os.path.join(self.folder, "assay.db")
        self.ledger = os.path.join(self.folder, "assay.ledger.db")
        self.port = free_port()
        # Synthetic data are written by the same code as the stand-in's.
        import datasets
        self.subject = datasets.write(self, task)
        self.process = self.first = None
        self.start()

    def run(self, *arguments):
        """Runs a command of the program; returns its standard output."""
        done = subprocess.run([self.program, *arguments, "--db", self.catalog], text=True,
                              capture_output=True, cwd=self.folder, timeout=PATIENCE)
        if done.returncode:
            raise ServerError("%s: %d %s %s" % (arguments, done.returncode, done.stdout, done.stderr))
        return done.stdout

    @property
    def address(self):
        return "http://127.0.0.1:%d/" % self.port

    def start(self, stdin=None):
        self.process = subprocess.Popen(
            [self.program, self.command, *self.subject, "--author", "anna", "--port", str(self.port),
             "--db", self.catalog], cwd=self.folder, text=True, stdin=stdin, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        self.output = Lines(self.process.stdout)
        found = self.output.until(lambda line: line[line.find("http"):] if "#token=" in line else None)
        self.first = found.split()[0]

    def link(self, author="anna"):
        """A one-time link."""
        if author == "anna" and self.first:
            link, self.first = self.first, None
            return link
        return json.loads(self.run("review", "link", "--author", author, "--json"))["url"]

    def kill(self):
        """kill -9."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.output.ended.wait(PATIENCE)
        self.process.stdout.close()

    close = kill

    def entries(self):
        """The ledger's rows with the members of their payloads, read without the program."""
        if not os.path.exists(self.ledger):
            return []
        connection = sqlite3.connect(self.ledger, timeout=PATIENCE)
        try:
            connection.row_factory = sqlite3.Row
            rows = connection.execute("SELECT * FROM correction ORDER BY sequence").fetchall()
        finally:
            connection.close()
        return [{**json.loads(row["payload"]), **{name: row[name] for name in row.keys()
                                                  if name not in ("payload", "hash", "previousHash")}}
                for row in rows]


class LiveServer(AssayServer):
    """The server of the Live page: `assay live`, with a model of the fixtures and a manifest."""

    command = "live"

    def __init__(self, model, manifest, *options):
        self.program = os.environ["ASSAY_PROGRAM"]
        self.folder = tempfile.mkdtemp(prefix="assay-live-")
        self.catalog = os.path.join(self.folder, "assay.db")
        self.ledger = os.path.join(self.folder, "assay.ledger.db")
        self.port = free_port()
        with open(os.path.join(self.folder, "model.yaml"), "w") as file:
            file.write(manifest)
        self.add(model, "model.yaml", "m")
        self.subject = ("--model", "m", *options)
        self.prepare()
        self.process = self.first = None
        self.start()

    def add(self, model, manifest, name):
        """Adds a model of the fixtures to the catalog."""
        self.run("model", "add", os.path.join(os.path.dirname(HERE), "Fixtures", "models", model), "--manifest", manifest, "--name", name)

    def prepare(self):
        """What a test adds before the server is started."""

    # The standard input of the server; None for that of the test.
    stdin = None

    def start(self):
        super().start(stdin=self.stdin)

    @staticmethod
    def is_there(program):
        """Returns whether the program has the command."""
        return subprocess.run([program, "live", "--help"], capture_output=True, check=False).returncode == 0

    def stop(self):
        """Ctrl-C; returns what the program printed last."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(PATIENCE)
        self.output.ended.wait(PATIENCE)
        self.process.stdout.close()
        return self.output.lines


class OpenServer(AssayServer):
    """The browse page's server: `assay open`."""

    command = "open"

    @staticmethod
    def is_there(program):
        """Returns whether the program has the command."""
        return subprocess.run([program, "open", "--help"], capture_output=True, check=False).returncode == 0

    def start(self):
        # Only the name of the run or dataset: the order belongs to a review.
        self.subject = self.subject[:1]
        super().start()
