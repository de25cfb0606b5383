import AssayCore
import AssayFormats
import Testing

@Suite("Names of keypoints in YOLO datasets")
struct YOLOKeypointNamesTests {
  private func read(_ keys: String, names: String = "names: [cat, dog]\n") throws
    -> CollectedObjects
  {
    try CollectedObjects(
      MemoryTree(
        lines: "0 0.5 0.5 0.2 0.2 0.1 0.2 0.3 0.4\n1 0.5 0.5 0.2 0.3 0.1 0.2 0.3 0.4\n",
        data: "train: images\n\(names)kpt_shape: [2, 2]\n\(keys)"))
  }

  @Test(
    "Names can be a list for all classes, a list per class, or a map; the mirrored order is kept",
    arguments: [
      "kpt_names: [left, right]\nflip_idx: [1, 0]\n",
      "kpt_names:\n  0: [left, right]\n  1: [left, right]\nflip_idx: [1, 0]\n",
      "flip_idx:\n- 1\n- 0\nkpt_names:\n- [left, right]\n- - left\n  - right\n",
    ])
  func spellings(keys: String) throws {
    let fields = #"{"keypoints":["left","right"],"flip_idx":[1,0]}"#
    let found = try read(keys)
    #expect(found.names == ["cat", "dog"])
    #expect(found.classes.map(\.attributes) == [fields, fields])
    #expect(found.issues.isEmpty && found.objects.count == 2, "\(found.issues)")
  }

  @Test("Each class has its own names; one without names has none, also without names of classes")
  func own() throws {
    let found = try read("kpt_names: {1: [nose, tail]}\n")
    #expect(found.classes.map(\.attributes) == [nil, #"{"keypoints":["nose","tail"]}"#])
    let numbered = try read("kpt_names: [nose, tail]\n", names: "nc: 2\n")
    #expect(numbered.names == ["0", "1"])
    #expect(numbered.classes.allSatisfy { $0.attributes == #"{"keypoints":["nose","tail"]}"# })
    #expect(found.issues.isEmpty && numbered.issues.isEmpty)
  }

  @Test(
    "Names and orders that do not fit are ignored with the reason and the line",
    arguments: [
      (
        "kpt_names: [nose]\n", 4,
        "'kpt_names' has 1 name, and 'kpt_shape' states 2 keypoints; these names are ignored"
      ),
      (
        "kpt_names:\n  1: [a, b, c]\n", 5,
        "'kpt_names' has 3 names for class 1, and 'kpt_shape' states 2 keypoints; these names are "
          + "ignored"
      ),
      (
        "kpt_names: {7: [a, b]}\n", 4,
        "'kpt_names' has names of class 7, which 'names' does not have; these names are ignored"
      ),
      (
        "kpt_names: [a, a]\n", 4,
        "'kpt_names' has an empty or a repeated name; these names are ignored"
      ),
      (
        "kpt_names: nose\n", 4,
        "'kpt_names' must be a list of names, or a map of class numbers to lists of names; these "
          + "names are ignored"
      ),
      (
        "flip_idx: [0, 2]\n", 4,
        "'flip_idx' must have each of the places 0 to 1 of the 2 keypoints of 'kpt_shape' once; "
          + "ignored"
      ),
    ])
  func wrong(keys: String, line: Int, says: String) throws {
    let found = try read(keys)
    #expect(found.places == ["badField warning data.yaml:\(line)"])
    #expect(found.issues.map(\.message) == [says])
    #expect(found.classes.allSatisfy { $0.attributes == nil } && found.objects.count == 2)
  }

  @Test("Without kpt_shape there are no keypoints to name; an empty flip_idx says nothing")
  func shapeless() throws {
    let found = try CollectedObjects(
      MemoryTree(
        lines: "0 0.5 0.5 0.2 0.2\n",
        data: "train: images\nnames: [cat]\nkpt_names: [nose]\nflip_idx: []\n"))
    #expect(
      found.issues.map(\.message) == [
        "'kpt_names' is stated without 'kpt_shape'; these names are ignored"
      ])
    #expect(found.classes.map(\.attributes) == [nil])
  }

  @Test("Data files that name keypoints differently contradict each other")
  func several() throws {
    let data = "train: images\nnames: [cat]\nkpt_shape: [2, 2]\n"
    let tree = try MemoryTree(
      images: ["images/a.png"],
      texts: [
        "labels/a.txt": "0 0.5 0.5 0.2 0.2 0.1 0.2 0.3 0.4\n",
        "data.yaml": data + "kpt_names: [a, b]\n", "other.yaml": data + "kpt_names: [a, c]\n",
      ])
    let error = #expect(throws: FormatError.self) { try CollectedObjects(tree) }
    #expect("\(try #require(error))".contains("keypoints or splits (data.yaml, other.yaml)"))
  }

  @Test("A byte order mark before the data file is passed over")
  func mark() throws {
    let found = try CollectedObjects(
      MemoryTree(
        lines: "0 0.5 0.5 0.2 0.2\n", data: "\u{FEFF}train: images\nnames: [cat]\n"))
    #expect(found.splits == ["train"] && found.names == ["cat"] && found.issues.isEmpty)
  }
}
