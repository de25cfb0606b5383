package import AssayCore
import AssayImaging
import AssayStore
import AssayWorkflows
import Foundation
import Synchronization

/// The settings of live recognition.
package struct LiveSettings: Sendable, Hashable {
  /// The name of a model; `nil` for a pipeline.
  package var model: String?
  /// The name of a ready-made pipeline, or its file; `nil` for a model.
  package var pipeline: String?
  /// The folder of model files of ready-made pipelines; `nil` for the usual ones.
  package var modelFolder: String?
  /// Models to use in place of others of a pipeline, by its names.
  package var replacements: [String: String] = [:]
  /// The name of a second model, whose disagreement captures frames; `nil` for none.
  package var second: String?
  /// True for a stream on standard input, false for the browser's camera.
  package var isStream = false
  /// The dataset of captured frames.
  package var capture = "live"
  /// The score below which frames are captured; `nil` for none.
  package var below: Double?
  /// The path of a decision that is applied to the answers; `nil` for none.
  package var decision: String?
  /// True to capture frames that the decision does not accept.
  package var capturesDoubt = false
  /// The classes whose frames are captured.
  package var classes: [String] = []
  /// The least number of seconds between two frames that the rules capture.
  package var interval = 1.0

  package init() {}
}

/// Recognizes the frames that the page's camera sends, and captures some of them.
///
/// One frame is computed at a time; a frame that comes meanwhile is refused, and none waits.
final class LiveService: Sendable {
  /// The maximum size of a frame: 16 MiB, 4096 × 4096 pixels.
  static let frameLimit = 16 << 20
  private static let pixelLimit = 4_096 * 4_096
  /// The number of frames that can be captured after their answer.
  private static let kept = 8
  /// The maximum number of objects in an answer.
  private static let objectLimit = 1_000
  /// The maximum number of run lengths in an answer; a mask beyond them is left out.
  private static let runLimit = 400_000
  /// The seconds between two updates of the dataset.
  private static let importInterval = 2.0

  private let recognizer: LiveRecognizer
  private var decision: LiveDecision? { recognizer.decision }
  private let second: LiveRecognizer?
  private let rules: CaptureRules
  /// The stream on standard input; `nil` for the browser's camera.
  private let stream: LiveStream?
  let capture: FrameCapture
  private let started = ContinuousClock.now
  /// The mark of this server's frames, so that a page notices another one.
  private let session = UUID().uuidString.lowercased()
  /// Held while a frame is stored, so that two requests do not store one frame twice.
  private let capturing = Mutex(())
  /// Held while a frame is computed.
  private let computing = Mutex(())
  private let state = Mutex(State())

  private struct Frame {
    var number: Int
    var jpeg: [UInt8]
    var time: Double
    var fields: [JSONValue.Member]
    /// The key of its sample, if it was captured.
    var key: String?
  }

  private struct State {
    var answered = 0
    var refused = 0
    var captured = 0
    var frames: [Frame] = []
    /// The time of the last frame that a rule captured.
    var ruled = -Double.infinity
    var imported = 0.0
    /// The reason why the dataset could not be brought up to date; `nil` if it was.
    var problem: String?
  }

  /// - Throws: the errors of ``LiveRecognizer``; `CaptureError`; ``LiveError``.
  init(_ settings: LiveSettings, catalog: Catalog) throws {
    if let pipeline = settings.pipeline {
      recognizer = try LiveRecognizer(
        pipeline: pipeline, models: settings.modelFolder, others: settings.replacements,
        decision: settings.decision, in: catalog)
    } else {
      recognizer = try LiveRecognizer(
        model: settings.model ?? "", decision: settings.decision, in: catalog)
    }
    second = try settings.second.map { try LiveRecognizer(model: $0, in: catalog) }
    if let second, second.task != recognizer.task {
      throw LiveError.otherTask(second.name, second.task, recognizer.task)
    }
    let known = recognizer.classes + recognizer.labels
    for name in settings.classes where !known.contains(name) {
      throw LiveError.unknownClass(name, of: recognizer.name, known)
    }
    var rules = CaptureRules()
    (rules.below, rules.classes, rules.interval) = (
      settings.below, settings.classes, settings.interval
    )
    rules.isForDoubt = settings.capturesDoubt
    self.rules = rules
    capture = try FrameCapture(dataset: settings.capture, catalogPath: catalog.path)
    stream = try settings.isStream ? LiveStream() : nil
  }

