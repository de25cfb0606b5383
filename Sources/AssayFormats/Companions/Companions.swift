package import AssayCore

/// Files and folders of a source which show that an importer would drop labels.
package struct Companions: Hashable, Sendable {
  /// The findings, one per line: `12 .txt files look like YOLO labels (labels/1.txt)`.
  package private(set) var findings: [String] = []
  /// The datasets in the source if there are several, one per line, with the command that imports it:
  /// `a: YOLO labels (assay import PATH/a)`.
  package private(set) var datasets: [String] = []

  /// The commands that convert annotations which the findings name and no format reads.
  private(set) var conversions: [String] = []
  /// The formats of the annotations that the findings name, those of the most files first.
  private(set) var formats: [DatasetFormat] = []

  /// The one folder that contains all images, or all class folders, if that is the only obstacle:
  /// the user probably wants to import that folder. `nil` if there is no such folder, or another
  /// obstacle.
  package internal(set) var inner: String?
  /// The table in the source that is imported separately; `nil` for none.
  var table: FolderTable?
  /// The reasons against the formats of the annotations, one per line.
  package internal(set) var hints: [String] = []

  /// True if nothing would be dropped.
  package var isEmpty: Bool { findings.isEmpty && datasets.isEmpty }

  /// The number of files per suffix that are opened to recognize them.
  private static let opened = 12
  /// The number of suffixes, and of datasets, that are listed individually.
  private static let listed = 8

  /// Nothing that would be dropped.
  init() {}

  /// Adds a finding about annotations of a format; `nil` if no format imports them as they are.
  mutating func add(_ finding: String, of format: DatasetFormat?) {
    findings.append(finding)
    if let format, !formats.contains(format) { formats.append(format) }
  }

  /// - Parameters:
  ///   - unread: the files that the importer does not read, without harmless ones.
  ///   - tree: the source that contains them.
  ///   - signs: additional findings, one per line.
  ///   - isKnownOnly: whether only files of known annotation formats count.
  ///   - own: the annotation files that the importer does read, and their kind.
  ///   - reported: the suffix of files of unknown content that the import reports itself; `nil` for that of
  ///     the annotation files.
  ///   - kin: files of the importer's format that it does not read; they start datasets but are not
  ///     dropped from one that it reads.
  /// - Throws: any error that the tree throws.
  init(
    _ unread: [SourceFile], in tree: any SourceTree, signs: [String] = [],
    isKnownOnly: Bool = false, datasets own: [(path: String, kind: String)] = [],
    kin: [SourceFile] = [], reported: String? = nil
  ) throws {
    let unread = unread.filter { !Self.isOwnManifest($0, in: tree) }
    var groups: [String: [SourceFile]] = [:]
    for file in unread { groups[CompanionPlace(file.path).suffix, default: []].append(file) }
    var lines: [(count: Int, text: String)] = []
    for (suffix, files) in groups.sorted(by: {
      (-$0.value.count, $0.key) < (-$1.value.count, $1.key)
    }) {
      let kinds = Self.kinds(of: files, in: tree)
      for format in kinds.compactMap(\.format) where !formats.contains(format) {
        formats.append(format)
      }
      for command in kinds.compactMap(\.conversion) where !conversions.contains(command) {
        conversions.append(command)
      }
      if isKnownOnly, !kinds.contains(where: \.isAnnotation) {
        // The import itself reports the files that are like those which it reads.
        if suffix == reported || own.contains(where: { CompanionPlace($0.path).suffix == suffix }) {
          continue
        }
        // Other files can be about single images: captions, or labels in a layout that is not known.
        if let line = try ImageTexts.line(suffix, files, in: tree) {
          lines.append((files.count, line))
        }
        continue
      }
      lines.append((files.count, Self.line(suffix, files, kinds)))
    }
    lines.sort { (-$0.count, $0.text) < (-$1.count, $1.text) }
    findings = signs + lines.prefix(Self.listed).map(\.text)
    if lines.count > Self.listed {
      let rest = lines.dropFirst(Self.listed).reduce(0) { $0 + $1.count }
      findings.append("\(rest) files with \(lines.count - Self.listed) other suffixes")
    }
    let roots = DatasetRoots(own: own.map(\.path), others: (unread + kin).map(\.path))
    if isKnownOnly, findings.isEmpty,
      Set((own.map(\.path) + kin.map(\.path)).compactMap { roots[$0] }).count < 2
    {
      return
    }
    datasets = Self.datasets(unread + kin, own, roots, in: tree)
  }

  private static func line(
    _ suffix: String, _ files: [SourceFile], _ kinds: [CompanionKind]
  ) -> String {
    let one = files.count == 1
    let what = suffix.isEmpty ? "without a suffix" : suffix
    let count =
      suffix.isEmpty
      ? "\(files.count) \(one ? "file" : "files") \(what)"
      : "\(files.count) \(what) \(one ? "file" : "files")"
    let example = files[0].path + (one ? "" : ", …")
    guard !kinds.isEmpty else { return "\(count) of unknown content (\(example))" }
    return "\(count) \(one ? "looks" : "look") like \(kinds.map(\.name).joined(separator: ", ")) "
      + "(\(example))"
  }

  /// The kinds of annotations of some of the files, those of the most files first.
  static func annotationKinds(
    of files: [SourceFile], in tree: any SourceTree
  ) -> [CompanionKind] {
    var groups: [String: [SourceFile]] = [:]
    for file in files { groups[CompanionPlace(file.path).suffix, default: []].append(file) }
    var found: [CompanionKind] = []
    for (_, files) in groups.sorted(by: { (-$0.value.count, $0.key) < (-$1.value.count, $1.key) })
      .prefix(listed)
    {
      for kind in kinds(of: files, in: tree) where kind.isAnnotation && !found.contains(kind) {
        found.append(kind)
      }
    }
    return found
  }

  /// The likely kinds of some of the files, the most frequent kind first.
  private static func kinds(
    of files: [SourceFile], in tree: any SourceTree
  ) -> [CompanionKind] {
    var counts: [CompanionKind: Int] = [:]
    let step = max(1, files.count / opened)
    for place in stride(from: 0, to: files.count, by: step).prefix(opened) {
      if let kind = kind(of: files[place], in: tree) { counts[kind, default: 0] += 1 }
    }
    return counts.sorted { (-$0.value, $0.key.name) < (-$1.value, $1.key.name) }.map(\.key)
  }

  /// Returns whether a file is one that `assay export` or `convert` writes beside images: it repeats
  /// the contents of the folder.
  package static func isOwnManifest(_ file: SourceFile, in tree: any SourceTree) -> Bool {
    let place = CompanionPlace(file.path)
    guard ["manifest.json", "manifest.csv", "certificate.json"].contains(place.name) else {
      return false
    }
    var head = [UInt8](repeating: 0, count: 256)
    let count = (try? SourceContent.readHead(tree, file.path, into: &head)) ?? 0
    let text = String(decoding: head[..<count], as: UTF8.self)
    return place.suffix == ".csv"
      ? text.hasPrefix("key,file,row,split,label,corrected,")
      : text.contains("\"made_by\": \"assay\"") || text.contains("\"made_by\":\"assay\"")
  }

  /// The kind of a file by its beginning; `nil` if it is not recognized.
  static func kind(of file: SourceFile, in tree: any SourceTree) -> CompanionKind? {
    var head = [UInt8](repeating: 0, count: CompanionKind.headBytes)
    // The content of an unreadable file is unknown.
    let count = (try? SourceContent.readHead(tree, file.path, into: &head)) ?? 0
    head.removeLast(head.count - count)
    return CompanionKind.of(file.path, head: head, size: file.size)
  }

  // MARK: Several datasets

  private static func datasets(
    _ unread: [SourceFile], _ own: [(path: String, kind: String)], _ roots: DatasetRoots,
    in tree: any SourceTree
  ) -> [String] {
    var kinds: [String: String] = [:]
    for (path, kind) in own {
      if let root = roots[path] { kinds[root] = kinds[root] ?? kind }
    }
    var tried: [String: Int] = [:]
    for file in unread {
      guard let root = roots[file.path], kinds[root] == nil, tried[root, default: 0] < 3,
        tried.count < 64
      else { continue }
      tried[root, default: 0] += 1
      if let kind = kind(of: file, in: tree), kind.isAnnotation { kinds[root] = kind.name }
    }
    guard kinds.count > 1 else { return [] }
    let lines = kinds.sorted { $0.key < $1.key }.map { folder, kind in
      folder.isEmpty
        ? "the folder itself: \(kind)"
        : "\(folder): \(kind) (assay import \(ShellText.below(folder)))"
    }
    return lines.prefix(2 * listed)
      + (lines.count > 2 * listed ? ["… and \(lines.count - 2 * listed) more"] : [])
  }
}

extension Companions {
  /// The files of a folder that are not images, videos or similar, and may contain labels.
  ///
  /// - Parameter files: all files.
  static func candidates(_ files: [SourceFile]) -> [SourceFile] {
    files.filter { FileNameKind($0.path) == .unknown }
  }
}
