import AssayCore

/// The operations that the routes need from a review. All may block, and are called from several
/// threads.
protocol ReviewBackend: Sendable {
  /// The ledger's uuid.
  var ledger: String { get }

  /// The data that the page needs first.
  func session(of session: ReviewSession) throws -> JSONValue

  /// The queue from a place on, with who else has which sample open.
  func queue(from position: Int, limit: Int, for session: ReviewSession) throws -> JSONValue

  /// Hands the person the next sample after a position that is left and that nobody else has open: first to
  /// the end of the queue, then from its start on, the position itself left out.
  ///
  /// - Returns: `position` and `sample`, both `null` where there is none; then `held` is how many are left
  ///   that others have open.
  func next(after position: Int, for session: ReviewSession) throws -> JSONValue

  /// A sample and its truth, which the person has open from then on. Of this review's samples only, as in all
  /// that follow.
  ///
  /// - Throws: ``RequestRefusal/notFound(_:)``.
  func sample(_ id: Int64, for session: ReviewSession) throws -> JSONValue

  /// A sample's image.
  ///
  /// - Parameter held: the tag of the picture that the browser has; with its quotes.
  func picture(of id: Int64, as size: PictureUse, unless held: [String]) throws -> PictureReply

  /// The run's probability map of a class, one byte a pixel of the image.
  func map(of id: Int64, category: String, unless held: [String]) throws -> PictureReply

  /// Keeps a correction; comes back when it is on disk.
  func save(_ request: SaveRequest, to id: Int64, wantsState: Bool) throws -> SaveReply

  func status() throws -> JSONValue

  /// The ledger's last entry; 0 for an empty one.
  func lastSequence() throws -> Int64
}

/// The purpose of an image.
enum PictureUse: String, CaseIterable, Sendable {
  case whole
  case thumbnail
}

/// A picture, or word that the browser's is still right.
enum PictureReply: Sendable, Hashable {
  case unchanged(tag: String)
  case picture(Picture)

  struct Picture: Sendable, Hashable {
    var bytes: [UInt8]
    var type: String
    /// With its quotes.
    var tag: String
  }
}

/// The result of a save.
struct SaveReply: Sendable, Hashable {
  var isRepeat: Bool
  var isConflict: Bool
  /// `sequence`, `uuid`, `hash`, `time`, `status`, `head`, and `state` where it was asked for.
  var json: JSONValue
}
