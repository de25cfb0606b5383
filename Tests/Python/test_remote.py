"""Sources that are not local, against real servers on this machine: S3 by moto, web servers by Python.

Run by Scripts/test_remote with $ASSAY_PROGRAM, and $ASSAY_MOTO_SERVER for moto's program moto_server; without the latter
the tests of S3 are skipped. Nothing outside of this machine is asked.
"""
import hashlib
import http.client
import http.server
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("ASSAY_PROGRAM", os.path.join(ROOT, "assay"))
MOTO = os.environ.get("ASSAY_MOTO_SERVER")
DIGITS = os.path.join(ROOT, "Datasets", "digits")
SECRET = "hunter2hunter2hunter2hunter2hunter2hunte"
TOKEN = "sessiontokensessiontoken"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Case(unittest.TestCase):
    """A test in a folder of its own, with a cache and a catalog of its own."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="assay-remote-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.environment = {
            name: value for name, value in os.environ.items()
            if not name.startswith(("AWS_", "ASSAY_")) and not name.lower().endswith("_proxy")}
        # The folder of OpenVINO is found by the program; everything else is this test's.
        if "ASSAY_OPENVINO" in os.environ:
            self.environment["ASSAY_OPENVINO"] = os.environ["ASSAY_OPENVINO"]
        self.environment.update(HOME=self.folder, ASSAY_DB=self.path("assay.db"), ASSAY_CACHE=self.path("cache"),
                                XDG_DATA_HOME=self.path("data"))

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def run_program(self, *arguments, status=0, **environment):
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, cwd=self.folder, timeout=600,
                              env={**self.environment, **environment})
        self.assertEqual(done.returncode, status, f"assay {' '.join(arguments)}\n{done.stdout}\n{done.stderr}")
        return done

    def json(self, *arguments, status=0, **environment):
        return json.loads(self.run_program(*arguments, "--json", status=status, **environment).stdout)

    def error(self, *arguments, **environment):
        """The message of a refusal, in one line."""
        return " ".join(self.run_program(*arguments, status=2, **environment).stderr.split())

    def digits(self, count=60):
        """A folder of PNG files of digits, with a folder for each class."""
        target = self.path("exported", "images")
        if not os.path.isdir(target):
            self.run_program("import", os.path.join(DIGITS, "digits.csv.gz"), "--name", "all")
            self.run_program("sample", "all", str(count), "--save", "some")
            self.run_program("export", "some", "--to", "folder", "--out", self.path("exported"))
        return target


def files_below(folder):
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            full = os.path.join(place, name)
            with open(full, "rb") as file:
                found[os.path.relpath(full, folder)] = file.read()
    return found


class Moto:
    """moto's server.

    With checks it looks at signatures and rights, except for the three requests that make a user with keys; without, it
    lets everyone do everything.
    """

    def __init__(self, folder, checks):
        self.port = free_port()
        self.log = open(os.path.join(folder, "moto.log"), "w")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
        environment.update(AWS_ACCESS_KEY_ID="x", AWS_SECRET_ACCESS_KEY="x")
        if checks:
            environment["INITIAL_NO_AUTH_ACTION_COUNT"] = "3"
        self.process = subprocess.Popen([MOTO, "-H", "127.0.0.1", "-p", str(self.port)], stdout=self.log,
                                        stderr=subprocess.STDOUT, env=environment)
        self.endpoint = f"http://127.0.0.1:{self.port}"
        while True:
            if self.process.poll() is not None:
                raise RuntimeError("moto_server ended")
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.05)

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()

    def iam(self, action, **parameters):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        body = urllib.parse.urlencode({"Action": action, "Version": "2010-05-08", **parameters})
        connection.request("POST", "/", body, {
            "Content-Type": "application/x-www-form-urlencoded",
            "Authorization": "AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/iam/aws4_request, SignedHeaders=host, "
                             "Signature=x"})
        answer = connection.getresponse()
        text = answer.read().decode()
        assert answer.status == 200, text
        return text

    def user(self):
        """Makes a user who may read and write everything, and returns its keys."""
        self.iam("CreateUser", UserName="reader")
        self.iam("PutUserPolicy", UserName="reader", PolicyName="all", PolicyDocument=json.dumps(
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}))
        text = self.iam("CreateAccessKey", UserName="reader")
        return (re.search("<AccessKeyId>(.*?)<", text)[1], re.search("<SecretAccessKey>(.*?)<", text)[1])


@unittest.skipUnless(MOTO, "no moto_server here")
class S3Case(Case):
    """A server for each class; files are put there without a signature."""

    checks = False

    @classmethod
    def setUpClass(cls):
        cls.server_folder = tempfile.mkdtemp(prefix="assay-moto-")
        cls.server = Moto(cls.server_folder, cls.checks)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        shutil.rmtree(cls.server_folder, True)

    def setUp(self):
        super().setUp()
        self.environment.update(AWS_ENDPOINT_URL=self.server.endpoint, AWS_ACCESS_KEY_ID="AKIDEXAMPLE",
                                AWS_SECRET_ACCESS_KEY=SECRET, AWS_SESSION_TOKEN=TOKEN)

    def request(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port)
        # moto asks for some signature where it replaces an object.
        connection.request(method, urllib.parse.quote(path), body, {
            "Authorization": "AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, "
                             "Signature=x"})
        answer = connection.getresponse()
        text = answer.read()
        self.assertLess(answer.status, 300, text)
        return text

    def upload(self, bucket, folder, prefix):
        self.request("PUT", f"/{bucket}")
        for path, content in files_below(folder).items():
            self.request("PUT", f"/{bucket}/{prefix}{path}", content)


class S3Tests(S3Case):
    def test_a_folder_of_images_is_imported_predicted_and_evaluated_as_if_it_were_local(self):
        folder = self.digits()
        self.upload("digits", folder, "set/")
        local = self.json("import", folder, "--name", "local")
        remote = self.json("import", "s3://digits/set/", "--name", "remote")
        self.assertEqual(remote["status"], "imported")
        self.assertEqual(remote["dataset"]["root"], "s3://digits/set")
        self.assertEqual(remote["remote"]["files"], len(files_below(folder)))
        for member in ("read", "accepted", "rejected", "counts"):
            self.assertEqual(local[member], remote[member])
        self.run_program("model", "add", os.path.join(DIGITS, "digits.onnx"), "--manifest",
                         os.path.join(ROOT, "Datasets", "models", "digits.yaml"), "--name", "digits")
        scores = []
        for name in ("local", "remote"):
            self.run_program("cache", "--clear")
            self.run_program("predict", name, "--model", "digits", "--name", f"run-{name}")
            scores.append(self.json("evaluate", f"run-{name}"))
        for score in scores:
            self.assertGreater(score["n"], 0)
            for member in ("run", "view"):
                del score[member]
        self.assertEqual(scores[0], scores[1])
        self.assertEqual(self.json("cache")["files"], sum(p.endswith(".png") for p in files_below(folder)))
        checks = [self.json("check", name) for name in ("local", "remote")]
        self.assertEqual(checks[0]["findings"], checks[1]["findings"])
        self.assertEqual(checks[0]["counts"], checks[1]["counts"])
        # A plan holds the address; its worker has a cache of its own, here an empty one.
        self.run_program("plan", "predict", "remote", "--model", "digits", "--out", "p.assayplan")
        for shard in ("1/2", "2/2"):
            self.run_program("predict", "--plan", "p.assayplan", "--shard", shard, "--out", "parts",
                             ASSAY_CACHE=self.path("worker"))
        self.run_program("merge", "parts", "--name", "merged")
        merged = self.json("evaluate", "merged")
        for member in ("run", "view"):
            del merged[member]
        self.assertEqual(merged, scores[1])
        # Without its server a shard is to be tried again, and a run is not computed without images.
        down = f"http://127.0.0.1:{free_port()}"
        self.forget("worker")
        self.run_program("predict", "--plan", "p.assayplan", "--shard", "1/2", "--out", "more", status=75,
                         ASSAY_CACHE=self.path("worker"), AWS_ENDPOINT_URL=down)

    def forget(self, cache):
        """Removes the files of a cache, not its lists."""
        shutil.rmtree(self.path(cache, "files"))
        os.unlink(self.path(cache, "size"))

    def test_every_format_is_read_as_from_a_disk(self):
        """Each format's first fixture that is a dataset, and one of each that the digits are exported to."""
        self.request("PUT", "/formats")
        compared = []
        for entry in self.json("formats")["formats"]:
            top = os.path.join(ROOT, "Tests", "Fixtures", entry["name"])
            if not os.path.isdir(top):
                continue
            inner = sorted(os.path.join(top, name) for name in os.listdir(top))
            for folder in [top] + [path for path in inner if os.path.isdir(path)]:
                if self.compare(entry["name"], folder):
                    compared.append(entry["name"])
                    break
        self.run_program("import", os.path.join(DIGITS, "digits.csv.gz"), "--name", "all")
        self.run_program("sample", "all", "20", "--save", "some")
        for target in ("hf-imagefolder", "webdataset", "csv", "multilabel-csv", "yolo", "datumaro", "createml"):
            folder = self.path(f"as-{target}")
            done = subprocess.run([PROGRAM, "export", "some", "--to", target, "--out", folder], capture_output=True,
                                  cwd=self.folder, env=self.environment)
            if done.returncode == 0 and self.compare(f"x-{target}", folder):
                compared.append(f"x-{target}")
        print("compared:", " ".join(compared))
        self.assertGreaterEqual(len(compared), 20, compared)

    def compare(self, name, folder):
        """Imports a folder and its copy at an address, and compares what is said; false if it is no dataset."""
        done = subprocess.run([PROGRAM, "import", folder, "--name", f"l-{name}", "--json"], capture_output=True,
                              text=True, cwd=self.folder, env=self.environment)
        if done.returncode != 0:
            return False
        local = json.loads(done.stdout)
        for path, content in files_below(folder).items():
            self.request("PUT", f"/formats/{name}/{os.path.basename(folder)}/{path}", content)
        remote = self.json("import", f"s3://formats/{name}/{os.path.basename(folder)}/", "--name", f"r-{name}")
        self.assertEqual(local["dataset"]["format"], remote["dataset"]["format"], name)
        for member in ("reason", "read", "accepted", "rejected", "counts", "issues", "notes", "annotations", "images"):
            self.assertEqual(local.get(member), remote.get(member), f"{name}: {member}")
        # Later commands fetch the images again.
        self.run_program("cache", "--clear")
        query = "SELECT key, width, height FROM sample WHERE dataset = (SELECT id FROM dataset WHERE name = '%s')"
        self.assertEqual(self.json("sql", query % f"l-{name}")["rows"], self.json("sql", query % f"r-{name}")["rows"])
        checks = []
        for kind in "lr":
            done = subprocess.run([PROGRAM, "check", f"{kind}-{name}", "--only", "unreadable", "--json"],
                                  capture_output=True, text=True, cwd=self.folder, env=self.environment)
            checks.append((done.returncode, json.loads(done.stdout).get("counts")))
        self.assertEqual(checks[0], checks[1], name)
        return True

    def test_archives_tables_and_paths_in_archives_are_files(self):
        folder = self.digits(20)
        self.request("PUT", "/packed")
        for suffix, kind in (("tar", "tar"), ("tar.gz", "gztar"), ("zip", "zip")):
            archive = shutil.make_archive(self.path("set"), kind, folder)
            with open(archive, "rb") as file:
                self.request("PUT", f"/packed/set.{suffix}", file.read())
            found = self.json("import", f"s3://packed/set.{suffix}", "--name", f"n{suffix.replace('.', '')}")
            self.assertEqual(found["accepted"], 20)
            self.assertEqual(found["dataset"]["root"], f"s3://packed/set.{suffix}")
            self.run_program("cache", "--clear")
            self.json("check", f"n{suffix.replace('.', '')}")
        inner = sorted({path.split("/")[0] for path in files_below(folder) if "/" in path})[0]
        found = self.json("import", f"s3://packed/set.zip/{inner}:image-folder", "--name", "inner", "--ignore-companions")
        self.assertGreater(found["accepted"], 0)
        with open(os.path.join(DIGITS, "digits.csv.gz"), "rb") as file:
            self.request("PUT", "/packed/digits.csv.gz", file.read())
        found = self.json("import", "s3://packed/digits.csv.gz", "--name", "table")
        self.assertEqual(found["remote"]["fetched"]["files"], 1)
        self.assertGreater(found["accepted"], 1000)

    def test_images_of_a_local_annotation_file_can_be_at_an_address(self):
        folder = self.digits(6)
        names = sorted(path for path in files_below(folder) if path.endswith(".png"))
        self.upload("coco", folder, "images/")
        truth = {"images": [{"id": i, "file_name": n, "width": 8, "height": 8} for i, n in enumerate(names)],
                 "annotations": [{"id": 1, "image_id": 0, "category_id": 1, "bbox": [1, 1, 3, 3], "area": 9, "iscrowd": 0}],
                 "categories": [{"id": 1, "name": "digit"}]}
        with open(self.path("t.json"), "w") as file:
            json.dump(truth, file)
        found = self.json("import", "t.json", "--images", "s3://coco/images/", "--name", "coco")
        self.assertEqual(found["images"], {"listed": 6, "found": 6})
        self.request("PUT", "/coco/annotations.json", json.dumps(truth).encode())
        beside = self.json("import", "s3://coco/annotations.json", "--name", "beside")
        self.assertEqual(beside["images"], {"listed": 6, "found": 6})
        self.assertEqual(beside["dataset"]["root"], "s3://coco/images")

    def test_a_second_import_fetches_only_what_changed(self):
        folder = self.digits(20)
        self.upload("again", folder, "")
        first = self.json("import", "s3://again/", "--name", "again")
        same = self.json("import", "s3://again/", "--name", "again")
        self.assertEqual(same["status"], "already imported")
        changed = sorted(p for p in files_below(folder) if p.endswith(".png"))[3]
        self.request("PUT", f"/again/{changed}", files_below(folder)[changed] + b"more")
        second = self.json("import", "s3://again/", "--name", "again", "--replace")
        self.assertEqual(second["status"], "imported")
        self.assertEqual(second["kept"], 20)
        self.assertGreaterEqual(first["remote"]["fetched"]["files"], 20)
        self.assertEqual(second["remote"]["fetched"]["files"], 1)

    def test_a_changed_object_is_told_and_never_used(self):
        folder = self.digits(10)
        self.upload("changes", folder, "")
        self.run_program("import", "s3://changes/", "--name", "changes")
        images = files_below(folder)
        path, other = sorted(p for p in images if p.endswith(".png"))[:2]
        self.request("PUT", f"/changes/{path}", images[other])
        # The cache has the imported version.
        self.assertNotIn("changed", json.dumps(self.json("check", "changes", "--only", "unreadable")))
        listing = self.path("cache", "lists")
        kept = {name: open(os.path.join(listing, name), "rb").read() for name in os.listdir(listing)}
        self.run_program("cache", "--clear")
        message = self.error("check", "changes", "--only", "unreadable")
        self.assertIn("are not those that were imported", message)
        self.assertIn("--replace", message)
        # With the imported list only the changed one is unreadable.
        os.makedirs(listing, exist_ok=True)
        for name, content in kept.items():
            with open(os.path.join(listing, name), "wb") as file:
                file.write(content)
        found = json.dumps(self.json("check", "changes", "--only", "unreadable"))
        self.assertIn("its ETag is no longer", found)
        self.assertIn(path, found)
        self.assertNotIn(other, found)

    def test_no_secret_is_in_the_catalog_the_cache_the_output_or_a_command_line(self):
        folder = self.digits(10)
        self.upload("secrets", folder, "")
        os.makedirs(self.path("bin"))
        with open(self.path("bin", "curl"), "w") as file:
            file.write('#!/bin/sh\necho "$@" >> "$HOME/arguments"\nenv >> "$HOME/arguments"\nexec "$CURL" "$@"\n')
        os.chmod(self.path("bin", "curl"), 0o755)
        environment = {"PATH": self.path("bin") + ":" + os.environ["PATH"], "CURL": shutil.which("curl")}
        outputs = [self.run_program("import", "s3://secrets/", "--name", "s", **environment)]
        outputs.append(self.run_program("show", "s", "--json"))
        outputs.append(self.run_program("import", "s3://none-there/", status=2, **environment))
        outputs.append(self.run_program("doctor", status=0 if self.openvino() else 2))
        text = "".join(done.stdout + done.stderr for done in outputs)
        with open(self.path("arguments")) as file:
            text += file.read()
        self.assertIn("--config", text)
        for secret in (SECRET, TOKEN):
            self.assertNotIn(secret, text)
            for path, content in files_below(self.folder).items():
                self.assertNotIn(secret.encode(), content, path)
        self.assertNotIn("Signature=", text)

    def openvino(self):
        return subprocess.run([PROGRAM, "doctor"], capture_output=True, env=self.environment).returncode == 0

    def test_keys_and_server_come_from_the_files_of_aws(self):
        self.upload("files", self.digits(5), "")
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL"):
            del self.environment[name]
        os.makedirs(self.path(".aws"))
        with open(self.path(".aws", "credentials"), "w") as file:
            file.write(f"[lab]\naws_access_key_id = A\naws_secret_access_key = {SECRET}\n")
        with open(self.path(".aws", "config"), "w") as file:
            file.write(f"[profile lab]\nregion = eu-west-1\nendpoint_url = {self.server.endpoint}\n")
        found = self.json("import", "s3://files/", "--name", "files", AWS_PROFILE="lab")
        self.assertEqual(found["accepted"], 5)

    def test_what_is_wrong_is_said_with_the_next_step(self):
        self.request("PUT", "/empty-bucket")
        self.assertIn("no such bucket", self.error("import", "s3://not-there/"))
        self.assertIn("nothing is there", self.error("import", "s3://empty-bucket/"))
        self.assertIn("nothing is there", self.error("import", "s3://empty-bucket/x.zip"))
        self.assertIn("apt-get install curl", self.error("import", "s3://empty-bucket/", PATH="/nonexistent"))
        down = self.error("import", "s3://empty-bucket/", AWS_ENDPOINT_URL=f"http://127.0.0.1:{free_port()}")
        self.assertIn("run the same command again", down)
        self.assertIn("sso_session", self.profile_error("sso_session = x"))
        self.assertIn("must be a size", self.error("import", "s3://empty-bucket/", ASSAY_CACHE_SIZE="lots"))
        self.assertFalse(os.path.exists(self.path("assay.db")))

    def profile_error(self, line):
        os.makedirs(self.path(".aws"), exist_ok=True)
        with open(self.path(".aws", "config"), "w") as file:
            file.write(f"[profile p]\n{line}\n")
        keys = {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_PROFILE": "p"}
        return self.error("import", "s3://empty-bucket/", **keys)

    def test_hostile_keys_are_issues_and_leave_nothing_outside_of_the_cache(self):
        image = next(iter(c for p, c in files_below(self.digits(5)).items() if p.endswith(".png")))
        self.request("PUT", "/hostile")
        for key in ("set/a/0/../../../evil.png", "set//etc/evil.png", "set/a/" + "x" * 900 + ".png", "set/a/a\tb.png",
                    "set/.hidden/evil.png", "set/a/UPPER.png", "set/a/upper.png", "set/b/1.png"):
            connection = http.client.HTTPConnection("127.0.0.1", self.server.port)
            connection.request("PUT", "/hostile/" + urllib.parse.quote(key, safe="/."), image)
            connection.getresponse().read()
        found = self.json("import", "s3://hostile/set/", "--name", "hostile")
        self.assertEqual(found["rejected"], 0)
        # The long one, the two that differ by case, and the one of the other class.
        self.assertEqual(found["accepted"], 4, found)
        self.assertGreaterEqual(found["issues"]["outsideRoot"], 2)
        for name in [name for _, _, files in os.walk(self.path("cache")) for name in files]:
            self.assertTrue(re.fullmatch("[0-9a-f]{64}|size", name), name)
        self.assertFalse([n for n in files_below(self.folder) if "evil" in n])

    def test_the_cache_keeps_its_limit_and_the_catalog_still_works(self):
        folder = self.path("big")
        os.makedirs(folder)
        content = next(c for p, c in files_below(self.digits(5)).items() if p.endswith(".png"))
        for index in range(40):
            with open(os.path.join(folder, f"{index:03}.png"), "wb") as file:
                # Bytes after the end of the image make it large.
                file.write(content + bytes([index]) * 100_000)
        self.upload("large", folder, "")
        found = self.json("import", "s3://large/:image-folder", "--name", "large", ASSAY_CACHE_SIZE="1M")
        self.assertEqual(found["accepted"], 40)
        used = self.json("cache", ASSAY_CACHE_SIZE="1M")
        self.assertLessEqual(used["bytes"], 1 << 20)
        report = self.json("check", "large", "--only", "unreadable", ASSAY_CACHE_SIZE="1M")
        self.assertNotIn("cannot", json.dumps(report.get("findings", "")))
        self.assertLessEqual(self.json("cache", ASSAY_CACHE_SIZE="1M")["bytes"], 1 << 20)

    def test_two_processes_share_the_cache(self):
        self.upload("shared", self.digits(60), "")
        count = sum(p.endswith(".png") for p in files_below(self.digits(60)))
        both = [subprocess.Popen([PROGRAM, "import", "s3://shared/", "--name", "s", "--db", self.path(f"{i}.db"), "--json"],
                                 stdout=subprocess.PIPE, env=self.environment, cwd=self.folder) for i in range(2)]
        for process in both:
            output, _ = process.communicate(timeout=600)
            self.assertEqual(process.returncode, 0)
            self.assertEqual(json.loads(output)["accepted"], count)
        with open(self.path("cache", "size")) as file:
            self.assertEqual(self.json("cache")["bytes"], int(file.read()))

    def test_a_dataset_moves_between_a_disk_and_an_address(self):
        folder = self.digits(12)
        self.upload("moves", folder, "deep/set/")
        self.run_program("import", folder, "--name", "d")
        moved = self.json("relink", "d", "s3://moves/deep/set/")
        self.assertEqual((moved["root"], moved["found"]), ("s3://moves/deep/set", 12))
        self.assertEqual(self.json("show", "d")["dataset"]["root"], "s3://moves/deep/set")
        shutil.rmtree(folder)
        self.json("check", "d", "--only", "unreadable")
        self.assertEqual(self.json("cache")["files"], 12)
        self.assertIn("is in s3://moves/deep", self.error("relink", "d", "s3://moves/deep/"))

    def test_an_interrupt_keeps_what_was_fetched(self):
        self.upload("stops", self.digits(60), "")
        gate = Gate(self.server.port, after=10)
        self.addCleanup(gate.stop)
        process = subprocess.Popen([PROGRAM, "import", "s3://stops/", "--name", "stops"], stderr=subprocess.PIPE,
                                   env={**self.environment, "AWS_ENDPOINT_URL": gate.endpoint}, cwd=self.folder)
        gate.reached.wait()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn(b"interrupted", errors)
        found = self.json("import", "s3://stops/", "--name", "stops")
        self.assertEqual(found["accepted"], 60)


class Gate(threading.Thread):
    """Passes connections on to a server, and after some of them none, without an answer."""

    def __init__(self, port, after):
        super().__init__(daemon=True)
        self.port, self.after = port, after
        self.reached = threading.Event()
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.endpoint = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        self.held = []
        self.start()

    def run(self):
        count = 0
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            count += 1
            if count > self.after:
                self.held.append(client)
                self.reached.set()
                continue
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        with client, socket.create_connection(("127.0.0.1", self.port)) as server:
            def copy(source, target):
                try:
                    while data := source.recv(65536):
                        target.sendall(data)
                    target.shutdown(socket.SHUT_WR)
                except OSError:
                    pass
            there = threading.Thread(target=copy, args=(client, server), daemon=True)
            there.start()
            copy(server, client)
            there.join()

    def stop(self):
        self.socket.close()
        for client in self.held:
            client.close()


class SignedS3Tests(S3Case):
    """moto checks signatures and rights."""

    checks = True

    def test_signatures_are_accepted_and_wrong_keys_are_not(self):
        identifier, secret = self.server.user()
        own = {"AWS_ACCESS_KEY_ID": identifier, "AWS_SECRET_ACCESS_KEY": secret, "AWS_SESSION_TOKEN": ""}
        self.run_program("import", "s3://rights/", status=2, **own)  # No such bucket, but signed.
        folder = self.digits(5)
        environment = {**os.environ, **own, "AWS_DEFAULT_REGION": "us-east-1"}
        environment.pop("AWS_SESSION_TOKEN")
        environment.pop("AWS_CA_BUNDLE", None)
        python = os.path.join(os.path.dirname(MOTO), "python")
        script = ("import boto3, sys, os\ns = boto3.client('s3', endpoint_url=sys.argv[1])\n"
                  "s.create_bucket(Bucket='rights')\n"
                  "for place, _, names in os.walk(sys.argv[2]):\n"
                  "    for name in names:\n"
                  "        full = os.path.join(place, name)\n"
                  "        s.upload_file(full, 'rights', 'a b/ü+&/' + os.path.relpath(full, sys.argv[2]))\n")
        done = subprocess.run([python, "-c", script, self.server.endpoint, folder], env=environment, capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = self.json("import", "s3://rights/a b/ü+&/", "--name", "signed", **own)
        self.assertEqual(found["accepted"], 5)
        wrong = self.error("import", "s3://rights/", "--name", "w", **{**own, "AWS_SECRET_ACCESS_KEY": "x" * 40})
        self.assertIn("access denied (SignatureDoesNotMatch", wrong)
        self.assertIn("$AWS_ACCESS_KEY_ID", wrong)


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers with what the test's server has for a path: bytes, or a function of the handler."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.server.requests.append((self.command, self.path, self.headers.get("Range")))
        found = self.server.routes.get(self.path)
        if callable(found):
            return found(self)
        self.answer(found)

    do_HEAD = do_GET

    def answer(self, content, status=200, headers=(), body=None):
        if content is None:
            content, status = b"", 404
        names = {name.lower() for name, _ in headers}
        self.send_response(status)
        if "content-length" not in names:
            self.send_header("Content-Length", str(len(content)))
        if "etag" not in names and status == 200:
            self.send_header("ETag", '"' + hashlib.md5(content).hexdigest() + '"')
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content if body is None else body)


class WebCase(Case):
    def setUp(self):
        super().setUp()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.routes = {}
        self.server.requests = []
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.environment["ASSAY_NETWORK_TIMEOUT"] = "1"

    def page(self, *names, title="Index of /set/"):
        links = "".join(f'<a href="{name}">{name}</a>\n' for name in names)
        return f"<html><head><title>{title}</title></head><body>{links}</body></html>".encode()

    def images(self, count):
        folder = self.digits(count)
        return [c for p, c in sorted(files_below(folder).items()) if p.endswith(".png")]

    def serve_images(self, count=6):
        """Two classes of images below /set/."""
        images = self.images(count)
        self.server.routes["/set/"] = self.page("../", "?C=N;O=D", "a/", "b/")
        for index, name in enumerate("ab"):
            part = {f"{i}.png": c for i, c in enumerate(images) if i % 2 == index}
            self.server.routes[f"/set/{name}/"] = self.page("../", *part)
            self.server.routes.update({f"/set/{name}/{n}": c for n, c in part.items()})


class WebTests(WebCase):
    def test_a_real_file_server_is_read(self):
        folder = self.digits(12)
        handler = lambda *a, **k: Quiet(*a, directory=folder, **k)  # noqa: E731
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        local = self.json("import", folder, "--name", "local")
        found = self.json("import", f"http://127.0.0.1:{server.server_address[1]}/", "--name", "web")
        for member in ("read", "accepted", "counts"):
            self.assertEqual(local[member], found[member])
        self.run_program("cache", "--clear")
        self.json("check", "web", "--only", "unreadable")

    def test_a_listing_and_single_files_are_read(self):
        self.serve_images()
        found = self.json("import", f"{self.url}/set/", "--name", "web")
        self.assertEqual(found["accepted"], 6)
        self.assertEqual(found["dataset"]["root"], f"{self.url}/set/")
        archive = shutil.make_archive(self.path("x"), "tar", self.digits(6))
        with open(archive, "rb") as file:
            self.server.routes["/x.tar"] = file.read()
        self.assertEqual(self.json("import", f"{self.url}/x.tar", "--name", "tar")["accepted"], 6)
        # A folder without its slash is redirected, as servers do.
        self.server.routes["/set"] = lambda h: h.answer(b"", 301, [("Location", "/set/")])
        again = self.json("import", f"{self.url}/set", "--name", "again")
        self.assertEqual(again["accepted"], 6)

    def test_other_pages_and_addresses_are_refused_with_the_reason(self):
        self.server.routes["/home/"] = b"<html><title>Welcome</title></html>"
        self.server.routes["/page"] = lambda h: h.answer(b"<html></html>", headers=[("Content-Type", "text/html")])
        self.server.routes["/private/"] = lambda h: h.answer(b"", 403)
        self.server.routes["/plain.tar"] = lambda h: h.answer(b"x", headers=[("ETag", "")])
        self.assertIn("not a list of files", self.error("import", f"{self.url}/home/"))
        self.assertIn("ends with “/”", self.error("import", f"{self.url}/page"))
        self.assertIn("nothing is there", self.error("import", f"{self.url}/none/"))
        self.assertIn("access denied (403)", self.error("import", f"{self.url}/private/"))
        self.assertIn("could not be noticed", self.error("import", f"{self.url}/plain.tar"))
        self.assertIn("localhost", self.error("import", "http://example.org/x/"))
        secret = self.error("import", f"{self.url}/x.tar?token=hunter2")
        self.assertIn("query", secret)
        self.assertNotIn("hunter2", secret)
        self.assertFalse(os.path.exists(self.path("assay.db")))

    def test_files_that_may_be_listed_but_not_read_are_a_refusal(self):
        self.server.routes["/set/"] = self.page("../", "a/")
        self.server.routes["/set/a/"] = self.page("../", "0.png", "1.png")
        for name in ("0.png", "1.png"):
            self.server.routes[f"/set/a/{name}"] = lambda h: (
                h.answer(b"", headers=[("Content-Length", "100")]) if h.command == "HEAD" else h.answer(b"", 403))
        message = self.error("import", f"{self.url}/set/")
        self.assertIn("access denied (403)", message)
        self.assertNotIn("unrecognized", message)
        self.assertFalse(os.path.exists(self.path("assay.db")))

    def test_a_refusal_of_s3_says_which_keys_were_used_and_how_to_get_some(self):
        body = (b"<?xml version='1.0'?><Error><Code>%s</Code><Message>x</Message></Error>")
        for code, status, text in (("AccessDenied", 403, "access denied (AccessDenied)"), ("ExpiredToken", 400, "expired"),
                                   ("PermanentRedirect", 301, "answered 301"), ("InternalError", 500, "answered 500")):
            class Always(dict):
                def get(inner, path, default=None):
                    return lambda h: h.answer(body % code.encode(), status)
            self.server.routes = Always()
            environment = {"AWS_ENDPOINT_URL": self.url, "AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": SECRET}
            message = self.error("import", "s3://some-bucket/", **environment)
            self.assertIn(text, message)
            self.assertNotIn(SECRET, message)
            if status == 403:
                self.assertIn("$AWS_ACCESS_KEY_ID", message)
                self.assertIn("aws configure", self.error("import", "s3://some-bucket/", AWS_ENDPOINT_URL=self.url))

    def test_redirects_stay_on_the_web_and_end(self):
        outside = self.path("outside.tar")
        with open(outside, "wb") as file:
            file.write(b"x" * 100)
        self.server.routes["/file.tar"] = lambda h: h.answer(b"", 302, [("Location", f"file://{outside}")])
        self.server.routes["/loop.tar"] = lambda h: h.answer(b"", 302, [("Location", "/loop.tar")])
        self.assertEqual(self.run_program("import", f"{self.url}/file.tar", status=2).stdout, "")
        self.assertEqual(self.run_program("import", f"{self.url}/loop.tar", status=2).stdout, "")
        self.assertLess(len([r for r in self.server.requests if r[1] == "/loop.tar"]), 40)

    def test_a_server_that_hangs_is_given_up_and_nothing_is_imported(self):
        self.serve_images()
        stop = threading.Event()
        self.addCleanup(stop.set)

        def hang(handler):
            if handler.command == "HEAD":
                return handler.answer(b"12345")
            stop.wait()
        self.server.routes["/set/a/0.png"] = hang
        message = self.error("import", f"{self.url}/set/", "--name", "web")
        self.assertIn("run the same command again", message)
        if os.path.exists(self.path("assay.db")):
            self.assertNotIn("web", [dataset["name"] for dataset in self.json("ls")["datasets"]])

    def test_an_answer_that_is_cut_is_fetched_again(self):
        self.serve_images()
        content = self.server.routes["/set/a/0.png"]
        count = []

        def cut(handler):
            if handler.command == "GET":
                count.append(1)
                if len(count) == 1:
                    handler.answer(content, body=content[:20])
                    handler.close_connection = True
                    return
            handler.answer(content)
        self.server.routes["/set/a/0.png"] = cut
        found = self.json("import", f"{self.url}/set/", "--name", "web")
        self.assertEqual(found["accepted"], 6)
        self.assertEqual(len(count), 2)

    def test_a_large_file_is_continued_where_it_was_cut(self):
        folder = self.digits(6)
        with open(os.path.join(folder, "big.txt"), "wb") as file:
            file.write(os.urandom(9 << 20))
        with open(shutil.make_archive(self.path("x"), "tar", folder), "rb") as file:
            content = file.read()
        tag = '"' + hashlib.md5(content).hexdigest() + '"'
        ranges = []

        def serve(handler):
            start = handler.headers.get("Range")
            if handler.command == "HEAD":
                return handler.answer(content, headers=[("ETag", tag)])
            ranges.append(start)
            if start is None:
                handler.answer(content, headers=[("ETag", tag)], body=content[:3_000_000])
                handler.close_connection = True
                return
            first = int(start.removeprefix("bytes=").rstrip("-"))
            handler.answer(content[first:], 206, [
                ("ETag", tag), ("Content-Range", f"bytes {first}-{len(content) - 1}/{len(content)}")])
        self.server.routes["/x.tar"] = serve
        found = self.json("import", f"{self.url}/x.tar:image-folder", "--name", "tar", "--ignore-companions")
        self.assertEqual(found["accepted"], 6)
        self.assertEqual(ranges[0], None)
        self.assertTrue(all(r and r.startswith("bytes=") and r != "bytes=0-" for r in ranges[1:]), ranges)
        self.assertEqual(len(ranges), 2)

    def test_a_server_that_sends_more_than_it_stated_is_stopped(self):
        self.serve_images()
        sent = []

        def endless(handler):
            if handler.command == "HEAD":
                return handler.answer(b"x" * 100, headers=[("ETag", '"e"')])
            handler.protocol_version = "HTTP/1.0"
            handler.send_response(200)
            handler.send_header("ETag", '"e"')
            handler.send_header("Connection", "close")
            handler.end_headers()
            handler.close_connection = True
            try:
                while sum(sent) < 1 << 30:
                    handler.wfile.write(b"x" * 65536)
                    sent.append(65536)
            except OSError:
                pass
        self.server.routes["/set/a/0.png"] = endless
        done = subprocess.run([PROGRAM, "import", f"{self.url}/set/", "--name", "web", "--json"], capture_output=True,
                              text=True, env=self.environment, cwd=self.folder, timeout=300)
        self.assertNotEqual(done.returncode, 0)
        self.assertLess(sum(sent), 1 << 28)
        largest = max([len(c) for c in files_below(self.path("cache")).values()] or [0])
        self.assertLess(largest, 4 << 20)

    def test_a_file_that_changed_between_list_and_fetch_is_told(self):
        self.serve_images()
        content = self.server.routes["/set/a/0.png"]
        self.server.routes["/set/a/0.png"] = lambda h: h.answer(
            content, headers=[("ETag", '"old"' if h.command == "HEAD" else '"new"')])
        found = self.json("import", f"{self.url}/set/", "--name", "web")
        issues = json.dumps(self.json("issues", "web"))
        self.assertEqual(found["accepted"], 5)
        self.assertIn("ETag", issues)

    def test_a_listing_that_never_ends_is_refused(self):
        class Endless(dict):
            def get(self, path, default=None):
                page = b'<html><title>Index of</title><a href="x/">x/</a><a href="1.png">1</a></html>'
                return page if path.endswith("/") else b"x"
        self.server.routes = Endless()
        self.assertIn("nested deeper than 64", self.error("import", f"{self.url}/set/"))

    def test_a_password_is_read_from_netrc_only(self):
        self.serve_images()
        routes = dict(self.server.routes)

        def guarded(path):
            def serve(handler):
                if handler.headers.get("Authorization") != "Basic dTpodW50ZXIy":
                    return handler.answer(b"", 401)
                handler.answer(routes[path])
            return serve
        self.server.routes = {path: guarded(path) for path in routes}
        refused = self.error("import", f"{self.url}/set/")
        self.assertIn("~/.netrc", refused)
        self.assertNotIn("hunter2", self.error("import", self.url.replace("://", "://u:hunter2@") + "/set/"))
        with open(self.path(".netrc"), "w") as file:
            file.write("machine 127.0.0.1 login u password hunter2\n")
        self.assertEqual(self.json("import", f"{self.url}/set/", "--name", "web")["accepted"], 6)
        for path, content in files_below(self.path("cache")).items():
            self.assertNotIn(b"hunter2", content)
        with sqlite3.connect(self.path("assay.db")) as catalog:
            self.assertNotIn("hunter2", "\n".join(catalog.iterdump()))

    def test_a_video_is_refused_with_the_next_step(self):
        self.server.routes["/film.mp4"] = b"\0\0\0\x18ftypmp42" + b"\0" * 600
        self.assertIn("download it", self.error("import", f"{self.url}/film.mp4"))


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


if __name__ == "__main__":
    unittest.main(verbosity=1)
