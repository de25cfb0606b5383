import AssayCore

/// The images of a folder that none of its tables names.
struct UnlistedImages {
  private(set) var count = 0
  private var first = ""

  /// - Parameter listed: the paths that the tables name.
  init(_ files: some Sequence<SourceFile>, listed: Set<String>) {
    for file in files where PairPath.isImageName(file.path) && !listed.contains(file.path) {
      if count == 0 { first = file.path }
      count += 1
    }
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
