import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

/// Labels of whole images beside boxes, from three formats, through every command that counts, finds,
/// corrects or writes them.
@Suite("Labels of images beside regions")
struct ImageLabelTests {
  /// Three images of 40 × 30 pixels with a car each; the first one is of the night and of rain, the
  /// second of the night.
  enum Source: String, CaseIterable, CustomTestStringConvertible {
    case cvat
    case datumaro
    case labelStudio = "label-studio"

    var testDescription: String { rawValue }

    /// The names of images have this folder.
    var folder: String { self == .datumaro ? "images/default" : "images" }

    var text: (path: String, text: String) {
      switch self {
      case .cvat: ("annotations.xml", Self.cvatText)
      case .datumaro: ("annotations/default.json", Self.datumaroText)
      case .labelStudio: ("project.json", Self.labelStudioText)
      }
    }

    private static let labels = [["night", "rain"], ["night"], []]

    private static var cvatText: String {
      let images = labels.enumerated().map { place, labels in
        let tags = labels.map { name in
          #"<tag label="\#(name)" source="manual">"#
            + (name == "rain" ? #"<attribute name="strength">3</attribute>"# : "") + "</tag>"
        }
        return """
          <image id="\(place)" name="\(place + 1).png" width="40" height="30">\(tags.joined())
          <box label="car" occluded="0" xtl="2" ytl="3" xbr="12" ybr="13"></box></image>
          """
      }
      return "<annotations><version>1.1</version><meta></meta>\(images.joined())</annotations>"
    }

    private static var datumaroText: String {
      let names = ["car", "night", "rain"]
      let items = labels.enumerated().map { place, labels in
        let tags = labels.map { name in
          """
          {"id": 0, "type": "label", "label_id": \(names.firstIndex(of: name) ?? 0), "group": 0,
           "attributes": \(name == "rain" ? #"{"strength": 3}"# : "{}")},
          """
        }
        return """
          {"id": "\(place + 1)", "image": {"path": "\(place + 1).png", "size": [30, 40]}, "attr": {},
           "annotations": [\(tags.joined())
             {"id": 0, "type": "bbox", "label_id": 0, "group": 0, "attributes": {}, "z_order": 0,
              "bbox": [2, 3, 10, 10]}]}
          """
      }
      let classes = names.map { #"{"name": "\#($0)", "parent": ""}"# }.joined(separator: ", ")
      return """
        {"info": {}, "categories": {"label": {"labels": [\(classes)]}},
         "items": [\(items.joined(separator: ", "))]}
        """
    }

    private static var labelStudioText: String {
      let tasks = labels.enumerated().map { place, labels in
        let list = labels.map { "\"\($0)\"" }.joined(separator: ", ")
        let choices = """
          {"type": "choices", "id": "c", "from_name": "scene", "to_name": "i",
           "value": {"choices": [\(list)]}},
          """
        return """
          {"id": \(place + 1), "data": {"image": "images/\(place + 1).png"}, "annotations": [
            {"id": \(place + 1), "result": [\(labels.isEmpty ? "" : choices)
              {"type": "rectanglelabels", "id": "r", "from_name": "l", "to_name": "i",
               "original_width": 40, "original_height": 30, "image_rotation": 0,
               "value": {"x": 5, "y": 10, "width": 25, "height": 33.3333333333,
                 "rotation": 0, "rectanglelabels": ["car"]}}]}]}
          """
      }
      return "[\(tasks.joined(separator: ", "))]"
    }
  }

  private func program(_ source: Source) throws -> Program {
    let program = try Program()
    let picture = try ImageCodec.encodePNG(Raster<UInt8>(repeating: 90, width: 40, height: 30))
    for number in 1...3 {
      try program.folder.write("s/\(source.folder)/\(number).png", Data(picture))
    }
    try program.folder.write("s/\(source.text.path)", source.text.text)
    return program
  }

  private func output(_ program: Program, _ arguments: String...) throws -> JSONValue {
    let outcome = try program.run(arguments + ["--json"])
    try #require(outcome.status == 0, "\(arguments): \(outcome.stderr)")
    return try outcome.json()
  }

  private func counts(_ value: JSONValue?) -> [String: Int] {
    Dictionary(
      (value?.elements ?? []).compactMap { row in
        guard let name = (row["name"] ?? row["label"])?.text, case .integer(let n)? = row["count"]
        else { return nil }
        return (name, Int(n))
      }, uniquingKeysWith: +)
  }

  /// The numbers of samples that queries find: as imported, or as corrected.
  private func check(_ program: Program, corrected: Bool, cars: Int) throws {
    for (text, count) in [
      ("label = night", 2), ("label = rain", 1), ("label = car", 0), ("labels = 2", 1),
      ("labels = 0", 1), ("label != rain", 1), ("count(night) = 1", 2), ("count(rain) = 1", 1),
      ("count(car) = \(cars)", 3),
    ] {
      let outcome = try program.run(
        ["query", text, "--in", "s", "--count"] + (corrected ? ["--corrected"] : []))
      let found = outcome.stdout.split(whereSeparator: \.isNewline).first.map(String.init)
      #expect(found == "\(count)", "\(text): \(outcome.stdout)\(outcome.stderr)")
    }
    let stats = try program.run(
      ["stats", "s", "--json"] + (corrected ? ["--corrected"] : [])
    ).json()
    #expect(counts(stats["classes"]) == ["car": 0, "night": 2, "rain": 1])
    #expect(stats["labeled"] == 2 && stats["unlabeled"] == 1 && stats["absent"] == ["car"])
    #expect(stats["masks"]?["instances"] == .integer(Int64(3 * cars)))
  }

  @Test(
    "They are annotations, found, counted, and kept by corrections and exports",
    arguments: Source.allCases)
  func kept(source: Source) throws {
    let program = try program(source)
    let summary = try output(program, "import", "s")
    #expect(summary["dataset"]?["format"]?.text == source.rawValue)
    // Three boxes and three labels, one row each.
    #expect(counts(summary["counts"]) == ["car": 3, "night": 2, "rain": 1])
    let rows = try output(program, "sql", "SELECT count(*) AS n FROM annotation")
    #expect(rows["rows"]?.elements?.first?["n"] == 6)
    let shown = try output(program, "show", "s")
    #expect(counts(shown["counts"]) == ["night": 2, "rain": 1])
    try check(program, corrected: false, cars: 1)

    // A second car in every image, drawn beside the first one.
    var mask = Raster<UInt8>(repeating: 0, width: 40, height: 30)
    for y in 3..<13 { for x in 2..<12 { mask.elements[y * 40 + x] = 255 } }
    for y in 20..<25 { for x in 20..<30 { mask.elements[y * 40 + x] = 255 } }
    try program.folder.write("m.png", Data(try ImageCodec.encodePNG(mask)))
    for number in 1...3 {
      _ = try output(
        program, "corrections", "add", "--sample", "s:\(source.folder)/\(number).png", "--mask",
        "m.png", "--category", "car", "--author", "anna")
    }
    try check(program, corrected: true, cars: 2)
    try check(program, corrected: false, cars: 1)
    for format in ["cvat", "datumaro", "webdataset"] {
      _ = try output(
        program, "export", "s", "--to", format, "--out", "\(format)-out", "--corrected")
      let again = try output(program, "import", "\(format)-out:\(format)", "--name", format)
      #expect(counts(again["counts"]) == ["car": 6, "night": 2, "rain": 1], "\(format)")
    }
  }

  @Test("What a format cannot hold of them is announced", arguments: Source.allCases)
  func announced(source: Source) throws {
    let program = try program(source)
    for format in [
      "coco", "yolo", "voc", "createml", "csv", "masks", "cvat", "datumaro", "webdataset",
      "label-studio", "hf-imagefolder", "multilabel-csv", "image-folder",
    ] {
      // Folders of a split with another name than the usual ones are read as classes where images without a
      // label are directly in them, so that --verify fails.
      if source == .datumaro, format == "image-folder" { continue }
      let result = try output(program, "convert", "s", "--to", format, "out-\(format)", "--verify")
      #expect(result["lost"] == 0, "\(format): \(result)")
      let losses = Set((result["announced"]?.members ?? []).map(\.name))
      let isAnnounced = !losses.isDisjoint(with: ["tags", "whole_image_labels", "label_sets"])
      switch format {
      case "cvat", "datumaro", "webdataset", "label-studio", "multilabel-csv":
        #expect(!isAnnounced, "\(format): \(losses)")
      default: #expect(isAnnounced, "\(format): \(losses)")
      }
    }
  }
}
