package import AssayCore

/// The points and the box by which a person shows a model an object.
package struct ObjectPrompt: Hashable, Sendable {
  /// A point in pixels of the image.
  package struct Point: Hashable, Sendable {
    package var x: Double
    package var y: Double
    /// True if it is on the object, false if it is on something else.
    package var isObject: Bool

    package init(x: Double, y: Double, isObject: Bool) {
      self.x = x
      self.y = y
      self.isObject = isObject
    }
  }

  package var points: [Point]
  package var box: Box?

  package init(points: [Point], box: Box? = nil) {
    self.points = points
    self.box = box
  }
}

/// The features of an image that a promptable model computes once, and answers prompts with.
package struct ImageEmbedding: Sendable {
  /// One tensor of the features.
  package struct Tensor: Sendable {
    package var shape: [Int]
    package var values: [Float]

    package init(shape: [Int], values: [Float]) {
      self.shape = shape
      self.values = values
    }
  }

  package var tensors: [Tensor]
  /// The size of the image.
  package var size: ImageSize

  package init(tensors: [Tensor], size: ImageSize) {
    self.tensors = tensors
    self.size = size
  }

  /// The number of bytes in memory.
  package var byteCount: Int { tensors.reduce(0) { $0 + 4 * $1.values.count } }
}

/// The mask that a promptable model proposes.
package struct ObjectProposal: Hashable, Sendable {
  package var mask: Mask
  /// The model's own estimate of the mask's IoU.
  package var score: Double

  package init(mask: Mask, score: Double) {
    self.mask = mask
    self.score = score
  }
}

/// A promptable model: an encoder that looks at an image once, and a decoder that answers prompts. Used from several
/// threads.
package protocol PromptEngine: Sendable {
  /// The name, for people.
  var name: String { get }

  /// Computes the features of an image.
  func embedding(of image: Raster<UInt8>) throws -> ImageEmbedding

  /// Ends a running ``embedding(of:)`` with an error, as soon as the model allows it.
  func cancelEmbedding()

  /// Proposes the mask of the object that a prompt shows.
  func proposal(for prompt: ObjectPrompt, in embedding: ImageEmbedding) throws -> ObjectProposal
}
