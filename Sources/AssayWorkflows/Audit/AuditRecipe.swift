package import AssayCore
import AssayImaging
package import AssayInference
import Foundation

/// A way to prepare a model's input and to read its output, which an audit tries.
package struct AuditRecipe: Hashable, Sendable {
  /// The part of a manifest that a recipe varies. The raw value is its name for people.
  package enum Part: String, CaseIterable, Sendable {
    case values = "scale and offset"
    case color, layout, resize, filter, activation
  }

  package var input: ModelInput
  package var activation: Activation

  package init(_ manifest: ModelManifest) {
    input = manifest.input
    activation = manifest.activation
  }

  /// The manifest with this recipe.
  func applied(to manifest: ModelManifest) -> ModelManifest {
    var manifest = manifest
    manifest.input = input
    manifest.activation = activation
    return manifest
  }

  /// The recipes that differ from this one in one part, as common training programs have it.
  ///
  /// - Parameter output: the kind of the model's task: detectors see the whole image, segmenters must be
  ///   able to map their masks back.
  package func variants(of part: Part, for output: TaskOutput) -> [AuditRecipe] {
    let all: [AuditRecipe]
    switch part {
    case .values: all = values.map { with(scale: $0, offset: $1) }
    case .color: all = input.color == .gray ? [] : [swapped]
    case .layout:
      var other = self
      other.input.layout = input.layout == .nchw ? .nhwc : .nchw
      all = [other]
    case .resize:
      all = rules(for: output).map { rule in
        var other = self
        other.input.resize = rule
        return other
      }
    case .filter:
      all = ResizeFilter.allCases.map { filter in
        var other = self
        other.input.filter = filter
        return other
      }
    case .activation:
      all = Activation.allCases.map { activation in
        var other = self
        other.activation = activation
        return other
      }
    }
    return all.filter { !$0.isSame(as: self) && $0.input.resize.allows($0.input.filter) }
  }

  /// True if both give a model the same values and read its output in the same way.
  func isSame(as other: AuditRecipe) -> Bool {
    guard activation == other.activation else { return false }
    var (first, second) = (input, other.input)
    for channel in 0..<first.color.channels {
      for level in [0.0, 255.0] {
        let (one, two) = (
          first.value(of: level, channel: channel), second.value(of: level, channel: channel)
        )
        guard abs(one - two) <= 1e-6 * max(1, abs(one)) else { return false }
      }
    }
    first.scale = second.scale
    first.offset = second.offset
    return first == second
  }

  /// Pairs of scale and offset, with the channels in the order of ``input``.
  private var values: [(scale: [Double], offset: [Double])] {
    var pairs: [(scale: [Double], offset: [Double])] = [
      ([1 / 255], [0]), ([2 / 255], [-1]), ([1], [0]), ([1], [-128]),
    ]
    guard input.color != .gray else { return pairs }
    // Red, green, blue: ImageNet's mean and deviation, CLIP's, and Caffe's mean of pixels in 0...255.
    pairs.append(normalized([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]))
    pairs.append(
      normalized(
        [0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711]))
    pairs.append(([1], ordered([-123.68, -116.779, -103.939])))
    return pairs
  }

  private func normalized(
    _ mean: [Double], _ deviation: [Double]
  ) -> (scale: [Double], offset: [Double]) {
    (
      ordered(deviation.map { 1 / (255 * $0) }),
      ordered(zip(mean, deviation).map { -$0 / $1 })
    )
  }

  /// Values for red, green, blue in the order of ``input``'s channels.
  private func ordered(_ values: [Double]) -> [Double] {
    input.color == .bgr ? values.reversed() : values
  }

  private func with(scale: [Double], offset: [Double]) -> AuditRecipe {
    var other = self
    other.input.scale = scale
    other.input.offset = offset
    return other
  }

  /// Red and blue exchanged, each with the values that it has.
  private var swapped: AuditRecipe {
    var other = self
    other.input.color = input.color == .bgr ? .rgb : .bgr
    other.input.scale = input.scale.reversed()
    other.input.offset = input.offset.reversed()
    return other
  }

  private func rules(for output: TaskOutput) -> [ResizeRule] {
    let boxes: [ResizeRule] = [
      .stretch, .letterbox(fill: 114, anchor: .center, rounding: .nearest),
      .letterbox(fill: 114, anchor: .topLeft, rounding: .yolox),
      .letterbox(fill: 0, anchor: .center), .letterbox(fill: 0, anchor: .topLeft),
    ]
    let side = max(input.size.width, input.size.height)
    return switch output {
    case .objects: boxes
    case .masks: boxes + [.centerCrop]
    case .label, .labels:
      boxes + [
        .centerCrop, .shorterCrop(shorter: side), .shorterCrop(shorter: side * 8 / 7),
        .stretchCrop(side: side * 8 / 7),
      ]
    }
  }
}

extension AuditRecipe {
  /// The keys of the manifest that differ from another recipe's, with their values.
  ///
  /// - Parameter brief: true to leave out the keys that belong to `resize` and show their values beside it,
  ///   and to shorten lists of numbers.
  /// - Returns: `scale: 2/255, offset: -1`; “as the manifest” without a difference.
  package func difference(from other: AuditRecipe, brief: Bool = false) -> String {
    let own = ManifestText.keys(of: input)
    let others = ManifestText.keys(of: other.input)
    let details: Set = ["shorter", "longer", "fill", "anchor", "rounding", "multiple"]
    var parts: [String] = []
    for (key, value) in own where !(brief && details.contains(key)) {
      let isResize = brief && key == "resize"
      let isSame =
        isResize
        ? input.resize == other.input.resize
        : others.contains { $0.key == key && $0.value == value }
      if isSame { continue }
      var text = "\(key): \(brief ? Self.shortened(value) : value)"
      if isResize {
        let values = own.filter { details.contains($0.key) }.map(\.value)
        text += values.isEmpty ? "" : " (\(values.joined(separator: ", ")))"
      }
      parts.append(text)
    }
    if activation != other.activation { parts.append("activation: \(activation.rawValue)") }
    return parts.isEmpty ? "as the manifest" : parts.joined(separator: ", ")
  }

  /// The value of one part, as in ``difference(from:brief:)``.
  package func text(of part: Part) -> String {
    var other = self
    switch part {
    case .values: (other.input.scale, other.input.offset) = ([.infinity], [.infinity])
    case .color: other.input.color = input.color == .rgb ? .bgr : .rgb
    case .layout: other.input.layout = input.layout == .nchw ? .nhwc : .nchw
    case .resize:
      other.input.resize = input.resize == .stretch ? .centerCrop : .stretch
    case .filter: other.input.filter = input.filter == .nearest ? .bilinear : .nearest
    case .activation: other.activation = activation == .none ? .softmax : .none
    }
    return difference(from: other, brief: true)
  }

  /// A list of numbers with three digits each.
  private static func shortened(_ value: String) -> String {
    guard value.hasPrefix("[") else { return value }
    let numbers = value.dropFirst().dropLast().split(separator: ",").map { text in
      Double(text.drop { $0 == " " }).map { String(format: "%.3g", $0) } ?? String(text)
    }
    return "[\(numbers.joined(separator: ", "))]"
  }
}