  private var elapsed: Double {
    let parts = (ContinuousClock.now - started).components
    return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
  }

  /// The model, the rules and the counts, for the page.
  var overview: JSONValue {
    let (captured, problem) = state.withLock { ($0.captured, $0.problem) }
    return [
      "session": .string(session),
      "name": .string(recognizer.name), "task": .string(recognizer.task.rawValue),
      "pipeline": .bool(recognizer.isPipeline), "input": .string(recognizer.input),
      "classes": .array(recognizer.classes.map { .string($0) }),
      "stream": .bool(stream != nil), "second": JSONValue(second?.name),
      "dataset": .string(capture.dataset),
      "decision": decision.map { ["file": .string($0.file), "promise": .string($0.promise)] }
        ?? .null,
      "captured": JSONValue(captured), "problem": JSONValue(problem),
      "rules": [
        "below": JSONValue(rules.below), "doubt": .bool(rules.isForDoubt),
        "classes": .array(rules.classes.map { .string($0) }),
        "interval": .number(rules.interval),
      ],
    ]
  }

  /// Recognizes a frame.
  ///
  /// - Throws: ``RequestRefusal/busy`` while another frame is computed; ``RequestRefusal/badRequest(code:_:)`` for a
  ///   frame that is no JPEG image, or too large.
  func answer(_ jpeg: [UInt8]) throws -> JSONValue {
    let result = computing.withLockIfAvailable { _ in Result { try compute(jpeg) } }
    guard let result else {
      state.withLock { $0.refused += 1 }
      throw RequestRefusal.busy
    }
    return try result.get()
  }

  /// Recognizes the newest frame of the stream after one with a number, and returns it with the image.
  ///
  /// - Returns: `waiting` if there is no newer one within a second, with the reason if the stream has ended.
  /// - Throws: as ``answer(_:)``; ``RequestRefusal/notFound(_:)`` without a stream.
  func streamAnswer(after index: Int) throws -> JSONValue {
    guard let stream else { throw RequestRefusal.notFound("this server has no stream") }
    guard let frame = stream.frame(after: index, within: 1) else {
      return [
        "waiting": true, "ended": JSONValue(stream.end), "session": .string(session),
      ]
    }
    let answer = try answer(frame.jpeg)
    let missed = (stream.newestIndex ?? frame.index) - frame.index
    let members: [JSONValue.Member] = [
      .init("stream_frame", JSONValue(frame.index)),
      // Frames that came while this one was computed, and the time since this one was read.
      .init("missed", JSONValue(missed)),
      .init("age_ms", .number((ContinuousClock.now - frame.read).milliseconds)),
      .init("image", .string(Base64.text(of: frame.jpeg))),
    ]
    return .object((answer.members ?? []) + members)
  }

  private func compute(_ jpeg: [UInt8]) throws -> JSONValue {
    let clock = ContinuousClock()
    let begin = clock.now
    let raster = try Self.decoded(jpeg)
    let decoded = clock.now
    let answer = try recognizer.answer(raster)
    let other = try second.map { ($0, try $0.answer(raster)) }
    let done = clock.now
    let accepted = decision?.accepted(answer)
    let doubt = accepted.flatMap { decision?.doubt(answer, accepted: $0) }
    let reason = rules.reason(
      answer, of: recognizer, doubt: doubt,
      second: other.map { (answer: $0.1, recognizer: $0.0) })
    var fields = [JSONValue.Member("model", .string(recognizer.name))]
    fields.append(.init("predicted", summary(answer)))
    if decision != nil { fields.append(.init("accepted", .bool(doubt == nil))) }
    let time = elapsed
    let (number, isWanted) = state.withLock { state in
      state.answered += 1
      state.frames.append(
        Frame(number: state.answered, jpeg: jpeg, time: time, fields: fields))
      if state.frames.count > Self.kept { state.frames.removeFirst() }
      let isWanted = reason != nil && time - state.ruled >= rules.interval
      if isWanted { state.ruled = time }
      return (state.answered, isWanted)
    }
    var members: [JSONValue.Member] = [
      .init("session", .string(session)),
      .init("frame", JSONValue(number)), .init("width", JSONValue(raster.width)),
      .init("height", JSONValue(raster.height)),
      .init("decode_ms", .number((decoded - begin).milliseconds)),
      .init("model_ms", .number((done - decoded).milliseconds)),
    ]
    let size = ImageSize(width: raster.width, height: raster.height)
    if let plan = recognizer.plan(for: size) { members.append(.init("seen", Self.json(plan))) }
    members += content(answer, size, accepted: accepted)
    if isWanted, let reason {
      let stored = try capture(frame: number, reason: reason)
      members.append(.init("captured", stored))
    }
    if let problem = state.withLock({ $0.problem }) {
      members.append(.init("problem", .string(problem)))
    }
    return .object(members)
  }

