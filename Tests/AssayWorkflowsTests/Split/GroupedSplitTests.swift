import AssayCore
import AssayStore
import Foundation
import Testing

@testable import AssayWorkflows

@Suite("Splitting a dataset by groups")
struct GroupedSplitTests {
  private let samples: Int
  private let folder: String
  private let catalog: Catalog

  /// A catalog with 90 samples of 18 subjects, `s03/7.png`, with one box each: its `track` is shared
  /// by two subjects, and the last subject has none.
  init() throws {
    folder = NSTemporaryDirectory() + "assay-group-split-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    catalog = try Catalog.open(folder + "/assay.db", .create)
    var batch = ImportedBatch()
    batch.newCategories = [Category(name: "a"), Category(name: "b")]
    for number in 0..<90 {
      let subject = number / 5
      let name = (subject < 10 ? "s0" : "s") + "\(subject)"
      batch.samples.append(
        ImportedSample(
          key: "\(name)/\(number % 5).png", location: "\(name)/\(number % 5).png",
          size: ImageSize(width: 9, height: 9), category: subject % 3 == 0 ? 1 : 0))
      // Three subjects share a scene, a field of the image.
      batch.samples[number].attributes = "{\"scene\":\"\(subject / 3)\"}"
      // The same number as files of different programs write it.
      let spellings = ["\(subject / 2)", "\(subject / 2).0", "\"\(subject / 2)\""]
      batch.annotations.append(
        ImportedAnnotation(
          sample: number, category: 0, ordinal: 1, shape: .box,
          box: Box(x: 0, y: 0, width: 3, height: 3),
          attributes: subject == 17 ? nil : "{\"track\":\(spellings[number % 3])}"))
    }
    samples = batch.samples.count
    var outcome = ImportOutcome()
    (outcome.read, outcome.accepted, outcome.ordinals) = (90, 90, [0, 1])
    let (part, done) = (batch, outcome)
    _ = try catalog.importDataset(
      ImportDraft(name: "film", format: .coco, root: folder, isSingleFile: false)
    ) { writer in
      try writer.write(part)
      return (done, inputHash: nil)
    }
  }

  private func split(
    _ parts: String, by grouping: String, stratify: Bool = false, seed: UInt64 = 42,
    name: String? = nil
  ) throws -> DatasetSplit.Summary {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try DatasetSplit(catalog: catalog).run(
      "film", parts: PartShare.parse(parts), from: nil, seed: seed, stratify: stratify,
      grouping: SampleGrouping(grouping), name: name)
  }

  private func subjects(_ part: String) throws -> Set<String> {
    Set(
      try catalog.samples(in: catalog.resolve("film/\(part)")).map {
        String($0.key.prefix { $0 != "/" })
      })
  }

  @Test("No subject is in two parts, and the shares are met as well as subjects allow")
  func pattern() throws {
    let summary = try split("fit=0.7,held=0.3", by: "^(s[0-9]+)/")
    let (fit, held) = (try subjects("fit"), try subjects("held"))
    #expect(fit.isDisjoint(with: held))
    #expect(fit.count + held.count == 18)
    // 0.7 of 18 subjects of five samples each are 12.6; the nearest whole number is 13.
    #expect(summary.groups == [13, 5])
    #expect(summary.partition.parts.map(\.count) == [65, 25])
    #expect(summary.partition.parts.reduce(0) { $0 + $1.count } == samples)
  }

  @Test("Without a capture the whole match is the group")
  func wholeMatch() throws {
    let summary = try split("a=0.5,b=0.5", by: "s[0-9]")
    // s0 has ten subjects, s1 eight.
    #expect(summary.groups == [1, 1])
    #expect(Set(summary.partition.parts.map(\.count)) == [50, 40])
  }

  @Test("A stratified split keeps the classes' proportions with whole groups")
  func stratified() throws {
    let summary = try split("a=0.5,b=0.5", by: "^(s[0-9]+)/", stratify: true)
    // Six of the 18 subjects have class b: three for each part.
    #expect(summary.counts == [[30, 15, 0], [30, 15, 0]])
    #expect(try subjects("a").isDisjoint(with: subjects("b")))
  }

  @Test("Samples that share a value of an attribute stay together")
  func attribute() throws {
    let summary = try split("a=0.5,b=0.5", by: "@track")
    // Nine tracks; the last subject has none, so its five samples are groups of their own.
    #expect(summary.groups.reduce(0, +) == 14)
    let (a, b) = (try subjects("a"), try subjects("b"))
    for track in 0..<8 {
      let pair = ["\(2 * track)", "\(2 * track + 1)"].map { "s" + ($0.count == 1 ? "0" : "") + $0 }
      #expect(a.isSuperset(of: pair) != b.isSuperset(of: pair))
    }
    #expect(summary.partition.parts.map(\.count) == [45, 45])
  }

  @Test("Samples that share a value of a field of the image stay together")
  func field() throws {
    let summary = try split("a=0.5,b=0.5", by: "@scene")
    #expect(summary.groups == [3, 3])
    let (a, b) = (try subjects("a"), try subjects("b"))
    #expect(a.isDisjoint(with: b) && a.count == 9 && b.count == 9)
    #expect(a.contains("s00") == a.contains("s02") && a.contains("s15") == a.contains("s17"))
  }

  @Test("The same seed gives the same parts, another seed others")
  func seeds() throws {
    let first = try split("a=0.5,b=0.5", by: "^(s[0-9]+)/")
    let again = try GroupedSplitTests()
    let second = try again.split("a=0.5,b=0.5", by: "^(s[0-9]+)/")
    #expect(first.counts == second.counts)
    #expect(try subjects("a") == again.subjects("a"))
    let other = try GroupedSplitTests()
    _ = try other.split("a=0.5,b=0.5", by: "^(s[0-9]+)/", seed: 7)
    #expect(try subjects("a") != other.subjects("a"))
  }

  @Test("What makes no groups is refused with the reason")
  func refusals() throws {
    #expect(
      throws: SplitError.unmatchedKeys("^s0", count: 40, of: 90, example: "s10/0.png")
    ) { try split("a=0.5,b=0.5", by: "^s0") }
    #expect(throws: SplitError.badPattern("(")) { try SampleGrouping("(") }
    #expect(throws: SplitError.noAttributeName) { try SampleGrouping("@") }
    let other = try GroupedSplitTests()
    #expect(throws: SplitError.noAttribute("subject", view: "film")) {
      try other.split("a=0.5,b=0.5", by: "@subject")
    }
    let few = try GroupedSplitTests()
    #expect(throws: SplitError.tooFewGroups("s", groups: 1, parts: 2)) {
      try few.split("a=0.5,b=0.5", by: "s")
    }
    let empty = try GroupedSplitTests()
    #expect(throws: SplitError.emptyPart("b", groups: 18)) {
      try empty.split("a=0.999,b=0.001", by: "^(s[0-9]+)/")
    }
  }
}
