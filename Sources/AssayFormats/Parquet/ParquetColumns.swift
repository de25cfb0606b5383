import AssayCore

/// The meaning of the columns of Parquet files with images: from the types that the files state, from
/// names, or from `--columns`. It is never guessed where two readings are possible.
struct ParquetColumns: Sendable {
  /// A column of labels of the whole image.
  struct Label: Sendable {
    var column: String
    /// The class names by number; `nil` if the values are the classes.
    var names: [String]?
    /// True for a set of labels.
    var isList: Bool
  }

  /// The columns of the objects of an image.
  struct Objects: Sendable {
    /// The structure that contains them; `nil` if they are columns at the top.
    var parent: String?
    var box: String
    var category: String?
    var names: [String]?
    /// Columns at the top that hold more fields of the objects.
    var others: [String] = []
    var form = HFObjects.BoxForm.sized
    var isRelative = false
    /// True if `--columns` states the form of the boxes.
    var isStated = false

    /// The path of a member.
    func path(_ member: String) -> String { parent.map { $0 + "." + member } ?? member }
  }

  private(set) var image: String
  private(set) var mask: String?
  private(set) var label: Label?
  private(set) var objects: Objects?
  /// Columns with texts about the image.
  private(set) var texts: [String] = []
  /// The columns of the size of the image, if there are both.
  private(set) var hasSize = false
  /// The columns that are not kept.
  private(set) var ignored: [String] = []

  /// True if samples have sets of labels.
  var isMultiLabel: Bool { label?.isList == true && objects == nil && mask == nil }

  private static let maskNames: Set<String> = [
    "annotation", "annotations", "label", "labels", "mask", "masks", "segmentation",
    "segmentation_mask", "semantic_mask", "label_mask", "gt", "ground_truth", "target",
  ]
  private static let textNames = Set(Captions.fields)
  private static let objectFields = ["area", "iscrowd", "id"]

  /// Finds the columns.
  ///
  /// - Returns: `nil` if the file has no column of images.
  /// - Throws: ``ParquetProblem`` with the choices if several readings are possible, and for stated
  ///   columns that the file does not have.
  init?(_ file: ParquetFile, _ options: ImportOptions) throws {
    let images = ParquetImageColumn.all(of: file).map(\.name)
    guard !images.isEmpty else { return nil }
    let stated = try options.columns.map { try Stated($0, options.coordinates, in: file) }
    if let stated {
      guard images.contains(stated.image) else {
        throw ParquetProblem(
          "the column “\(stated.image)” of --columns holds no images; these do: \(Self.list(images))"
        )
      }
      image = stated.image
      mask = stated.mask
      if let mask, !images.contains(mask) {
        throw ParquetProblem(
          "the column “\(mask)” of --columns holds no images; these do: \(Self.list(images))")
      }
    } else {
      (image, mask) = try Self.pair(images)
    }
    let features = HFFeatures(file)
    let columns = file.schema.columns.filter { !images.contains($0.name) }
    if let stated, stated.box != nil || stated.label != nil || stated.mask != nil {
      try take(stated, features, file)
    } else {
      objects = try Self.objects(columns, features)
      let taken = Set(
        objects.map { [$0.parent, $0.parent == nil ? $0.box : nil].compactMap(\.self) } ?? [])
      let flat = objects.map { $0.parent == nil ? $0.category : nil } ?? nil
      label = try Self.label(
        columns.filter { !taken.contains($0.name) && $0.name != flat }, features)
    }
    if objects != nil, objects?.parent == nil {
      objects?.others = columns.filter { Self.objectFields.contains($0.name) && $0.element != nil }
        .map(\.name)
    }
    finish(columns, images)
  }

