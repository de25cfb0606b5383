import AssayCore
import Testing

import AssayCommands

/// Eight faces in a catalog with two runs, and the program to run on it.
///
/// `r1` is right for six, `r2` for five. Ground truth: angry happy happy sad happy sad angry sad;
/// r1 misses 0 and 5; r2 misses 1, 2 and 5.
struct EvaluateWorld {
  private let catalog: CommandCatalog
  var path: String { catalog.path }
  let program: Program

  init() throws {
    catalog = try CommandCatalog([
      ("train", "angry"), ("train", "happy"), ("train", "happy"), ("train", "sad"),
      ("test", "happy"), ("test", "sad"), ("test", "angry"), ("test", "sad"),
    ])
    program = try Program()
    try program.folder.write(
      "r1.csv",
      """
      sample,angry,happy,sad
      0,0.2,0.5,0.3
      1,0.1,0.8,0.1
      2,0.1,0.6,0.3
      3,0.3,0.2,0.5
      4,0.05,0.9,0.05
      5,0.5,0.1,0.4
      6,0.7,0.2,0.1
      7,0.2,0.1,0.7

      """)
    try program.folder.write(
      "r2.csv",
      """
      sample,sad,happy,angry
      0,0.2,0.2,0.6
      1,0.6,0.3,0.1
      2,0.5,0.4,0.1
      3,0.8,0.1,0.1
      4,0.1,0.8,0.1
      5,0.3,0.1,0.6
      6,0.1,0.2,0.7
      7,0.6,0.3,0.1

      """)
    for run in ["r1", "r2"] {
      let outcome = try self.run(
        "predictions", "import", "\(run).csv", "--name", run, "--in", "faces")
      #expect(outcome.status == 0, "\(outcome.stderr)")
    }
  }

  @discardableResult
  func run(_ arguments: String...) throws -> Program.Outcome {
    try program.run(arguments + ["--db", catalog.path])
  }
}
