import AssayCore
import AssayTestSupport
import Testing

@testable import AssayFormats

@Suite("LabelMe's list of classes")
struct LabelMeNamesTests {
  private static func json(_ image: String, _ labels: [String]) -> String {
    let shapes = labels.map {
      #"{"label":"\#($0)","points":[[1,1],[4,4]],"group_id":null,"shape_type":"rectangle","flags":{}}"#
    }.joined(separator: ",")
    return
      #"{"version":"5.0.1","flags":{},"shapes":[\#(shapes)],"imagePath":"\#(image)","imageData":null,"#
      + #""imageHeight":10,"imageWidth":10}"#
  }

  private func tree(_ texts: [String: String]) throws -> MemoryTree {
    var all = texts
    all["a.json"] = Self.json("a.png", ["cat"])
    all["b.json"] = Self.json("b.png", ["dog", "ant"])
    return try MemoryTree(images: ["a.png", "b.png"], texts: all)
  }

  @Test("labels.txt gives the order of the classes, without its two names that are none")
  func order() throws {
    let found = try CollectedObjects(
      detecting: try tree(["labels.txt": "__ignore__\r\n_background_\r\ndog\r\ncat\r\nbird\r\n"]))
    #expect(found.names == ["dog", "cat", "bird", "ant"])
    #expect(found.objects.map(\.label) == ["cat", "dog", "ant"])
    #expect(found.run.notes.contains("the classes are in the order of labels.txt"))
    #expect(
      found.run.notes.contains(
        "1 class of 1 object is not in the list and comes after its classes (ant: 1)"))
    #expect(found.issues.isEmpty && found.isBalanced)
    #expect(try CollectedObjects(detecting: try tree([:])).run.notes.isEmpty)
    #expect(try CollectedObjects(detecting: try tree([:])).names == ["ant", "cat", "dog"])
  }

  @Test("Several lists are joined; one that is no text is refused")
  func several() throws {
    let found = try CollectedObjects(
      detecting: try tree(["labels.txt": "dog\n", "more/labels.txt": "dog\n\nbird\n"]))
    #expect(found.names == ["dog", "bird", "ant", "cat"])
    #expect(
      found.run.notes.last
        == "2 classes of 2 objects are not in the list and come after its classes (ant: 1, cat: 1)")
    let bad = try tree(["labels.txt": "dog\u{0}\n"])
    #expect(throws: FormatError.self) { try CollectedObjects(bad, as: .labelMe) }
  }
}
