import AssayCore

/// The lists in `ImageSets` that give splits, by dataset and task.
struct VOCLists {
  struct List: Hashable {
    var index: Int
    /// The split: the name without its suffix, and without the class in front of a list per class.
    var name: String
    /// True if its lines end with -1, 0 or 1.
    var isPerClass = false
  }

  /// The lists of one dataset.
  struct Dataset {
    /// The folder that contains `ImageSets`, or the lists.
    var root: String
    /// The lists of each task, the most important task first; train before val, test and others,
    /// trainval last. The place is the folder of the lists (`ImageSets/Main`), or their names.
    var tasks: [(place: String, lists: [List])]
  }

  /// A list of the images of one class.
  struct ClassList: Hashable {
    var index: Int
    /// The folder that contains `ImageSets`.
    var root: String
    /// The name without the split.
    var className: String
  }

  /// By root.
  private(set) var datasets: [Dataset] = []
  /// The lists per class of the task Main (`cat_train.txt`).
  private(set) var classLists: [ClassList] = []

  /// The tasks in the order in which they give splits.
  private static let order = ["main", "segmentation", "layout", "action"]
  private static let ranks = ["train", "val", "valid", "test"]

  init(_ inventory: VOCInventory) {
    var found: [String: [String: [List]]] = [:]
    for index in 0..<inventory.files.count where inventory.roles[index] == .list {
      let path = inventory.files[index]
      let parts = SortedFiles.folder(of: path).split(separator: "/").map(String.init)
      guard let place = parts.lastIndex(where: { $0.lowercased() == "imagesets" }) else { continue }
      let root = parts[..<place].joined(separator: "/")
      let task = parts[(place + 1)...].joined(separator: "/")
      found[root, default: [:]][task, default: []].append(
        List(index: index, name: String(SortedFiles.stem(of: path))))
    }
    let plain = Self.plainLists(inventory)
    for root in Set(found.keys).union(plain.keys).sorted() {
      let tasks = found[root] ?? [:]
      var sorted: [(place: String, lists: [List])] = []
      for (task, lists) in tasks.sorted(by: { Self.rank(task: $0.key) < Self.rank(task: $1.key) }) {
        let splits = splits(lists, ofRoot: root, isMain: Self.rank(task: task).0 == 0, inventory)
        guard !splits.isEmpty else { continue }
        sorted.append((SortedFiles.join("ImageSets", task), splits))
      }
      if let lists = plain[root] {
        sorted.append((lists.map { $0.name + ".txt" }.joined(separator: " and "), lists))
      }
      if !sorted.isEmpty { datasets.append(Dataset(root: root, tasks: sorted)) }
    }
  }

  /// The lists of a folder that give splits, in order: `train.txt`, and the lists per class of a split
  /// that no such list names (`cat_val.txt` without `val.txt`). Lists per class of `Main` are kept.
  private mutating func splits(
    _ lists: [List], ofRoot root: String, isMain: Bool, _ inventory: VOCInventory
  ) -> [List] {
    let names = Set(lists.map { $0.name.lowercased() })
    let splits = lists.compactMap { list -> List? in
      guard let dash = list.name.lastIndex(of: "_"), dash != list.name.startIndex else {
        return list
      }
      let split = String(list.name[list.name.index(after: dash)...])
      let isStated = names.contains(split.lowercased())
      guard isStated || Self.isSplit(split), Self.isClassList(list.index, inventory) else {
        return list
      }
      if isMain {
        classLists.append(
          ClassList(index: list.index, root: root, className: String(list.name[..<dash])))
      }
      return isStated ? nil : List(index: list.index, name: split, isPerClass: true)
    }
    return splits.sorted { Self.rank($0.name) < Self.rank($1.name) }
  }

  private static func isSplit(_ name: String) -> Bool {
    name.lowercased() == "trainval" || FolderLayout.isSplit(name)
  }

  /// The number of lines of a plain list that are looked up.
  private static let sought = 8

  /// The lists outside of `ImageSets` by folder, in order: a text such as `train.txt` in the folder
  /// above images and annotations, of whose first lines most are the name of an image or annotation.
  private static func plainLists(_ inventory: VOCInventory) -> [String: [List]] {
    var found: [String: [List]] = [:]
    for index in 0..<inventory.files.count where inventory.roles[index] == .other {
      let path = inventory.files[index]
      let name = String(SortedFiles.stem(of: path))
      guard path.hasSuffix(".txt"), isSplit(name), let lines = head(index, inventory) else {
        continue
      }
      let root = String(SortedFiles.folder(of: path))
      let folders = inventory.folders.parts(ofDataset: root)
      let names = lines.prefix(sought)
      let known = names.count { line in
        !VOCSplits.files(named: line, root, folders, inventory, isWhole: true).files.isEmpty
      }
      guard known > 0, 2 * known >= names.count else { continue }
      found[root, default: []].append(List(index: index, name: name))
    }
    return found.mapValues { $0.sorted { rank($0.name) < rank($1.name) } }
  }

  private static func rank(task: String) -> (Int, String) {
    (order.firstIndex(of: task.lowercased()) ?? order.count, task)
  }

  private static func rank(_ name: String) -> (Int, String) {
    let lower = name.lowercased()
    if lower == "trainval" { return (ranks.count + 1, name) }
    return (ranks.firstIndex(of: lower) ?? ranks.count, name)
  }

  /// The first lines of a list without comments; `nil` if the file cannot be read.
  private static func head(_ index: Int, _ inventory: VOCInventory) -> [String]? {
    var head = [UInt8](repeating: 0, count: 512)
    let path = inventory.files[index]
    guard let count = try? SourceContent.readHead(inventory.tree, path, into: &head) else {
      return nil
    }
    var lines = String(decoding: head[..<count], as: UTF8.self).split(
      whereSeparator: \.isNewline)
    if count == head.count, lines.count > 1 { lines.removeLast() }
    return lines.map { String($0).trimmingBlanks }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
  }

  /// Returns whether the first line of a list has a second field: -1, 0 or 1, after the number of
  /// an object for actions.
  private static func isClassList(_ index: Int, _ inventory: VOCInventory) -> Bool {
    guard let first = head(index, inventory)?.first else { return true }
    let fields = first.split(whereSeparator: \.isWhitespace)
    return fields.count >= 2 && ["-1", "0", "1", "+1"].contains(fields.last)
  }
}
