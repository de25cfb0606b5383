import AssayCore
import Testing

import AssayStore

@Suite("Any text at all as an expression")
struct ViewFuzzTests {
  private static let pieces = [
    "split", "label", "key", "width", "part", "count", "run", "issue", "and", "or", "not", "in",
    "(", ")", ",", ".", "..", "=", "!=", "<", "<=", ">", ">=", "-", "+", "1", "0.5", "1e9",
    "1e999", "coverage", "crowd", "@", "iou", "centre_offset", "happy", "sad", "train", "\"", "'",
    "\\", " ", "\n", "\t", "é", "👩‍👩‍👧", "\u{301}",
    "\u{0}", "%", ";", "--", "/*", "r1", "true", "base", "validation", "９",
    ":", "score", "missed", "like", "tag", "note", "height", "\"*a[?]\"", "*", "?", "[",
    "corrected",
  ]

  private static func text(_ random: inout SplitMix64) -> String {
    let count = Int.random(in: 0...24, using: &random)
    var text = ""
    for _ in 0..<count {
      text += pieces[Int.random(in: 0..<pieces.count, using: &random)]
      if Bool.random(using: &random) { text += " " }
    }
    return text
  }

  @Test("It is understood, or an error with a place within the text; the parser never crashes")
  func parser() throws {
    var random = SplitMix64(seed: 20_260_101)
    var understood = 0
    for _ in 0..<30_000 {
      let text = Self.text(&random)
      do {
        _ = try ViewExpression.parse(text)
        understood += 1
      } catch {
        #expect((0...text.count).contains(error.offset))
        // The position is shown below the message, unless there is nothing to point at.
        let isBlank = text.allSatisfy(\.isWhitespace)
        #expect(error.description.contains("\n") == !isBlank)
      }
      do {
        _ = try GateExpression.parse(text)
      } catch {
        #expect((0...text.count).contains(error.offset))
      }
    }
    #expect(understood < 30_000)
  }

  @Test(
    "What is understood gives SQL that SQLite takes, and a set and its opposite are all samples")
  func compiler() throws {
    let house = try TemporaryCatalog()
    // Six images with regions; two of them also have a label.
    try house.catalog.importRegions(
      (0..<6).map { sample in
        RegionSample(
          key: "\(sample)", split: ["train", "validation", "test"][sample % 3],
          size: sample == 5 ? nil : ImageSize(width: 10, height: 10),
          regions: (0..<sample).map {
            RegionDraft(
              ["happy", "sad", "angry"][$0 % 3], box: (Double($0), 0, 5, Double(sample)),
              isCrowd: $0 == 2)
          }, label: sample < 2 ? "sad" : nil)
      }, as: "faces")
    let selection = try house.catalog.resolve("faces")
    var random = SplitMix64(seed: 7)
    var understood = 0
    for _ in 0..<400 {
      let text = Self.expression(&random, depth: 3)
      let count = try house.catalog.count(in: selection, where: text)
      let rest = try house.catalog.count(in: selection, where: "not (\(text))")
      #expect(count + rest == 6, "\(text)")
      if count > 0 { understood += 1 }
    }
    #expect(understood > 50)
  }

  /// A well-formed expression over the six faces.
  private static func expression(_ random: inout SplitMix64, depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 17 : 13), using: &random) {
    case 0: "split = \(["train", "val", "testing"].randomElement(using: &random) ?? "train")"
    case 1: "label != \(["happy", "sad"].randomElement(using: &random) ?? "sad")"
    case 2: "label in (angry, sad)"
    case 3: "width \(["<", ">=", "="].randomElement(using: &random) ?? "=") 2"
    case 4: "count(happy) in 0..\(Int.random(in: 0...2, using: &random))"
    case 5: "key not in (1, 2, \"a b\")"
    case 6:
      "coverage(\(["happy", "sad", "angry"].randomElement(using: &random) ?? "sad")) "
        + ["> 0", "= 0", "in 0.1..0.6", "!= 0.3", "in (0, 0.5)", "not in 0..0.2"][
          Int.random(in: 0..<6, using: &random)]
    case 7: "count(angry, crowd) \(["=", "!=", "<="].randomElement(using: &random) ?? "=") 0"
    case 8: "count(sad) != \(Int.random(in: 0...2, using: &random))"
    case 9:
      ["width", "height", "labels", "count(sad)", "coverage(angry)"].randomElement(using: &random)
        .map { "\($0) \(["=", "!=", "<", ">="].randomElement(using: &random) ?? "=") count(happy)" }
        ?? "key = 1"
    case 10:
      "\(["key", "label", "split", "issue", "tag", "note", "part"].randomElement(using: &random) ?? "key") "
        + ["like", "not like"][Int.random(in: 0..<2, using: &random)]
        + " \"\(["*a*", "?", "*", "[0-9]", "s?d", "t*n'; --"].randomElement(using: &random) ?? "*")\""
    case 11:
      ["split = key", "label != split", "key = label", "label = tag"].randomElement(using: &random)
        ?? ""
    case 12: ["corrected = reviewed", "unsure != conflict"].randomElement(using: &random) ?? ""
    case 13: "not (\(expression(&random, depth: depth - 1)))"
    case 14, 15:
      "(\(expression(&random, depth: depth - 1)) and \(expression(&random, depth: depth - 1)))"
    default:
      "(\(expression(&random, depth: depth - 1)) or \(expression(&random, depth: depth - 1)))"
    }
  }
}
