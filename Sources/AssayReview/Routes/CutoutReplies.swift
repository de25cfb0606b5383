import AssayCore
import AssayImaging

extension ReviewResponder {
  /// Proposes the mask of an object, and saves nothing.
  ///
  /// The work ends early if the session asks for another one, or the request is canceled or its connection ends, and after
  /// ``CutoutTurns/patience``.
  func cutout(_ call: RouteCall) async throws -> HTTPReply {
    let session = try signedIn(call)
    let id = try sampleID(call)
    let backend = try await backend(call)
    let turn = cutouts.begin(session.id)
    defer { cutouts.end(turn, of: session.id) }
    return try await canceling(turn, with: call) {
      try await (computations ?? pictures).run(for: call.client) {
        try Self.cutout(call, of: id, in: backend, turn, patience: cutouts.patience)
      }
    }
  }

  /// Does the work of a request, and cancels its turn if the request is canceled or its connection ends.
  func canceling<Value>(
    _ turn: CutoutTurns.Turn, with call: RouteCall, _ work: () async throws -> Value
  ) async throws -> Value {
    try await openConnections.whileOpen(call.connection) {
      turn.cancel()
    } _: {
      try await withTaskCancellationHandler(operation: work) { turn.cancel() }
    }
  }

  private static func cutout(
    _ call: RouteCall, of id: Int64, in backend: any ReviewBackend, _ turn: CutoutTurns.Turn,
    patience: Duration
  ) throws -> HTTPReply {
    if turn.isCanceled { throw superseded }
    let body = try JSONBody.object(call.body, valueLimit: CutoutRequest.valueLimit)
    let request = try CutoutRequest(body)
    let end = ContinuousClock.now + patience
    do {
      let found = try backend.cutout(request, of: id) {
        turn.isCanceled || ContinuousClock.now >= end
      }
      return HTTPReply(json: found.json)
    } catch ImageCutoutError.canceled {
      if turn.isCanceled { throw superseded }
      throw RequestRefusal.badRequest(
        code: "tooLong",
        "the cut-out takes longer than \(patience.components.seconds) s; draw a smaller box")
    } catch {
      guard let known = error as? ImageCutoutError else { throw error }
      throw RequestRefusal.badRequest(code: "noCutout", "\(known)")
    }
  }

  private static let superseded = RequestRefusal.conflict(
    code: "superseded", "another cut-out was requested after this one")
}

extension ImageCutout.Outcome {
  /// The mask, and the factor by which the image was reduced.
  fileprivate var json: JSONValue {
    .object(mask.proposal + [.init("factor", JSONValue(factor))])
  }
}

extension Mask {
  /// A proposed mask as the page reads it: its run lengths, size and number of pixels.
  var proposal: [JSONValue.Member] {
    [
      .init("counts", .string(String(decoding: compressed, as: UTF8.self))),
      .init("size", [JSONValue(size.height), JSONValue(size.width)]),
      .init("area", JSONValue(area)),
    ]
  }
}

extension ReviewResponder {
  /// Returns the key frame before a sample and the frames in between.
  func keyframe(_ call: RouteCall) async throws -> HTTPReply {
    let session = try signedIn(call)
    let id = try sampleID(call)
    let backend = try await backend(call)
    guard let track = call.query["track"].flatMap({ try? JSONValue(parsing: $0) }), track.isScalar,
      let category = call.query["category"], !category.isEmpty
    else {
      throw RequestRefusal.badRequest(
        code: "badQuery", "track must be a number or a text as JSON, and category a class")
    }
    return try await deskAnswer(call) {
      try backend.keyframe(before: id, track: track, category: category, for: session)
    }
  }
}

extension JSONValue {
  /// True if it can name a track: a number or a text.
  fileprivate var isScalar: Bool {
    switch self {
    case .integer, .number, .string: true
    default: false
    }
  }
}
