import AssayCore

/// The folders of images that belong to folders of annotations by the names of their files alone: `train` to
/// `train_xml`. Names of folders say nothing here.
struct VOCNamedFolders {
  /// The folder of the images by that of the annotations.
  private var folders: [Substring: String] = [:]

  /// Compares the names in folders of annotations none of which has an image by the rules of
  /// ``VOCFolders``.
  ///
  /// - Parameters:
  ///   - orphans: the annotations without an image.
  ///   - paired: the folders of annotations that have an image.
  init(_ orphans: [Int], paired: Set<Substring>, _ inventory: VOCInventory) {
    let files = inventory.files
    var xmls: [Substring: Set<Substring>] = [:]
    for index in orphans {
      let folder = SortedFiles.folder(of: files[index])
      guard !paired.contains(folder) else { continue }
      xmls[folder, default: []].insert(SortedFiles.stem(of: files[index]))
    }
    guard !xmls.isEmpty else { return }
    var owners: [Substring: [Substring]] = [:]
    for (folder, stems) in xmls { for stem in stems { owners[stem, default: []].append(folder) } }
    var counts: [Substring: [Substring: Int]] = [:]
    for index in 0..<files.count where inventory.roles[index] == .image {
      for folder in owners[SortedFiles.stem(of: files[index])] ?? [] {
        counts[folder, default: [:]][SortedFiles.folder(of: files[index]), default: 0] += 1
      }
    }
    for (folder, found) in counts {
      guard let most = found.values.max(), 2 * most > xmls[folder]?.count ?? 0 else { continue }
      let best = found.filter { $0.value == most }.keys
      let depth = best.map { Self.shared($0, folder) }.max() ?? 0
      let closest = best.filter { Self.shared($0, folder) == depth }
      if closest.count == 1 { folders[folder] = String(closest[0]) }
    }
  }

  /// The folder of the images of a folder of annotations; `nil` if none is found, or several are as good.
  subscript(folder: Substring) -> String? { folders[folder] }

  /// The number of folders at the ends of two paths that have the same names.
  private static func shared(_ first: Substring, _ second: Substring) -> Int {
    zip(first.split(separator: "/").reversed(), second.split(separator: "/").reversed())
      .prefix { $0.lowercased() == $1.lowercased() }.count
  }
}