  /// The part of a frame that the model gets: the size and fill of its input, and a rectangle of the frame with its place in
  /// the input (x, y, width, height).
  private static func json(_ plan: ResizePlan) -> JSONValue {
    let (crop, position) = (plan.crop, plan.position)
    return [
      "input": [JSONValue(plan.target.width), JSONValue(plan.target.height)],
      "fill": JSONValue(Int(plan.fill)),
      "crop": [
        JSONValue(crop.x), JSONValue(crop.y), JSONValue(crop.width), JSONValue(crop.height),
      ],
      "position": [
        .number(position.x), .number(position.y), .number(position.width), .number(position.height),
      ],
    ]
  }

  private static func decoded(_ jpeg: [UInt8]) throws -> Raster<UInt8> {
    do {
      let header = try ImageCodec.header(of: jpeg)
      guard header.kind == .jpeg else {
        throw RequestRefusal.badRequest(code: "badFrame", "a frame must be a JPEG image")
      }
      guard header.size.area <= pixelLimit else {
        throw RequestRefusal.badRequest(
          code: "badFrame", "a frame has at most \(pixelLimit >> 20) million pixels")
      }
      return try ImageCodec.decode(jpeg, as: .rgb8)
    } catch let error as ImageError {
      throw RequestRefusal.badRequest(code: "badFrame", "the frame cannot be read: \(error)")
    }
  }

  /// Stores a frame in the dataset, once.
  ///
  /// - Parameter asked: the mark of the server that answered the frame; `nil` for this one.
  /// - Throws: ``RequestRefusal/conflict(code:_:)`` for a frame that is not kept any more.
  func capture(frame number: Int, reason: String, session asked: String? = nil) throws -> JSONValue
  {
    guard asked ?? session == session else {
      throw RequestRefusal.conflict(
        code: "frameGone", "the server was started again since; the frame is not kept any more")
    }
    let (stored, isDue) = try capturing.withLock { _ in try store(frame: number, reason: reason) }
    if isDue { bringUpToDate() }
    return stored
  }

  private func store(frame number: Int, reason: String) throws -> (JSONValue, isDue: Bool) {
    guard let frame = state.withLock({ state in state.frames.first { $0.number == number } }) else {
      throw RequestRefusal.conflict(
        code: "frameGone", "the frame is not kept any more; capture one of the last \(Self.kept)")
    }
    if let key = frame.key {
      return (["key": .string(key), "reason": .string(reason), "again": true], false)
    }
    let key: String
    do {
      key = try capture.capture(
        frame.jpeg, reason: reason, time: frame.time, fields: frame.fields)
    } catch {
      throw RequestRefusal.unsaved(code: "notCaptured", "the frame was not captured: \(error)")
    }
    let (count, isDue) = state.withLock { state in
      state.captured += 1
      if let place = state.frames.firstIndex(where: { $0.number == number }) {
        state.frames[place].key = key
      }
      let now = elapsed
      let isDue = now - state.imported >= Self.importInterval
      if isDue { state.imported = now }
      return (state.captured, isDue)
    }
    return (
      [
        "key": .string(key), "reason": .string(reason), "count": JSONValue(count),
        "dataset": .string(capture.dataset),
      ], isDue
    )
  }

  /// Adds the captured frames to the dataset. A failure is shown on the page; the frames are in their folder.
  ///
  /// - Parameter waiting: true to wait for another thread that does it.
  /// - Returns: the failure.
  @discardableResult
  func bringUpToDate(waiting: Bool = false) -> String? {
    var problem: String?
    do { try capture.importFrames(waiting: waiting) } catch { problem = "\(error)" }
    state.withLock { [problem] in $0.problem = problem }
    return problem
  }

