import AssayCore

/// Reads the outputs of a detector: the boxes whose score is high enough, except those that a
/// better one of their class covers.
package struct DetectionReader: OutputReader {
  package let activation: Activation
  package let layout: BoxTensorLayout
  private let rule: DetectorRule
  private let input: ImageSize
  private let decoder: BoxDecoder
  private let scores: any BoxScoring
  private let grouping: ClassGrouping

  package init(_ model: ValidatedModel) throws(InferenceError) {
    guard let layout = model.boxes, let rule = model.manifest.detector else {
      throw .otherTask(model.manifest.task, model: model.file.path)
    }
    self.init(layout, rule, model.manifest)
  }

  init(_ layout: BoxTensorLayout, _ rule: DetectorRule, _ manifest: ModelManifest) {
    self.layout = layout
    self.rule = rule
    input = manifest.input.size
    activation = manifest.activation.remaining
    decoder = BoxDecoder(
      rule.head, input: manifest.input.size, layout.boxes,
      isRaw: manifest.activation.remaining != .none)
    let background = manifest.background
    grouping = manifest.grouping
    let isForeground = grouping.classOfOutput.map { $0 != background }
    scores =
      FinalScores(layout, rule, isForeground: isForeground)
      ?? BoxScores(
        layout: layout, activation: manifest.activation.remaining, isForeground: isForeground)
  }

  /// The kept boxes, in pixels of the model's input, best first; ties are in the order of the
  /// model's boxes, then of its classes.
  ///
  /// A box without width or height is left out. Candidates beyond the best 30,000 are ignored.
  ///
  /// - Throws: ``InferenceError/notFinite(sample:outputs:)``;
  ///   ``InferenceError/scoresOutOfRange(sample:low:high:activation:)`` and
  ///   ``InferenceError/finalScoreOutOfRange(sample:row:)`` for scores that are not probabilities;
  ///   ``InferenceError/classOutOfRange(sample:row:classes:base:)``; ``InferenceError/noBox(sample:values:head:)`` for a candidate with invalid
  ///   edges; ``InferenceError/noKeypoint(sample:values:)``.
  package func answer(of outputs: [Float], sample: String) throws(InferenceError) -> [DetectedBox] {
    precondition(
      layout.cells == nil ? outputs.count == layout.count : outputs.count <= layout.count)
    guard Self.areFinite(outputs) else {
      throw .notFinite(sample: sample, outputs: outputs.filter { !$0.isFinite })
    }
    let table = try layout.table(of: outputs, sample: sample)
    let result: Result<[DetectedBox], InferenceError> = table.withUnsafeBufferPointer { outputs in
      do throws(InferenceError) {
        return .success(try answer(of: outputs, sample: sample))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func answer(
    of outputs: UnsafeBufferPointer<Float>, sample: String
  ) throws(InferenceError) -> [DetectedBox] {
    try scores.check(outputs, least: leastScore, sample: sample)
    try checkGridCount(outputs, sample: sample)
    if rule.suppression == .weighted { return try weighted(outputs, sample: sample) }
    var kept = KeptBoxes(rule)
    for candidate in candidates(outputs) where !kept.isFull {
      let values = decoder.values(Int(candidate.row), outputs)
      guard decoder.areInRange(values) else {
        throw .offsetsOutOfRange(
          sample: sample, values: [values.0, values.1, values.2, values.3].map(Float.init))
      }
      let outline = try outline(ofRow: Int(candidate.row), outputs, sample: sample)
      let edges = outline?.edges ?? decoder.edges(Int(candidate.row), outputs)
      guard edges.isSound else {
        throw .noBox(
          sample: sample, values: [values.0, values.1, values.2, values.3].map(Float.init),
          head: rule.head)
      }
      kept.offer(candidate, edges, outline)
    }
    var boxes: [DetectedBox] = []
    boxes.reserveCapacity(kept.boxes.count)
    let prototypes = kept.boxes.isEmpty ? nil : prototypes(outputs)
    for (candidate, edges, outline) in kept.boxes {
      let all = grouped(scores.scores(ofRow: Int(candidate.row), outputs, least: leastScore))
      let shared = prototypes.map { mask(ofRow: Int(candidate.row), outputs, $0) }
      let own = try grid(ofRow: Int(candidate.row), outputs, edges, sample: sample)
      boxes.append(
        DetectedBox(
          class: Int(candidate.class), score: candidate.score, edges: edges,
          scores: all.count > 1 ? all : [],
          keypoints: try keypoints(ofRow: Int(candidate.row), outputs, sample: sample),
          mask: shared ?? own ?? outline.map { .outline($0) }))
    }
    return boxes
  }

  /// The groups of weighted non-maximum suppression, best first.
  private func weighted(
    _ outputs: UnsafeBufferPointer<Float>, sample: String
  ) throws(InferenceError) -> [DetectedBox] {
    var kept = WeightedBoxes(rule)
    for candidate in candidates(outputs) {
      let row = Int(candidate.row)
      let edges = decoder.edges(row, outputs)
      guard edges.isSound else {
        let values = decoder.values(row, outputs)
        throw .noBox(
          sample: sample, values: [values.0, values.1, values.2, values.3].map(Float.init),
          head: rule.head)
      }
      let keypoints = try keypoints(ofRow: row, outputs, sample: sample)
      kept.offer(
        candidate, edges, points: keypoints.indices.filter { $0 % 3 < 2 }.map { keypoints[$0] })
    }
    return kept.boxes.map { best, edges, points in
      DetectedBox(
        class: Int(best.class), score: best.score, edges: edges, scores: [],
        keypoints: stride(from: 0, to: points.count, by: 2).flatMap {
          [points[$0], points[$0 + 1], 1]
        })
    }
  }

  /// The prototypes of the sample's masks; `nil` if there are none.
  private func prototypes(_ outputs: UnsafeBufferPointer<Float>) -> MaskPrototypes? {
    guard let place = layout.prototypes else { return nil }
    let cells = place.width * place.height
    let values = outputs[place.start..<place.start + place.count * cells]
    var planes = Array(values)
    if place.isChannelLast {
      for map in 0..<place.count {
        for cell in 0..<cells {
          planes[map * cells + cell] = values[place.start + cell * place.count + map]
        }
      }
    }
    return MaskPrototypes(
      values: planes, width: place.width, height: place.height, count: place.count)
  }

  private func mask(
    ofRow row: Int, _ outputs: UnsafeBufferPointer<Float>, _ prototypes: MaskPrototypes
  ) -> InstanceMask {
    .prototypes(
      PrototypeMask(
        coefficients: (0..<prototypes.count).map { place in
          layout.extra.map { outputs[$0.place(row, place)] } ?? 0
        }, prototypes: prototypes))
  }

  /// Checks that there are as many masks as boxes, if both numbers differ from sample to sample.
  private func checkGridCount(
    _ outputs: UnsafeBufferPointer<Float>, sample: String
  ) throws(InferenceError) {
    guard let cells = layout.cells else { return }
    let (masks, rest) = (outputs.count - cells.start).quotientAndRemainder(
      dividingBy: cells.width * cells.height)
    // Rows that the model did not give are 0.
    let boxes =
      layout.areOpen[0]
      ? 1
        + ((0..<layout.rows).last { row in
          (0..<4).contains { outputs[layout.boxes.place(row, $0)] != 0 }
        } ?? -1) : layout.rows
    guard rest == 0, masks == boxes else {
      throw .gridCount(
        sample: sample, values: outputs.count - cells.start, boxes: boxes, width: cells.width,
        height: cells.height)
    }
  }

  /// The rotated box of a row; `nil` if boxes have no angle.
  private func outline(
    ofRow row: Int, _ outputs: UnsafeBufferPointer<Float>, sample: String
  ) throws(InferenceError) -> OrientedOutline? {
    guard let unit = rule.angle, let columns = layout.extra else { return nil }
    let angle = Double(outputs[columns.place(row, rule.extraValues - 1)])
    guard abs(angle) <= unit.turn * (1 + Double(BoxScores.tolerance)) else {
      throw .angleOutOfRange(sample: sample, value: Float(angle), unit)
    }
    let isRelative = rule.head.boxes?.units == .relative
    return OrientedOutline(
      decoder.values(row, outputs),
      scale: isRelative ? (Double(input.width), Double(input.height)) : (1, 1),
      radians: angle / unit.turn * 2 * .pi)
  }

  /// The mask of a row with probabilities of its own; `nil` if there are none.
  private func grid(
    ofRow row: Int, _ outputs: UnsafeBufferPointer<Float>, _ edges: BoxEdges, sample: String
  ) throws(InferenceError) -> InstanceMask? {
    guard let cells = layout.cells else { return nil }
    let grid = UnsafeBufferPointer(rebasing: outputs[cells.range(ofRow: row)])
    let (low, high) = grid.reduce((Float(0), Float(0))) { (min($0.0, $1), max($0.1, $1)) }
    guard low >= -BoxScores.tolerance, high <= 1 + BoxScores.tolerance else {
      throw .gridOutOfRange(sample: sample, low: low, high: high)
    }
    return .cells(
      CellMask(
        grid, width: cells.width, height: cells.height,
        edges: rule.maskFrame == .box ? edges : nil, threshold: rule.maskThreshold))
  }

  /// The keypoints of a row, in pixels of the model's input; the score of each is 1 if the model gives
  /// none.
  private func keypoints(
    ofRow row: Int, _ outputs: UnsafeBufferPointer<Float>, sample: String
  ) throws(InferenceError) -> [Double] {
    guard let form = rule.keypoints, let columns = layout.extra else { return [] }
    var keypoints: [Double] = []
    keypoints.reserveCapacity(3 * form.points)
    for point in 0..<form.points {
      let first = rule.maskCoefficients + point * form.values
      let value = { Double(outputs[columns.place(row, first + $0)]) }
      let (x, y) = decoder.point(row, value(0), value(1))
      guard BoxEdges(left: x, top: y, right: x, bottom: y).isSound else {
        throw .noKeypoint(sample: sample, values: [Float(value(0)), Float(value(1))])
      }
      keypoints += [x, y, form.values == 3 ? value(2) : 1]
    }
    return keypoints
  }

  package func areProbabilities(_ outputs: [Float]) -> Bool {
    if let pose = layout.pose { return pose.areProbabilities(outputs) }
    guard let table = try? layout.table(of: outputs, sample: "") else { return false }
    return table.withUnsafeBufferPointer { scores.areProbabilities($0) }
  }

  package func scores(among outputs: [Float]) -> [Float] {
    guard layout.pose == nil, let table = try? layout.table(of: outputs, sample: ""),
      layout.rows > 0, layout.classes > 0, layout.labels == nil
    else { return outputs }
    return (0..<layout.classes).compactMap { ordinal in
      let place = layout.scores.place(0, ordinal)
      return table.indices.contains(place) ? table[place] : nil
    }
  }

  /// Checks whether the boxes of the first samples have the order and units that the manifest
  /// specifies.
  ///
  /// - Throws: ``InferenceError/boxesDoubtful(_:values:head:)``.
  package func examine(_ outputs: [[Float]]) throws(InferenceError) {
    try examineKeypoints(outputs)
    if let (doubt, values) = anomalies(in: outputs)?.strongest {
      throw .boxesDoubtful(doubt, values: values, head: rule.head)
    }
  }

  package func remark(on outputs: [[Float]]) -> String? {
    anomalies(in: outputs)?.remark ?? keypointRemark(on: outputs)
  }

  /// Checks whether the keypoints of one object have the units that the manifest specifies.
  private func examineKeypoints(_ outputs: [[Float]]) throws(InferenceError) {
    guard let pose = layout.pose, case .points(let units)? = rule.head.pose?.source else { return }
    let values = outputs.flatMap(pose.coordinates)
    guard values.count >= 4, let first = values.first(where: { abs($0) > 4 }) ?? values.max() else {
      return
    }
    let isFar = values.count { abs($0) > 4 } * 2 > values.count
    switch units {
    case .pixels where values.allSatisfy { abs($0) <= 2 }:
      throw .boxesDoubtful(.looksRelative, values: Array(values.prefix(4)), head: rule.head)
    case .relative where isFar:
      throw .boxesDoubtful(.looksLikePixels, values: [first], head: rule.head)
    case .pixels, .relative: break
    }
  }

  /// A remark on the keypoints or the scores of one object per image; `nil` for none.
  private func keypointRemark(on outputs: [[Float]]) -> String? {
    guard let pose = layout.pose else { return nil }
    let scores = outputs.compactMap(pose.rawScore)
    if scores.count > 1, scores.allSatisfy({ (0...1).contains($0) }) {
      return
        "the scores of the first \(scores.count) images are from 0 to 1 before “score-activation: sigmoid”; if the"
        + " model applies a sigmoid itself, the manifest needs “score-activation: none”"
    }
    let values = outputs.flatMap(pose.coordinates)
    let side =
      rule.head.pose?.source == .points(.relative) ? 1 : Float(max(input.width, input.height))
    let outside = values.count { $0 < -0.1 * side || $0 > 1.1 * side }
    guard values.count >= 8, 5 * outside > values.count else { return nil }
    return
      "\(100 * outside / values.count) % of the coordinates of the first images' keypoints are outside of the image by"
      + " more than a tenth of it; if they count from −1 to 1 or from the image's center, they cannot be read so: export"
      + " the model with coordinates of its input"
  }

  private func anomalies(in outputs: [[Float]]) -> BoxAnomalies? {
    guard rule.head.pose == nil, let (order, units) = rule.head.boxes else { return nil }
    var doubts = BoxAnomalies(order: order, units: units, input: input)
    for outputs in outputs where Self.areFinite(outputs) {
      outputs.withUnsafeBufferPointer { outputs in
        for candidate in Self.best(candidates(outputs)) {
          let row = Int(candidate.row)
          doubts.add(decoder.values(row, outputs), decoder.edges(row, outputs))
        }
      }
    }
    return doubts
  }

  /// The number of boxes of an image that are looked at for signs of another layout.
  private static let checkedBoxes = 300

  /// The candidates with the highest scores. YOLO26's head of many boxes decodes distances that may be negative, so that
  /// rows of background have a width below 0.
  private static func best(_ candidates: [BoxCandidate]) -> ArraySlice<BoxCandidate> {
    guard candidates.count > checkedBoxes else { return candidates[...] }
    return candidates.sorted(by: BoxCandidate.isBetter).prefix(checkedBoxes)
  }

  private var leastScore: Float { Float(rule.leastScore) }

  private func candidates(_ outputs: UnsafeBufferPointer<Float>) -> [BoxCandidate] {
    let found = scores.candidates(
      outputs, least: leastScore, bestClassOnly: rule.bestClassOnly)
    guard !grouping.isPlain else { return found }
    // The best output of a class stands for it.
    var seen: Set<Int64> = []
    return found.compactMap { candidate in
      var candidate = candidate
      candidate.class = Int32(grouping.classOfOutput[Int(candidate.class)])
      let key = Int64(candidate.row) << 32 | Int64(candidate.class)
      return seen.insert(key).inserted ? candidate : nil
    }
  }

  /// The scores of a box, highest first, with the best output of each class.
  private func grouped(_ scores: [Detection.ClassScore]) -> [Detection.ClassScore] {
    guard !grouping.isPlain else { return scores }
    var seen: Set<Int> = []
    return scores.compactMap { score in
      let ordinal = grouping.classOfOutput[score.class]
      return seen.insert(ordinal).inserted
        ? Detection.ClassScore(class: ordinal, score: score.score) : nil
    }
  }

  /// Checks all exponents in one pass without a branch.
  private static func areFinite(_ outputs: [Float]) -> Bool {
    let largest = outputs.reduce(UInt32(0)) { max($0, $1.bitPattern & 0x7FFF_FFFF) }
    return largest < Float.infinity.bitPattern
  }
}

/// One detector, compiled once per worker.
package typealias DetectorPool = ModelPool<DetectionReader>