  private mutating func finish(_ columns: [ParquetSchema.Node], _ images: [String]) {
    var read: Set<String> = [image]
    if let mask {
      read.insert(mask)
      // A dataset of masks has nothing else.
      ignored = [label?.column, objects.map { $0.parent ?? $0.box }].compactMap(\.self)
      (label, objects) = (nil, nil)
    } else {
      if let label { read.insert(label.column) }
      if let objects {
        read.formUnion([objects.parent ?? objects.box] + objects.others)
        if objects.parent == nil, let category = objects.category { read.insert(category) }
        if label?.isList == true {
          ignored += [label?.column].compactMap(\.self)
          label = nil
        }
      }
      let names = Set(columns.filter(Self.isScalar).map(\.name))
      hasSize = names.isSuperset(of: ["width", "height"])
      if hasSize { read.formUnion(["width", "height"]) }
      texts = columns.filter { node in
        Self.textNames.contains(node.name) && !read.contains(node.name)
          && (Self.isScalar(node) || node.element.map(Self.isScalar) == true)
      }.map(\.name)
      read.formUnion(texts)
    }
    ignored += (columns.map(\.name) + images).filter { !read.contains($0) && !ignored.contains($0) }
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", …" : "")
  }

  private static func isScalar(_ node: ParquetSchema.Node) -> Bool {
    if case .leaf = node.content { true } else { false }
  }

  /// The columns of images and masks among those that hold images.
  private static func pair(_ images: [String]) throws -> (image: String, mask: String?) {
    if images.count == 1 { return (images[0], nil) }
    let masks = images.filter { maskNames.contains($0.lowercased()) }
    let others = images.filter { !maskNames.contains($0.lowercased()) }
    if images.count == 2, masks.count == 1, others.count == 1 { return (others[0], masks[0]) }
    throw ParquetProblem(
      "\(images.count) columns hold images: \(list(images)); state the one to import with --columns "
        + "image=\(others.first ?? images[0]), and the index masks, if there are any, with mask=COLUMN"
    )
  }

  /// The column of labels.
  private static func label(
    _ columns: [ParquetSchema.Node], _ features: HFFeatures
  ) throws -> Label? {
    let fitting = columns.filter { isScalar($0) || $0.element.map(isScalar) == true }
    var found = fitting.filter { features.classNames($0.name) != nil }
    if found.isEmpty { found = fitting.filter { HFMetadata.labelFields.contains($0.name) } }
    guard found.count < 2 else {
      throw ParquetProblem(
        "\(found.count) columns hold labels: \(list(found.map(\.name))); state the one to import with "
          + "--columns image=COLUMN,label=\(found[0].name)")
    }
    return found.first.map {
      Label(
        column: $0.name, names: features.classNames($0.name), isList: $0.element != nil)
    }
  }

  /// The columns of objects.
  private static func objects(
    _ columns: [ParquetSchema.Node], _ features: HFFeatures
  ) throws -> Objects? {
    var found: [Objects] = []
    for node in columns {
      let members = node.members.isEmpty ? node.element?.members ?? [] : node.members
      if members.isEmpty {
        guard HFObjects.boxFields.contains(node.name), node.element?.element != nil else {
          continue
        }
        let classes = columns.filter { $0.element.map(isScalar) == true }
        var objects = Objects(parent: nil, box: node.name)
        objects.category = try category(classes, nil, features)
        objects.names = objects.category.flatMap { features.classNames($0) }
        found.append(objects)
        continue
      }
      for box in members where HFObjects.boxFields.contains(box.name) {
        var objects = Objects(parent: node.name, box: box.name)
        objects.category = try category(members, node.name, features)
        objects.names = objects.category.flatMap { features.classNames(node.name, $0) }
        found.append(objects)
      }
    }
    guard found.count < 2 else {
      let paths = found.map { $0.path($0.box) }
      throw ParquetProblem(
        "\(found.count) columns hold boxes: \(list(paths)); state the ones to import with --columns "
          + "image=COLUMN,label=COLUMN,boxwh=\(paths[0]) --coordinates pixels")
    }
    return found.first
  }

  /// The column of the objects' classes.
  private static func category(
    _ members: [ParquetSchema.Node], _ parent: String?, _ features: HFFeatures
  ) throws -> String? {
    var found = members.filter {
      (parent == nil ? features.classNames($0.name) : features.classNames(parent ?? "", $0.name))
        != nil
    }
    if found.isEmpty { found = members.filter { HFObjects.classFields.contains($0.name) } }
    guard found.count < 2 else {
      let paths = found.map { node in parent.map { $0 + "." + node.name } ?? node.name }
      throw ParquetProblem(
        "\(found.count) columns hold classes of objects: \(list(paths)); state the one to import with "
          + "--columns image=COLUMN,label=\(paths[0]),boxwh=COLUMN --coordinates pixels")
    }
    return found.first?.name
  }

  /// Takes the columns of `--columns`.
  private mutating func take(
    _ stated: Stated, _ features: HFFeatures, _ file: ParquetFile
  ) throws {
    if let box = stated.box {
      var found = Objects(
        parent: box.parent, box: box.name, form: box.isSized ? .sized : .corners,
        isRelative: box.isRelative)
      found.isStated = true
      if let label = stated.label, label.parent == box.parent,
        box.parent != nil || file.schema.node(at: label.name)?.element != nil
      {
        found.category = label.name
        found.names =
          label.parent.map { features.classNames($0, label.name) }
          ?? features.classNames(label.name)
      }
      objects = found
      if found.category != nil { return }
    }
    guard let label = stated.label else { return }
    guard label.parent == nil,
      let node = file.schema.columns.first(where: { $0.name == label.name }),
      Self.isScalar(node) || node.element.map(Self.isScalar) == true
    else {
      throw ParquetProblem("the column “\(label.path)” of --columns holds no labels of images")
    }
    self.label = Label(
      column: label.name, names: features.classNames(label.name), isList: node.element != nil)
  }
}

