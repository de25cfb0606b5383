import AssayCore

/// The images of a folder that none of its tables names.
struct UnlistedImages {
  private(set) var count = 0
  private var first = ""

  /// - Parameter listed: the paths that the tables name.
  init(_ files: [SourceFile], listed: Set<String>) {
    for file in files where PairPath.isImageName(file.path) && !listed.contains(file.path) {
      if count == 0 { first = file.path }
      count += 1
    }
  }

  /// The issue that reports them; `nil` if there are none.
  var issue: Issue? {
    guard count > 0 else { return nil }
    let folder = String(SortedFiles.folder(of: first))
    return Issue(
      .missingLabel, .error, at: IssueLocation(file: folder.isEmpty ? "." : folder),
      "\(count == 1 ? "1 image" : "\(count) images") (\(first)) that no table lists; left out")
  }
}
