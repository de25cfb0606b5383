/// The reasons why an archive, or a file in it, cannot be read.
package enum ArchiveError: Error, Hashable, Sendable {
  /// An archive that is compressed as a whole.
  case packed(String, ArchiveKind.Packing)
  /// An archive that is damaged as a whole.
  case damaged(String, problem: String)
  /// An archive of several files, or with an encrypted directory.
  case unsupported(String, problem: String)
  /// Two entries of a zip archive that use the same bytes.
  case overlap(String, entry: String)
  case tooManyEntries(String, limit: Int)
  /// A compressed tar archive that unpacks to far more than its own size, as of one that is made to
  /// expand without end.
  case expandsTooFar(String, size: Int)
  /// A file that the archive does not have.
  case missing(entry: String, archive: String)
  /// An entry whose data is invalid.
  case damagedEntry(String, problem: String)
  /// An entry that unpacks to more bytes than the archive states.
  case largerThanStated(String, size: Int)
}

extension ArchiveError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .packed(let file, let packing):
      """
      \(file) is \(packing.rawValue), which can only be read from its start
      unpack it: \(packing.command(file)), then import the \
      \(packing.leavesTar ? "tar archive, which is read in place" : "folder")
      """
    case .damaged(let file, let problem):
      "\(file): \(problem); fetch or copy the file again"
    case .unsupported(let file, let problem):
      "\(file): \(problem); unpack it and import the folder"
    case .overlap(let file, let entry):
      "\(file): the data of \(entry) is also the data of another entry, as in archives that are made "
        + "to expand without end; nothing was imported"
    case .tooManyEntries(let file, let limit):
      "\(file) has more than \(limit) entries, the limit"
    case .expandsTooFar(let file, let size):
      "\(file) unpacks to more than \(size) bytes, over \(GzipInflater.Limits().ratio) times its own "
        + "size; nothing was imported (if that is right, unpack it and import the folder)"
    case .missing(let entry, let archive): "\(archive) has no file \(entry)"
    case .damagedEntry(let entry, let problem):
      "\(entry): \(problem); fetch or copy the archive again"
    case .largerThanStated(let entry, let size):
      "\(entry): it unpacks to more than the \(size) bytes that the archive states"
    }
  }
}
