import AssayCore
import AssayImaging
import Testing

@testable import AssayInference

@Suite("Reading a detector's outputs")
struct DetectionReaderTests {
  /// Rows of corners in pixels of a 100 × 100 input with the scores of two classes.
  private func reader(
    rows: Int, classes: [String] = ["a", "b"], activation: Activation = .none,
    _ change: (inout DetectorRule) -> Void = { _ in }
  ) throws -> DetectionReader {
    var rule = DetectorRule(
      head: .boxes(.xyxy, .pixels), hasObjectness: false, leastScore: 0.1, overlap: 0.5)
    change(&rule)
    let manifest = ModelManifest(
      task: .detection,
      input: ModelInput(size: ImageSize(width: 100, height: 100), layout: .nchw, color: .rgb),
      activation: activation, detector: rule, outputs: classes)
    let width = rule.head.isFinal ? rule.row.places.width : 4 + classes.count
    let output = TensorSignature(name: "y", element: "f32", shape: [1, rows, width])
    return DetectionReader(try BoxTensorLayout(of: [output], manifest), rule, manifest)
  }

  private func answer(
    _ rows: [[Float]], _ change: (inout DetectorRule) -> Void = { _ in }
  ) throws -> [DetectedBox] {
    try reader(rows: rows.count, change).answer(of: rows.flatMap { $0 }, sample: "s")
  }

  @Test("Boxes far beyond the image are remarked on, as those of another order are")
  func remark() throws {
    // Corners from 20 to 99; as a center or an edge with a size, several reach beyond 110.
    let rows: [[Float]] = (0..<12).map { row in
      let start = Float(20 + 5 * row)
      return [start, start, min(99, start + 30), min(99, start + 30), 0.9, 0.05]
    }
    let values = rows.flatMap { $0 }
    #expect(try reader(rows: rows.count).remark(on: [values]) == nil)
    for order in [BoxOrder.cxcywh, .xywh] {
      let wrong = try reader(rows: rows.count) { $0.head = .boxes(order, .pixels) }
      let text = wrong.remark(on: [values]) ?? ""
      #expect(text.contains("of the boxes of the first samples extend beyond the image"))
      #expect(text.contains("(now \(order.rawValue))"))
    }
    // A few boxes say nothing.
    let few = try reader(rows: 9) { $0.head = .boxes(.xywh, .pixels) }
    #expect(few.remark(on: [Array(values.prefix(9 * 6))]) == nil)
  }

