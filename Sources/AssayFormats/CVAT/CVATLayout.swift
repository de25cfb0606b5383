import AssayCore

/// The images of a CVAT dataset and the places of their annotations.
struct CVATLayout: Sendable {
  /// One image.
  struct Item: Sendable {
    /// Its path below the root.
    var path: String
    /// The range in ``CVATLayout/slices``.
    var slices: Range<Int>
    var split: Int16
  }

  /// A part of a file that belongs to an image.
  struct Slice: Sendable {
    /// The index of the file in ``CVATLayout/indexes``.
    var file: Int32
    /// The frame of a shape; -1 for an image.
    var frame: Int
    var slice: CVATIndex.Slice
  }

  let name: String
  private(set) var indexes: [CVATIndex] = []
  /// Sorted by path.
  private(set) var items: [Item] = []
  private(set) var slices: [Slice] = []
  private(set) var splitNames: [String] = []
  private(set) var classes: [String] = []
  /// The skeletons by their class, without those that files state differently.
  private(set) var skeletons: [String: CVATSkeleton] = [:]
  private(set) var issues: [Issue] = []
  /// The number of images that no annotation belongs to, and that are left out.
  private(set) var imagesLeftOut = 0
  private(set) var notes: [String] = []
  /// The number of shapes of frames that are left out.
  private(set) var lost = 0

  private let files: SortedFiles
  private var limit = IssueLimit()
  /// The images before they are sorted.
  private var found: [(path: String, split: Int16, slice: Slice?)] = []

  /// - Throws: ``FormatError`` if a file is broken; any error that the tree throws.
  init(_ source: CVATFiles) throws {
    name = source.tree.name
    files = source.files
    var seen: Set<String> = []
    var differing: Set<String> = []
    for index in source.indices {
      let index = try CVATIndex(source.tree, files[index])
      indexes.append(index)
      issues += index.issues.filter { limit.admits($0.kind) }
      lost += index.lost
      for name in index.meta.classes where seen.insert(name).inserted { classes.append(name) }
      for (name, skeleton) in index.meta.skeletons {
        if skeletons.updateValue(skeleton, forKey: name) ?? skeleton != skeleton {
          differing.insert(name)
        }
      }
    }
    for name in differing { skeletons[name] = nil }
    for place in indexes.indices {
      addImages(place)
      addFrames(place)
    }
    try refuseRepeats()
    sort()
    noteUnlisted()
    issues += limit.remainder(in: name)
  }

  private mutating func note(
    _ kind: IssueKind, _ severity: Issue.Severity, _ location: IssueLocation, _ text: String
  ) {
    guard limit.admits(kind) else { return }
    issues.append(Issue(kind, severity, at: location, text))
  }

  private mutating func number(ofSplit name: String?) -> Int16 {
    guard let name else { return -1 }
    if let place = splitNames.firstIndex(of: name) { return Int16(clamping: place) }
    guard splitNames.count < Int(Int16.max) else { return -1 }
    splitNames.append(name)
    return Int16(splitNames.count - 1)
  }

  /// The split of a file: the subset of its task, else its name if that is not `annotations`, else
  /// a folder with the name of a split.
  private func split(ofFile index: CVATIndex) -> String? {
    if let subset = index.meta.onlySubset { return subset }
    let stem = String(SortedFiles.stem(of: index.file))
    if stem.lowercased() != "annotations", indexes.count > 1 || FolderLayout.isSplit(stem) {
      return stem
    }
    return SortedFiles.folder(of: index.file).split(separator: "/").map(String.init)
      .last(where: FolderLayout.isSplit)
  }

  /// The folders in which the images of a file can be, most likely first.
  private static func folders(of file: String, _ subset: String?) -> [String] {
    let base = SortedFiles.folder(of: file)
    let images = SortedFiles.join(base, "images")
    let stated = subset.flatMap { StatedPath($0) }
    let subset = stated.flatMap { $0.isOutside ? nil : $0.path }
    let below = subset.map { [SortedFiles.join(images, $0)] } ?? []
    let beside = subset.map { [SortedFiles.join(base, $0)] } ?? []
    // FiftyOne writes `data/` beside `labels.xml`.
    return below + [images, String(base)] + beside + [SortedFiles.join(base, "data")]
  }

  // MARK: Images

