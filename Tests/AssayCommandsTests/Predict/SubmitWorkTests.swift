import AssayCore
import AssayTestSupport
import Foundation
import Testing

@Suite("assay submit slurm check, stats and scan")
struct SubmitWorkTests {
  /// Submits to a stand-in for sbatch that runs the tasks of an array at once.
  @Test("The jobs compute the shards and join them", arguments: ["check", "stats", "scan"])
  func jobs(work: String) throws {
    let world = try PhotoWorld()
    let program = world.program
    if work != "scan" { try world.run("import", "photos:image-folder", "--name", "d") }
    try program.folder.write(
      "bin/sbatch",
      """
      #!/bin/bash
      file="${@: -1}"
      tasks=$(sed -n 's/^#SBATCH --array=//p' "$file" | sed 's/-/ /')
      for task in $(seq ${tasks:-1}); do
        SLURM_ARRAY_TASK_ID=$task sh "$file" >>"$file.out" 2>&1 || { cat "$file.out" >&2; exit 1; }
      done
      echo 17

      """)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: program.folder.path("bin/sbatch"))
    let arguments: [String: [String]] = [
      "check": ["check", "d"], "stats": ["stats", "d", "--means", "means"],
      "scan": ["scan", "photos:image-folder", "--name", "d"],
    ]
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let outcome = try program.run(
      ["submit", "slurm"] + (arguments[work] ?? []) + ["--shards", "3", "--out", "parts"],
      environment: ["PATH": program.folder.path("bin") + ":" + path])
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(
      outcome.stdout == """
        3 of 3 shards submitted as job 17, the merge as job 17
        next: assay status \(URL(fileURLWithPath: program.folder.path("parts")).path)

        """)
    #expect(try world.run("status", "parts", "--json").json()["work"]?.text == work)
    switch work {
    case "check":
      #expect(
        try world.rows("SELECT count(*) > 0 AS n FROM finding") == "[{\"n\":1}]")
    case "stats": #expect(program.folder.has("means/classes.png"))
    default:
      #expect(
        try world.rows("SELECT count(contentHash) AS n FROM sample") == "[{\"n\":14}]")
    }
  }

  @Test("What cannot work is refused before a job is submitted")
  func refused() throws {
    let program = try Program()
    let path = ["PATH": program.folder.path("bin")]
    for (words, status) in [
      (["check", "none", "--shards", "2"], Int32(2)), (["check", "none", "--shards", "0"], 64),
      (["stats", "none", "--means", "m", "--shards", "2", "--resize", "9"], 64),
      (["scan", "nowhere", "--name", "n", "--shards", "2"], 2),
    ] {
      let outcome = try program.run(["submit", "slurm"] + words, environment: path)
      #expect(outcome.status == status, "\(words): \(outcome.stderr)")
    }
  }
}
