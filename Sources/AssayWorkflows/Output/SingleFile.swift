import AssayCore
import Foundation

/// A file that a command writes under a path that the user gave: whole or not at all.
struct SingleFile {
  let path: String
  private let isReplaced: Bool

  /// Refuses before any work is done where something is there already; a link is something.
  ///
  /// - Parameter overwrite: whether that is replaced instead.
  /// - Returns: `nil` where it is refused.
  init?(_ path: String, overwrite: Bool) {
    var facts = stat()
    guard overwrite || lstat(path, &facts) != 0 else { return nil }
    self.path = path
    isReplaced = overwrite
  }

  /// Begins the file.
  ///
  /// - Throws: ``FileFailure``.
  func draft() throws(FileFailure) -> FileDraft {
    let name = (path as NSString).lastPathComponent
    let folder = try OpenFolder((path as NSString).deletingLastPathComponent)
    folder.removeAbandonedDrafts()
    return try folder.draft(of: name)
  }

  /// Gives the file its name.
  ///
  /// - Throws: ``FileFailure``, with the code `EEXIST` where another process has made such a file meanwhile.
  func finish(_ draft: FileDraft, synchronizing: Bool = false) throws(FileFailure) {
    try draft.finish(replacing: isReplaced, synchronizing: synchronizing)
  }

  /// Writes all of the file.
  ///
  /// - Throws: ``PredictionsError/notWritten(_:reason:)``, ``PredictionsError/fileExists(_:)``.
  func writePredictions(_ bytes: [UInt8]) throws {
    do {
      let draft = try draft()
      try draft.append(bytes)
      try finish(draft)
    } catch  where error.code == EEXIST {
      throw PredictionsError.fileExists(path)
    } catch {
      throw PredictionsError.notWritten(path, reason: error.reason)
    }
  }
}
