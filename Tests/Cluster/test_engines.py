"""Shards on real clusters of two nodes on this machine: Ray by Scripts/cluster/ray_predict, Spark by spark_predict.

Run by Scripts/test_cluster with $ASSAY_PROGRAM. Tests whose engine (ray; pyspark and Java) is missing are skipped. No
step waits for a time: the shards compute nothing while the file hold is there.
"""
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("ASSAY_PROGRAM", os.path.join(ROOT, "assay"))
DATASETS = os.path.join(ROOT, "Datasets")
SHARDS = 4

# In place of the program: notes that a shard was started, with its process, waits, and fails as the files here say.
STAND_IN = '''#!/bin/bash
here=$(dirname "$0")
arguments=" $* " shard=${arguments##* --shard } shard=${shard%%/*}
if [ "$1" = predict ]; then
  echo "$shard $$" >>"$here/started"
  echo "$*" >>"$here/arguments"
  while [ -e "$here/hold" ]; do sleep 0.1; done
  if [ -e "$here/busy-$shard" ]; then rm "$here/busy-$shard"; echo "error: busy" >&2; exit 75; fi
  if [ -e "$here/always-busy-$shard" ]; then echo "error: still busy" >&2; exit 75; fi
  if [ -e "$here/wrong-$shard" ]; then echo "error: the shard is wrong" >&2; exit 1; fi
fi
exec "$ASSAY_PROGRAM" "$@"
'''

# Two nodes of one CPU: the head, and one that is lost when a line is read.
RAY_CLUSTER = '''
import ray, sys
from ray.cluster_utils import Cluster
memory = 100 << 20
cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": memory})
node = cluster.add_node(num_cpus=1, object_store_memory=memory)
cluster.wait_for_nodes()
print(cluster.address, flush=True)
if sys.stdin.readline():
    cluster.remove_node(node, allow_graceful=False)
    print("lost", flush=True)
    sys.stdin.readline()
cluster.shutdown()
'''