  private mutating func addImages(_ place: Int) {
    let index = indexes[place]
    let fileSplit = split(ofFile: index)
    for image in index.images {
      let location = IssueLocation(file: index.file, line: image.slice.line)
      let subset = image.subset ?? image.task.flatMap { index.meta.subsets[$0] }
      let split = number(ofSplit: subset ?? fileSplit)
      guard let name = StatedPath(image.name) else {
        note(.missingField, .error, location, "the image has no name; left out with its shapes")
        lost += 1
        continue
      }
      if name.isOutside {
        note(
          .outsideRoot, .warning, location,
          "the image name '\(image.name.prefix(200))' leaves the folder; \(name.path) is looked for"
        )
      }
      let folders = Self.folders(of: index.file, subset)
      let path =
        path(of: name.path, in: folders)
        ?? SortedFiles.join(folders[0], name.path)
      found.append(
        (path, split, Slice(file: Int32(clamping: place), frame: -1, slice: image.slice)))
    }
  }

  /// The path of an image by its name, or by a trailing part of it.
  private func path(of name: String, in folders: [String]) -> String? {
    var rest = name[...]
    while true {
      for folder in folders {
        let path = SortedFiles.join(folder, rest)
        if files.index(of: path) != nil { return path }
      }
      guard let slash = rest.firstIndex(of: "/") else { return nil }
      rest = rest[rest.index(after: slash)...]
    }
  }

  // MARK: Frames

  /// Adds the frames of a video: the images that are called as CVAT calls frames.
  private mutating func addFrames(_ place: Int) {
    let index = indexes[place]
    guard !index.shapes.isEmpty || (index.images.isEmpty && index.meta.frameSize != nil) else {
      return
    }
    let split = number(ofSplit: index.tracks.first?.subset ?? split(ofFile: index))
    let folders = Self.folders(of: index.file, index.tracks.first?.subset)
    // Tracks beside images: a frame is the number of an image, if each has its own.
    let isNumbered =
      !index.images.isEmpty && Set(index.images.map { Int($0.id) }).count == index.images.count
    var frames = isNumbered ? [:] : frames(in: folders)
    if frames.isEmpty, !index.images.isEmpty {
      for image in index.images {
        guard let id = Int(image.id), let name = StatedPath(image.name) else {
          continue
        }
        let folders = Self.folders(of: index.file, image.subset)
        frames[id] = path(of: name.path, in: folders) ?? SortedFiles.join(folders[0], name.path)
      }
    } else if frames.isEmpty {
      frames = numbered(in: folders, index)
    }
    let hasImages = !frames.isEmpty
    var missing: (frames: Set<Int>, shapes: Int, line: Int)?
    for shape in index.shapes {
      let slice = Slice(file: Int32(clamping: place), frame: shape.frame, slice: shape.slice)
      if let path = frames[shape.frame] {
        found.append((path, split, slice))
      } else if hasImages {
        if missing == nil { missing = ([], 0, shape.slice.line) }
        missing?.frames.insert(shape.frame)
        missing?.shapes += 1
      } else {
        let digits = String(shape.frame)
        let number = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
        found.append((SortedFiles.join(folders[0], "frame_\(number).png"), split, slice))
      }
    }
    if index.images.isEmpty {
      for path in frames.values { found.append((path, split, nil)) }
    }
    noteGaps(index, frames)
    guard let missing else { return }
    lost += missing.shapes
    note(
      .missingImage, .error, IssueLocation(file: index.file, line: missing.line),
      "\(Counted.text(missing.shapes, "shape is", "shapes are")) on "
        + "\(Counted.text(missing.frames.count, "frame", "frames")) without an image (the first is "
        + "frame \(missing.frames.min() ?? 0)); left out")
  }

  /// Reports frames between the shapes of a track that have none: CVAT lists all of them, and a file of
  /// key frames alone would need interpolation.
  private mutating func noteGaps(_ index: CVATIndex, _ frames: [Int: String]) {
    var events: [Int32: [(frame: Int, isOutside: Bool)]] = [:]
    for shape in index.shapes where shape.slice.point < 0 {
      events[shape.slice.track, default: []].append((shape.frame, false))
    }
    for outside in index.outsides {
      events[outside.track, default: []].append((outside.frame, true))
    }
    var (count, tracks) = (0, 0)
    var first: (track: Int32, frame: Int)?
    for (track, list) in events.sorted(by: { $0.key < $1.key }) {
      let list = list.sorted { ($0.frame, $0.isOutside ? 1 : 0) < ($1.frame, $1.isOutside ? 1 : 0) }
      var gap = 0
      for (earlier, later) in zip(list, list.dropFirst()) where !earlier.isOutside {
        guard later.frame - earlier.frame > 1 else { continue }
        // A file can state frames far apart; only those with an image count.
        let between =
          later.frame - earlier.frame < frames.count
          ? (earlier.frame + 1..<later.frame).filter { frames[$0] != nil }
          : frames.keys.filter { $0 > earlier.frame && $0 < later.frame }
        gap += between.count
        if first == nil, let frame = between.min() { first = (track, frame) }
      }
      count += gap
      if gap > 0 { tracks += 1 }
    }
    guard let first else { return }
    note(
      .unsupportedField, .warning, IssueLocation(file: index.file),
      "\(Counted.text(tracks, "track has", "tracks have")) no shape on "
        + "\(Counted.text(count, "frame", "frames")) between two of its shapes (the first is frame "
        + "\(first.frame) of track \(index.tracks[Int(first.track)].id)): nothing is interpolated, so "
        + "the object is missing there; CVAT's own exports list every frame")
  }