extension ParquetColumns {
  /// The columns that `--columns` states.
  private struct Stated {
    struct Path {
      var parent: String?
      var name: String
      var path: String { parent.map { $0 + "." + name } ?? name }
    }

    var image: String
    var mask: String?
    var label: Path?
    var box: (parent: String?, name: String, isSized: Bool, isRelative: Bool)?

    init(
      _ columns: BoxTableColumns, _ coordinates: BoxCoordinates?, in file: ParquetFile
    ) throws {
      func name(_ column: BoxTableColumns.Column) throws -> String {
        switch column {
        case .named(let name):
          guard file.schema.node(at: name) == nil else { return name }
          let near = NearMiss.suggestion(for: name, among: file.schema.leaves.map(\.path[0]))
          throw ParquetProblem(
            "there is no column “\(name)”, named by --columns"
              + (near.map { " (did you mean “\($0)”?)" }
                ?? "; columns: \(ParquetColumns.list(file.schema.columns.map(\.name)))"))
        case .numbered(let number):
          guard number <= file.schema.columns.count else {
            throw ParquetProblem(
              "there is no column \(number), named by --columns; the file has "
                + "\(file.schema.columns.count)")
          }
          return file.schema.columns[number - 1].name
        }
      }
      func path(_ column: BoxTableColumns.Column) throws -> Path {
        let name = try name(column)
        if file.schema.columns.contains(where: { $0.name == name }) { return Path(name: name) }
        let dot = name.firstIndex(of: ".") ?? name.endIndex
        return Path(
          parent: String(name[..<dot]), name: String(name[dot...].dropFirst()))
      }
      image = try name(columns.image)
      mask = try columns.mask.map(name)
      label = try columns.label.map(path)
      guard let stated = columns.box else { return }
      guard stated.columns.count == 1 else {
        throw ParquetProblem(
          "box= and boxwh= name one column of lists of four numbers, as boxwh=objects.bbox")
      }
      guard let coordinates else {
        throw ParquetProblem("--columns needs --coordinates pixels or --coordinates relative")
      }
      let found = try path(stated.columns[0])
      box = (found.parent, found.name, stated.isSized, coordinates == .relative)
    }
  }
}
