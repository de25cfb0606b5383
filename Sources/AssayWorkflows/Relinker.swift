import AssayCore
import AssayFormats
import AssayRemote
package import AssayStore
import Foundation

/// Updates the locations of datasets whose sources were moved.
package struct Relinker {
  private let catalog: Catalog

  package init(catalog: Catalog) { self.catalog = catalog }

  /// Searches for the dataset's files at the new location, and updates the dataset's root.
  ///
  /// The files can be in a subfolder of the given folder, or it can be one of their own folders: a
  /// dataset with files such as `val2017/1.jpg` is found from `val2017` as well as from its parent
  /// folder. An archive is searched in the same way, and a folder of it can be given: `data.zip/inner`.
  ///
  /// - Parameter source: of a merged dataset, the one whose files moved; `a/b` for the source b of a
  ///   merged source a.
  /// - Parameter allowsChanged: true to accept a location where most files are not those that were imported.
  /// - Throws: ``RelinkError`` if none of its files is there, if most have another size in bytes, or without a source of a merged dataset
  ///   (the catalog is unchanged); ``SourceError``; `StoreError`.
  package func relink(
    _ name: String, to path: String, source: String? = nil, allowsChanged: Bool = false
  ) throws -> Relinked {
    let dataset = try catalog.dataset(named: name)
    let (moved, prefix) = try part(source, of: dataset)
    if RemoteAddress.isAddress(path) {
      guard source == nil else {
        throw RelinkError.remotePart(dataset: name, source: source ?? "", address: path)
      }
      return try relink(dataset, toAddress: path, allowsChanged: allowsChanged)
    }
    let (file, inner) = DiskSource.parts(of: path)
    let place = try DirectoryTree(file)
    let tree = try DatasetRoot.tree(at: path, of: moved)
    let files = try catalog.samples(in: catalog.resolve(name)).compactMap(\.location)
      .filter { $0.hasPrefix(prefix) }.map {
        EmbeddedImagePlace.listed(String($0.dropFirst(prefix.count)))
      }
    let isArchive = try place.isSingleFile && ArchiveCache.archive(place, place.name) != nil
    let container = place.isSingleFile ? place.root + "/" + place.name : place.root
    let given = container + (inner.isEmpty ? "" : "/" + inner)
    var root = given
    var found = 0
    if !files.isEmpty {
      let there = try tree.files().map(\.path)
      let best = MovedFiles(
        files, there,
        root: isArchive ? given : place.root, isFolder: isArchive || !place.isSingleFile
      ).best
      guard best.found > 0 else {
        throw RelinkError.nothingFound(
          dataset: name, root: given, files: files.count, example: files[0])
      }
      root = best.root
      found = best.found
    }
    let changed = try isArchive ? [] : changedFiles(of: dataset, prefix, below: root)
    if !allowsChanged, changed.count * 2 > found, let first = changed.first {
      throw RelinkError.otherFiles(
        dataset: name, root: root, changed: changed.count, found: found, example: first)
    }
    if let source {
      try catalog.relink(
        dataset: dataset.id, root: dataset.root, isSingleFile: false,
        options: dataset.options(movingSource: source, to: root))
    } else {
      try catalog.relink(
        dataset: dataset.id, root: root,
        isSingleFile: place.isSingleFile && (root + "/").hasPrefix(container + "/"),
        options: Self.localOptions(of: dataset))
    }
    return Relinked(
      dataset: name, source: source, root: root, files: files.count, found: found,
      changed: changed.count)
  }

  /// The options of a dataset without the list of an address.
  private static func localMembers(of dataset: DatasetRecord) throws -> [JSONValue.Member] {
    guard case .object(let known) = try JSONValue(parsing: dataset.options) else { return [] }
    return known.filter { $0.name != RemoteSources.member }
  }

  /// The options of a dataset that moves to the disk; `nil` if they stay.
  private static func localOptions(of dataset: DatasetRecord) throws -> String? {
    guard RemoteSources.listing(of: dataset) != nil else { return nil }
    return JSONValue.object(try localMembers(of: dataset)).text()
  }

  /// Searches for the dataset's files at an address, and remembers which versions are there now.
  private func relink(
    _ dataset: DatasetRecord, toAddress text: String, allowsChanged: Bool
  ) throws -> Relinked {
    let source = try DiskSource(text)
    guard let remote = source.remote else { throw SourceError.missing(path: text) }
    let (_, inner) = try RemoteAddress(text).parts
    let root = remote.place + (inner.isEmpty ? "" : "/" + inner)
    var moved = dataset
    moved.root = root
    var members = try Self.localMembers(of: dataset)
    members.append(.init(RemoteSources.member, .string(remote.listing.hash)))
    moved.options = JSONValue.object(members).text()
    let files = try catalog.samples(in: catalog.resolve(dataset.name)).compactMap(\.location)
    var sizes: [String: Int] = [:]
    for file in try DatasetRoot.tree(of: moved).files() { sizes[file.path] = file.size }
    let found = files.count { sizes[EmbeddedImagePlace.listed($0)] != nil }
    if found == 0, let example = files.first {
      throw RelinkError.nothingFound(
        dataset: dataset.name, root: root, files: files.count, example: example)
    }
    var changed: [RelinkError.Change] = []
    try catalog.forEachFileStamp(of: dataset.id) { location, stamp, _ in
      if let size = sizes[location], size != stamp.size {
        changed.append(.init(file: location, before: stamp.size, now: size))
      }
    }
    if !allowsChanged, changed.count * 2 > found, let first = changed.first {
      throw RelinkError.otherFiles(
        dataset: dataset.name, root: root, changed: changed.count, found: found, example: first)
    }
    try catalog.relink(
      dataset: dataset.id, root: root, isSingleFile: source.isFile, options: moved.options)
    return Relinked(
      dataset: dataset.name, source: nil, root: root, files: files.count, found: found,
      changed: changed.count)
  }

  /// The files below a folder whose size in bytes is not that of the imported file, with both sizes.
  private func changedFiles(
    of dataset: DatasetRecord, _ prefix: String, below root: String
  ) throws -> [RelinkError.Change] {
    var changed: [RelinkError.Change] = []
    try catalog.forEachFileStamp(of: dataset.id) { location, stamp, _ in
      guard location.hasPrefix(prefix) else { return }
      let file = String(location.dropFirst(prefix.count))
      var status = stat()
      guard stat(root + "/" + file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        Int(status.st_size) != stamp.size
      else { return }
      changed.append(.init(file: file, before: stamp.size, now: Int(status.st_size)))
    }
    return changed
  }

  /// The dataset whose files move, and the start of their locations.
  private func part(
    _ source: String?, of dataset: DatasetRecord
  ) throws(RelinkError) -> (dataset: DatasetRecord, prefix: String) {
    var moved = dataset
    for name in (source ?? "").split(separator: "/") {
      let sources = moved.mergedSources
      guard let next = sources.first(where: { $0.name == name }) else {
        throw .unknownSource(
          source ?? "", dataset: dataset.name, known: dataset.mergedSources.map(\.name))
      }
      moved = next
    }
    let sources = moved.mergedSources
    guard sources.isEmpty else {
      let start = source.map { $0 + "/" } ?? ""
      throw .needsSource(
        dataset: dataset.name, sources: sources.map { "\(start)\($0.name) in \($0.root)" },
        example: start + sources[0].name)
    }
    return (moved, source.map { $0 + "/" } ?? "")
  }
}

/// Finds moved files: the root below which most of them have their old paths.
struct MovedFiles {
  private(set) var best: (root: String, found: Int)

  /// - Parameters:
  ///   - files: the files' paths relative to the old root.
  ///   - there: the paths of all files below the new location.
  ///   - root: the new location, a folder or an archive.
  ///   - isFolder: whether its subfolders and the folders above it can be the root, too.
  init(_ files: [String], _ there: [String], root: String, isFolder: Bool) {
    let listed = Set(there)
    best = (root, files.count { listed.contains($0) })
    guard best.found < files.count, isFolder else { return }
    for folder in Self.folders(holding: files, there) {
      let found = files.count { listed.contains(folder + "/" + $0) }
      if found > best.found { best = (root + "/" + folder, found) }
    }
    // The reverse: the given folder is one of the folders in their paths.
    let given = root.split(separator: "/")
    for depth in stride(from: 1, through: min(3, given.count), by: 1) {
      let lost = given.suffix(depth).joined(separator: "/") + "/"
      let found = files.count {
        $0.hasPrefix(lost) && listed.contains(String($0.dropFirst(lost.count)))
      }
      guard found > best.found else { continue }
      best = ("/" + given.dropLast(depth).joined(separator: "/"), found)
    }
  }

  /// The folders below which one of some files has its old path.
  private static func folders(holding files: [String], _ there: [String]) -> [String] {
    let step = max(1, files.count / 16)
    var examples: [Substring: [String]] = [:]
    for place in stride(from: 0, to: files.count, by: step) {
      examples[files[place].split(separator: "/").last ?? "", default: []].append(files[place])
    }
    var folders: Set<String> = []
    for path in there {
      let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
      for file in examples[name] ?? [] where path.hasSuffix("/" + file) {
        folders.insert(String(path.dropLast(file.count + 1)))
      }
    }
    return folders.sorted()
  }
}

/// The result of relinking.
package struct Relinked: Hashable, Sendable {
  package var dataset: String
  /// The source of a merged dataset whose files moved; `nil` for a dataset that is not merged.
  package var source: String?
  package var root: String
  /// The number of the dataset's image files (0 if its pixels are in the catalog), and of those at
  /// the new location.
  package var files: Int
  package var found: Int
  /// The number of files whose size in bytes is not that of the imported one.
  package var changed = 0
}

/// The reasons why a dataset was not relinked.
package enum RelinkError: Error, Hashable, CustomStringConvertible {
  /// A file that is not the imported one, with the sizes of both in bytes.
  package struct Change: Hashable, Sendable {
    package var file: String
    package var before: Int
    package var now: Int
  }

  /// Most files of the new location are others.
  case otherFiles(dataset: String, root: String, changed: Int, found: Int, example: Change)
  case nothingFound(dataset: String, root: String, files: Int, example: String)
  /// A merged dataset without the source that moved.
  case needsSource(dataset: String, sources: [String], example: String)
  case unknownSource(String, dataset: String, known: [String])
  /// A source of a merged dataset is to be at an address.
  case remotePart(dataset: String, source: String, address: String)

  package var description: String {
    switch self {
    case .otherFiles(let dataset, let root, let changed, let found, let example):
      "\(changed) of the \(found) files in \(root) are not those of \(dataset): they have other sizes (\(example.file): "
        + "\(example.before) bytes when it was imported, \(example.now) now). This is another dataset, or its images were "
        + "changed: import it, or accept the files with --changed"
    case .nothingFound(let dataset, let root, let files, let example):
      files == 1
        ? "the only file of \(dataset), \(example), is not in \(root); give the folder that contains it"
        : "none of the \(files) files of \(dataset) is in \(root) (for example \(example)); give the folder that contains them"
    case .needsSource(let dataset, let sources, let example):
      "\(dataset) is merged: name the source that moved, for example --source \(example) (sources: "
        + sources.joined(separator: ", ") + ")"
    case .remotePart(let dataset, let source, let address):
      "\(source) is a source of the merged dataset \(dataset), which cannot be moved to \(address); import it from "
        + "there, and merge again"
    case .unknownSource(let source, let dataset, let known):
      known.isEmpty
        ? "\(dataset) is not a merged dataset: relink it without --source"
        : "\(dataset) has no source “\(source)”; sources: \(known.joined(separator: ", "))"
    }
  }
}
