import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

import AssayInference

@Suite("Manifests")
struct ModelManifestTests {
  private static let good = """
    task: classification
    input:
      width: 4
      height: 3
      layout: nchw
      color: bgr
      scale: [1/255, 0.5, 2]
      offset: -1
      resize: letterbox
      fill: 114
      anchor: top-left
    activation: softmax
    outputs: [happiness, sadness]
    classes: {happiness: happy}
    """

  private func fault(_ text: String) -> (line: Int?, fault: ManifestFault)? {
    do throws(InferenceError) {
      _ = try ModelManifest(yaml: text, path: "m.yaml")
      return nil
    } catch {
      guard case .manifest(_, let line, let fault) = error else { return nil }
      return (line, fault)
    }
  }

  @Test("A scale of 0 is refused, for one channel too", arguments: ["0", "[1/255, 0, 2]", "-0.0"])
  func zeroScale(scale: String) throws {
    let found = try #require(fault(Self.good.replacing("[1/255, 0.5, 2]", with: scale)))
    #expect(
      found.fault == .outOfRange(key: "scale", value: "0", range: "a number other than 0"))
    #expect(found.line == 7)
  }

  @Test("Every key is read")
  func read() throws {
    let manifest = try ModelManifest(yaml: Self.good, path: "m.yaml")
    #expect(manifest.input.size == ImageSize(width: 4, height: 3))
    #expect(manifest.input.scale == [1.0 / 255, 0.5, 2])
    #expect(manifest.input.offset == [-1])
    #expect(manifest.input.resize == .letterbox(fill: 114, anchor: .topLeft))
    #expect(manifest.input.shape(batch: nil) == [nil, 3, 3, 4])
    #expect(manifest.activation == .softmax)
    #expect(manifest.classes == ["happy", "sadness"])
  }

  @Test("The manifests of this repository are sound", arguments: ["fer", "digits"])
  func shipped(_ name: String) throws {
    let path = PackageFolder.url("Datasets/models/\(name).yaml").path
    let (manifest, text) = try ModelManifest.read(path)
    #expect(manifest.task == .classification && text.contains("classes:"))
  }

  @Test("A misspelt key is refused, with its line and what was meant")
  func unknownKey() {
    let found = fault(Self.good.replacing("color: bgr", with: "colur: bgr"))
    guard case .unknownKey("colur", suggestion: "colour", _) = found?.fault else {
      Issue.record("\(String(describing: found))")
      return
    }
    #expect(found?.line == 6)
  }

  @Test(
    "Each wrong value has its own text",
    arguments: [
      ("width: 4", "width: 0", "whole number from 1"),
      ("height: 3", "", "“height” is missing"),
      ("width: 4\n  height: 3", "width: 60000\n  height: 60000", "at most 100000000 pixels"),
      ("nchw", "hwc", "did you mean “NHWC”"), ("bgr", "purple", "gray, rgb, bgr"),
      ("[1/255, 0.5, 2]", "[1, 2]", "one per channel"), ("offset: -1", "offset: [a]", "“a”"),
      ("offset: -1", "offset: nan", "a number"), ("offset: -1", "offset: 1/0", "a number"),
      ("fill: 114", "fill: 256", "0 to 255"),
      ("fill: 114", "fill: [1, 2, 3]", "a whole number from 0 to 255, but is a list"),
      ("resize: letterbox", "resize: stretch", "letterbox"),
      ("softmax", "soft-max", "did you mean “softmax”"),
      ("outputs: [happiness, sadness]", "", "list the model's names"),
      ("{happiness: happy}", "[happy, sad]", "both list the model's classes"),
      ("{happiness: happy}", "{hapiness: happy}", "did you mean “happiness”"),
      ("[happiness, sadness]", "[happiness, happiness]", "two outputs have the name “happiness”"),
      ("[happiness, sadness]", "[]", "a list of names"), ("task: classification", "", "“task”"),
      ("task: classification", "task: classification\ntask: classification", "twice"),
      ("offset: -1", "offset: -1  # TODO", "still marked TODO: offset: -1;"),
      ("offset: -1", "offset: -1  # ?", "still marked TODO: offset: -1;"),
      ("offset: -1", "offset: -1\r\n  # TODO: and more", "still marked TODO: and more;"),
      ("offset: -1", "offset: &a -1", "anchors"), ("layout: nchw", "layout: [nchw", "invalid YAML"),
    ])
  func wrong(_ part: String, _ replacement: String, _ text: String) throws {
    let found = try #require(fault(Self.good.replacing(part, with: replacement)))
    #expect("\(found.fault)".contains(text), "\(found.fault)")
  }

  @Test("Nesting that would exhaust the parser is refused before it")
  func deep() {
    for text in [
      String(repeating: "[", count: 100_000), String(repeating: "- ", count: 100_000) + "x",
      String(repeating: "{a: ", count: 100_000), String(repeating: "? ", count: 100_000),
    ] {
      guard case .tooDeep = fault(text)?.fault else {
        Issue.record("not refused: \(text.prefix(8))")
        continue
      }
    }
  }

  @Test("Damaged manifests are errors, never crashes")
  func mutations() {
    var random = SplitMix64(seed: 11)
    var refused = 0
    let alphabet = Array("[]{}:,-?&*!|>'\"%@` \n#a1".utf8)
    for _ in 0..<3_000 {
      var bytes = Array(Self.good.utf8)
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }
      if fault(String(decoding: bytes, as: UTF8.self)) != nil { refused += 1 }
    }
    #expect(refused > 1_000)
  }
}
