import AssayCore
import AssayStore
import Testing

@testable import AssayCommands

@Suite("assay view")
struct ViewCommandTests {
  @Test("A saved view says how many samples it has, as text and as JSON")
  func result() throws {
    let house = try CommandCatalog.four()
    let catalog = try Catalog.open(house.path, .readWrite)
    let view = try catalog.addView(
      named: "glad", in: catalog.resolve("faces/train"), where: "label = happy")
    let result = SavedViewResult(view: view, samples: 1)
    #expect(
      result.text(in: Terminal()) == "saved glad: 1 sample of faces/train where label = happy")
    #expect(
      result.json == [
        "view": [
          "name": "glad", "dataset": "faces", "parts": ["train"], "expression": "label = happy",
        ],
        "samples": 1,
      ])
  }

  @Test("The program saves a view, refuses its name the second time, and finds its samples")
  func program() throws {
    let house = try CommandCatalog.four()
    let program = try Program()
    let save = [
      "view", "save", "glad", "--in", "faces", "--where", "label = happy", "--db", house.path,
    ]
    let first = try program.run(save)
    #expect(first.status == 0, "\(first.stderr)")
    #expect(first.stdout == "saved glad: 2 samples of faces where label = happy\n")
    let second = try program.run(save)
    #expect(second.status == 2)
    #expect(second.stderr.contains("the view “glad” already exists"))
    let found = try program.run("query", "--in", "glad/validation", "--count", "--db", house.path)
    #expect(found.stdout == "1\n")
  }
}
