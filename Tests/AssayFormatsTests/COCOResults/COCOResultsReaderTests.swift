import AssayCore
import Foundation
import Testing

@testable import AssayFormats

@Suite("Reading COCO results")
struct COCOResultsReaderTests {
  @Test("Columns hold the file's results in its order, with the numbers as they are written")
  func columns() throws {
    let results = try ResultsText.read(ResultsText.tricky)
    #expect(results.count == 5)
    #expect(results.images == [.integer(7), .integer(8), .integer(9)])
    #expect(results.imageNumbers == [0, 1, 0, 2, 0])
    #expect(results.categories == [.integer(1), .integer(2), .integer(3)])
    #expect(results.categoryNumbers == [0, 1, 1, 0, 2])
    #expect(results.scores == [0.5, 0.25, 1, 0.125, 0.0625])
    #expect(results.boxes[0] == Box(x: 1, y: 2, width: 3.5, height: 4))
    #expect(results.boxes[1] == Box(x: 10, y: 2, width: 3, height: 4))
    #expect(results.flags == [[], [], [.region, .noBox], [], []])
    #expect(results.first == COCOResults.Shape(hasBox: true, hasRegion: false))
    #expect(results.findings.isEmpty)
    #expect(Array(results.places(of: 0)) == [0, 2, 4])
  }

  @Test("Where the list is cut changes nothing, even within texts and lists", arguments: 1...60)
  func pieces(_ bytes: Int) throws {
    let whole = try ResultsText.read(ResultsText.tricky).summary
    for workers in [1, 3] {
      #expect(
        try ResultsText.read(ResultsText.tricky, pieceBytes: bytes, workers: workers).summary
          == whole)
    }
  }

  @Test("A score is the double nearest to what is written")
  func scores() throws {
    var random = SplitMix64(seed: 5)
    var texts: [String] = ["0.1", "1e-5", "0.30000000000000004", "123456789012345678", "-0", "1E3"]
    for _ in 0..<2_000 {
      let digits = Int.random(in: 1...19, using: &random)
      let number = (0..<digits).map { _ in "\(Int.random(in: 0...9, using: &random))" }.joined()
      texts.append("\(Int.random(in: 0...99, using: &random)).\(number)")
    }
    let list = texts.map {
      "{\"image_id\":1,\"category_id\":1,\"bbox\":[\($0),0,0,0],\"score\":\($0)}"
    }
    let results = try ResultsText.read("[" + list.joined(separator: ",") + "]")
    #expect(results.scores.map(\.bitPattern) == texts.map { (Double($0) ?? .nan).bitPattern })
    #expect(results.boxes.map(\.x) == results.scores)
  }

  @Test("Ids may be texts; those of numbers and of texts are told apart")
  func textIDs() throws {
    let results = try ResultsText.read(
      """
      [{"image_id":"a","category_id":1,"bbox":[1,1,1,1],"score":1},
       {"image_id":5,"category_id":"x","bbox":[1,1,1,1],"score":1},
       {"image_id":"5","category_id":"1","bbox":[1,1,1,1],"score":1},
       {"image_id":5.0,"category_id":1,"bbox":[1,1,1,1],"score":1}]
      """)
    #expect(results.images == [.text("a"), .integer(5), .text("5")])
    #expect(results.imageNumbers == [0, 1, 2, 1])
    #expect(results.categories == [.integer(1), .text("x"), .text("1")])
    let table = COCOIDTable([.integer(5), .text("7")])
    #expect(try #require(table.find(.text("5"))) == (0, true))
    #expect(try #require(table.find(.integer(7))) == (1, true))
    #expect(table.find(.text("05x")) == nil)
  }

  @Test("Without regions they are passed by, and their text is looked at all the same")
  func boxesAlone() throws {
    let results = try ResultsText.read(ResultsText.tricky, regions: false)
    #expect(results.flags[2] == [.region, .noBox])
    #expect(results.region(at: 2) == nil && !results.hasRegions)
    for broken in ["[[1,2,3 4]]", "[[1,2,x]]", "[[1,2}", "{\"counts\":[1,,2]}", "{\"a\":\"\\x\"}"] {
      let text = "[{\"image_id\":1,\"segmentation\":\(broken)}]"
      #expect(throws: FormatError.self, "\(broken)") {
        try ResultsText.read(text, regions: false)
      }
    }
  }

  @Test("A file that is broken says at which byte")
  func broken() throws {
    let text = "[{\"image_id\": 1, \"category_id\": 1, \"score\": .5}]"
    do {
      _ = try ResultsText.read(text)
      Issue.record("it is read")
    } catch let error as FormatError {
      guard case .badJSON(let file, let offset, _) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(file == "dt.json")
      #expect(offset == text.utf8.count - 4)
    }
  }

  @Test("The detections of an image have its regions, and boxes around them")
  func detections() throws {
    let results = try ResultsText.read(ResultsText.tricky)
    // "52>": 5 off, 2 on, 14 off would be 21; the runs must make 16.
    let bad = results.detections(of: 0, size: ImageSize(width: 4, height: 4))
    #expect(bad.places == [0, 4])
    #expect(bad.findings[.badRegion] == 1)
    let mask = Mask(
      box: Box(x: 1, y: 1, width: 2, height: 2), size: ImageSize(width: 4, height: 4))
    let text = String(decoding: mask.compressed, as: UTF8.self)
    let good = try ResultsText.read(
      "[{\"image_id\":1,\"category_id\":4,\"score\":0.5,\"segmentation\":{\"size\":[4,4],"
        + "\"counts\":\"\(text)\"}}]"
    ).detections(of: 0, size: ImageSize(width: 4, height: 4))
    let detection = try #require(good.detections.first)
    #expect(detection.counts == mask.compressed)
    #expect(detection.area == 4)
    #expect(detection.box == Box(x: 1, y: 1, width: 2, height: 2))
    #expect(good.findings.isEmpty)
  }
}
