package import AssayCore

/// The results of a model on an image that is written, for formats that keep them beside the
/// annotations.
package struct ExportPrediction: Hashable, Sendable {
  /// A class of the whole image with its score.
  package struct Label: Hashable, Sendable {
    package var name: String
    /// `nil` for a run without scores.
    package var score: Double?

    package init(name: String, score: Double?) {
      self.name = name
      self.score = score
    }
  }

  /// An object or the region of a class, in pixels.
  package struct Object: Hashable, Sendable {
    package var name: String
    /// A box or a mask.
    package var shape: ExportObject.Shape
    package var box: Box
    /// `nil` for a run without scores.
    package var score: Double?

    package init(name: String, shape: ExportObject.Shape, box: Box, score: Double?) {
      self.name = name
      self.shape = shape
      self.box = box
      self.score = score
    }
  }

  /// The name of the run.
  package var run: String
  package var labels: [Label] = []
  package var objects: [Object] = []
  /// The number of objects with keypoints, which are not written.
  package var objectsWithKeypoints = 0

  package init(run: String) { self.run = run }

  /// The mean score of all labels and objects; `nil` without any score.
  var score: Double? {
    let scores = labels.compactMap(\.score) + objects.compactMap(\.score)
    return scores.isEmpty ? nil : scores.reduce(0, +) / Double(scores.count)
  }
}
