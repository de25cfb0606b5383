package import AssayCore

/// The errors of work with a model. The prose is in ``description``.
package enum InferenceError: Error, Hashable {
  // The runtime
  /// OpenVINO is in none of the places, or what is there cannot be loaded.
  case libraryNotFound(searched: [String], failures: [String])
  /// No child process can be made in which a model is run.
  case noProcess(reason: String)
  case precisionUnsupported(Precision, supported: [Precision])

  // Files
  case unreadable(path: String, reason: String)
  case tooLarge(path: String, limit: Int)
  case unknownModelFormat(path: String, looksLike: String?)
  case weightsMissing(xml: String, expected: String)
  case onnxRefused(path: String, ONNXFault)
  /// OpenVINO cannot read or compile the model.
  case modelRefused(path: String, reason: String)
  case manifest(path: String, line: Int?, ManifestFault)

  // A manifest and its model
  case inputCount(model: [TensorSignature])
  case outputUnclear(wanted: String?, model: [TensorSignature])
  case elementType(TensorSignature, isInput: Bool)
  case inputShape(manifest: [Int?], layout: String, model: TensorSignature)
  case outputShape(classes: Int, model: TensorSignature)
  /// An output that is no map a class.
  case mapShape(classes: Int, model: TensorSignature)
  /// An output that is maps in two ways.
  case mapLayoutUnclear(classes: Int, model: TensorSignature)
  /// An output whose size is not known before the model runs.
  case mapShapeOpen(model: TensorSignature)
  /// An output that is not a row of values a cell of the grids.
  case gridShape(
    input: ImageSize, strides: [Int], rows: Int, values: Int, model: TensorSignature)
  /// An output that is no boxes with scores.
  case boxShape(classes: Int, model: TensorSignature)
  /// Two outputs that are not the boxes and their scores.
  case boxPairShape(classes: Int, boxes: TensorSignature, scores: TensorSignature)
  /// Outputs that are boxes with scores in two ways.
  case boxLayoutUnclear(classes: Int, model: [TensorSignature])
  /// A number of boxes that is not known before the model runs.
  case boxCountOpen(model: TensorSignature)
  case tooManyBoxes(Int, limit: Int, model: TensorSignature)
  /// A model of another task than is asked of it.
  case otherTask(ModelTask, model: String)

  // A run
  case inferenceFailed(reason: String)
  /// Two computations of one sample that should be equal to the bit.
  case selfCheckFailed(SelfCheckFailure)
  case notFinite(sample: String, outputs: [Float])
  case notProbabilities(sample: String, outputs: [Float], activation: Activation)
  /// A multi-label model's score of a class, outside 0...1.
  case scoreOutOfRange(sample: String, className: String, value: Float)
  /// Maps with values that are no probabilities.
  case mapsOutOfRange(sample: String, low: Float, high: Float, activation: Activation)
  /// Scores of boxes that are no probabilities.
  case scoresOutOfRange(sample: String, low: Float, high: Float, activation: Activation)
  /// Four values of a model that make no box.
  case noBox(sample: String, values: [Float], head: DetectorRule.Head)
  /// Boxes that are probably not of the manifest's order and units; with an example.
  case boxesDoubtful(BoxAnomaly, values: [Float], head: DetectorRule.Head)
  /// Outputs that are probabilities before the manifest's activation makes them.
  case alreadyProbabilities(sample: String, outputs: [Float], activation: Activation)
}

/// Two outputs of one sample that differ.
package struct SelfCheckFailure: Hashable, Sendable {
  /// The sample's key.
  package var sample: String
  /// The values that the run computed, in its batches.
  package var inRun: [Float]
  /// The values that a newly compiled model computed for the sample alone.
  package var alone: [Float]
  /// The samples a batch in the run.
  package var batch: Int

  /// The place of the first value that differs.
  package var place: Int? {
    zip(inRun, alone).enumerated().first { $1.0.bitPattern != $1.1.bitPattern }?.offset
  }

  package init(sample: String, inRun: [Float], alone: [Float], batch: Int) {
    self.sample = sample
    self.inRun = inRun
    self.alone = alone
    self.batch = batch
  }
}