def is_alive(process):
    """Whether a process is there and has not ended."""
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def tree(process):
    """A process and all that it started."""
    try:
        with open(f"/proc/{process}/task/{process}/children") as file:
            children = [int(word) for word in file.read().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [process] + [found for child in children for found in tree(child)]


def kill(processes):
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for process in processes:
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass


def until(condition):
    while not condition():
        time.sleep(0.1)


class Engine:
    """The tests, which are the same for each engine."""

    def start(self):
        """Starts a cluster of two nodes with one CPU each; returns the options of the script."""
        raise NotImplementedError

    def lose_node(self):
        """Kills one of the nodes."""
        raise NotImplementedError

    def setUp(self):
        # The paths of Ray's sockets are below it and must be short.
        self.folder = tempfile.mkdtemp(prefix="assay-", dir="/tmp")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("ASSAY_", "RAY_", "SPARK_"))}
        if "ASSAY_OPENVINO" in os.environ:
            self.environment["ASSAY_OPENVINO"] = os.environ["ASSAY_OPENVINO"]
        self.environment.update(
            ASSAY_PROGRAM=PROGRAM, ASSAY_DB=self.path("assay.db"), XDG_DATA_HOME=self.path("data"), HOME=self.folder,
            PYSPARK_PYTHON=sys.executable, RAY_USAGE_STATS_ENABLED="0", PYTHONDONTWRITEBYTECODE="1")
        with open(self.path("stand-in"), "w") as file:
            file.write(STAND_IN)
        os.chmod(self.path("stand-in"), 0o755)
        self.run_program("import", os.path.join(DATASETS, "digits", "digits.csv.gz"), "--name", "digits")
        self.run_program("model", "add", os.path.join(DATASETS, "digits", "digits.onnx"), "--name", "cnn",
                         "--manifest", os.path.join(DATASETS, "models", "digits.yaml"))
        self.run_program("plan", "predict", "digits", "--model", "cnn", "--out", "run.assayplan")
        self.options = self.start()

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def touch(self, name):
        open(self.path(name), "w").close()

    def run_program(self, *arguments, **environment):
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, cwd=self.folder, timeout=600,
                              env={**self.environment, **environment})
        self.assertEqual(done.returncode, 0, f"assay {' '.join(arguments)}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def begin(self, command, name, **options):
        """Starts a process that is ended with the test, with its messages in a file."""
        log = open(self.path(name + ".log"), "wb")
        self.addCleanup(log.close)
        process = subprocess.Popen(command, cwd=self.folder, env=self.environment, stderr=log, **options)

        def end():
            kill(tree(process.pid))
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream:
                    stream.close()
        self.addCleanup(end)
        return process

    def predict(self, *options):
        """Starts the script."""
        return self.begin([sys.executable, os.path.join(ROOT, "Scripts", "cluster", self.script), "run.assayplan",
                           "parts", str(SHARDS), "--assay", self.path("stand-in"), *self.options, *options],
                          "script", stdout=subprocess.PIPE, text=True, start_new_session=True)

    def end_of(self, process):
        """The status, the output and the messages of the script once it has ended."""
        output = process.communicate()[0]
        with open(self.path("script.log"), errors="replace") as file:
            return process.returncode, output, file.read()

    def started(self):
        """The shards that were started, with their processes, in this order."""
        if not os.path.exists(self.path("started")):
            return []
        with open(self.path("started")) as file:
            return [tuple(int(word) for word in line.split()) for line in file]

    def until_held(self, process):
        """Waits until both nodes have a shard."""
        until(lambda: len(self.started()) >= 2 or process.poll() is not None)
        self.assertIsNone(process.poll(), "the script has ended: " + self.log_text())
        return [process for _, process in self.started()]

    def log_text(self):
        with open(self.path("script.log"), errors="replace") as file:
            return file.read()

    def parts(self):
        return sorted(name for name in os.listdir(self.path("parts")) if name.startswith("part-"))

    def expect_equal_runs(self):
        """The merged run in assay.db and a run without shards, of the same name in a catalog of its own."""
        shutil.copy(self.path("before.db"), self.path("whole.db"))
        self.run_program("predict", "digits", "--model", "cnn", "--name", "run", ASSAY_DB=self.path("whole.db"))
        found = []
        for name in ("assay", "whole"):
            catalog = {"ASSAY_DB": self.path(name + ".db")}
            self.run_program("predictions", "export", "run", "--out", name + ".csv", **catalog)
            with open(self.path(name + ".csv"), "rb") as file:
                found.append((self.run_program("evaluate", "run", "--json", **catalog), file.read()))
        self.assertGreater(found[1][1].count(b"\n"), 1797)
        self.assertEqual(found[0][0], found[1][0], "the evaluations differ")
        self.assertTrue(found[0][1] == found[1][1], "the exports differ")

    def test_a_lost_node_and_a_shard_that_is_tried_again(self):
        self.run_program("backup", "before.db")
        self.touch("hold")
        self.touch("busy-3")
        script = self.predict("--merge", "run", "--db", "assay.db", "--", "--max-memory", "4G")
        held = self.until_held(script)
        self.lose_node()
        until(lambda: not all(is_alive(process) for process in held))
        self.assertTrue(any(is_alive(process) for process in held), "both nodes were lost")
        self.assertFalse(os.path.exists(self.path("parts")) and self.parts())
        os.remove(self.path("hold"))
        status, output, log = self.end_of(script)
        self.assertEqual(status, 0, output + log)
        self.assertEqual(self.parts(), [f"part-{at}-of-{SHARDS}.db" for at in range(1, SHARDS + 1)])
        times = [sum(shard == at for shard, _ in self.started()) for at in range(1, SHARDS + 1)]
        # One more for the lost node, one for status 75.
        self.assertEqual(sum(times), SHARDS + 2, times)
        self.assertFalse(os.path.exists(self.path("busy-3")))
        with open(self.path("arguments")) as file:
            self.assertTrue(all("--workers 1 --max-memory 4G " in line for line in file))
        self.expect_equal_runs()

    def test_failures_and_an_interrupt(self):
        # A shard that is wrong is not tried again; the log says why.
        self.touch("wrong-2")
        status, output, log = self.end_of(self.predict())
        self.assertEqual(status, 1, output + log)
        self.assertIn(f"the shard 2/{SHARDS} ended with status 1:\nerror: the shard is wrong\n", log)
        self.assertIn(f"parts/{self.script.split('_')[0]}/predict-2.log", log)
        self.assertIn(f"next: {self.path('stand-in')} status {self.path('parts')}", output)
        self.assertEqual(sum(shard == 2 for shard, _ in self.started()), 1)
        os.remove(self.path("wrong-2"))

        # Status 75 is tried again, but not forever.
        os.remove(self.path("started"))
        self.touch("always-busy-2")
        status, output, log = self.end_of(self.predict("--retries", "2"))
        self.assertEqual(status, 75, output + log)
        self.assertIn(f"the shard 2/{SHARDS} ended with status 75:\nerror: still busy\n", log)
        self.assertEqual(sum(shard == 2 for shard, _ in self.started()), 3)
        os.remove(self.path("always-busy-2"))

        # The program ends with the process of its task, if that is killed, and the shard is started again. An interrupt
        # ends the program on all nodes.
        shutil.rmtree(self.path("parts"))
        os.remove(self.path("started"))
        self.touch("hold")
        script = self.predict()
        held = self.until_held(script)
        with open(f"/proc/{held[0]}/stat") as file:
            kill([int(file.read().rpartition(")")[2].split()[1])])
        until(lambda: not is_alive(held[0]) and len(self.started()) == 3)
        held = [process for _, process in self.started()]
        script.send_signal(signal.SIGINT)
        status, output, log = self.end_of(script)
        self.assertEqual(status, 75, output + log)
        self.assertIn("interrupted", log)
        until(lambda: not any(is_alive(process) for process in held))
        self.assertEqual(self.parts(), [])

        # The same command continues, and says what is next.
        os.remove(self.path("hold"))
        status, output, log = self.end_of(self.predict())
        self.assertEqual(status, 0, output + log)
        self.assertIn(f"next: {self.path('stand-in')} merge {self.path('parts')} --name RUN", output)
        self.assertEqual(len(self.parts()), SHARDS)


@unittest.skipUnless(importlib.util.find_spec("ray"), "ray is not installed")
class RayTests(Engine, unittest.TestCase):
    script = "ray_predict"

    def start(self):
        # The default folder of Ray's sessions is shared with other clusters of this machine.
        self.environment["RAY_TMPDIR"] = self.path("ray")
        self.cluster = self.begin([sys.executable, "-c", RAY_CLUSTER], "cluster", stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.stop)
        return ["--address", self.read()]

    def read(self):
        """The next line of the cluster that is not a message of Ray's."""
        line = self.cluster.stdout.readline()
        if not line:
            with open(self.path("cluster.log"), errors="replace") as file:
                self.fail("Ray did not start: " + file.read())
        return line.strip()

    def stop(self):
        self.cluster.communicate("\n\n" if self.cluster.poll() is None else None)

    def lose_node(self):
        self.cluster.stdin.write("lose\n")
        self.cluster.stdin.flush()
        self.assertEqual(self.read(), "lost")


@unittest.skipUnless(importlib.util.find_spec("pyspark") and shutil.which("java"), "pyspark or Java is not installed")
class SparkTests(Engine, unittest.TestCase):
    script = "spark_predict"

    def start(self):
        import pyspark
        self.environment.update(SPARK_HOME=os.path.dirname(pyspark.__file__), SPARK_DAEMON_MEMORY="256m",
                                SPARK_LOCAL_IP="127.0.0.1", SPARK_LOCAL_DIRS=self.path("local"))
        os.makedirs(self.path("conf"))
        self.environment["SPARK_CONF_DIR"] = self.path("conf")
        with open(self.path("conf", "spark-defaults.conf"), "w") as file:
            file.write("spark.executor.memory 512m\nspark.driver.memory 512m\nspark.ui.enabled false\n")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        master = f"spark://127.0.0.1:{port}"
        run = [os.path.join(self.environment["SPARK_HOME"], "bin", "spark-class")]
        daemons = "org.apache.spark.deploy."
        self.begin([*run, daemons + "master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0"],
                   "master", stdout=subprocess.DEVNULL)
        self.workers = [
            self.begin([*run, daemons + "worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "1g",
                        "--webui-port", "0", "--work-dir", self.path(f"work-{at}"), master],
                       f"worker-{at}", stdout=subprocess.DEVNULL) for at in (1, 2)]
        for worker, at in zip(self.workers, (1, 2)):
            until(lambda: worker.poll() is not None or "Successfully registered" in self.text(f"worker-{at}.log"))
            self.assertIsNone(worker.poll(), self.text(f"worker-{at}.log"))
        return ["--master", master]

    def text(self, name):
        with open(self.path(name), errors="replace") as file:
            return file.read()

    def lose_node(self):
        # With its executor and the shard.
        kill(tree(self.workers[1].pid))


if __name__ == "__main__":
    unittest.main(verbosity=2)
