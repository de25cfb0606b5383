import AssayCore
import AssayStore
import AssayTestSupport
import Testing

@testable import AssayWorkflows

/// Searches in the columns that facets have read give what the catalog's queries give.
@Suite("Searches in columns")
struct ColumnSearchTests {
  private static let classes = ["happy", "sad", "it's odd"]

  /// Faces with and without labels, and two runs that lack some of them; one lacks a class and has another.
  private static func world() throws -> EvaluateCatalog {
    var random = SplitMix64(seed: 7)
    let world = try EvaluateCatalog()
    let labels: [String?] = (0..<120).map { _ in
      Int.random(in: 0..<8, using: &random) == 0 ? nil : classes.randomElement(using: &random)
    }
    try world.importFaces(labels, classes: classes)
    for (name, classes) in [("a", classes), ("b-2", ["calm", "sad", "happy"])] {
      try world.run(
        name, classes: classes,
        labels.map { _ in
          guard Int.random(in: 0..<9, using: &random) > 0 else { return nil }
          let scores = (0..<3).map { _ in Float(Int.random(in: 1...9, using: &random)) }
          return scores.map { $0 / scores.reduce(0, +) }
        })
    }
    return world
  }

  private static func table(_ world: EvaluateCatalog) throws -> BrowseTable {
    let dataset = try world.catalog.dataset(named: "faces")
    var table = try BrowseTable(dataset, in: world.catalog)
    table.runs = try world.catalog.runs()
    _ = try FacetCounter(catalog: world.catalog, runs: table.runs)
      .facets(&table, Array(table.columns.ids.indices))
    return table
  }

  private static let terms = [
    "label = happy", "label != sad", "label in (happy, \"it's odd\")", "run(a).correct = true",
    "run(a).correct = false", "run(b-2).correct = false", "run(a).correct != run(b-2).correct",
    "run(a).correct = run(b-2).correct", "run(a).label = sad", "run(b-2).label != calm",
    "run(b-2).label in (calm, happy)", "run(a).confidence > 0.5", "run(a).confidence <= 0.45",
    "run(b-2).margin in 0.1..0.3", "run(b-2).confidence != 0.5", "run(a).margin < 0",
  ]

  @Test("Each term, and random combinations of them")
  func same() throws {
    let world = try Self.world()
    let search = ColumnSearch(try Self.table(world))
    var random = SplitMix64(seed: 3)
    func expression(_ depth: Int) -> String {
      let term = Self.terms.randomElement(using: &random) ?? ""
      guard depth > 0 else { return term }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return "not (\(expression(depth - 1)))"
      case 1: return "(\(expression(depth - 1)) and \(expression(depth - 1)))"
      case 2: return "(\(expression(depth - 1)) or \(expression(depth - 1)))"
      default: return term
      }
    }
    let selection = try world.catalog.resolve("faces")
    for text in Self.terms + (0..<200).map({ _ in expression(3) }) {
      let found = try world.catalog.ids(in: selection, where: text, orderedBy: nil).ids
      #expect(search.ids(where: text) == found, "\(text)")
    }
    #expect(search.ids(where: "run(a).correct = false")?.isEmpty == false)
  }

  @Test(
    "Other fields, and names that the catalog refuses, are left to it",
    arguments: [
      "width = 3 and key = '1'", "label = nobody", "run(c).correct = true",
      "run(a).accepted = true",
      "run(a@other).correct = true", "label like \"h*\"", "label = run(a).label", "split = train",
      "run(a).correct != true", "run(a).iou > 0", "label =",
    ])
  func left(_ text: String) throws {
    let world = try Self.world()
    #expect(ColumnSearch(try Self.table(world)).ids(where: text) == nil)
  }

  @Test(
    "A table without a run's columns leaves the run to the catalog, and the browser gives the same either way"
  )
  func browser() throws {
    let world = try Self.world()
    let dataset = try world.catalog.dataset(named: "faces")
    let bare = ColumnSearch(try BrowseTable(dataset, in: world.catalog))
    #expect(bare.ids(where: "run(a).correct = true") == nil)
    #expect(bare.ids(where: "label = happy") != nil)
    let text = "run(a).correct = false and label = happy"
    let search = SampleBrowser.Search(view: "faces", expression: text)
    let cold = try SampleBrowser(catalog: world.catalog).find(search)
    let browser = SampleBrowser(catalog: world.catalog)
    _ = try browser.facets(.init(view: "faces", expression: ""), runs: try world.catalog.runs())
    let warm = try browser.find(search)
    #expect(warm.ids == cold.ids && warm.total == cold.total && warm.ascending == cold.ascending)
    // Another part of the dataset is not all of it.
    let part = SampleBrowser.Search(view: "faces/train", expression: text)
    #expect(try browser.find(part).ids.count < warm.ids.count)
  }
}
