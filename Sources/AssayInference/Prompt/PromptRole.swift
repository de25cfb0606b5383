/// The part of a promptable model (SAM) that a file looks like by its inputs and outputs.
package enum PromptRole: String, Hashable, Sendable {
  case encoder, decoder

  /// The command that adds a pair.
  ///
  /// - Parameters:
  ///   - encoder: the path of the encoder; `nil` if it is not known.
  ///   - decoder: the path of the decoder; `nil` if it is not known.
  package static func command(encoder: String?, decoder: String?) -> String {
    "assay model add \(encoder ?? "ENCODER") --decoder \(decoder ?? "DECODER")"
  }
}

extension ModelSignature {
  /// The features of an image that SAM, MobileSAM and SAM 2 pass on, by the names that their exports give them.
  private static let promptFeatures: Set = ["image_embeddings", "image_embedding", "image_embed"]

  /// The part of a promptable model that this looks like; `nil` for other models.
  ///
  /// A decoder takes points and their labels; an encoder makes a map of features of one image.
  package var promptRole: PromptRole? {
    let names = inputs.map(\.name)
    let takesPoints = names.contains { $0.hasSuffix("point_coords") }
    let takesLabels = names.contains { $0.hasSuffix("point_labels") }
    if takesPoints, takesLabels { return .decoder }
    let isFeatures = outputs.contains { output in
      Self.promptFeatures.contains(output.name) && output.shape.map { $0.count == 4 } ?? true
    }
    return inputs.count == 1 && isFeatures ? .encoder : nil
  }

  /// The reason for ``promptRole``, in words.
  package var promptReason: String {
    promptRole == .decoder
      ? "its inputs are \(inputs.map(\.name).joined(separator: ", "))"
      : "its output is \(outputs.map(\.name).joined(separator: ", "))"
  }
}
