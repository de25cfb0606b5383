/// The kind of a file in a folder of images, determined by its name alone.
package enum FileNameKind {
  /// An image that is read.
  case image
  /// An image, video or audio file in a format that assay does not read.
  case otherMedia
  /// A text about the dataset, a checksum, a program, or a file that an operating system leaves.
  case harmless
  /// Any other file; it can contain labels.
  case unknown

  private static let mediaSuffixes: Set<String> = [
    ".gif", ".heic", ".heif", ".avif", ".jxl", ".jp2", ".svg", ".ico", ".psd", ".exr", ".hdr",
    ".raw", ".dng", ".cr2", ".nef",
    ".arw", ".mov", ".mp4", ".m4v", ".avi", ".mkv", ".webm", ".mpg", ".mpeg", ".wmv", ".wav",
    ".mp3",
  ]
  private static let harmlessSuffixes: Set<String> = [
    ".md", ".rst", ".pdf", ".doc", ".docx", ".bib", ".cff", ".html", ".htm", ".css", ".url",
    ".md5", ".sha1", ".sha256", ".sha512", ".sfv", ".asc", ".sig", ".log",
    ".py", ".pyc", ".ipynb", ".sh", ".bat", ".m", ".r",
  ]
  private static let harmlessNames: Set<String> = [
    "thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r", "md5sums", "sha1sums", "sha256sums",
    "sha512sums", "checksums", "checksum", "md5sum", "sha256sum", "makefile", "dockerfile",
    "requirements", "manifest.sha256", "sample_submission.csv", "samplesubmission.csv",
  ]
  private static let harmlessStarts = [
    "readme", "license", "licence", "copying", "copyright", "notice", "authors", "citation",
    "changelog", "changes", "contributing", "disclaimer", "terms", "attribution",
  ]

  /// - Parameter path: relative to the root, `/` between components.
  package init(_ path: String) {
    guard !PairPath.isImageName(path) else {
      self = .image
      return
    }
    let name = (path.split(separator: "/").last ?? "").lowercased()
    let suffix = Self.suffix(of: name)
    let stem = suffix == ".txt" ? String(name.dropLast(4)) : name
    if Self.mediaSuffixes.contains(suffix) {
      self = .otherMedia
    } else if Self.isHarmless(name, stem: stem, suffix: suffix) {
      self = .harmless
    } else {
      self = .unknown
    }
  }

  private static func isHarmless(_ name: String, stem: String, suffix: String) -> Bool {
    if harmlessSuffixes.contains(suffix) || harmlessNames.contains(name)
      || harmlessNames.contains(stem)
    {
      return true
    }
    // `readme`, `README.dataset.txt` and `LICENSE-images.txt`, but not `terms.json`.
    guard suffix.isEmpty || suffix == ".txt" else { return false }
    return harmlessStarts.contains { start in
      guard stem.hasPrefix(start) else { return false }
      return stem.dropFirst(start.count).first.map { !$0.isLetter } ?? true
    }
  }

  /// The part of a lower-case name from its last dot on; empty if there is none.
  static func suffix(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return String(name[dot...])
  }
}
