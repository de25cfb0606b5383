import AssayCore
import AssayTestSupport
import Foundation
import Testing

@Suite("assay submit slurm predict")
struct SubmitCommandTests {
  private func submit(
    _ world: Program, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    try world.run(
      ["submit", "slurm", "predict", "d", "--model", "m"] + arguments, environment: environment)
  }

  @Test("A dry run prints the job files and the commands, and writes nothing")
  func dryRun() throws {
    let program = try Program()
    let folder = URL(fileURLWithPath: program.folder.path).resolvingSymlinksInPath().path
    let outcome = try submit(
      program, ["--shards", "64", "--partition", "gpu", "--flip", "--name", "r1", "--dry-run"])
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let link = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/cwd")
    #expect(!link.isEmpty)
    let executable = Program.executable.resolvingSymlinksInPath().path
    #expect(
      outcome.stdout.replacing(executable, with: "ASSAY").replacing(folder, with: "FOLDER") == """
        # FOLDER/m-d.parts/slurm/predict.sbatch
        #!/bin/sh
        #SBATCH --job-name=assay-predict
        #SBATCH --output="FOLDER/m-d.parts/slurm/predict-%a.log"
        #SBATCH --partition=gpu
        #SBATCH --array=1-64
        #SBATCH --requeue
        #SBATCH --open-mode=append
        cd FOLDER || exit 2
        ASSAY predict d --model m --flip --db FOLDER/assay.db --quiet --shard "$SLURM_ARRAY_TASK_ID/64" --out FOLDER/m-d.parts
        status=$?
        [ "$status" -eq 0 ] || echo "assay: the task ended with status $status"
        # 75: the same command may succeed later. RequeueExit=75 in slurm.conf does the same.
        if [ "$status" -eq 75 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 5 ]; then
          scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
        fi
        exit "$status"

        # FOLDER/m-d.parts/slurm/merge.sbatch
        #!/bin/sh
        #SBATCH --job-name=assay-merge
        #SBATCH --output="FOLDER/m-d.parts/slurm/merge.log"
        #SBATCH --partition=gpu
        #SBATCH --open-mode=append
        cd FOLDER || exit 2
        exec ASSAY merge FOLDER/m-d.parts --name r1 --db FOLDER/assay.db --quiet

        # 64 of 64 shards to submit:
        sbatch --parsable FOLDER/m-d.parts/slurm/predict.sbatch
        sbatch --parsable --dependency=afterok:JOB --kill-on-invalid-dep=yes FOLDER/m-d.parts/slurm/merge.sbatch

        """)
    #expect(!program.folder.has("m-d.parts"))
    let json = try submit(program, ["--shards", "3", "--dry-run", "--json"]).json()
    #expect(json["missing"] == [1, 2, 3] && json["submitted"] == .bool(false))
  }

  @Test(
    "With a plan the tasks need no catalog; the merge takes that of the plan, or --db", .openVINO)
  func planned() throws {
    let world = try ShardWorld(.labels)
    let folder = URL(fileURLWithPath: world.program.folder.path).resolvingSymlinksInPath().path
    try world.run("plan", "predict", "d", "--model", "m", "--out", "the plan")
    func planned(_ arguments: String...) throws -> Program.Outcome {
      try world.program.run(["submit", "slurm", "predict", "--plan", "the plan"] + arguments)
    }
    let outcome = try planned("--shards", "3", "--dry-run")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let text = outcome.stdout.replacing(folder, with: "FOLDER")
    #expect(
      text.contains(
        " predict --plan 'FOLDER/the plan' --quiet --shard \"$SLURM_ARRAY_TASK_ID/3\" --out FOLDER/m-d.parts\n"
      ),
      "\(text)")
    #expect(text.contains(" merge FOLDER/m-d.parts --name m-d --db FOLDER/assay.db --quiet\n"))
    let placed = try planned(
      "--shards", "3", "--images", "/mnt/my images", "--model-file", "/mnt/m.onnx", "--db", "b.db",
      "--name", "r", "--dry-run"
    ).stdout.replacing(folder, with: "FOLDER")
    #expect(
      placed.contains("--images '/mnt/my images' --model-file /mnt/m.onnx --quiet --shard"),
      "\(placed)")
    #expect(placed.contains("--name r --db FOLDER/b.db --quiet\n"))

    // What the plan has is not given again; options of plans need one.
    for arguments in [
      ["d", "--plan", "the plan"], ["--model", "m", "--plan", "the plan"],
      ["--plan", "the plan", "--flip"], ["d", "--model", "m", "--model-file", "x"], ["d"],
    ] {
      let wrong = try world.program.run(
        ["submit", "slurm", "predict", "--shards", "3", "--dry-run"] + arguments)
      #expect(wrong.status == 64, "\(arguments): \(wrong.stderr)")
    }
    // A plan that no task could read is not submitted.
    let path = world.program.folder.path("the plan")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: URL(fileURLWithPath: path))
    let damaged = try planned("--shards", "3", "--dry-run")
    #expect(damaged.status == 2 && damaged.stderr.contains("the plan"), "\(damaged.stderr)")
    try FileManager.default.removeItem(atPath: path)
    let none = try planned("--shards", "3")
    #expect(none.status == 2 && none.stderr.contains("cannot be read"), "\(none.stderr)")
  }

  @Test("Wrong options are wrong usage; without sbatch nothing is submitted")
  func refused() throws {
    let program = try Program()
    for arguments in [
      ["--shards", "0"], ["--shards", "4", "--partition", "a b"],
      ["--shards", "4", "--limit", "0"],
      ["--shards", "4", "--precision", "f8"],
    ] {
      #expect(try submit(program, arguments + ["--dry-run"]).status == 64)
    }
    let quoted = try submit(program, ["--shards", "2", "--out", "a\"b", "--dry-run"])
    #expect(quoted.status == 2 && quoted.stderr.contains("choose another --out"))
    let named = try submit(program, ["--shards", "2", "--name", "bad@name", "--dry-run"])
    #expect(named.status == 2 && named.stderr.contains("bad@name"), "\(named.stderr)")
    let none = try submit(program, ["--shards", "2"])
    #expect(none.status == 2 && none.stderr.contains("no catalog"), "\(none.stderr)")
    // With a catalog, a dry run refuses what a submission would.
    let world = try ShardWorld(.labels)
    let unknown = try world.program.run(
      "submit", "slurm", "predict", "d", "--model", "x", "--shards", "2", "--dry-run")
    #expect(unknown.status == 2 && unknown.stderr.contains("“x”"), "\(unknown.stderr)")
    let check = try world.program.run("submit", "slurm", "check", "e", "--shards", "2", "--dry-run")
    #expect(check.status == 2 && check.stderr.contains("“e”"), "\(check.stderr)")
  }

  /// A batch system in a shell: it runs each job at once, one task after the other.
  private static let sbatch = """
    #!/bin/sh
    echo "$@" >> "$SLURM_TEST/calls"
    for file do :; done
    array=$(sed -n 's/^#SBATCH --array=//p' "$file")
    failed=0
    for range in $(echo "$array" | tr , ' '); do
      for task in $(seq "${range%-*}" "${range#*-}"); do
        SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=$task sh "$file" > /dev/null 2>> "$SLURM_TEST/log" || failed=1
      done
    done
    if [ -z "$array" ]; then sh "$file" > /dev/null 2>> "$SLURM_TEST/log"; fi
    echo "7;cluster"
    """

  @Test(
    "The job files make the run; the same command again submits only what is missing", .openVINO)
  func submitted() throws {
    let world = try ShardWorld(.labels)
    let folder = world.program.folder
    try folder.write("bin/sbatch", Self.sbatch)
    try folder.write("bin/scontrol", "#!/bin/sh\necho \"$@\" >> \"$SLURM_TEST/scontrol\"\n")
    for name in ["sbatch", "scontrol"] {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: folder.path("bin/" + name))
    }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let environment = ["PATH": folder.path("bin") + ":" + path, "SLURM_TEST": folder.path]
    let outcome = try submit(
      world.program, ["--shards", "5", "--out", "the parts", "--name", "r"],
      environment: environment)
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.contains("5 of 5 shards submitted as job 7, the merge as job 7"))
    let taken = try submit(
      world.program, ["--shards", "5", "--out", "other", "--name", "r"], environment: environment)
    #expect(taken.status == 2 && !folder.has("other"), "\(taken.stderr)")
    let bare = try submit(
      world.program, ["--shards", "2", "--out", "other"],
      environment: ["PATH": folder.path + ":/nothing"])
    #expect(bare.status == 2 && bare.stderr.contains("sbatch"), "\(bare.stderr)")
    let log = (try? folder.read("log")) ?? ""
    #expect(log.isEmpty, "\(log)")
    #expect(try world.run("ls", "runs", "--json").json()["runs"]?.elements?.count == 1)
    let status = try world.run("status", "the parts", "--json").json()
    #expect(status["complete"] == .bool(true))

    for shard in [2, 4, 5] {
      try FileManager.default.removeItem(atPath: folder.path("the parts/part-\(shard)-of-5.db"))
    }
    try world.run("rm", "run", "r")
    let dry = try submit(
      world.program, ["--shards", "5", "--out", "the parts", "--dry-run"])
    #expect(dry.stdout.contains("#SBATCH --array=2,4-5\n"))
    let again = try submit(
      world.program, ["--shards", "5", "--out", "the parts", "--name", "r"],
      environment: environment)
    #expect(again.stdout.contains("3 of 5 shards submitted as job 7"), "\(again.stderr)")
    #expect(try world.run("ls", "runs", "--json").json()["runs"]?.elements?.count == 1)
    let calls = try folder.read("calls").split(separator: "\n")
    #expect(
      calls.count == 4 && calls[3].contains("--dependency=afterok:7 --kill-on-invalid-dep=yes"))

    let other = try submit(world.program, ["--shards", "6", "--out", "the parts", "--dry-run"])
    #expect(other.status == 2 && other.stderr.contains("shards of 5, not of 6"))
    // A task whose disk is full is tried again.
    let full = try world.program.shell(
      "PATH=\"$PWD/bin:$PATH\"; export SLURM_TEST=\"$PWD\"; ulimit -f 20; rm 'the parts'/part-2*;"
        + " SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=2 sh 'the parts/slurm/predict.sbatch'")
    #expect(full.status == 75, "\(full.stderr)")
    #expect(try folder.read("scontrol") == "requeue 7_2\n")
  }
}
