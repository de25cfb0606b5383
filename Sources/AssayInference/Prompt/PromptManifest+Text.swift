import AssayCore
import AssayImaging
import Foundation

extension PromptManifest {
  /// The key by which a manifest is one of this kind.
  static let kind = "promptable"

  private enum Kind: String, CaseIterable { case promptable }

  /// Reads a manifest from a file.
  ///
  /// - Parameters:
  ///   - encoder: the encoder, for a manifest that names none.
  ///   - decoder: the decoder, likewise.
  /// - Throws: ``InferenceError``.
  package static func read(
    _ path: String, encoder: String? = nil, decoder: String? = nil
  ) throws(InferenceError) -> PromptManifest {
    let bytes = try FileBytes.all(of: path, limit: ModelManifest.sizeLimit)
    guard let text = String(ofFile: bytes) else {
      throw .manifest(path: path, line: nil, .syntax("it is not UTF-8"))
    }
    do throws(LocatedManifestFault) {
      return try parse(text, path, encoder: encoder, decoder: decoder)
    } catch {
      throw .manifest(path: path, line: error.line, error.fault)
    }
  }

  private static func parse(
    _ text: String, _ path: String, encoder: String?, decoder: String?
  ) throws(LocatedManifestFault) -> PromptManifest {
    let top = try ManifestSection(yaml: text)
    try top.allow([
      "kind", "name", "encoder", "encoder-sha256", "decoder", "decoder-sha256", "input",
      "embeddings", "prompt", "output", "source", "license", "notes",
    ])
    _ = try top.choice("kind", of: Kind.self, or: nil)
    let input = try top.section("input", example: "input: {name: input_image, side: 1024, …}")
    try input.allow(["name", "side", "layout", "resize", "filter", "mean", "std"])
    let prompt = try top.section("prompt", example: "prompt: {points: point_coords, …}")
    try prompt.allow(["points", "labels", "padding-point", "mask", "has-mask", "size"])
    let output = try top.section("output", example: "output: {masks: low_res_masks, …}")
    try output.allow(["masks", "scores", "threshold"])
    let links = try top.section(
      "embeddings", example: "embeddings: {image_embeddings: image_embeddings}")
    let deviation = try perChannel(input, "std")
    guard deviation.allSatisfy({ $0 > 0 }) else {
      throw input.complaint(
        "std", .outOfRange(key: "std", value: "0 or less", range: "a number above 0"))
    }
    return PromptManifest(
      name: try top.text("name")
        ?? URL(fileURLWithPath: path).deletingPathExtension()
        .lastPathComponent,
      encoder: try file(top, "encoder", given: encoder),
      decoder: try file(top, "decoder", given: decoder),
      input: try needed(input, "name", "input_image"),
      side: try input.count("side", in: 16...8_192),
      layout: try input.choice("layout", of: Layout.self, or: nil),
      framing: try input.choice("resize", of: Framing.self, or: nil),
      filter: try input.choice("filter", of: ResizeFilter.self, or: nil),
      mean: try perChannel(input, "mean"), deviation: deviation,
      embeddings: try links.texts().map { Link(output: $0.0, input: $0.1) },
      points: try needed(prompt, "points", "point_coords"),
      labels: try needed(prompt, "labels", "point_labels"),
      hasPaddingPoint: try prompt.choice("padding-point", of: YesNo.self, or: nil) == .yes,
      mask: try prompt.text("mask"), hasMask: try prompt.text("has-mask"),
      size: try prompt.text("size"), masks: try needed(output, "masks", "low_res_masks"),
      scores: try needed(output, "scores", "iou_predictions"),
      threshold: try output.number(try needed(output, "threshold", "0"), key: "threshold"))
  }

  private static func needed(
    _ section: ManifestSection, _ key: String, _ example: String
  ) throws(LocatedManifestFault) -> String {
    guard let text = try section.text(key) else {
      throw section.complaint(key, .missing(key: key, example: "\(key): \(example)"))
    }
    return text
  }

  private static func perChannel(
    _ section: ManifestSection, _ key: String
  ) throws(LocatedManifestFault) -> [Double] {
    let numbers = try section.numbers(key, channels: 3)
    return numbers.count == 1 ? Array(repeating: numbers[0], count: 3) : numbers
  }

  private static func file(
    _ top: ManifestSection, _ key: String, given: String?
  ) throws(LocatedManifestFault) -> File {
    if let given { return File(path: given) }
    return File(
      path: try needed(top, key, "/models/\(key).onnx"), hash: try top.text("\(key)-sha256"))
  }

  /// The manifest as text.
  package var text: String {
    func quoted(_ text: String) -> String { JSONValue.string(text).text() }
    func list(_ numbers: [Double]) -> String {
      "[" + numbers.map { "\($0)" }.joined(separator: ", ") + "]"
    }
    let links = embeddings.map { "\(quoted($0.output)): \(quoted($0.input))" }
    let files = [("encoder", encoder), ("decoder", decoder)].map { key, file in
      "\(key): \(quoted(file.path))\n"
        + (file.hash.map { "\(key)-sha256: \(quoted($0))\n" } ?? "")
    }
    let more = [("mask", mask), ("has-mask", hasMask), ("size", size)].compactMap { key, name in
      name.map { ", \(key): \(quoted($0))" }
    }
    return """
      kind: \(Self.kind)
      name: \(quoted(name))
      \(files.joined())input:
        name: \(quoted(input))
        side: \(side)
        layout: \(layout.rawValue)
        resize: \(framing.rawValue)
        filter: \(filter.rawValue)
        mean: \(list(mean))
        std: \(list(deviation))
      embeddings: {\(links.joined(separator: ", "))}
      prompt: {points: \(quoted(points)), labels: \(quoted(labels)), padding-point: \(hasPaddingPoint ? "yes" : "no")\(more.joined())}
      output: {masks: \(quoted(masks)), scores: \(quoted(scores)), threshold: \(threshold)}

      """
  }
}
