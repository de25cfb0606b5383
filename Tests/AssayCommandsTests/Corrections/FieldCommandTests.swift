import AssayCore
import AssayStore
import AssayTestSupport
import Foundation
import Testing

@Suite("assay field and assay fields")
struct FieldCommandTests {
  private let house: CorrectedProgram

  init() throws { house = try CorrectedProgram() }

  @discardableResult
  private func run(_ arguments: String...) throws -> Program.Outcome {
    try house.program.run(arguments, environment: ["ASSAY_AUTHOR": "anna", "USER": "somebody"])
  }

  @Test("Fields are set once, listed, found, sorted by and removed")
  func fields() throws {
    #expect(
      try run("field", "faces", "light=dim", "--where", "label = happy").stdout
        == "set light = \"dim\": 2 samples of faces (entries 1 to 2); by anna ($ASSAY_AUTHOR)\n")
    #expect(
      try run("field", "faces", "light=dim", "--where", "key = 0").stdout == """
        nothing to save
        1 sample with the value already

        """)
    #expect(
      try run("field", "faces", "distance=2.5", "--where", "key = 3", "--json").json() == [
        "dataset": "faces", "view": "faces", "field": "distance", "value": 2.5, "removed": false,
        "samples": 1, "changed": 1, "already": 0, "unreadable": 0, "first_entry": 3,
        "last_entry": 3,
      ])
    try run("field", "faces", "distance=10", "--where", "key = 0")
    try run("field", "faces", "blurred=true", "--where", "key = 0")
    #expect(
      try run("fields", "faces").stdout == """
        3 fields in faces (5 samples)

        field     samples  set by people  values
        blurred         1              1  true (1)
        distance        2              2  2.5 to 10
        light           2              2  dim (2)

        """)
    #expect(
      try run(
        "query", "field(light) = dim", "--in", "faces", "--sort", "field(distance)", "--json"
      ).json()["samples"]?.elements?.compactMap { $0["fields"]?.text() } == [
        #"{"distance":2.5,"light":"dim"}"#, #"{"distance":10,"light":"dim"}"#,
      ])
    #expect(
      try run("field", "faces", "light=null", "--where", "key = 0").stdout
        == "removed light from 1 sample of faces (entry 6); by anna ($ASSAY_AUTHOR)\n")
    #expect(
      try run("query", "field(light) = dim", "--in", "faces").stdout == """
        1 sample in faces

        key  split       label  size  light
        3    validation  happy   2×2  dim

        """)
    #expect(try run("corrections", "show", "faces:0").stdout.contains("light removed"))
    #expect(
      try run("corrections", "undo", "6").stdout.contains("light = \"dim\""))
    #expect(try run("query", "field(light) = dim", "--in", "faces", "--count").stdout == "2\n")
  }

  @Test(
    "Names and values that a field cannot have are refused",
    arguments: [
      ("=x", 64), ("light", 64), ("time=3", 64), ("a\"b=3", 64), ("list=[1]", 64),
      ("light=\u{1b}[0m", 64),
    ])
  func refused(_ field: String, _ status: Int32) throws {
    let outcome = try run("field", "faces", field)
    #expect(outcome.status == status)
    #expect(!outcome.stderr.isEmpty)
    #expect(try run("fields", "faces").stdout.hasPrefix("no fields in faces\nnext: assay field"))
  }

  @Test("A field of objects is a correction of each object that fulfills the condition")
  func objects() throws {
    let condition = "class = car and width < 3"
    let first = try run("field", "street", "hard=true", "--objects", condition)
    #expect(first.status == 0, "\(first.stderr)")
    #expect(
      first.stdout
        == "hard = true: 3 objects of 3 samples of street (entries 1 to 3); by anna ($ASSAY_AUTHOR)\n"
    )
    #expect(
      try run("field", "street", "hard=true", "--objects", condition, "--json").json()["changed"]
        == 0)
    #expect(
      try run("query", "objects(hard = true) = 1", "--in", "street", "--corrected", "--count")
        .stdout == "3\n")
    let removed = try run(
      "field", "street", "hard=null", "--objects", "hard = true", "--where", "key = \"a.png\"")
    #expect(removed.stdout.hasPrefix("hard removed: 1 object of 1 sample of street (entry 4)"))
    #expect(
      try run("field", "street", "x=1", "--objects", "class = road").stdout
        == "nothing to save\nno object of street matches\n")
    #expect(try run("field", "street", "x=1", "--objects", "clas = road").status == 2)
    #expect(
      try run("field", "street", "x=1", "--objects", "class = car", "--corrected").status == 64)
  }

  @Test("A tag of objects is a field that is true; its samples are not tagged")
  func taggedObjects() throws {
    let condition = "class = car and width < 3"
    let first = try run("tag", "street", "hard", "--objects", condition)
    #expect(first.status == 0, "\(first.stderr)")
    #expect(
      first.stdout
        == "hard = true: 3 objects of 3 samples of street (entries 1 to 3); by anna ($ASSAY_AUTHOR)\n"
    )
    #expect(
      try run("query", "objects(hard = true) = 1", "--in", "street", "--corrected", "--count")
        .stdout == "3\n")
    #expect(try run("tags", "street", "--json").json()["tags"] == [])
    #expect(
      try run("tag", "street", "hard", "--objects", condition, "--json").json()["already"] == 3)
    let removed = try run(
      "tag", "street", "hard", "--objects", "", "--where", "key = \"a.png\"", "--remove")
    #expect(removed.stdout.hasPrefix("hard removed: 1 object of 1 sample of street (entry 4)"))
    #expect(try run("tag", "street", "a\"b", "--objects", condition).status == 64)
    #expect(try run("tag", "street", "x", "--objects", condition, "--corrected").status == 64)
    #expect(try run("tag", "street", "x", "--objects", "clas = road").status == 2)
    // Classes of whole images have no objects.
    #expect(try run("tag", "faces", "x", "--objects", "").stdout.hasPrefix("nothing to save"))
  }

  @Test("Exports have the fields of images: Datumaro, Parquet's column, and groups of a split")
  func exports() throws {
    try run("field", "street", "site=north", "--where", "key in (\"a.png\", \"d.png\")")
    try run("field", "street", "site=south", "--where", "key like \"sub*\"")
    let out = house.folder.path + "/out"
    #expect(try run("export", "street", "--to", "datumaro", "--out", out).status == 0)
    let text = try Data(contentsOf: URL(filePath: out + "/annotations/default.json"))
    #expect(String(decoding: text, as: UTF8.self).contains(#""site":"north""#))
    let parquet = try run("export", "street", "--to", "parquet", "--out", out + "2")
    #expect(parquet.status == 0 && !parquet.stdout.contains("left out"))
    #expect(
      try run("split", "street", "--name", "s", "--parts", "a=0.5,b=0.5", "--group-by", "@site")
        .status
        == 0)
  }
}
