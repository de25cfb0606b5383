import AssayCore
import AssayImaging
import Yams

/// The text of a manifest with some keys exchanged; the rest, comments included, stays as it is.
package enum ManifestText {
  /// The keys of `input` with their values, in the order of the documentation.
  package static func keys(of input: ModelInput) -> [(key: String, value: String)] {
    var keys: [(String, String)] = [
      ("layout", input.layout.rawValue), ("color", input.color.rawValue),
      ("scale", text(input.scale)), ("offset", text(input.offset)),
      ("resize", ResizeSpelling(input.resize).rawValue),
    ]
    var hasSize = true
    switch input.resize {
    case .stretch, .centerCrop: break
    case .shorterCrop(let side, let rounding), .stretchCrop(let side, let rounding):
      keys.append(("shorter", "\(side)"))
      if rounding != .nearest { keys.append(("rounding", rounding.rawValue)) }
    case .letterbox(let fill, let anchor, let rounding, let multiple):
      keys += [
        ("fill", "\(fill)"), ("anchor", anchor.rawValue), ("rounding", rounding.rawValue),
      ]
      if let multiple { keys.append(("multiple", "\(multiple)")) }
    case .edges(let shorter, let longer, let multiple):
      hasSize = false
      if let shorter { keys.append(("shorter", "\(shorter)")) }
      keys.append(("longer", "\(longer)"))
      if multiple > 1 { keys.append(("multiple", "\(multiple)")) }
    }
    if hasSize {
      keys.insert(
        contentsOf: [("width", "\(input.size.width)"), ("height", "\(input.size.height)")], at: 0)
    }
    keys.append(("filter", input.filter.rawValue))
    return keys.map { (key: $0.0, value: $0.1) }
  }

  /// Replaces `input` and `activation`.
  ///
  /// - Parameter remark: a comment in front of `input`.
  /// - Returns: `nil` if the text is not a map with a key per line, so that its lines cannot be
  ///   replaced.
  /// - Throws: ``InferenceError/manifest(path:line:_:)`` if the other keys do not allow the new values.
  package static func replacing(
    in text: String, input: ModelInput, activation: Activation, remark: String
  ) throws(InferenceError) -> String? {
    let block =
      ["# " + remark, "input:"] + keys(of: input).map { "  \($0.key): \($0.value)" }
    guard
      let first = replacing("input", in: text, with: block),
      let second = replacing(
        "activation", in: first, with: ["activation: \(activation.rawValue)"])
    else { return nil }
    let manifest = try ModelManifest(yaml: second, path: "the revised manifest")
    return manifest.activation == activation && manifest.input == input ? second : nil
  }

  /// Replaces the lines of a key of the top level; appends them if there is no such key.
  static func replacing(_ key: String, in text: String, with block: [String]) -> String? {
    guard let root = try? Yams.compose(yaml: text), case .mapping(let mapping) = root else {
      return nil
    }
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(String.init)
    if lines.last == "" { lines.removeLast() }
    var starts: [(key: String, line: Int)] = []
    for (name, _) in mapping {
      guard case .scalar(let name) = name, let mark = name.mark, mark.column == 1 else {
        return nil
      }
      starts.append((name.string, mark.line - 1))
    }
    starts.sort { $0.line < $1.line }
    guard Set(starts.map(\.line)).count == starts.count else { return nil }
    guard let index = starts.firstIndex(where: { $0.key == key }) else {
      return (lines + block).joined(separator: "\n") + "\n"
    }
    let start = starts[index].line
    var end = index + 1 < starts.count ? starts[index + 1].line : lines.count
    // Comments and blank lines in front of the next key belong to it.
    while end > start + 1,
      lines[end - 1].allSatisfy(\.isWhitespace) || lines[end - 1].hasPrefix("#")
    {
      end -= 1
    }
    lines.replaceSubrange(start..<end, with: block)
    return lines.joined(separator: "\n") + "\n"
  }

  /// A number, or a list in brackets; 1/255 and the like as fractions.
  private static func text(_ values: [Double]) -> String {
    let texts = values.map { value -> String in
      for numerator in [1, 2] where value == Double(numerator) / 255 { return "\(numerator)/255" }
      return Int(exactly: value).map(String.init) ?? "\(value)"
    }
    return texts.count == 1 ? texts[0] : "[\(texts.joined(separator: ", "))]"
  }
}
