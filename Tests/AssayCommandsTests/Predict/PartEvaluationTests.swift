import AssayCore
import AssayStore
import AssayTestSupport
import AssayWorkflows
import Foundation
import Testing

@Suite("assay evaluate of parts", .openVINO)
struct PartEvaluationTests {
  /// A catalog of images with labels of three classes, one that the model lacks, and without labels; one image is damaged,
  /// and the model has the classes in another order.
  private func world(_ images: Int = 11) throws -> ShardWorld {
    let world = try ShardWorld(.labels, images: images)
    // An image without a label, and one of a class that the model lacks.
    for (from, to) in [("bright/7.png", "images/plain.png"), ("bright/8.png", "images/odd/8.png")] {
      let bytes = try Data(
        contentsOf: URL(fileURLWithPath: world.program.folder.path("images/" + from)))
      try world.program.folder.write(to, bytes)
    }
    try world.run("import", "images:image-folder", "--name", "d", "--replace")
    return world
  }

  private func predictAll(_ world: ShardWorld, _ view: String = "d", of count: Int = 3) throws {
    for number in 1...count {
      try world.run(
        "predict", view, "--model", "m", "--ignore-missing", "--shard", "\(number)/\(count)",
        "--out",
        "parts")
    }
  }

  /// Checks that parts and the merged run have the same evaluation, or the same refusal.
  private func compare(
    _ world: ShardWorld, _ options: [String] = [], status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let (parts, run) = (
      try world.program.run(["evaluate", "parts", "--json"] + options),
      try world.program.run(["evaluate", "r", "--json", "--as", "e"] + options)
    )
    let stderr = parts.stderr.replacing("parts", with: "r")
    #expect(parts.status == status && run.status == status, "\(parts.stderr)\(run.stderr)")
    #expect(stderr == run.stderr.replacing("parts", with: "r"), sourceLocation: sourceLocation)
    var same = parts.stdout.replacing("\"run\": \"parts\"", with: "\"run\": \"r\"")
      .replacing("\"evaluation\": null", with: "\"evaluation\": \"e\"")
      .replacing("parts: each row", with: "r: each row")
    if status != 0 { same = same.replacing("parts", with: "r") }
    #expect(same == run.stdout, "\(options)", sourceLocation: sourceLocation)
  }

  /// The evaluation from columns; `nil` if the records of samples are needed.
  private func columns(
    _ world: ShardWorld, _ settings: EvaluationSettings = EvaluationSettings()
  ) throws -> Evaluation? {
    let catalog = try Catalog.open(world.program.folder.path("assay.db"), .readOnly)
    return try RunParts(world.program.folder.path("parts")).evaluateColumns(in: catalog, settings)
  }

  @Test("Columns give the evaluation of the merged run, with all settings that concern no sample")
  func same() throws {
    let world = try world()
    try predictAll(world)
    try world.run("merge", "parts", "--name", "r")
    // The class that the model lacks is refused with the same words.
    try compare(world, status: 2)
    #expect(try columns(world) == nil)
    var settings = EvaluationSettings()
    settings.ignoresMissing = true
    let evaluation = try columns(world, settings)
    #expect(evaluation?.notes.contains { $0.contains("without a label") } == true)
    #expect(evaluation?.notes.contains { $0.contains("could not be predicted") } == true)
    for options in [
      [], ["--normalize", "--accept", "0.6"], ["--margin", "0.2", "--intervals", "--seed", "7"],
      ["--no-intervals", "--zero-division", "0"],
    ] { try compare(world, ["--ignore-missing"] + options) }
    // Options of other tasks, and what needs the records.
    try compare(world, ["--threshold", "0.3"], status: 2)
    for options in [["--where", "label = 'bright'"], ["--by", "category"]] {
      try compare(world, ["--ignore-missing"] + options)
    }
    settings.filter = "label = 'bright'"
    #expect(try columns(world, settings) == nil)
  }

  @Test("Ground truth, views and samples that changed since are noticed")
  func changed() throws {
    let world = try world()
    let folder = world.program.folder
    try world.run(
      "view", "save", "some", "--in", "d", "--where", "label = 'bright' or label = 'dark'")
    try predictAll(world, "some")
    try world.run("merge", "parts", "--name", "r")
    #expect(try columns(world) != nil)
    try compare(world)
    // Corrections alone change nothing; with --corrected they count.
    try world.run(
      "corrections", "add", "--sample", "d:bright/1.png", "--label", "dark", "--author", "bea")
    #expect(try columns(world) != nil)
    try compare(world)
    try compare(world, ["--corrected"])
    let before = try world.run("evaluate", "parts", "--json").stdout
    #expect(try world.run("evaluate", "parts", "--json", "--corrected").stdout != before)
    // Another view under the name: samples of the view are missing from the run.
    try world.run("rm", "view", "some")
    try world.run(
      "view", "save", "some", "--in", "d", "--where",
      "label = 'bright' or label = 'dark' or label = 'odd'")
    #expect(try columns(world) == nil)
    try compare(world)
    #expect(try world.run("evaluate", "parts").stdout.contains("not in the run"))
    try world.run("rm", "view", "some")
    try world.run(
      "view", "save", "some", "--in", "d", "--where", "label = 'bright' or label = 'dark'")
    #expect(try columns(world) != nil)
    // Other labels in the source.
    try FileManager.default.moveItem(
      atPath: folder.path("images/bright/2.png"), toPath: folder.path("images/dark/2.png"))
    try world.run("import", "images:image-folder", "--name", "d", "--replace")
    #expect(try columns(world) == nil)
    try compare(world)
    #expect(try world.run("evaluate", "parts", "--json").stdout != before)
  }

  @Test("Labels that another program changes in the catalog are read again")
  func edited() throws {
    let world = try ShardWorld(.labels)
    try world.predictAll(2)
    try world.run("merge", "parts", "--name", "r")
    try compare(world)
    let before = try world.run("evaluate", "parts", "--json").stdout
    let edit = """
      python3 -c "import sqlite3; c = sqlite3.connect('assay.db'); c.execute('UPDATE annotation SET category = \
      (SELECT max(id) FROM category) WHERE sample IN (SELECT id FROM sample ORDER BY id LIMIT 4)'); c.commit()"
      """
    let edited = try world.program.shell(edit)
    try #require(edited.status == 0, "\(edited.stderr)")
    try compare(world)
    #expect(try world.run("evaluate", "parts", "--json").stdout != before)
  }
}
