import AssayCore
import AssayImaging
import Foundation
import Synchronization

/// Answers prompts with a promptable model. The features of an image are computed once and kept.
final class SegmentService: Sendable {
  /// The maximum size of the kept features in bytes: about 60 images of SAM.
  static let cacheLimit = 256 << 20

  let engine: any PromptEngine
  /// The running requests, one for each session.
  let turns = CutoutTurns()
  /// The threads for the model, so that a slow encoder holds up no images.
  let pool = BlockingPool(threads: ThreadAvailability.ofSegments, limit: 64)
  private let limit: Int
  private let state = Mutex(State())

  /// One run of the encoder.
  private final class Run: Sendable {
    let name: String
    private let inside: Mutex<(turns: [CutoutTurns.Turn], isEnded: Bool)>

    init(_ name: String, _ turn: CutoutTurns.Turn) {
      self.name = name
      inside = Mutex(([turn], false))
    }

    func join(_ turn: CutoutTurns.Turn) {
      inside.withLock { inside in
        if !inside.turns.contains(where: { $0 === turn }) { inside.turns.append(turn) }
      }
    }

    /// True if nobody waits for it any more.
    var isAbandoned: Bool { inside.withLock { $0.turns.allSatisfy(\.isCanceled) } }
  }

  private struct State {
    /// The last used one at the end.
    var kept: [(name: String, embedding: ImageEmbedding)] = []
    var running: Run?
    var runs = 0
  }

  init(_ engine: any PromptEngine, limit: Int = cacheLimit) {
    self.engine = engine
    self.limit = limit
  }

  /// The number of encoder runs that began.
  var runs: Int { state.withLock(\.runs) }

  /// The number of bytes of kept features.
  var bytes: Int { state.withLock { $0.kept.reduce(0) { $0 + $1.embedding.byteCount } } }

  /// Proposes a mask.
  ///
  /// - Parameters:
  ///   - name: the name of the image.
  ///   - turn: the request; it ends without an answer once it is canceled.
  /// - Throws: ``RequestRefusal``; errors of the model and of `image`.
  func proposal(
    for prompt: ObjectPrompt, name: String, image: Raster<UInt8>, _ turn: CutoutTurns.Turn
  ) throws -> ObjectProposal {
    let embedding = try embedding(name, image, turn)
    if turn.isCanceled { throw Self.superseded }
    return try engine.proposal(for: prompt, in: embedding)
  }

  static let superseded = RequestRefusal.conflict(
    code: "superseded", "another mask was requested after this one")

  private enum Step {
    case known(ImageEmbedding)
    case own(Run)
    /// `isAbandoned` if the running encoder's image is wanted by nobody.
    case wait(isAbandoned: Bool)
  }

  /// Returns the features of an image. One encoder runs at a time; a run that is wanted by nobody any more goes on
  /// until another image needs the encoder.
  private func embedding(
    _ name: String, _ image: Raster<UInt8>, _ turn: CutoutTurns.Turn
  ) throws -> ImageEmbedding {
    while true {
      if turn.isCanceled { throw Self.superseded }
      switch step(name, turn) {
      case .known(let embedding): return embedding
      case .own(let run):
        do {
          let found = try engine.embedding(of: image)
          end(run, found)
          return found
        } catch {
          end(run, nil)
          if turn.isCanceled { throw Self.superseded }
          throw error
        }
      case .wait(let isAbandoned):
        if isAbandoned { engine.cancelEmbedding() }
        usleep(5_000)
      }
    }
  }

  private func step(_ name: String, _ turn: CutoutTurns.Turn) -> Step {
    state.withLock { state in
      if let place = state.kept.firstIndex(where: { $0.name == name }) {
        let entry = state.kept.remove(at: place)
        state.kept.append(entry)
        return .known(entry.embedding)
      }
      guard let running = state.running else {
        let run = Run(name, turn)
        state.running = run
        state.runs += 1
        return .own(run)
      }
      if running.name == name {
        running.join(turn)
        return .wait(isAbandoned: false)
      }
      return .wait(isAbandoned: running.isAbandoned)
    }
  }

  private func end(_ run: Run, _ embedding: ImageEmbedding?) {
    state.withLock { state in
      if state.running === run { state.running = nil }
      guard let embedding, embedding.byteCount <= limit else { return }
      state.kept.append((run.name, embedding))
      while state.kept.reduce(0, { $0 + $1.embedding.byteCount }) > limit {
        state.kept.removeFirst()
      }
    }
  }

  /// Ends a running encoder and the threads.
  func stop() async {
    engine.cancelEmbedding()
    await pool.stop()
  }
}
