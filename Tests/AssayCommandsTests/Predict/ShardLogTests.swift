import AssayCore
import AssayTestSupport
import Foundation
import Testing

/// The folders have no catalog: `assay status` needs none.
@Suite("assay status with the logs of Slurm")
struct ShardLogTests {
  /// The job file that computes three shards.
  private let job = "assay predict d --model m --shard \"$SLURM_ARRAY_TASK_ID/3\" --out parts\n"

  @Test("The last lines of the logs of missing shards, and how their tasks ended")
  func ends() throws {
    let program = try Program()
    let failure = (1...40).map { "line \($0)\n\n" }.joined()
    try program.folder.write("parts/slurm/predict.sbatch", job)
    try program.folder.write(
      "parts/slurm/predict-1.log", failure + "assay: the task ended with status 2\n")
    try program.folder.write(
      "parts/slurm/predict-2.log",
      "first try\nassay: the task ended with status 75\nsecond try\u{1b}[31m")
    let status = try program.run("status", "parts")
    #expect(status.status == 0)
    #expect(status.stdout.hasPrefix("0 of 3 shards done\n"), "\(status.stdout)")
    let lines = status.stdout.split(separator: "\n").map(String.init)
    let place = try #require(
      lines.firstIndex { $0.hasSuffix("predict-1.log, ended with status 2:") })
    #expect(lines[(place + 1)...(place + 3)] == ["  line 38", "  line 39", "  line 40"])
    let second = try #require(
      lines.firstIndex { $0.hasSuffix("predict-2.log, running or killed:") })
    #expect(lines[second + 1] == "  first try")
    #expect(lines[second + 2].hasPrefix("  second try") && !status.stdout.contains("\u{1b}"))
    let logs = try program.run("status", "parts", "--json").json()["logs"]?.elements ?? []
    #expect(logs.map { $0["shard"]?.whole } == [1, 2])
    #expect(logs.map { $0["status"]?.whole } == [2, nil])
    #expect(logs.first?["lines"] == ["line 38", "line 39", "line 40"])
  }

  @Test("Only the end of a long log is read; what is no file is left out")
  func odd() throws {
    let program = try Program()
    try program.folder.write("parts/slurm/predict.sbatch", job)
    try program.folder.write(
      "parts/slurm/predict-1.log", String(repeating: "x", count: 5_000_000) + "\nlast\n")
    try program.folder.write("parts/slurm/predict-2.log", "")
    try #require(try program.shell("mkfifo parts/slurm/predict-3.log").status == 0)
    let logs = try program.run("status", "parts", "--json").json()["logs"]?.elements ?? []
    #expect(logs.map { $0["shard"]?.whole } == [1, 2])
    #expect(logs[0]["lines"] == ["last"] && logs[1]["lines"] == [])
  }

  @Test("The newest of the logs of Slurm, Ray and Spark")
  func engines() throws {
    let program = try Program()
    try program.folder.write("parts/slurm/predict.sbatch", job)
    for (time, folder) in ["slurm", "spark", "ray"].enumerated() {
      for shard in 1...time + 1 {
        let name = "parts/\(folder)/predict-\(shard).log"
        try program.folder.write(
          name, "\(folder) \(shard)\nassay: the task ended with status \(75 - time)\n")
        // Spark is the newest.
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: [1e9, 3e9, 2e9][time])],
          ofItemAtPath: program.folder.path(name))
      }
    }
    let logs = try program.run("status", "parts", "--json").json()["logs"]?.elements ?? []
    #expect(logs.map { $0["lines"] } == [["spark 1"], ["spark 2"], ["ray 3"]])
    #expect(logs.map { $0["status"]?.whole } == [74, 74, 73])
    // Ray and Spark have no job file: without a part, nothing says how many shards there are.
    try FileManager.default.removeItem(atPath: program.folder.path("parts/slurm"))
    let text = try program.run("status", "parts").stdout
    #expect(text.contains("spark/predict-2.log, ended with status 74:\n  spark 2"), "\(text)")
  }

  @Test("Without job files there are no logs")
  func none() throws {
    let program = try Program()
    try program.folder.write("parts/other.txt", "x")
    let json = try program.run("status", "parts", "--json").json()
    #expect(json["logs"] == [] && json["shards"] == .null)
  }

  @Test("The job file writes the line about the status that assay status reads", .openVINO)
  func written() throws {
    let world = try ShardWorld(.labels, images: 3)
    try world.program.folder.write("bin/sbatch", "#!/bin/sh\necho 7\n")
    try world.program.folder.write("bin/scontrol", "#!/bin/sh\n")
    let submitted = try world.program.shell(
      "chmod +x bin/*; PATH=$PWD/bin:$PATH \"$A\" submit slurm predict d --model m --shards 2 --out parts"
    )
    try #require(submitted.status == 0, "\(submitted.stderr)")
    let run = try world.program.shell(
      """
      rm assay.db; PATH=$PWD/bin:$PATH SLURM_ARRAY_TASK_ID=2 sh parts/slurm/predict.sbatch \
      >parts/slurm/predict-2.log 2>&1
      """)
    #expect(run.status == 2)
    let log = try world.run("status", "parts", "--json").json()["logs"]?.elements?.first
    #expect(log?["shard"]?.whole == 2 && log?["status"]?.whole == 2)
    #expect(log?["lines"]?.elements?.last?.text?.contains("no catalog") == true)
  }
}
