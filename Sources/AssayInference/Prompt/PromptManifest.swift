package import AssayCore
package import AssayImaging

/// A promptable model of two files, and everything that is needed to use them.
package struct PromptManifest: Hashable, Sendable {
  /// The way in which an image is brought to the encoder's size.
  package enum Framing: String, CaseIterable, Sendable {
    /// The long side is resized to the input's, and zeros are added at the right and at the bottom.
    case pad
    /// The long side is resized to the input's; the model adds the rest itself.
    case longSide = "long-side"
    /// Both sides are resized to the input's.
    case stretch
  }

  /// The order of the input's dimensions; ``hwc`` has no batch.
  package enum Layout: String, CaseIterable, Sendable {
    case nchw = "NCHW"
    case nhwc = "NHWC"
    case hwc = "HWC"
  }

  /// One of the two files.
  package struct File: Hashable, Sendable {
    package var path: String
    /// Its SHA-256; `nil` before the model is added.
    package var hash: String?

    package init(path: String, hash: String? = nil) {
      self.path = path
      self.hash = hash
    }
  }

  package var name: String
  package var encoder: File
  package var decoder: File
  /// The name of the encoder's input.
  package var input: String
  /// The input's longer side in pixels.
  package var side: Int
  package var layout: Layout
  package var framing: Framing
  package var filter: ResizeFilter
  /// The numbers that are subtracted from the values 0 to 255 of red, green and blue, and those by which they are
  /// divided then.
  package var mean: [Double]
  package var deviation: [Double]
  /// The encoder's outputs, and the decoder's inputs that get them.
  package var embeddings: [Link]
  package var points: String
  package var labels: String
  /// True if prompts without a box end with a point of the label -1.
  package var hasPaddingPoint: Bool
  /// The decoder's input for a mask of an earlier answer, which stays empty; `nil` for none.
  package var mask: String?
  package var hasMask: String?
  /// The decoder's input for the size of the image; `nil` for none.
  package var size: String?
  /// The decoder's outputs: values of masks before they are resized, and the estimates of their IoU.
  package var masks: String
  package var scores: String
  /// The value above which a pixel belongs to the mask.
  package var threshold: Double

  /// An output of the encoder that is an input of the decoder.
  package struct Link: Hashable, Sendable {
    package var output: String
    package var input: String

    package init(output: String, input: String) {
      self.output = output
      self.input = input
    }
  }

  /// The size of an image in the encoder's input.
  package func resized(_ size: ImageSize) -> ImageSize {
    guard framing != .stretch else { return ImageSize(width: side, height: side) }
    let scale = Double(side) / Double(max(size.width, size.height))
    return ImageSize(
      width: max(1, Int(Double(size.width) * scale + 0.5)),
      height: max(1, Int(Double(size.height) * scale + 0.5)))
  }
}

/// The reasons why a promptable model is not used.
package enum PromptModelError: Error, Hashable, CustomStringConvertible {
  /// Inputs and outputs that are no known pair; with what is missing.
  case unknownPair(reason: String)
  /// A file that is one part of a pair, added without the other.
  case alone(path: String, PromptRole, reason: String)
  /// The encoder given as the decoder, and the decoder as the encoder.
  case swapped(encoder: String, decoder: String)
  /// Two files that are the same part.
  case twice(PromptRole, encoder: String, decoder: String)
  /// A pair whose manifest does not fit its files.
  case unfit(file: String, reason: String)
  /// A file that is not the one that was added.
  case changed(path: String)
  /// An answer that cannot be used.
  case badAnswer(String)

  package var description: String {
    switch self {
    case .unknownPair(let reason):
      "the two files are no promptable model that is known by its inputs and outputs: \(reason). If it is one, say "
        + "everything in a manifest (Promptable models in Docs/Models.md): assay model add ENCODER --decoder DECODER "
        + "--manifest FILE"
    case .alone(let path, let role, let reason):
      "\(path) looks like the \(role.rawValue) of a promptable model (SAM): \(reason). Add it with its "
        + (role == .encoder
          ? "decoder: \(PromptRole.command(encoder: path, decoder: nil))"
          : "encoder: \(PromptRole.command(encoder: nil, decoder: path))")
    case .swapped(let encoder, let decoder):
      "the two files are swapped: \(decoder) looks like the decoder and \(encoder) like the encoder; write "
        + PromptRole.command(encoder: encoder, decoder: decoder)
    case .twice(let role, let encoder, let decoder):
      "\(encoder) and \(decoder) both look like the \(role.rawValue) of a promptable model; give the "
        + (role == .encoder ? "decoder" : "encoder") + ", too: "
        + (role == .encoder
          ? PromptRole.command(encoder: encoder, decoder: nil)
          : PromptRole.command(encoder: nil, decoder: decoder))
    case .unfit(let file, let reason): "\(file) does not fit its manifest: \(reason)"
    case .changed(let path):
      "\(path) is not the file that was added (another SHA-256); add the model again: assay model add ENCODER --decoder DECODER"
    case .badAnswer(let reason): "the model's answer cannot be used: \(reason)"
    }
  }
}