  // MARK: JSON

  /// The answer as a short field of a sample.
  private func summary(_ answer: LiveAnswer) -> JSONValue {
    switch recognizer.task.output {
    case .label, .labels:
      guard let best = answer.best else { return .null }
      return ["label": .string(recognizer.classes[best.class]), "score": JSONValue(best.score)]
    case .objects:
      return .array(
        answer.objects.prefix(20).map {
          ["label": .string(recognizer.classes[$0.class]), "score": .number($0.confidence)]
        }
          + recognizer.labels(of: answer).prefix(20).map {
            ["label": .string($0.name), "score": JSONValue($0.score)]
          })
    case .masks:
      return .array(answer.masks.map { .string(recognizer.classes[$0.class]) })
    }
  }

  /// - Parameter accepted: what the decision accepts; `nil` without one.
  private func content(
    _ answer: LiveAnswer, _ size: ImageSize, accepted: [Int]?
  ) -> [JSONValue.Member] {
    switch recognizer.task.output {
    case .label, .labels:
      if let scores = answer.scores {
        return [.init("scores", .array(scores.map { .number($0) }))]
          + (accepted.map { [.init("accepted", .array($0.map { JSONValue($0) }))] } ?? [])
      }
      return [.init("label", JSONValue(answer.label))]
    case .objects:
      var left = Self.runLimit
      let shown = answer.objects.prefix(Self.objectLimit)
      let places = accepted.map(Set.init)
      return [
        .init("total", JSONValue(answer.objects.count)),
        .init(
          "objects",
          .array(
            shown.enumerated().map { place, object in
              json(of: object, size, isAccepted: places.map { $0.contains(place) }, &left)
            })),
      ]
    case .masks:
      var left = Self.runLimit
      return [
        .init(
          "masks",
          .array(
            answer.masks.map { found in
              ["class": JSONValue(found.class), "runs": Self.runs(found.mask, &left)]
            }))
      ]
    }
  }

  private func json(
    of object: Detection, _ size: ImageSize, isAccepted: Bool?, _ left: inout Int
  ) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("class", JSONValue(object.class)), .init("score", .number(object.confidence)),
      .init(
        "box",
        .array(
          [object.box.x, object.box.y, object.box.width, object.box.height].map { .number($0) })),
    ]
    if let isAccepted { members.append(.init("accepted", .bool(isAccepted))) }
    if let counts = object.counts, let mask = try? Mask(size: size, compressed: counts) {
      members.append(.init("runs", Self.runs(mask, &left)))
    }
    if !object.keypoints.isEmpty {
      members.append(.init("keypoints", .array(object.keypoints.map { .number($0) })))
    }
    if let attributes = object.attributes.flatMap({ try? JSONValue(parsing: $0) }) {
      // The scores of all classes would be most of the answer.
      members.append(
        .init(
          "attributes",
          .object((attributes.members ?? []).filter { $0.value.members == nil })))
    }
    return .object(members)
  }

  /// The run lengths of a mask, down its columns; `null` beyond the limit.
  private static func runs(_ mask: Mask, _ left: inout Int) -> JSONValue {
    guard mask.runs.count <= left else { return .null }
    left -= mask.runs.count
    return .array(mask.runs.map { .integer(Int64($0)) })
  }
}

extension Duration {
  fileprivate var milliseconds: Double {
    let (seconds, attoseconds) = components
    return ((Double(seconds) * 1e3 + Double(attoseconds) / 1e15) * 100).rounded() / 100
  }
}

/// The reasons why live recognition does not start.
package enum LiveError: Error, Hashable, CustomStringConvertible {
  /// The second model has another task.
  case otherTask(String, ModelTask, ModelTask)
  /// A class that the model does not have.
  case unknownClass(String, of: String, [String])

  package var description: String {
    switch self {
    case .otherTask(let name, let task, let wanted):
      "the model “\(name)” is one of \(task.rawValue); only answers of \(wanted.rawValue) can be compared"
    case .unknownClass(let name, let model, let classes):
      "“\(model)” has no class “\(name)”"
        + (NearMiss.suggestion(for: name, among: classes).map { "; did you mean “\($0)”?" }
          ?? "; its classes are \(classes.prefix(20).joined(separator: ", "))\(classes.count > 20 ? ", …" : "")")
    }
  }
}
