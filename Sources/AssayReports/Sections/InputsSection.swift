import AssayCore
import AssayImaging

/// The section with the model's first input tensors next to the images they were made from.
struct InputsSection: ReportSection {
  /// The inputs; `nil` omits the section.
  let inputs: SeenInputs?
  /// The query for their samples; `nil` for none.
  var query: SectionQuery?
  let id = "inputs"
  let title = "Model inputs"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    guard let inputs, !inputs.samples.isEmpty else { return nil }
    let shown = inputs.samples.prefix(PictureLimits.inputs)
    let ranges = shown.map { Self.range(of: $0.tensor) }
    let finite = ranges.compactMap(\.self)
    // One scale for all: a tensor that is darker than its neighbors must look darker.
    let scale = Scaling(
      low: finite.map(\.lowerBound).min() ?? 0,
      high: max(finite.map(\.upperBound).max() ?? 1, (finite.map(\.lowerBound).min() ?? 0) + 1e-6))
    var samples: [[String: Any]] = []
    for (sample, range) in zip(shown, ranges) {
      let pair = try builder.pictures([
        PictureRequest(
          sample.original, caption: "original", origin: "sample \(sample.key)",
          spoken: "sample \(sample.key) as stored"),
        PictureRequest(
          scale.apply(to: Self.wide(sample.tensor)), caption: "input", number: Self.text(of: range),
          origin: "sample \(sample.key), \(sample.tensor.width)×\(sample.tensor.height)",
          spoken: "sample \(sample.key) as model input"),
      ])
      guard let original = pair[0], let input = pair[1] else { break }
      samples.append(["original": original, "input": input, "key": sample.key])
    }
    return [
      "query": query.values, "recipe": inputs.recipe, "samples": samples,
      "low": NumberText.fixed(scale.low, 2),
      "high": NumberText.fixed(scale.high, 2),
    ]
  }

  /// Returns the same tensor in float64.
  private static func wide(_ tensor: Raster<Float>) -> Raster<Double> {
    Raster(
      width: tensor.width, height: tensor.height, channels: tensor.channels,
      elements: tensor.elements.map(Double.init))
      ?? Raster(repeating: 0, width: tensor.width, height: tensor.height, channels: tensor.channels)
  }

  /// Returns the minimum and maximum; `nil` if no value is finite.
  private static func range(of tensor: Raster<Float>) -> ClosedRange<Double>? {
    var low = Float.infinity
    var high = -Float.infinity
    for value in tensor.elements where value.isFinite {
      low = min(low, value)
      high = max(high, value)
    }
    return low <= high ? Double(low)...Double(high) : nil
  }

  private static func text(of range: ClosedRange<Double>?) -> String {
    guard let range else { return NumberText.undefined }
    return "\(NumberText.fixed(range.lowerBound, 2)) … \(NumberText.fixed(range.upperBound, 2))"
  }
}
