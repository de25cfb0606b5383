"""The commit in the program, make install and uninstall, and the Debian package (Scripts/test_packaging)."""
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.abspath(os.environ.get("ASSAY_PROGRAM") or os.path.join(ROOT, "assay"))
OPENVINO = os.path.join(ROOT, ".deps", "openvino", "libs")
PLAIN = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}


def run(*command, status=0, **options):
    done = subprocess.run(command, capture_output=True, text=True, env=options.pop("env", PLAIN), **options)
    if done.returncode != status:
        raise AssertionError(f"{command} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def tree(folder):
    """All paths below a folder."""
    return sorted(os.path.relpath(os.path.join(where, name), folder)
                  for where, folders, files in os.walk(folder) for name in folders + files)


class Folder(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="assay-packaging-")
        self.addCleanup(place.cleanup)
        self.folder = os.path.realpath(place.name)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, data):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as file:
            file.write(data)


@unittest.skipUnless(shutil.which("git"), "git is missing")
class CommitTests(Folder):
    """Scripts/commit and Scripts/stamp_commit in a repository of their own."""

    def setUp(self):
        super().setUp()
        for name in ["commit", "stamp_commit"]:
            os.makedirs(self.path("tree/Scripts"), exist_ok=True)
            shutil.copy(os.path.join(ROOT, "Scripts", name), self.path("tree/Scripts", name))
        self.write("tree/Package.swift", b"// a\n")
        self.write("tree/Sources/a.c", b"int a;\n")
        self.write("tree/README.md", b"a\n")

    def git(self, *words, where="tree"):
        return run("git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-C", self.path(where), *words).strip()

    def repository(self, where="tree"):
        self.git("init", "-q", where=where)
        self.git("add", "-A", where=where)
        self.git("commit", "-qm", "a", where=where)
        return self.git("rev-parse", "HEAD", where=where)

    def commit(self):
        return run(self.path("tree/Scripts/commit")).strip()

    def stamp(self, program, commit, status=0):
        return run(self.path("tree/Scripts/stamp_commit"), program, commit, status=status)

    def test_the_commit_is_that_of_the_sources(self):
        head = self.repository()
        self.assertEqual(self.commit(), head)
        self.write("tree/README.md", b"b\n")
        self.write("tree/notes.txt", b"b\n")
        self.assertEqual(self.commit(), head, "the program does not contain these files")
        self.write("tree/Sources/b.c", b"int b;\n")
        self.assertEqual(self.commit(), head + "-dirty", "a new file")
        os.remove(self.path("tree/Sources/b.c"))
        self.write("tree/Sources/a.c", b"int b;\n")
        self.assertEqual(self.commit(), head + "-dirty", "a changed file")

    def test_there_is_no_commit_outside_of_a_repository(self):
        self.assertEqual(self.commit(), "")
        self.write(".gitignore", b"tree\n")
        self.repository(where=".")
        self.assertEqual(self.commit(), "", "the commit of a repository around an unpacked archive is not the program's")

    def test_a_program_prints_its_commit(self):
        head = self.repository()
        program = shutil.copy(PROGRAM, self.path("assay"))
        run(self.path("tree/Scripts/stamp_commit"), program, head)
        self.assertRegex(run(program, "--version"), rf"^assay [0-9.]+ \({head[:8]}\)\n$")
        self.assertIn(f'"commit":"{head}","dirty":false', run(program, "--version", "--json").replace(" ", ""))
        self.assertIn(f" ({head[:8]}), ", subprocess.run([program, "doctor"], capture_output=True, text=True).stdout)
        self.write("tree/Sources/a.c", b"int b;\n")
        self.stamp(program, head)
        self.assertRegex(run(program, "--version"), rf"^assay [0-9.]+ \({head[:8]}-dirty\)\n$", "changed during the build")
        self.git("commit", "-qam", "b")
        self.stamp(program, head)
        self.assertRegex(run(program, "--version"), r"^assay [0-9.]+\n$", "another commit: none is better than a wrong one")
        self.stamp(program, self.git("rev-parse", "HEAD"))
        shutil.rmtree(self.path("tree/.git"))
        self.stamp(program, "")
        self.assertRegex(run(program, "--version"), r"^assay [0-9.]+\n$")

    def test_other_files_and_commits_are_refused(self):
        self.repository()
        self.write("other", b"no program")
        self.stamp(self.path("other"), self.commit(), status=1)
        self.write("twice", 2 * b"@assay commit@" + bytes(80))
        self.stamp(self.path("twice"), self.commit(), status=1)


