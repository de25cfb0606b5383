import AssayCore

/// The images of a folder that none of its tables names, also in image formats that assay does not read.
///
/// A file with the name, size and time of another one is the same image again, through a link or as a
/// copy, and does not count.
struct UnlistedImages {
  private(set) var count = 0
  private var first = ""

  /// - Parameter listed: the paths that the tables name.
  init(_ files: some Sequence<SourceFile>, listed: Set<String>) {
    var others: [SourceFile] = []
    var known: Set<SourceFile> = []
    for file in files {
      if listed.contains(file.path) {
        known.insert(Self.withoutFolder(file))
      } else if PairPath.isImageName(file.path) || UnreadMasks.isImageName(file.path) {
        others.append(file)
      }
    }
    // Archives may have one time for all files.
    others.removeAll { $0.modified > 0 && !known.insert(Self.withoutFolder($0)).inserted }
    count = others.count
    first = others.first?.path ?? ""
  }

  private static func withoutFolder(_ file: SourceFile) -> SourceFile {
    SourceFile(path: String(file.path.fileName), size: file.size, modified: file.modified)
  }

  /// The issue that reports them; `nil` if there are none.
  ///
  /// - Parameter lister: the kind of file that would list them.
  func issue(_ severity: Issue.Severity = .error, by lister: String = "table") -> Issue? {
    guard count > 0 else { return nil }
    let folder = String(SortedFiles.folder(of: first))
    let images = count == 1 ? "1 image (\(first))" : "\(count) images (\(first), …)"
    return Issue(
      .missingLabel, severity, at: IssueLocation(file: folder.isEmpty ? "." : folder),
      "\(images) that no \(lister) lists; left out")
  }

  /// The note that reports them; `nil` if there are none.
  ///
  /// - Parameter lister: the kind of file that would list them.
  func note(by lister: String = "table") -> String? {
    switch count {
    case 0: nil
    case 1: "1 image that no \(lister) lists is left out"
    default: "\(count) images that no \(lister) lists are left out"
    }
  }
}
