package import AssayCore
import AssayImaging
import Foundation

/// The maps of one sample, in the order of the classes that are kept.
package struct ClassMaps: Sendable {
  /// The probabilities in 8 bits, as they are stored; see `ProbabilityMap`.
  package let cells: [Raster<UInt8>]
  /// The probabilities in 0...1 as the model gives them, from which the most likely class is
  /// chosen; empty if only one class is kept.
  package let probabilities: [Raster<Float>]
  /// The ordinal of each cell's class, if the model gives it instead of probabilities, for which
  /// ``cells`` and ``probabilities`` are empty.
  package let labels: Raster<Int32>?

  package init(cells: [Raster<UInt8>], probabilities: [Raster<Float>], labels: Raster<Int32>?) {
    self.cells = cells
    self.probabilities = probabilities
    self.labels = labels
  }
}

/// Reads the outputs of a segmentation model: a probability map for each class that is kept.
package struct MapReader: OutputReader {
  package let activation: Activation
  /// The layout of the maps in the output.
  package let layout: MapLayout
  /// The ordinals of the classes whose maps are kept, ascending.
  package let kept: [Int]
  /// The number of outputs of a label map; `nil` for maps of probabilities.
  private let labelCount: Int?
  private let grouping: ClassGrouping
  /// True if the probabilities of a cell exclude each other.
  private let excludesOthers: Bool

  /// The tolerance by which a probability can be outside 0...1, and a sum of them differ from 1.
  private static let tolerance: Float = 1e-5
  private static let sumTolerance: Float = 1e-3

  package init(_ model: ValidatedModel) throws(InferenceError) {
    guard let layout = model.maps else {
      throw .otherTask(model.manifest.task, model: model.file.path)
    }
    let manifest = model.manifest
    self.init(
      layout, activation: manifest.activation.remaining, kept: manifest.keptClasses,
      labelCount: manifest.isLabelMap ? manifest.outputs.count : nil, grouping: manifest.grouping,
      excludesOthers: manifest.activation.excludesOthers)
  }

  init(
    _ layout: MapLayout, activation: Activation, kept: [Int], labelCount: Int? = nil,
    grouping: ClassGrouping? = nil, excludesOthers: Bool = true
  ) {
    self.labelCount = labelCount
    let outputs = labelCount ?? layout.classes
    self.grouping =
      grouping ?? ClassGrouping(classOfOutput: Array(0..<outputs), classCount: outputs)
    self.excludesOthers = excludesOthers
    self.layout = layout
    self.activation = activation
    self.kept = kept
  }

  /// The maps of the kept classes, with the size ``MapLayout/size``.
  ///
  /// Of a sigmoid, float32 distinguishes logits up to about 16; larger ones become 1.
  ///
  /// - Throws: ``InferenceError/notFinite(sample:outputs:)``;
  ///   ``InferenceError/mapsOutOfRange(sample:low:high:activation:)`` for values that are not
  ///   probabilities; ``InferenceError/labelOutOfRange(sample:value:classes:)``.
  package func answer(
    of outputs: [Float], sample: String
  ) throws(InferenceError) -> ClassMaps {
    precondition(outputs.count == layout.count)
    guard outputs.allSatisfy(\.isFinite) else {
      throw .notFinite(sample: sample, outputs: outputs.filter { !$0.isFinite })
    }
    if let labelCount {
      return ClassMaps(
        cells: [], probabilities: [], labels: try labels(outputs, of: labelCount, sample: sample))
    }
    if activation == .none {
      let (low, high) = outputs.reduce((Float(0), Float(0))) { (min($0.0, $1), max($0.1, $1)) }
      guard low >= -Self.tolerance, high <= 1 + Self.tolerance else {
        throw .mapsOutOfRange(sample: sample, low: low, high: high, activation: activation)
      }
    }
    let scales = activation == .softmax ? softmaxScales(outputs) : []
    let probabilities = kept.map { ordinal in
      grouped(grouping.outputs(of: ordinal).map { self.probabilities(of: $0, outputs, scales) })
    }
    return ClassMaps(
      cells: probabilities.map(Self.quantized),
      probabilities: kept.count > 1 ? probabilities : [], labels: nil)
  }

  /// Checks that the first samples' outputs are not numbers of classes.
  ///
  /// - Throws: ``InferenceError/mapsAreNumbers(highest:)`` if all are whole numbers and some above 1.
  package func examine(_ outputs: [[Float]]) throws(InferenceError) {
    guard labelCount == nil, let highest = outputs.lazy.joined().max(), highest >= 2,
      outputs.allSatisfy({ $0.allSatisfy { $0 >= 0 && $0 == $0.rounded() } })
    else { return }
    throw .mapsAreNumbers(highest: highest)
  }

  package func areProbabilities(_ outputs: [Float]) -> Bool {
    guard outputs.allSatisfy({ $0 >= 0 && $0 <= 1 }) else { return false }
    guard activation == .softmax else { return true }
    var sums = [Float](repeating: 0, count: layout.size.area)
    for ordinal in 0..<layout.classes {
      let (start, step) = layout.place(of: ordinal)
      for cell in sums.indices { sums[cell] += outputs[start + cell * step] }
    }
    return sums.allSatisfy { abs($0 - 1) <= Self.sumTolerance }
  }

  /// The largest output of each cell, and the sum of exp(x − largest) over its classes.
  private func softmaxScales(_ outputs: [Float]) -> [(largest: Double, sum: Double)] {
    var scales = [(largest: Double, sum: Double)](
      repeating: (-.infinity, 0), count: layout.size.area)
    outputs.withUnsafeBufferPointer { outputs in
      scales.withUnsafeMutableBufferPointer { scales in
        for ordinal in 0..<layout.classes {
          let (start, step) = layout.place(of: ordinal)
          for cell in 0..<scales.count {
            scales[cell].largest = max(scales[cell].largest, Double(outputs[start + cell * step]))
          }
        }
        for ordinal in 0..<layout.classes {
          let (start, step) = layout.place(of: ordinal)
          for cell in 0..<scales.count {
            scales[cell].sum += exp(Double(outputs[start + cell * step]) - scales[cell].largest)
          }
        }
      }
    }
    return scales
  }

  private func labels(
    _ outputs: [Float], of count: Int, sample: String
  ) throws(InferenceError) -> Raster<Int32> {
    var labels = Raster<Int32>(
      repeating: 0, width: layout.size.width, height: layout.size.height)
    for (cell, value) in outputs.enumerated() {
      guard let label = Int32(exactly: value), (0..<count).contains(Int(label)) else {
        throw .labelOutOfRange(sample: sample, value: value, classes: count)
      }
      labels.elements[cell] = Int32(grouping.classOfOutput[Int(label)])
    }
    return labels
  }

  /// The map of a class from those of its outputs.
  private func grouped(_ maps: [Raster<Float>]) -> Raster<Float> {
    var map = maps[0]
    for other in maps.dropFirst() {
      for cell in map.elements.indices {
        let (first, second) = (map.elements[cell], other.elements[cell])
        map.elements[cell] = excludesOthers ? min(first + second, 1) : max(first, second)
      }
    }
    return map
  }

  private static func quantized(_ map: Raster<Float>) -> Raster<UInt8> {
    var cells = Raster<UInt8>(repeating: 0, width: map.width, height: map.height)
    map.elements.withUnsafeBufferPointer { map in
      cells.elements.withUnsafeMutableBufferPointer { cells in
        for cell in 0..<cells.count { cells[cell] = ProbabilityMap.quantised(map[cell]) }
      }
    }
    return cells
  }

  private func probabilities(
    of ordinal: Int, _ outputs: [Float], _ scales: [(largest: Double, sum: Double)]
  ) -> Raster<Float> {
    let size = layout.size
    let (start, step) = layout.place(of: ordinal)
    var map = Raster<Float>(repeating: 0, width: size.width, height: size.height)
    outputs.withUnsafeBufferPointer { outputs in
      map.elements.withUnsafeMutableBufferPointer { cells in
        var place = start
        for cell in 0..<cells.count {
          let value = outputs[place]
          place &+= step
          cells[cell] =
            switch activation {
            case .none, .sigmoidInModel: value
            case .sigmoid: Float(1 / (1 + exp(-Double(value))))
            case .softmax:
              Float(exp(Double(value) - scales[cell].largest) / scales[cell].sum)
            }
        }
      }
    }
    return map
  }
}

/// One segmentation model, compiled once per worker.
package typealias SegmenterPool = ModelPool<MapReader>
