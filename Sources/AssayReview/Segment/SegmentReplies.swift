import AssayCore
import AssayImaging

extension ReviewResponder {
  /// Proposes the mask of an object by the promptable model, and saves nothing.
  ///
  /// The work ends early if the session asks for another one, or the request is canceled or its connection ends.
  func segment(_ call: RouteCall) async throws -> HTTPReply {
    let session = try signedIn(call)
    let id = try sampleID(call)
    let backend = try await backend(call)
    guard let segments else {
      throw RequestRefusal.notFound(
        "this server has no promptable model; add one with assay model add ENCODER --decoder DECODER, and start the "
          + "server again with --segmenter NAME")
    }
    let turn = segments.turns.begin(session.id)
    defer { segments.turns.end(turn, of: session.id) }
    return try await canceling(turn, with: call) {
      let request = try SegmentBody(try JSONBody.object(call.body))
      let (name, image) = try await pictures.run(for: call.client) {
        if turn.isCanceled { throw SegmentService.superseded }
        return try backend.pixels(of: id)
      }
      try request.check(in: image.size)
      return try await segments.pool.run(for: call.client) {
        if turn.isCanceled { throw SegmentService.superseded }
        do {
          return HTTPReply(
            json: try segments.proposal(for: request.prompt, name: name, image: image, turn).json)
        } catch {
          if error is RequestRefusal { throw error }
          throw RequestRefusal.badRequest(code: "noAnswer", "\(error)")
        }
      }
    }
  }
}

extension ObjectProposal {
  /// The mask, and the model's estimate.
  fileprivate var json: JSONValue {
    .object(mask.proposal + [.init("score", .number(score))])
  }
}
