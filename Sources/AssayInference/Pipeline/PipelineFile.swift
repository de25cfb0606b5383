package import AssayCore

/// A pipeline: steps that find objects in an image, and look at each of them with further models.
package struct PipelineFile: Hashable, Sendable {
  package var name: String
  package var description: String?
  /// The steps in their order; the first one is a detector over the whole image.
  package var steps: [PipelineStep]
}

/// One step of a pipeline.
package struct PipelineStep: Hashable, Sendable {
  /// The work of a step.
  package enum Action: Hashable, Sendable {
    /// Finds objects: in the whole image as the first step, in a crop of each object as a later one, whose objects
    /// take the place of those before.
    case detect
    /// Decides whether an object is good enough for the steps after this one.
    case qualify(ObjectRule)
    /// Adds the label and the scores of a classifier.
    case classify
    /// Adds the mask that a segmentation model finds in the crop.
    case segment
    /// Adds the score of a model of keypoints, and with ``PipelineStep/keepsPoints`` its points.
    case keypoints
  }

  package var action: Action
  /// The name of the step's model; `nil` for ``Action/qualify(_:)``.
  package var model: String?
  /// The part of the image that the model sees; `nil` for the whole image.
  package var crop: CropRule?
  /// The classes of a detector whose objects are kept, by the dataset's names; `nil` for all.
  package var classes: [String]?
  /// The class of a segmentation model; `nil` for its only one.
  package var className: String?
  /// The minimum score; `nil` for none besides the model's own.
  package var minScore: Double?
  /// The prefix of the attributes that the step writes.
  package var attribute: String
  /// The steps that refine the mask of a segmentation model.
  package var refinements: [MaskRefinement] = []
  /// True if the points of a model of keypoints replace those of the detector.
  package var keepsPoints: Bool
  /// True if objects that fail are left out; false if they are kept with the reason.
  package var drops: Bool
}

extension PipelineStep {
  /// The names of the attributes that the step writes, besides those of every object and of rules.
  package var attributes: [String] {
    switch action {
    case .detect, .qualify: []
    case .classify:
      attribute == "label"
        ? ["label", "score", "scores"] : [attribute, attribute + "_score", attribute + "_scores"]
    case .keypoints: [attribute + "_score"]
    // Its one attribute has a fixed name, so that a second step would write it again.
    case .segment: ["mask"]
    }
  }
}

/// The rule that decides whether an object is good enough for the steps after it.
package struct ObjectRule: Hashable, Sendable {
  /// The minimum of the box's shorter side in pixels.
  package var minSide: Double?
  /// The minimum score of the detector.
  package var minScore: Double?
  /// The maximum angle of the line through the first two keypoints, in degrees from level.
  package var maxAngle: Double?
  /// The minimum sharpness of the box, as `assay check` measures blur: the 99th percentile of the absolute Laplacian
  /// divided by the gray range, at 160 pixels. Boxes below 64 pixels have none and are not judged.
  package var minSharpness: Double?

  package init(
    minSide: Double? = nil, minScore: Double? = nil, maxAngle: Double? = nil,
    minSharpness: Double? = nil
  ) {
    (self.minSide, self.minScore) = (minSide, minScore)
    (self.maxAngle, self.minSharpness) = (maxAngle, minSharpness)
  }
}

/// The part of an image around an object that a model sees.
package struct CropRule: Hashable, Sendable {
  /// The shape of the part.
  package enum Shape: String, CaseIterable, Sendable {
    /// The padded box as it is; the model's resize decides about its proportions.
    case box
    /// The square about its center with its shorter side.
    case shorter
    /// The square about its center with its longer side.
    case longer
    /// Its upper part: no higher than it is wide, or than 0.6 of its height.
    case upper
  }

  /// The places in a pixel that are sampled.
  package enum Sampling: String, CaseIterable, Sendable {
    /// The centers of pixels.
    case centers
    /// Their top left corners, as MediaPipe does.
    case corners
    /// Of an upright part its nearest whole pixels, resized as by OpenCV's `INTER_AREA`. Of a part that is turned, or
    /// longer than 4,096 pixels, the centers of the pixels of a multiple of the crop's size that is not smaller than the
    /// part, which are averaged over the area of each pixel of the crop.
    case area
  }

  /// The point about which an aligned part is turned.
  package enum Pivot: String, CaseIterable, Sendable {
    /// The center of the object's box, without its padding.
    case box
    /// The midpoint of the first two keypoints, which stays at its place in the part.
    case keypoints
  }

  /// The space around the box at its left, top, right and bottom, in fractions of its width and height.
  package var pad: [Double]
  /// The factor by which the part is enlarged about its center, after the padding.
  package var scale: Double
  package var shape: Shape
  /// True if the part is turned so that the first two keypoints are level.
  package var aligns: Bool
  /// Used only if ``aligns``.
  package var pivot: Pivot
  /// The longer side of the crop in pixels, to which it is sampled; `nil` for as many as in the image.
  package var size: Int?
  /// True if both sides have that size, whatever the proportions of the part.
  package var stretches: Bool
  package var sampling: Sampling

  package init(
    pad: [Double] = [0, 0, 0, 0], scale: Double = 1, shape: Shape = .box, aligns: Bool = false,
    pivot: Pivot = .box, size: Int? = nil, stretches: Bool = false, sampling: Sampling = .centers
  ) {
    self.stretches = stretches
    (self.pad, self.scale, self.shape, self.pivot) = (pad, scale, shape, pivot)
    (self.aligns, self.size, self.sampling) = (aligns, size, sampling)
  }
}
