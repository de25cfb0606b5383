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


if __name__ == "__main__":
    unittest.main()
