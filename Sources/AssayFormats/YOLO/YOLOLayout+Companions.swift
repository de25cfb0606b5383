import AssayCore

extension YOLOLayout {
  /// The files that may contain annotations and are not read.
  var unread: [SourceFile] {
    let files = inventory.files.files
    return files.indices.filter { !isRead[$0] && FileNameKind(files[$0].path) == .unknown }
      .map { files[$0] }
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