@unittest.skipUnless(os.path.isdir(OPENVINO), "OpenVINO is not in .deps")
class InstallTests(Folder):
    def make(self, target, prefix):
        return run("make", "-s", "-C", ROOT, target, f"PREFIX={prefix}", f"PROGRAM={PROGRAM}")

    def test_uninstall_leaves_what_was_there_before(self):
        self.write("prefix/share/man/man1/other.1", b"other")
        self.write("prefix/bin/other", b"other")
        os.makedirs(self.path("prefix/share/zsh"))
        before = tree(self.folder)
        self.make("install", self.path("prefix"))
        for name in ["bin/assay", "lib/assay/libopenvino_c.so.2641", "share/man/man1/assay.1", "share/doc/assay/Metrics.md",
                     "share/bash-completion/completions/assay", "share/zsh/site-functions/_assay",
                     "share/fish/vendor_completions.d/assay.fish"]:
            self.assertTrue(os.path.exists(self.path("prefix", name)), name)
        self.assertEqual(run(self.path("prefix/bin/assay"), "--version"), run(PROGRAM, "--version"))
        # Again: the folders that the first one made are known.
        self.make("install", self.path("prefix"))
        self.make("uninstall", self.path("prefix"))
        self.assertEqual(tree(self.folder), before)
        self.make("uninstall", self.path("prefix"))
        self.assertEqual(tree(self.folder), before)

    def test_uninstall_removes_a_prefix_that_install_made(self):
        self.make("install", self.path("a/b c/prefix"))
        self.make("uninstall", self.path("a/b c/prefix"))
        self.assertEqual(tree(self.folder), [])

    def test_what_others_put_into_the_folders_stays(self):
        self.make("install", self.path("prefix"))
        self.write("prefix/share/zsh/site-functions/_other", b"other")
        self.make("uninstall", self.path("prefix"))
        self.assertEqual([name for name in tree(self.folder) if not os.path.isdir(self.path(name))],
                         ["prefix/share/zsh/site-functions/_other"])


def is_static():
    return "libswift" not in run("readelf", "-d", PROGRAM)


