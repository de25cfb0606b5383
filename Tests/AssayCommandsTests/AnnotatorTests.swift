import AssayCore
import AssayTestSupport
import Foundation
import Testing

/// A Label Studio project in which two people annotated the same images.
@Suite("Annotations of several people")
struct AnnotatorTests {
  private static func box(_ x: Int, _ label: String) -> String {
    """
    {"type": "rectanglelabels", "id": "r\(x)\(label)", "from_name": "l", "to_name": "i",
     "original_width": 20, "original_height": 10, "image_rotation": 0,
     "value": {"x": \(x), "y": 10, "width": 40, "height": 60, "rotation": 0,
       "rectanglelabels": ["\(label)"]}}
    """
  }

  private static func choice(_ label: String) -> String {
    """
    {"type": "choices", "id": "c", "from_name": "c", "to_name": "i", "value": {"choices": ["\(label)"]}}
    """
  }

  /// A task, with the results of each annotator; the first annotation is the last one submitted.
  private static func task(_ image: String, _ annotations: [(by: String, results: [String])])
    -> String
  {
    let list = annotations.enumerated().map { place, annotation in
      """
      {"id": \(place + 1), "completed_by": \(annotation.by), "was_cancelled": false,
       "created_at": "2024-01-0\(9 - place)T00:00:00Z",
       "result": [\(annotation.results.joined(separator: ", "))]}
      """
    }
    return """
      {"id": 1, "data": {"image": "\(image)"}, "annotations": [\(list.joined(separator: ", "))]}
      """
  }

  private static let tasks = [
    // The same box, two pixels aside.
    task("a.png", [("1", [box(0, "dog")]), ("2", [box(10, "dog")])]),
    // One of two boxes has another class.
    task(
      "b.png", [("1", [box(0, "dog"), box(50, "cat")]), ("2", [box(0, "dog"), box(50, "dog")])]),
    // Another label of the image.
    task("c.png", [("2", [choice("wet")]), (#"{"id": 7, "email": "x@y.z"}"#, [choice("dry")])]),
    // One found nothing.
    task("d.png", [("1", [box(0, "cat")]), ("2", [])]),
    task("e.png", [("1", [box(0, "cat")])]),
  ]

  private func program() throws -> Program {
    let program = try Program()
    let image = try Data(
      contentsOf: PackageFolder.fixture("label-studio/export/images/b.png"))
    for name in ["a", "b", "c", "d", "e"] { try program.folder.write("p/\(name).png", image) }
    try program.folder.write("p/project.json", "[\(Self.tasks.joined(separator: ",\n"))]")
    let outcome = try program.run("import", "p", "--name", "p")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.contains("4 images have several annotations"), "\(outcome.stdout)")
    return program
  }

  private func sets(_ program: Program) throws -> [String] {
    try #require(
      program.run(
        "sql", "--json",
        """
        SELECT t.name || ' ' || a.shape || ' ' || c.name || ' ' || count(*) AS line
        FROM annotation a JOIN annotationSet t ON t.id = a.annotationSet
          JOIN category c ON c.id = a.category
        GROUP BY t.name, a.shape, c.name ORDER BY 1
        """
      ).json()["rows"]?.elements
    ).compactMap { $0["line"]?.text }
  }

  @Test("Each annotation is one row, in the set of its annotator if it is not a label")
  func rows() throws {
    let program = try program()
    let expected = [
      "annotator:2 box dog 3", "annotator:7 label dry 1", "labels box cat 3", "labels box dog 2",
      "labels label wet 1",
    ]
    #expect(try sets(program) == expected)
    // Counts and queries see the labels alone.
    #expect(try program.run("query", "count(dog) = 1", "--count", "--in", "p").stdout == "2\n")
    #expect(try program.run("query", "label = dry", "--count", "--in", "p").stdout == "0\n")
    let shown = try program.run("show", "p", "--json").json()
    let names = shown["annotators"]?.elements?.compactMap { $0["name"]?.text }
    #expect(names == ["2", "7"])
    #expect(shown["dataset"]?["regions"]?.double ?? 5 == 5)
    // A second import makes the sets anew.
    let again = try program.run("import", "p", "--name", "p", "--replace", "--split", "x")
    #expect(again.status == 0, "\(again.stderr)")
    #expect(try sets(program) == expected)
    #expect(try program.run("rm", "dataset", "p").status == 0)
    #expect(try sets(program) == [])
  }

  @Test("assay check finds the images that people annotated differently")
  func disagreement() throws {
    let program = try program()
    let outcome = try program.run("check", "p", "--only", "annotatorDisagreement", "--json")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let found = try #require(outcome.json()["findings"]?.elements)
    #expect(
      found.map { $0["samples"]?.elements?.first?.text } == ["c.png", "d.png", "b.png"])
    #expect(found.compactMap { $0["score"]?.double } == [1, 1, 0.5])
    #expect(
      found.compactMap { $0["message"]?.text } == [
        "annotator 7: dry instead of wet",
        "annotator 2: no region instead of 1",
        "annotator 2: 1 of 2 regions agree with the 2 of the labels",
      ])
    let query = try program.run("query", "issue = annotatorDisagreement", "--count", "--in", "p")
    #expect(query.stdout == "3\n")
  }

  @Test("A conversion says that it leaves the annotations of others out")
  func conversion() throws {
    let program = try program()
    let outcome = try program.run("convert", "p", "--to", "coco", "out", "--verify")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(
      outcome.stdout.contains("4 annotations of further annotators are left out"),
      "\(outcome.stdout)")
  }

  @Test("Agreement of the annotators: objects by F1 and matched IoU")
  func agreement() throws {
    let program = try program()
    let outcome = try program.run("agreement", "p", "--sets", "labels,2", "--json")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let json = outcome.json
    let report = try json()
    #expect(report["kind"] == "regions")
    // Images a, b and d have annotations of the person 2.
    #expect(report["samples"] == 3)
    // a: boxes 2 of 8 pixels apart, IoU 6 / 10. b: one of two boxes of another class. d: one of one missing.
    #expect(report["scores"]?["f1"]?["value"]?.double == 4.0 / 7)
    let iou = try #require(report["scores"]?["matched_iou"]?["value"]?.double)
    #expect(abs(iou - 0.8) < 1e-12)
    #expect(report["scores"]?["mean_iou"] == nil)
    #expect(report["lowest"]?.elements?.map { $0["key"] } == ["d.png", "b.png"])
    #expect(
      try program.run("agreement", "p", "--sets", "labels,3").stderr.contains("unknown annotator"))
    #expect(try program.run("agreement", "p").stdout.contains("pair"))
  }
}
