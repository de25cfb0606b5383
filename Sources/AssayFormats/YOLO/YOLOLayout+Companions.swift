import AssayCore

extension YOLOLayout {
  /// The files that may contain annotations and are not read.
  var unread: [SourceFile] {
    let files = inventory.files.files
    return files.indices.filter { !isRead[$0] && FileNameKind(files[$0].path) == .unknown }
      .map { files[$0] }
  }

  /// The folders of label files without an image that are called like those of other images of the same
  /// split: a second set of labels. One line each.
  var secondSets: [String] {
    let alone = items.compactMap { item -> Int? in
      if case .label = item.kind { Int(item.label) } else { nil }
    }
    guard !alone.isEmpty else { return [] }
    let files = inventory.files
    var read: [String: String] = [:]
    for item in items where item.label >= 0 {
      guard case .image = item.kind else { continue }
      let path = files[Int(item.label)]
      read[Self.place(of: path)] = path
    }
    let folders = Dictionary(grouping: alone) { String(SortedFiles.folder(of: files[$0])) }
    return folders.sorted { $0.key < $1.key }.compactMap { folder, labels in
      let twins = labels.compactMap { read[Self.place(of: files[$0])] }
      guard let twin = twins.first, twins.count == labels.count,
        SortedFiles.folder(of: twin) != folder[...]
      else { return nil }
      return "\(Counted.text(labels.count, "label file", "label files")) in \(folder) "
        + "\(labels.count == 1 ? "is" : "are") called like those in \(SortedFiles.folder(of: twin)), which are "
        + "read, so \(labels.count == 1 ? "it is" : "they are") a second set of labels of the same images; take "
        + "one of the two folders away"
    }
  }

  /// The split and the name of a label file.
  private static func place(of label: String) -> String {
    let split = YOLOFolderFacts.split(of: SortedFiles.folder(of: label))?.name ?? ""
    return split + "/" + SortedFiles.stem(of: label)
  }

  /// The images that look like masks of other images, with these; empty if there are none.
  var masks: [MaskPair] {
    guard hasMaskNames else { return [] }
    let pairs = MaskPairing(inventory.files.files).pairs
    return IndexMaskPlan.isPlausible(pairs, in: inventory.tree) ? pairs : []
  }

  /// True if an image has the name of a mask, or is in a folder of masks.
  private var hasMaskNames: Bool {
    let files = inventory.files
    var folders: [Substring: Bool] = [:]
    for index in 0..<files.count where inventory.roles[index] == .image {
      let folder = SortedFiles.folder(of: files[index])
      let isMaskFolder = folders[folder] ?? (PairPath(folder + "/x.png").role != .image)
      folders[folder] = isMaskFolder
      if isMaskFolder { return true }
      let stem = SortedFiles.stem(of: files[index])
      guard stem.utf8.contains(where: { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }) else {
        continue
      }
      if PairPath.imageStems(ofMask: String(stem)).count > 1 { return true }
    }
    return false
  }
}