  @Test(
    "Rows of all orders with class numbers give the same boxes",
    arguments: DetectorRule.Row.allCases.filter { $0.places.label != nil })
  func rows(_ order: DetectorRule.Row) throws {
    let boxes: [(box: [Float], score: Float, label: Float)] = [
      ([1, 2, 11, 12], 0.9, 1), ([20, 30, 40, 50], 0.6, 0),
    ]
    let parts = order.rawValue.split(separator: "-")
    let rows = boxes.map { one in
      parts.flatMap { part -> [Float] in
        switch part {
        case "image": [0]
        case "box": one.box
        case "score": [one.score]
        default: [one.label]
        }
      }
    }
    let change = { (rule: inout DetectorRule) in
      rule.head = .final(.xyxy, .pixels, classBase: 0)
      rule.row = order
    }
    let found = try answer(rows, change)
    #expect(found.map(\.score) == [0.9, 0.6] && found.map(\.class) == [1, 0])
    #expect(found.first?.edges == BoxEdges(left: 1, top: 2, right: 11, bottom: 12))
    // Read in another order: the score is no score, or the class no class.
    let other = order.places.width == 6 ? "box-score-class" : "image-class-score-box"
    let otherOrder = try #require(DetectorRule.Row(rawValue: other))
    guard order != otherOrder else { return }
    let error = #expect(throws: InferenceError.self) {
      try answer(rows) {
        change(&$0)
        $0.row = otherOrder
      }
    }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains("in this order") || text.contains("(read as"), "\(text)")
  }

  @Test("A tenth of the boxes with a negative size are offsets, not boxes")
  func offsets() throws {
    let rows: [[Float]] = (0..<20).map { [30, 30, $0 < 3 ? -2 : 9, 9, 0.9, 0.05] }
    let reader = try reader(rows: rows.count) { $0.head = .boxes(.cxcywh, .pixels) }
    let error = #expect(throws: InferenceError.self) {
      try reader.examine([rows.flatMap { $0 }])
    }
    #expect(error.map { "\($0)" }?.contains("SSD, RetinaNet") == true)
  }

  @Test("Boxes that the model chose are all kept, with the class that the base gives their number")
  func final() throws {
    let rows: [[Float]] = [
      [0, 0, 10, 10, 0.5, 1], [1, 0, 11, 10, 0.9, 1], [2, 0, 12, 10, 0.4, 2],
      // Unused rows, and one below the least score, whose class does not count.
      [0, 0, 0, 0, 0, 0], [-1, -1, -1, -1, -1, -1], [0, 0, 10, 10, 0.05, 77],
      [-1, -1, -1, -1, -1, -1],
    ]
    let found = try answer(rows) {
      $0.head = .final(.xyxy, .pixels, classBase: 1)
      $0.overlap = 1
    }
    #expect(found.map(\.class) == [0, 0, 1] && found.map(\.score) == [0.9, 0.5, 0.4])
    #expect(found.map(\.edges.left) == [1, 0, 2] && found.allSatisfy(\.scores.isEmpty))
    let fewer = try answer(rows) {
      $0.head = .final(.xyxy, .pixels, classBase: 1)
      $0.overlap = 0.5
    }
    #expect(fewer.map(\.edges.left) == [1, 2])
    let turned = try answer(rows.map { [$0[1], $0[0], $0[3], $0[2], $0[4], $0[5]] }) {
      $0.head = .final(.yxyx, .pixels, classBase: 1)
      $0.overlap = 1
    }
    #expect(turned == found)
  }

  @Test("A class that the manifest does not name and a score that is none are errors, with the row")
  func finalFaults() throws {
    for (row, text) in [
      ([0, 0, 10, 10, 0.5, 2], "names 2, 0 to 1 with “class-base: 0”"),
      ([0, 0, 10, 10, 0.5, -1], "is not the number of a class"),
      ([0, 0, 10, 10, 0.5, 0.5], "is not the number of a class"),
      ([0, 0, 10, 10, 0.5, 1e30], "is not the number of a class"),
      ([0, 0, 10, 10, 1.5, 0], "which is not from 0 to 1"),
      ([0, 0, 10, 10, -0.5, 0], "which is not from 0 to 1"),
      ([0, 0, 10, 10, .nan, 0], "are not finite"),
    ] as [([Float], String)] {
      let error = #expect(throws: InferenceError.self) {
        try answer([row]) { $0.head = .final(.xyxy, .pixels, classBase: 0) }
      }
      #expect(error.map { "\($0)" }?.contains(text) == true, "\(String(describing: error))")
    }
  }

  @Test("NMS removes a box whose IoU with a better one of its class is above the limit")
  func suppression() throws {
    // 10 × 10 each; shifted by 3: 70 of 130 shared, 0.538; by 4: 60 of 140, 0.429.
    let rows: [[Float]] = [
      [0, 0, 10, 10, 0.5, 0], [3, 0, 13, 10, 0.9, 0], [7, 0, 17, 10, 0.4, 0.3],
      [0, 0, 10, 10, 0, 0.2],
    ]
    let found = try answer(rows)
    #expect(found.map(\.class) == [0, 0, 1, 1])
    #expect(found.map(\.score) == [0.9, 0.4, 0.3, 0.2])
    #expect(found.map(\.edges.left) == [3, 7, 7, 0])
    // The covered box does not suppress other boxes.
    #expect(try answer(rows) { $0.overlap = 0.6 }.count == 5)
    #expect(try answer(rows) { $0.overlap = 1 }.count == 5)
    #expect(try answer(rows) { $0.overlap = 0.4 }.map(\.edges.left) == [3, 7, 0])
  }

  @Test("A softmax over many scores that are all probabilities already is recognized")
  func softmaxOfScores() throws {
    let scores = (0..<600).map { Float($0 % 7) / 10 }
    let rows = (0..<300).map { [0, 0, 10, 10, scores[2 * $0], scores[2 * $0 + 1]] as [Float] }
    let reader = try reader(rows: 300, activation: .softmax)
    #expect(reader.areProbabilities(rows.flatMap { $0 }))
    var logits = rows
    logits[7][5] = 1.5
    #expect(!reader.areProbabilities(logits.flatMap { $0 }))
    // A few values can be logits by chance.
    let few = try self.reader(rows: 2, activation: .softmax)
    #expect(!few.areProbabilities([0, 0, 10, 10, 0.1, 0.2, 0, 0, 10, 10, 0.3, 0.4]))
  }

  @Test("NMS keeps a box whose IoU is exactly the limit")
  func limitOfOverlap() throws {
    // 10 × 10 and 10 × 5 within it: 50 of 100.
    let rows: [[Float]] = [[0, 0, 10, 10, 0.5, 0], [0, 0, 10, 5, 0.4, 0]]
    #expect(try answer(rows).count == 2)
    #expect(try answer(rows) { $0.overlap = 0.499 }.count == 1)
  }

  @Test("Every class with a high enough score is returned, the highest first")
  func classScores() throws {
    let rows: [[Float]] = [[0, 0, 10, 10, 0.25, 0.5], [50, 0, 60, 10, 0.75, 0.05]]
    let found = try answer(rows)
    #expect(found.map(\.class) == [0, 1, 0] && found.map(\.score) == [0.75, 0.5, 0.25])
    let both = [
      Detection.ClassScore(class: 1, score: 0.5), Detection.ClassScore(class: 0, score: 0.25),
    ]
    #expect(found.map(\.scores) == [[], both, both])
    let best = try answer(rows) { $0.bestClassOnly = true }
    #expect(best.map(\.score) == [0.75, 0.5] && best.map(\.scores) == [[], both])
  }

  @Test("Equal scores come in the order of the model's boxes, then of its classes")
  func ties() throws {
    let found = try answer([[50, 0, 60, 10, 0.5, 0.5], [0, 0, 10, 10, 0.5, 0.5]])
    #expect(found.map(\.edges.left) == [50, 50, 0, 0] && found.map(\.class) == [0, 1, 0, 1])
    let best = try answer([[50, 0, 60, 10, 0.5, 0.5]]) { $0.bestClassOnly = true }
    #expect(best.map(\.class) == [0])
  }

  @Test("A score of just the least is kept, one below is not")
  func least() throws {
    let rows: [[Float]] = [
      [0, 0, 10, 10, 0.1, 0], [20, 0, 30, 10, Float(0.1).nextDown, 0], [40, 0, 50, 10, 0, 0],
    ]
    #expect(try answer(rows).map(\.edges.left) == [0])
  }

  @Test("Boxes without width or height are dropped, and suppress no others")
  func empty() throws {
    let rows: [[Float]] = [
      [5, 0, 5, 10, 0.9, 0], [10, 0, 0, 10, 0.8, 0], [0, 5, 10, 5, 0.7, 0], [0, 0, 10, 10, 0.6, 0],
    ]
    #expect(try answer(rows).map(\.score) == [0.6])
    #expect(try answer([[0, 0, 10, 10, 0, 0]]).isEmpty)
  }

  @Test("At most 100 per class are kept, or the requested number per image")
  func limits() throws {
    let rows: [[Float]] = (0..<250).map { index in
      let place = Float(index) * 2
      return [place, 0, place + 1, 1, 1 - Float(index) / 1000, 0.2]
    }
    let found = try answer(rows)
    #expect(found.count == 200 && found.filter { $0.class == 0 }.count == 100)
    #expect(found.prefix(100).allSatisfy { $0.class == 0 } && found[99].score == 1 - 99.0 / 1000)
    #expect(try answer(rows) { $0.limit = 7 }.map(\.score) == found.prefix(7).map(\.score))
    #expect(try answer(rows) { $0.limit = 240 }.count == 240)
  }

  @Test("A model that gives more candidates than are looked at keeps the best of them")
  func manyCandidates() {
    var candidates = BoxCandidates(least: 0.1)
    let count = 5 * BoxCandidates.limit
    for row in 0..<count {
      let score = Float((row * 7919) % count + 1) / Float(count)
      if score >= candidates.least { candidates.add(score, row: row, class: 0) }
    }
    let best = candidates.ranked()
    #expect(best.count == BoxCandidates.limit && best[0].score == 1)
    // Scores are 1/count, 2/count …, each once: the last kept is the 30,000th from the top.
    #expect(
      best.last?.score == Float(count - BoxCandidates.limit + 1) / Float(count))
    #expect(zip(best, best.dropFirst()).allSatisfy { $0.score > $1.score })
  }

  @Test("NaN, infinities and invalid boxes are reported with the sample", arguments: [0, 4, 5])
  func notFinite(_ place: Int) throws {
    var values: [Float] = [0, 0, 10, 10, 0.5, 0.5]
    for value in [Float.nan, .infinity, -.infinity] {
      values[place] = value
      let error = #expect(throws: InferenceError.self) {
        try reader(rows: 1).answer(of: values, sample: "cat.jpg")
      }
      #expect(error.map { "\($0)" }?.contains("outputs for sample cat.jpg are not finite") == true)
    }
    let error = #expect(throws: InferenceError.self) { try answer([[0, 0, 1e30, 10, 0.5, 0]]) }
    #expect(error.map { "\($0)" }?.contains("is far outside the image") == true)
    // Boxes without a sufficient score are ignored.
    #expect(try answer([[0, 0, 1e30, 10, 0.05, 0]]).isEmpty)
  }

  @Test("Scores that are not probabilities are reported as logits")
  func outOfRange() throws {
    let error = #expect(throws: InferenceError.self) { try answer([[0, 0, 10, 10, 4.5, -2]]) }
    #expect(error.map { "\($0)" }?.contains("range from -2.0 to 4.5") == true)
    #expect(try answer([[0, 0, 10, 10, 1.000001, -0.000001]]).count == 1)
  }

  @Test("Sigmoid and softmax turn logits into probabilities, and background is not an object")
  func activations() throws {
    let row: [Float] = [0, 0, 10, 10, 0, 2]
    let sigmoid = try reader(rows: 1, activation: .sigmoid).answer(of: row, sample: "s")
    // 1/(1 + e⁻²) = 0.880797, 1/(1 + e⁰) = 0.5.
    #expect(sigmoid.map(\.class) == [1, 0] && abs(sigmoid[0].score - 0.880797) < 1e-6)
    #expect(sigmoid[1].score == 0.5)
    let softmax = try reader(rows: 1, activation: .softmax).answer(of: row, sample: "s")
    #expect(softmax.map(\.class) == [1, 0] && abs(softmax[1].score - 0.119203) < 1e-6)
    let none = try reader(rows: 1, classes: ["a", "background"], activation: .softmax)
      .answer(of: row, sample: "s")
    #expect(none.map(\.class) == [0] && none[0].scores.isEmpty)
  }

  @Test("Boxes come back to the original's pixels, cut to the image")
  func inverse() throws {
    func found(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> DetectedBox {
      DetectedBox(
        class: 1, score: 0.5,
        edges: BoxEdges(left: left, top: top, right: right, bottom: bottom), scores: [])
    }
    let (size, input) = (ImageSize(width: 200, height: 50), ImageSize(width: 100, height: 100))
    // 200 × 50 becomes 100 × 25: half as large, in the middle from y = 37 on (75 / 2 rounded down).
    let centered = ResizePlan(.letterbox(fill: 0, anchor: .center), from: size, to: input)
    #expect(
      found(10, 40, 20, 50).detection(through: centered)
        == Detection(
          class: 1, confidence: 0.5, box: Box(x: 20, y: 6, width: 20, height: 20)))
    let first = ResizePlan(.letterbox(fill: 0, anchor: .topLeft), from: size, to: input)
    #expect(
      found(-10, -10, 60, 10).detection(through: first)?.box
        == Box(x: 0, y: 0, width: 120, height: 20))
    #expect(found(90, 20, 120, 60).detection(through: first)?.box.width == 20)
    // Completely in the padding.
    #expect(found(10, 25, 20, 90).detection(through: first) == nil)
    let stretched = ResizePlan(.stretch, from: size, to: input)
    #expect(
      found(10, 40, 20, 50).detection(through: stretched)?.box
        == Box(x: 20, y: 20, width: 20, height: 5))
  }

  @Test("Whatever numbers a model gives, boxes come out in order or an error does")
  func anyNumbers() throws {
    var random = SplitMix64(seed: 12)
    let extremes: [Float] = [
      0, -0.0, 1, -1, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
      88.8, -104, 1e9, .nan, .infinity,
    ]
    let heads: [DetectorRule.Head] =
      [.yolox(strides: [8, 16, 32])]
      + BoxOrder.allCases.flatMap { order in BoxUnits.allCases.map { .boxes(order, $0) } }
    var (answers, errors) = (0, 0)
    for round in 0..<700 {
      let head = heads[round % heads.count]
      let activation: Activation =
        head == heads[0] ? [.none, .sigmoid][round / 7 % 2] : Activation.allCases[round / 7 % 3]
      let rule = DetectorRule(
        head: head, hasObjectness: true, leastScore: round.isMultiple(of: 5) ? 1 : 0.01,
        overlap: 0.5,
        limit: round.isMultiple(of: 3) ? 5 : nil, bestClassOnly: round.isMultiple(of: 2))
      let manifest = ModelManifest(
        task: .detection,
        input: ModelInput(size: ImageSize(width: 64, height: 32), layout: .nchw, color: .rgb),
        activation: activation, detector: rule, outputs: ["a", "background", "c"])
      let output = TensorSignature(name: "y", element: "f32", shape: [1, 42, 8])
      let reader = DetectionReader(try BoxTensorLayout(of: [output], manifest), rule, manifest)
      let odd = round % 4 == 0 ? 0 : round % 4 == 1 ? 1 : 40
      let values = (0..<reader.layout.count).map { _ -> Float in
        let word = random.next()
        guard word % 1000 < odd else { return Float(word >> 40) / Float(1 << 24) }
        return extremes[Int(word >> 32) % extremes.count]
      }
      let plan = ResizePlan(
        .letterbox(fill: 0, anchor: .center), from: ImageSize(width: 31, height: 77),
        to: manifest.input.size)
      do throws(InferenceError) {
        let found = try reader.answer(of: values, sample: "s")
        answers += 1
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.score >= $1.score })
        #expect(found.allSatisfy { $0.class != 1 && $0.score >= Float(rule.leastScore) })
        for box in found.compactMap({ $0.detection(through: plan)?.box }) {
          #expect(box.x >= 0 && box.y >= 0 && box.width > 0 && box.height > 0)
          #expect(box.x + box.width <= 31.0001 && box.y + box.height <= 77.0001)
        }
      } catch {
        errors += 1
        #expect(!"\(error)".isEmpty)
      }
      _ = reader.areProbabilities(values)
      try? reader.examine([values])
    }
    #expect(answers > 100 && errors > 100)
  }
}
