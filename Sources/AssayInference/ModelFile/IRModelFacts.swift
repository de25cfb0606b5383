import Foundation

/// The facts in `rt_info/model_info` of an OpenVINO IR, as Model API (Geti, OTX) and Ultralytics write them.
///
/// Source of the keys: OpenVINO Model API 0.3, `ImageModel.parameters`.
struct IRModelFacts {
  /// The values, by key.
  let values: [String: String]

  /// - Parameter bytes: an IR's XML. `nil` without `model_info`.
  init?(_ bytes: [UInt8]) {
    let text = Data(bytes)
    guard let end = text.range(of: Data("</model_info>".utf8), options: .backwards),
      let start = text.range(
        of: Data("<model_info>".utf8), options: .backwards, in: 0..<end.lowerBound),
      end.lowerBound - start.upperBound <= Self.limit,
      let inner = String(validating: text[start.upperBound..<end.lowerBound], as: UTF8.self)
    else { return nil }
    var values: [String: String] = [:]
    for element in inner.split(separator: "<").dropFirst(inner.hasPrefix("<") ? 0 : 1) {
      let name = element.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      guard let value = element.firstRange(of: "value=\""),
        let close = element[value.upperBound...].firstIndex(of: "\"")
      else { continue }
      values[String(name)] = Self.unescaped(element[value.upperBound..<close])
    }
    self.values = values
  }

  /// The maximum size in bytes.
  private static let limit = 4 << 20

  private static func unescaped(_ text: Substring) -> String {
    let marks = [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&"),
    ]
    return marks.reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
  }

  /// The names of the classes in output order; empty if they are not stated. A name has `_` for blanks.
  var names: [String] {
    let names = (values["labels"] ?? "").split(separator: " ").map(String.init)
    return Set(names).count == names.count ? names : []
  }

  /// The keys of a manifest's `input` besides its size; empty if the file leaves one of them open, or if the
  /// model holds the preprocessing itself.
  var input: [(key: String, value: String)] {
    func isOn(_ key: String) -> Bool? {
      values[key].map { ["yes", "true", "1"].contains($0.lowercased()) }
    }
    guard isOn("embedded_processing") != true, let reversed = isOn("reverse_input_channels"),
      let scale = numbers("scale_values", or: 1), let mean = numbers("mean_values", or: 0),
      scale.allSatisfy({ $0 > 0 })
    else { return [] }
    let fill = values["pad_value"] ?? "0"
    var keys: [(key: String, value: String)]
    switch values["resize_type"] {
    case "standard": keys = [("resize", "stretch")]
    case "fit_to_window", "fit_to_window_letterbox":
      guard let level = Int(fill), (0...255).contains(level) else { return [] }
      let anchor = values["resize_type"] == "fit_to_window" ? "top-left" : "center"
      keys = [
        ("resize", "letterbox"), ("fill", fill), ("anchor", anchor), ("rounding", "nearest"),
      ]
    default: return []
    }
    let count = max(scale.count, mean.count)
    let pairs = (0..<count).map { (scale[$0 % scale.count], mean[$0 % mean.count]) }
    keys += [
      ("color", reversed ? "rgb" : "bgr"), ("scale", text(pairs.map { "1/\(plain($0.0))" })),
      ("offset", text(pairs.map { plain(-$0.1 / $0.0) })),
    ]
    return keys
  }

  /// One number or three; `nil` for other texts.
  private func numbers(_ key: String, or missing: Double) -> [Double]? {
    guard let text = values[key] else { return [missing] }
    let parts = text.split { $0 == " " || $0 == "," || $0 == "[" || $0 == "]" }
    let numbers = parts.compactMap { Double($0) }.filter(\.isFinite)
    return numbers.count == parts.count && [1, 3].contains(numbers.count) ? numbers : nil
  }

  private func text(_ values: [String]) -> String {
    values.count == 1 ? values[0] : "[\(values.joined(separator: ", "))]"
  }

  private func plain(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? "\(value)"
  }
}
