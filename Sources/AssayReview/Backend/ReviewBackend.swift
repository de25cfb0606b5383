import AssayCore
import AssayImaging

/// The operations that the routes need from a review. All of them can block, and are
/// called from several threads.
protocol ReviewBackend: Sendable {
  /// The uuid of the ledger.
  var ledger: String { get }

  /// Returns the data that the page needs first.
  func session(of session: ReviewSession) throws -> JSONValue

  /// Returns the queue from a position on, with the names of the people who have samples open.
  func queue(from position: Int, limit: Int, for session: ReviewSession) throws -> JSONValue

  /// Hands the person the next unfinished sample after a position that nobody else has open: first
  /// up to the end of the queue, then from its start, without the position itself.
  ///
  /// - Returns: `position` and `sample`, both `null` if there is none; then `held` is the number of
  ///   remaining samples that others have open.
  func next(after position: Int, for session: ReviewSession) throws -> JSONValue

  /// Returns a sample and its ground truth, and marks it as open by the person. Samples of this
  /// review only, as in all operations below.
  ///
  /// - Throws: ``RequestRefusal/notFound(_:)``.
  func sample(_ id: Int64, for session: ReviewSession) throws -> JSONValue

  /// Returns a sample's image.
  ///
  /// - Parameter held: the tags of the image that the browser has, with their quotes.
  func picture(of id: Int64, as size: PictureUse, unless held: [String]) throws -> PictureReply

  /// Returns the run's probability map of a class, one byte per pixel of the image.
  func map(of id: Int64, category: String, unless held: [String]) throws -> PictureReply

  /// Proposes the mask of an object; saves nothing.
  ///
  /// - Parameter isCanceled: asked between the steps of the work.
  /// - Throws: ``RequestRefusal``; `ImageCutoutError`.
  func cutout(
    _ request: CutoutRequest, of id: Int64, isCanceled: () -> Bool
  ) throws -> ImageCutout.Outcome

  /// Returns the pixels of a sample's image, and a name that no other image has.
  ///
  /// - Throws: ``RequestRefusal``.
  func pixels(of id: Int64) throws -> (name: String, image: Raster<UInt8>)

  /// Returns the last frame before a sample that has a box of a track (`key`), and the frames in between
  /// (`between`), which have none.
  func keyframe(
    before id: Int64, track: JSONValue, category: String, for session: ReviewSession
  ) throws -> JSONValue

  /// Saves a correction; returns when it is on disk.
  func save(_ request: SaveRequest, to id: Int64, wantsState: Bool) throws -> SaveReply

  /// Returns what other people do: `sequence`, the ledger's last entry; `open`, the samples that
  /// they have open; and `changed`, the last entries of a sample if the ledger has grown.
  func watch(_ request: WatchRequest, for session: ReviewSession) throws -> JSONValue

  /// Ends the person's lease of a sample, or takes the sample over from the person who has it.
  func lease(_ id: Int64, isTakeover: Bool, for session: ReviewSession) throws

  /// Returns what was done in the review, by person, and the commands that come next.
  func summary(for session: ReviewSession) throws -> JSONValue

  func status() throws -> JSONValue

  /// Returns the sequence number of the ledger's last entry; 0 for an empty ledger.
  func lastSequence() throws -> Int64
}

/// The purpose of an image.
enum PictureUse: String, CaseIterable, Sendable {
  case whole
  case thumbnail
}

/// An image, or the statement that the browser's copy is up to date.
enum PictureReply: Sendable, Hashable {
  case unchanged(tag: String)
  case picture(Picture)

  struct Picture: Sendable, Hashable {
    var bytes: [UInt8]
    var type: String
    /// The tag, with its quotes.
    var tag: String
  }
}

/// The result of a save.
struct SaveReply: Sendable, Hashable {
  var isRepeat: Bool
  var isConflict: Bool
  /// The members `sequence`, `uuid`, `hash`, `time`, `status`, `head`, and `state`
  /// if it was requested.
  var json: JSONValue
}