  /// The images called `frame_000010` in some folders, by frame; the first folder with one counts.
  private func frames(in folders: [String]) -> [Int: String] {
    for folder in folders {
      var frames: [Int: String] = [:]
      for index in files.range(below: folder) where PairPath.isImageName(files[index]) {
        let path = files[index]
        guard SortedFiles.folder(of: path) == folder else { continue }
        let stem = SortedFiles.stem(of: path)
        guard stem.lowercased().hasPrefix("frame_"), let frame = Int(stem.dropFirst(6)) else {
          continue
        }
        frames[frame] = frames[frame] ?? path
      }
      if !frames.isEmpty { return frames }
    }
    return [:]
  }

  /// The images of a folder in their order as frames 0, 1, …, if there are as many as the task has.
  private mutating func numbered(in folders: [String], _ index: CVATIndex) -> [Int: String] {
    for folder in folders {
      let images = files.range(below: folder).map { files[$0] }.filter {
        PairPath.isImageName($0) && SortedFiles.folder(of: $0) == folder
      }
      guard !images.isEmpty else { continue }
      guard images.count == index.meta.size else { return [:] }
      notes.append(
        "the images of \(index.file) are not called frame_000000, …, so its frames are taken as their "
          + "positions: frame 0 is \(images[0])")
      return Dictionary(uniqueKeysWithValues: images.enumerated().map { ($0, $1) })
    }
    return [:]
  }

  // MARK: Order

  /// Refuses a file all of whose images another file has as well. Jobs that overlap share some of them.
  private func refuseRepeats() throws {
    guard indexes.count > 1 else { return }
    var files: [String: Set<Int32>] = [:]
    for (path, _, slice) in found {
      if let slice { files[path, default: []].insert(slice.file) }
    }
    var shared = SharedImages()
    for path in files.keys.sorted() { shared.add(path, of: files[path] ?? []) }
    if let repeated = shared.repeated {
      throw repeated.error(name, .cvat) { indexes[$0].file }
    }
  }

  /// Groups what was found by image, in the order of paths.
  private mutating func sort() {
    let order = found.indices.sorted { a, b in
      if found[a].path == found[b].path { return a < b }
      return SortedFiles.precedes(found[a].path, found[b].path)
    }
    for place in order {
      let (path, split, slice) = found[place]
      if let last = items.last, last.path == path {
        if let slice {
          if slice.frame < 0, items[items.count - 1].slices.isEmpty == false {
            note(
              .duplicateID, .warning,
              IssueLocation(file: indexes[Int(slice.file)].file, line: slice.slice.line),
              "\(path) is listed before; the shapes of both are kept")
          }
          slices.append(slice)
          items[items.count - 1].slices = last.slices.lowerBound..<slices.count
        }
        if last.split != split, split >= 0 {
          if last.split < 0 {
            items[items.count - 1].split = split
          } else {
            note(
              .duplicateID, .warning, IssueLocation(file: path),
              "\(path) is in split '\(splitNames[Int(last.split)])' and in "
                + "'\(splitNames[Int(split)])'; the first counts")
          }
        }
        continue
      }
      let start = slices.count
      if let slice { slices.append(slice) }
      items.append(Item(path: path, slices: start..<slices.count, split: split))
    }
    found = []
  }

  /// Reports images that no file lists, one issue for each folder.
  private mutating func noteUnlisted() {
    var groups: [String: (count: Int, first: String)] = [:]
    var place = 0
    for file in files.files where PairPath.isImageName(file.path) {
      while place < items.count, SortedFiles.precedes(items[place].path, file.path) { place += 1 }
      if place < items.count, items[place].path == file.path { continue }
      let folder = String(SortedFiles.folder(of: file.path))
      groups[folder] = ((groups[folder]?.count ?? 0) + 1, groups[folder]?.first ?? file.path)
    }
    for (folder, group) in groups.sorted(by: { $0.key < $1.key }) {
      imagesLeftOut += group.count
      note(
        .missingLabel, .error, IssueLocation(file: folder.isEmpty ? "." : folder),
        "\(group.count == 1 ? "1 image" : "\(group.count) images") (\(group.first)) that no CVAT file "
          + "lists; left out")
    }
  }
}
