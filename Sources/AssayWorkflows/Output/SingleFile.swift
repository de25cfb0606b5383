import AssayCore
import Foundation

/// A file that a command writes to a user-given path, completely or not at all.
struct SingleFile {
  let path: String
  private let isReplaced: Bool

  /// Checks, before any work is done, that nothing exists at the path, including a link.
  ///
  /// - Parameter overwrite: true to replace an existing file.
  /// - Returns: `nil` if something exists and must not be replaced.
  init?(_ path: String, overwrite: Bool) {
    var facts = stat()
    guard overwrite || lstat(path, &facts) != 0 else { return nil }
    self.path = path
    isReplaced = overwrite
  }

  /// Creates the draft of the file.
  ///
  /// - Throws: ``FileFailure``.
  func draft() throws(FileFailure) -> FileDraft {
    let name = (path as NSString).lastPathComponent
    let folder = try OpenFolder(path.parentFolder)
    folder.removeAbandonedDrafts()
    return try folder.draft(of: name)
  }

  /// Renames the draft to the file's name.
  ///
  /// - Throws: ``FileFailure``, with the code `EEXIST` if another process has created the file in
  ///   the meantime.
  func finish(_ draft: FileDraft, synchronizing: Bool = false) throws(FileFailure) {
    try draft.finish(replacing: isReplaced, synchronizing: synchronizing)
  }

  /// Writes the whole file.
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
