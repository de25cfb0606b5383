/// The layout of the numbers of classes in a classifier's outputs.
package struct ClassNumberLayout: Hashable, Sendable {
  /// The number of classes that the model names per image; of several the one with the highest score is the
  /// prediction.
  package let choices: Int
  /// True if each has a score.
  package let hasScores: Bool

  /// The number of values per sample, for each output that is read.
  var counts: [Int] { hasScores ? [choices, choices] : [choices] }

  /// Derives the layout from the outputs' shapes for an input of known size.
  ///
  /// - Parameters:
  ///   - outputs: those of ``ClassNumbers/names``.
  ///   - isBatched: false if the model takes one image without a batch dimension.
  /// - Throws: ``InferenceError/classNumberShape(hasScores:model:)``.
  init(
    of outputs: [TensorSignature], _ numbers: ClassNumbers, isBatched: Bool
  ) throws(InferenceError) {
    hasScores = numbers.scores != nil
    let counts = outputs.map { Self.count(of: $0, isBatched) }
    guard outputs.count == numbers.names.count, let first = counts.first, let choices = first,
      counts.allSatisfy({ $0 == choices }), choices == 1 || hasScores
    else { throw .classNumberShape(hasScores: hasScores, model: outputs) }
    self.choices = choices
  }

  /// The number of values in an output `[N]` or `[N, k]`, or with further dimensions of 1; `nil` for others.
  private static func count(of output: TensorSignature, _ isBatched: Bool) -> Int? {
    guard let shape = output.shape, !isBatched || !shape.isEmpty else { return nil }
    let lengths = shape.dropFirst(isBatched ? 1 : 0).filter { $0 != 1 }
    guard lengths.count <= 1 else { return nil }
    guard let length = lengths.first else { return 1 }
    return length.flatMap { $0 > 0 ? $0 : nil }
  }
}

/// Reads the class that a classifier names: an ordinal in the order of the manifest's classes.
package struct ClassNumberReader: OutputReader {
  package let activation = Activation.none
  private let layout: ClassNumberLayout
  private let base: Int
  /// The classes of the numbers, in the model's order.
  private let classOfOutput: [Int]

  package init(_ model: ValidatedModel) throws(InferenceError) {
    guard let layout = model.classNumbers, let numbers = model.manifest.classNumbers else {
      throw .otherTask(model.manifest.task, model: model.file.path)
    }
    self.layout = layout
    base = numbers.base
    classOfOutput = model.manifest.grouping.classOfOutput
  }

  /// The only class, or the first of those with the highest score.
  ///
  /// - Throws: ``InferenceError/notFinite(sample:outputs:)``;
  ///   ``InferenceError/classNumberOutOfRange(sample:value:classes:base:)`` for any number that is not a class's.
  package func answer(of outputs: [Float], sample: String) throws(InferenceError) -> Int {
    precondition(outputs.count == layout.counts.reduce(0, +))
    guard outputs.allSatisfy(\.isFinite) else { throw .notFinite(sample: sample, outputs: outputs) }
    let classes = classOfOutput.count
    var ordinals: [Int] = []
    for value in outputs.prefix(layout.choices) {
      guard let number = Int(exactly: value), (base..<base + classes).contains(number) else {
        throw .classNumberOutOfRange(sample: sample, value: value, classes: classes, base: base)
      }
      ordinals.append(classOfOutput[number - base])
    }
    guard layout.hasScores else { return ordinals[0] }
    let scores = outputs.dropFirst(layout.choices)
    var best = 0
    for (place, score) in scores.enumerated() where score > scores[scores.startIndex + best] {
      best = place
    }
    return ordinals[best]
  }

  package func areProbabilities(_ outputs: [Float]) -> Bool { false }
}

/// A classifier that names the class, compiled once per worker.
package typealias ClassNumberPool = ModelPool<ClassNumberReader>
