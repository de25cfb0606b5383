import AssayCore

/// The lists in `ImageSets` that give splits, by dataset and task.
struct VOCLists {
  struct List: Hashable {
    var index: Int
    /// The name without its suffix: the split.
    var name: String
  }

  /// The lists of one folder `ImageSets`.
  struct Dataset {
    /// The folder that contains `ImageSets`.
    var root: String
    /// The lists of each task, the most important task first; train before val, test and others,
    /// trainval last.
    var tasks: [(name: String, lists: [List])]
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
    for (root, tasks) in found.sorted(by: { $0.key < $1.key }) {
      var sorted: [(name: String, lists: [List])] = []
      for (task, lists) in tasks.sorted(by: { Self.rank(task: $0.key) < Self.rank(task: $1.key) }) {
        let names = Set(lists.map { $0.name.lowercased() })
        let splits = lists.filter { list in
          guard let other = Self.baseName(of: list.name), names.contains(other),
            Self.isClassList(list.index, inventory)
          else { return true }
          if Self.rank(task: task).0 == 0 {
            classLists.append(
              ClassList(
                index: list.index, root: root,
                className: String(
                  list.name[..<(list.name.lastIndex(of: "_") ?? list.name.endIndex)])))
          }
          return false
        }
        guard !splits.isEmpty else { continue }
        sorted.append((task, splits.sorted { Self.rank($0.name) < Self.rank($1.name) }))
      }
      if !sorted.isEmpty { datasets.append(Dataset(root: root, tasks: sorted)) }
    }
  }

  private static func rank(task: String) -> (Int, String) {
    (order.firstIndex(of: task.lowercased()) ?? order.count, task)
  }

  private static func rank(_ name: String) -> (Int, String) {
    let lower = name.lowercased()
    if lower == "trainval" { return (ranks.count + 1, name) }
    return (ranks.firstIndex(of: lower) ?? ranks.count, name)
  }

  /// `train` of `cat_train`, in lower case.
  private static func baseName(of name: String) -> String? {
    guard let dash = name.lastIndex(of: "_"), dash != name.startIndex else { return nil }
    return name[name.index(after: dash)...].lowercased()
  }

  /// Returns whether the first lines of a list have a second field: -1, 0 or 1, after the number of
  /// an object for actions.
  private static func isClassList(_ index: Int, _ inventory: VOCInventory) -> Bool {
    var head = [UInt8](repeating: 0, count: 512)
    let count =
      (try? SourceContent.readHead(inventory.tree, inventory.files[index], into: &head)) ?? 0
    let lines = String(decoding: head[..<count], as: UTF8.self)
      .split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
    guard let first = lines.first else { return true }
    let fields = first.split(whereSeparator: \.isWhitespace)
    return fields.count >= 2 && ["-1", "0", "1", "+1"].contains(fields.last)
  }
}
