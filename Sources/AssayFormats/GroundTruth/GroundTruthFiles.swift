import AssayCore

/// The manifests of SageMaker Ground Truth in a source.
struct GroundTruthFiles {
  /// A manifest, and the first of its lines with a label.
  struct Manifest {
    var file: SourceFile
    var first: GroundTruthLine
  }

  private(set) var manifests: [Manifest] = []

  /// The maximum number of files that are opened, of bytes of each, and of lines that are looked at.
  private static let opened = 64
  private static let headBytes = 1 << 22
  private static let lines = 32

  /// - Throws: any error that the tree throws.
  init(_ tree: any SourceTree) throws {
    let files = try tree.files()
    let candidates =
      tree.isSingleFile
      ? files
      : files.filter { file in
        let name = file.path.lowercased()
        return [".manifest", ".jsonl", ".ndjson"].contains { name.hasSuffix($0) }
      }
    for file in candidates.prefix(Self.opened) {
      if let first = Self.first(of: file, in: tree) {
        manifests.append(Manifest(file: file, first: first))
      }
    }
  }

  /// The first line of a manifest that has a label; `nil` if the file is no manifest, or has no labels,
  /// as the input of a job.
  private static func first(of file: SourceFile, in tree: any SourceTree) -> GroundTruthLine? {
    var head = [UInt8](repeating: 0, count: min(1 << 16, max(0, file.size)))
    guard var count = try? SourceContent.readHead(tree, file.path, into: &head),
      isLikely(head[..<count])
    else { return nil }
    if count == 1 << 16 {
      head = [UInt8](repeating: 0, count: min(headBytes, max(0, file.size)))
      guard let more = try? SourceContent.readHead(tree, file.path, into: &head) else { return nil }
      count = more
    }
    var text = head[..<count]
    if text.starts(with: TableHead.byteOrderMark) { text = text.dropFirst(3) }
    for line in text.split(separator: 0x0A, maxSplits: lines).prefix(lines) {
      guard let value = try? GroundTruthLine.value(line), let found = GroundTruthLine(value) else {
        continue
      }
      if !found.attributes.isEmpty { return found }
    }
    return nil
  }

  private static func isLikely(_ head: ArraySlice<UInt8>) -> Bool {
    guard let first = head.first(where: { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }),
      first == UInt8(ascii: "{")
    else { return false }
    return String(decoding: head, as: UTF8.self).contains("\"source-ref\"")
  }

  /// The format of the manifests: sets of labels only if there is nothing else.
  var format: DatasetFormat {
    let kinds = Set(manifests.flatMap { $0.first.attributes.map(\.kind) })
    return kinds.contains(.labels) && !kinds.contains(.boxes) && !kinds.contains(.label)
      ? .groundTruthLabels : .groundTruth
  }
}
