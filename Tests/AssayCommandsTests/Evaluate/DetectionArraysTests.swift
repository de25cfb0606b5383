import AssayCore
import AssayTestSupport
import Foundation
import Testing

@Suite("assay evaluate --arrays")
struct DetectionArraysTests {
  private let truth = PackageFolder.fixture("detect/example/instances.json").path
  private let results = PackageFolder.fixture("detect/example/bbox.json").path

  @Test("Writes an archive of NumPy arrays beside the same numbers, and replaces its own only")
  func written() throws {
    let program = try Program()
    let files = ["evaluate", "--gt", truth, "--dt", results, "--iou-type", "bbox", "--json"]
    let plain = try program.run(files).json()
    let outcome = try program.run(files + ["--arrays", "a.npz"])
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let json = try outcome.json()
    #expect(json["arrays"]?.text == "a.npz" && json["stats"] == plain["stats"])
    #expect(plain["arrays"] == nil)
    let file = program.folder.path + "/a.npz"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    #expect(bytes.starts(with: Array("PK".utf8)))
    for name in ["precision", "recall", "scores", "dt_match", "dt_ignore", "gt_ignore"] {
      #expect(bytes.range(of: Data("\(name).npy".utf8)) != nil, "\(name)")
    }
    #expect(try program.run(files + ["--arrays", "a.npz"]).status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == bytes)
    try program.folder.write("foreign.npz", "mine")
    let refused = try program.run(files + ["--arrays", "foreign.npz"])
    #expect(refused.status == 2)
    #expect(try program.folder.read("foreign.npz") == "mine")
  }

  @Test("Is refused for a run and for files of labels, with the next step")
  func refused() throws {
    let program = try Program()
    let run = try program.run("evaluate", "r", "--arrays", "a.npz")
    #expect(run.status != 0 && run.stderr.contains("assay export RUN --to coco-results"))
    try program.folder.write("t.csv", "truth\na\nb\n")
    try program.folder.write("s.csv", "a,b\n0.5,0.5\n0.25,0.75\n")
    let labels = try program.run("evaluate", "--gt", "t.csv", "--dt", "s.csv", "--arrays", "a.npz")
    #expect(labels.status == 2 && labels.stderr.contains("--arrays"), "\(labels.stderr)")
  }
}