@unittest.skipUnless(shutil.which("dpkg-shlibdeps") and shutil.which("strip"), "dpkg-dev is missing")
class DebTests(Folder):
    @classmethod
    def setUpClass(cls):
        cls.dist = tempfile.mkdtemp(prefix="assay-packaging-")
        cls.addClassCleanup(shutil.rmtree, cls.dist)
        run(sys.executable, "-B", os.path.join(ROOT, "Scripts", "deb"), PROGRAM, cls.dist,
            env=dict(PLAIN, ASSAY_DEB_COMPRESSION="none", SOURCE_DATE_EPOCH="1700000000"))
        (name,) = os.listdir(cls.dist)
        cls.package = os.path.join(cls.dist, name)

    def field(self, name):
        return run("dpkg-deb", "-f", self.package, name).strip()

    def install(self):
        """The root of a system in which the package is installed."""
        root = self.path("root")
        os.makedirs(root)
        if os.geteuid() != 0:
            run("dpkg-deb", "-x", self.package, root)
            return root
        for name in ["info", "updates", "triggers"]:
            os.makedirs(os.path.join(root, "var/lib/dpkg", name))
        self.write("root/var/lib/dpkg/status", b"")
        self.dpkg("-i", self.package)
        return root

    def dpkg(self, *words):
        # The libraries are those of this system.
        run("dpkg", f"--root={self.path('root')}", "--force-depends", "--log=/dev/null", *words)

    def test_its_fields(self):
        version = run(PROGRAM, "--version").split()[1]
        architecture = run("dpkg", "--print-architecture").strip()
        self.assertEqual(os.path.basename(self.package), f"assay_{version}_{architecture}.deb")
        self.assertEqual((self.field("Package"), self.field("Version")), ("assay", version))
        depends = self.field("Depends")
        for name in ["libc6", "libsqlite3-0", "libpng16-16", "libcairo2", "fonts-dejavu-core"]:
            self.assertIn(name, depends)
        self.assertGreater(int(self.field("Installed-Size")), 10_000)

    def test_installed(self):
        root = self.install()
        program = os.path.join(root, "usr/bin/assay")
        self.assertEqual(run(program, "--version"), run(PROGRAM, "--version"))
        self.assertNotIn(".symtab", run("readelf", "-SW", program))
        share = os.path.join(root, "usr/share")
        with gzip.open(os.path.join(share, "man/man1/assay.1.gz"), "rt") as file:
            page = file.read()
        self.assertTrue(page.startswith('.TH ASSAY 1 "2023-11-14"'))
        self.assertIn("assay predict", page)
        for shell, name in [("bash", "bash-completion/completions/assay"), ("zsh", "zsh/vendor-completions/_assay"),
                            ("fish", "fish/vendor_completions.d/assay.fish")]:
            with open(os.path.join(share, name), encoding="utf-8") as file:
                text = file.read()
            self.assertIn("predict", text)
            if shutil.which(shell):
                run(shell, "-n", os.path.join(share, name))
        documents = os.path.join(share, "doc/assay")
        for name in ["changelog.gz", "copyright", "README.Debian", "NEWS.md.gz", "guides/Metrics.md", "notices/swift-nio.txt"]:
            self.assertTrue(os.path.exists(os.path.join(documents, name)), name)
        with open(os.path.join(documents, "copyright"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("all rights are reserved by the authors until a license is chosen", text)
        self.assertIn("GRDB", text)
        shutil.rmtree(documents)
        self.assertIn("accuracy", run(program, "help", "metrics"), "guides are found without share/doc")

    @unittest.skipUnless(os.path.isdir(OPENVINO), "OpenVINO is not in .deps")
    def test_openvino_is_found_where_its_readme_puts_it(self):
        root = self.install()
        environment = {name: value for name, value in PLAIN.items() if name != "ASSAY_OPENVINO"}
        program = os.path.join(root, "usr/bin/assay")
        missing = subprocess.run([program, "doctor"], capture_output=True, text=True, env=environment, cwd=self.folder)
        if missing.returncode:
            self.assertIn("pip install openvino==", missing.stdout)
        os.makedirs(os.path.join(root, "usr/lib"), exist_ok=True)
        os.symlink(OPENVINO, os.path.join(root, "usr/lib/assay"))
        self.assertIn(os.path.join(root, "usr/lib/assay/libopenvino_c.so"),
                      run(program, "doctor", env=environment, cwd=self.folder))

    @unittest.skipUnless(os.geteuid() == 0, "dpkg needs root")
    def test_removed(self):
        root = self.install()
        self.dpkg("-P", "assay")
        self.assertEqual([name for name in tree(root) if not name.startswith("var")], [])

    def test_the_same_program_gives_the_same_bytes(self):
        again = self.path("again")
        run(sys.executable, "-B", os.path.join(ROOT, "Scripts", "deb"), PROGRAM, again,
            env=dict(PLAIN, ASSAY_DEB_COMPRESSION="none", SOURCE_DATE_EPOCH="1700000000"))
        with open(self.package, "rb") as first, open(os.path.join(again, os.path.basename(self.package)), "rb") as second:
            self.assertTrue(first.read() == second.read())

    @unittest.skipUnless(shutil.which("lintian") and is_static(), "lintian is missing, or the program is a debug build")
    def test_lintian_finds_nothing(self):
        run(sys.executable, "-B", os.path.join(ROOT, "Scripts", "deb"), PROGRAM, self.path("packed"))
        done = subprocess.run(["lintian", "--fail-on", "error,warning",
                               self.path("packed", os.path.basename(self.package))], capture_output=True, text=True)
        self.assertEqual((done.returncode, [line for line in done.stdout.splitlines() if line[:2] in ("E:", "W:")]), (0, []))


if __name__ == "__main__":
    unittest.main()
