import AssayCore
import AssayImaging
import Synchronization

@testable import AssayReview

/// A review of three samples in memory: everything that the routes need, without a disk.
final class FakeReview: ReviewBackend {
  static let uuid = "0f8f2f3a-1111-4222-8333-444455556666"

  struct State {
    var entries: [(uuid: String, sample: Int64, isConflict: Bool)] = []
    var requests: [SaveRequest] = []
  }

  let state = Mutex(State())
  let ledger = FakeReview.uuid
  /// The action of a save before it is stored; a test can make it wait or throw.
  let beforeSave: @Sendable () throws -> Void
  /// The action when an author requests the queue.
  let onQueue: @Sendable (_ author: String) -> Void

  /// The size of the second sample's image; `nil` for three bytes.
  let pictureBytes: Int?

  /// The action of a cut-out before its answer.
  let onCutout: @Sendable (_ isCanceled: () -> Bool) throws -> Void

  init(
    pictureBytes: Int? = nil, beforeSave: @escaping @Sendable () throws -> Void = {},
    onQueue: @escaping @Sendable (String) -> Void = { _ in },
    onCutout: @escaping @Sendable (() -> Bool) throws -> Void = { _ in }
  ) {
    self.pictureBytes = pictureBytes
    self.beforeSave = beforeSave
    self.onQueue = onQueue
    self.onCutout = onCutout
  }

  func session(of session: ReviewSession) -> JSONValue {
    ["ledger": .string(ledger), "author": .string(session.author)]
  }

  func queue(from position: Int, limit: Int, for session: ReviewSession) -> JSONValue {
    onQueue(session.author)
    return [
      "total": 3, "from": JSONValue(position), "limit": JSONValue(limit),
      "items": .array((1...3).map { ["sample": .integer($0)] }),
    ]
  }

  func summary(for session: ReviewSession) -> JSONValue { ["people": [], "next": []] }

  func next(after position: Int, for session: ReviewSession) -> JSONValue {
    ["position": JSONValue(position + 1), "sample": 1, "held": 0]
  }

  func sample(_ id: Int64, for session: ReviewSession) throws -> JSONValue {
    try check(id)
    return ["sample": ["id": .integer(id)]]
  }

  func picture(of id: Int64, as size: PictureUse, unless held: [String]) throws -> PictureReply {
    try check(id)
    if id == 2, let pictureBytes {
      let bytes = [UInt8](repeating: 7, count: pictureBytes)
      return .picture(.init(bytes: bytes, type: "image/png", tag: "\"large\""))
    }
    if id == 3 {
      throw RequestRefusal.failed(code: "imageUnreadable", "the PNG ends before its image does")
    }
    let tag = "\"picture-\(id)-\(size.rawValue)\""
    if held.contains(tag) { return .unchanged(tag: tag) }
    return .picture(.init(bytes: [1, 2, 3], type: "image/png", tag: tag))
  }

  func map(of id: Int64, category: String, unless held: [String]) throws -> PictureReply {
    try check(id)
    guard category == "traffic light" else { throw RequestRefusal.notFound("no map of this class") }
    return .picture(.init(bytes: [0, 255], type: "application/octet-stream", tag: "\"map\""))
  }

  func cutout(
    _ request: CutoutRequest, of id: Int64, isCanceled: () -> Bool
  ) throws -> ImageCutout.Outcome {
    try check(id)
    try onCutout(isCanceled)
    if isCanceled() { throw ImageCutoutError.canceled }
    let size = ImageSize(width: 6, height: 4)
    return .init(mask: Mask(box: request.box, size: size), factor: 1)
  }

  func pixels(of id: Int64) throws -> (name: String, image: Raster<UInt8>) {
    try check(id)
    return ("\(id)", Raster(repeating: UInt8(id), width: 6, height: 4, channels: 3))
  }

  func keyframe(
    before id: Int64, track: JSONValue, category: String, for session: ReviewSession
  ) throws -> JSONValue {
    try check(id)
    return ["key": ["sample": 1], "between": [], "track": track, "category": .string(category)]
  }

  func save(_ request: SaveRequest, to id: Int64, wantsState: Bool) throws -> SaveReply {
    try check(id)
    try beforeSave()
    return state.withLock { state in
      state.requests.append(request)
      if let place = state.entries.firstIndex(where: { $0.uuid == request.uuid }) {
        let entry = state.entries[place]
        return reply(
          place, entry.uuid, isRepeat: true, isConflict: entry.isConflict, wantsState)
      }
      let head = (state.entries.lastIndex { $0.sample == id && !$0.isConflict }).map { $0 + 1 }
      let isConflict =
        switch request.parent {
        case .head: false
        case .sequence(let sequence): sequence != Int64(head ?? 0)
        case .entry(let uuid): head.map { state.entries[$0 - 1].uuid } != uuid
        }
      state.entries.append((request.uuid, id, isConflict))
      return reply(
        state.entries.count - 1, request.uuid, isRepeat: false, isConflict: isConflict, wantsState)
    }
  }

  private func reply(
    _ place: Int, _ uuid: String, isRepeat: Bool, isConflict: Bool, _ wantsState: Bool
  ) -> SaveReply {
    var members: [JSONValue.Member] = [
      .init("sequence", JSONValue(place + 1)), .init("uuid", .string(uuid)),
    ]
    if isConflict { members.append(.init("kept", true)) }
    if wantsState { members.append(.init("state", [:])) }
    return SaveReply(isRepeat: isRepeat, isConflict: isConflict, json: .object(members))
  }

  func watch(_ request: WatchRequest, for session: ReviewSession) throws -> JSONValue {
    if let sample = request.sample { try check(sample) }
    return ["sequence": .integer(lastSequence()), "open": [], "changed": .null]
  }

  func lease(_ id: Int64, isTakeover: Bool, for session: ReviewSession) throws { try check(id) }

  func status() -> JSONValue { ["left": 3] }

  func lastSequence() -> Int64 { state.withLock { Int64($0.entries.count) } }

  private func check(_ id: Int64) throws(RequestRefusal) {
    guard (1...3).contains(id) else {
      throw .notFound("unknown sample: not in this review")
    }
  }
}
