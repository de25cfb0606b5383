package import AssayCore
package import AssayImaging
import Foundation

/// A promptable model, compiled.
package final class PromptModel: PromptEngine {
  package let manifest: PromptManifest
  private let encoder: TensorRequest
  private let decoder: TensorRequest

  package var name: String { manifest.name }

  /// Reads and compiles both files.
  ///
  /// - Throws: ``InferenceError``; ``PromptModelError``.
  package init(_ manifest: PromptManifest) throws {
    let first = try ModelGraph(Self.file(manifest.encoder), runtime: OpenVINO.load())
    let second = try ModelGraph(Self.file(manifest.decoder), runtime: OpenVINO.load())
    try manifest.check(first.signature, second.signature)
    self.manifest = manifest
    encoder = try TensorRequest(first, threads: ProcessInfo.processInfo.activeProcessorCount)
    decoder = try TensorRequest(second, threads: 1)
  }

  private static func file(_ stated: PromptManifest.File) throws -> ModelFile {
    let file = try ModelFile.read(stated.path)
    guard stated.hash == nil || stated.hash == file.hash else {
      throw PromptModelError.changed(path: file.path)
    }
    return file
  }

  /// Recognizes a pair, or checks it against a manifest, and gives the whole manifest with hashes and absolute paths.
  ///
  /// - Throws: ``InferenceError``; ``PromptModelError``.
  package static func manifest(
    encoder: String, decoder: String, manifest path: String?, name: String?
  ) throws -> PromptManifest {
    let files = (try ModelFile.read(encoder), try ModelFile.read(decoder))
    let first = try ModelSignature.read(files.0)
    let second = try ModelSignature.read(files.1)
    switch (first.promptRole, second.promptRole) {
    case (.decoder, .encoder): throw PromptModelError.swapped(encoder: decoder, decoder: encoder)
    case (.decoder, .decoder):
      throw PromptModelError.twice(.decoder, encoder: encoder, decoder: decoder)
    case (.encoder, .encoder):
      throw PromptModelError.twice(.encoder, encoder: encoder, decoder: decoder)
    default: break
    }
    let (one, other) = (
      PromptManifest.File(path: files.0.path, hash: files.0.hash),
      PromptManifest.File(path: files.1.path, hash: files.1.hash)
    )
    guard let path else {
      let found = try PromptManifest.recognized(
        name: name ?? files.0.name, encoder: one, decoder: other, first, second)
      try found.check(first, second)
      return found
    }
    var found = try PromptManifest.read(path, encoder: encoder, decoder: decoder)
    (found.encoder, found.decoder) = (one, other)
    if let name { found.name = name }
    try found.check(first, second)
    return found
  }

  package func cancelEmbedding() { encoder.cancel() }

  /// - Throws: ``InferenceError``.
  package func embedding(of image: Raster<UInt8>) throws -> ImageEmbedding {
    let tensors = try encoder.run(
      [(manifest.input, input(of: image))], outputs: manifest.embeddings.map(\.output))
    return ImageEmbedding(tensors: tensors, size: image.size)
  }

  /// The encoder's input for an image.
  func input(of image: Raster<UInt8>) -> ImageEmbedding.Tensor {
    let size = manifest.resized(image.size)
    let resized =
      size == image.size
      ? image
      : manifest.filter.apply(
        to: image, size: size, window: PixelRect(x: 0, y: 0, width: size.width, height: size.height)
      )
    let side = ImageSize(width: manifest.side, height: manifest.side)
    let frame = manifest.framing == .longSide ? size : side
    let shape = manifest.inputShape(of: frame).compactMap { $0 }
    let (mean, scale) = (manifest.mean, manifest.deviation.map { 1 / $0 })
    let (plane, isPlanar) = (frame.area, manifest.layout == .nchw)
    let channels = resized.channels
    var values = [Float](repeating: 0, count: 3 * plane)
    for channel in 0..<3 {
      let source = channels >= 3 ? channel : 0
      for y in 0..<size.height {
        for x in 0..<size.width {
          let pixel = Double(resized.elements[(y * size.width + x) * channels + source])
          let place = y * frame.width + x
          values[isPlanar ? channel * plane + place : 3 * place + channel] = Float(
            (pixel - mean[channel]) * scale[channel])
        }
      }
    }
    return ImageEmbedding.Tensor(shape: shape, values: values)
  }

  /// The points of a prompt in the encoder's input, with their labels: 1 on the object, 0 not, 2 and 3 for the corners of
  /// the box, -1 for the point that ends prompts without a box.
  func points(
    of prompt: ObjectPrompt, in size: ImageSize
  ) -> (coordinates: [Float], labels: [Float]) {
    let target = manifest.resized(size)
    let scale = (
      Double(target.width) / Double(size.width), Double(target.height) / Double(size.height)
    )
    var listed = prompt.points.map { ($0.x, $0.y, Float($0.isObject ? 1 : 0)) }
    if let box = prompt.box {
      listed += [(box.x, box.y, 2), (box.x + box.width, box.y + box.height, 3)]
    }
    var coordinates = listed.flatMap { [Float($0.0 * scale.0), Float($0.1 * scale.1)] }
    var labels = listed.map(\.2)
    if prompt.box == nil, manifest.hasPaddingPoint {
      coordinates += [0, 0]
      labels.append(-1)
    }
    return (coordinates, labels)
  }

  /// - Throws: ``InferenceError``; ``PromptModelError/badAnswer(_:)``.
  package func proposal(
    for prompt: ObjectPrompt, in embedding: ImageEmbedding
  ) throws -> ObjectProposal {
    let size = embedding.size
    let (coordinates, labels) = points(of: prompt, in: size)
    let count = labels.count
    var inputs: [(name: String, tensor: TensorRequest.Tensor)] = zip(
      manifest.embeddings, embedding.tensors
    ).map { ($0.input, $1) }
    inputs.append((manifest.points, .init(shape: [1, count, 2], values: coordinates)))
    inputs.append((manifest.labels, .init(shape: [1, count], values: labels)))
    if let mask = manifest.mask {
      let side = manifest.side / 4
      inputs.append(
        (mask, .init(shape: [1, 1, side, side], values: Array(repeating: 0, count: side * side))))
    }
    if let hasMask = manifest.hasMask { inputs.append((hasMask, .init(shape: [1], values: [0]))) }
    let resized = manifest.resized(size)
    if let name = manifest.size {
      // The masks that the model resizes itself are not read; small ones take less time.
      inputs.append(
        (name, .init(shape: [2], values: [Float(resized.height), Float(resized.width)])))
    }
    let found = try decoder.run(inputs, outputs: [manifest.masks, manifest.scores])
    return try proposal(masks: found[0], scores: found[1], resized, size)
  }

  /// The mask with the best estimate.
  private func proposal(
    masks: TensorRequest.Tensor, scores: TensorRequest.Tensor, _ resized: ImageSize,
    _ size: ImageSize
  ) throws(PromptModelError) -> ObjectProposal {
    guard masks.shape.count == 4, masks.shape[0] == 1, masks.shape[1] >= 1,
      masks.shape[1] == scores.values.count, masks.shape[2] >= 1, masks.shape[3] >= 1
    else {
      throw .badAnswer("masks of \(masks.shape) and estimates of \(scores.shape)")
    }
    guard scores.values.allSatisfy(\.isFinite),
      let best = scores.values.indices.max(by: { scores.values[$0] < scores.values[$1] })
    else { throw .badAnswer("an estimate is not a finite number") }
    let low = ImageSize(width: masks.shape[3], height: masks.shape[2])
    let logits = Array(masks.values[best * low.area..<(best + 1) * low.area])
    guard logits.allSatisfy(\.isFinite) else {
      throw .badAnswer("a value of the mask is not a finite number")
    }
    let field = PromptField(values: logits, size: low)
    let side = ImageSize(width: manifest.side, height: manifest.side)
    let frame =
      manifest.framing == .stretch ? field : field.enlarged(to: side, keeping: resized)
    return ObjectProposal(
      mask: frame.mask(in: size, above: Float(manifest.threshold)),
      score: Double(scores.values[best]))
  }
}
