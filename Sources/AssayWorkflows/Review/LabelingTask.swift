package import AssayCore
package import AssayStore

/// The task that the images of a dataset are labeled for, if no run decides it.
package enum LabelingTask {
  private static let member = "task"

  /// The member of a dataset's options that states the task.
  static func option(_ task: ModelTask) -> JSONValue.Member {
    .init(member, .string(task.rawValue))
  }

  /// The task that was stated when a dataset was imported (`assay import --task`); `nil` if none was.
  package static func stated(for dataset: DatasetRecord) -> ModelTask? {
    guard dataset.options.contains("\"\(member)\""),
      let options = try? JSONValue(parsing: dataset.options)
    else { return nil }
    return options[member]?.text.flatMap(ModelTask.init(rawValue:))
  }

  /// The task of a dataset: the stated one, or that of its annotations; `nil` if there is neither.
  package static func of(_ dataset: DatasetRecord, in catalog: Catalog) throws -> ModelTask? {
    if let stated = stated(for: dataset) { return stated }
    if dataset.isMultiLabel { return .multiLabel }
    if dataset.regions > 0 {
      return try catalog.hasOnlyBoxes(in: dataset) ? .detection : .segmentation
    }
    return try catalog.hasLabels(in: dataset) ? .classification : nil
  }

  /// Returns whether the images of a dataset can be labeled for a task.
  ///
  /// - Returns: `nil` if they can; otherwise the reason, one clause about the dataset.
  static func obstacle(
    to task: ModelTask, in dataset: DatasetRecord, _ catalog: Catalog
  ) throws -> String? {
    switch task.output {
    case .labels: return dataset.isMultiLabel ? nil : "has no sets of labels"
    case _ where dataset.isMultiLabel: return "has sets of labels"
    case .label:
      return try dataset.regions == 0 || catalog.hasLabels(in: dataset) ? nil : "has regions"
    case .masks, .objects:
      return try dataset.regions > 0 || !catalog.hasLabels(in: dataset)
        ? nil : "has labels of whole images"
    }
  }

  /// The command that imports a dataset again with other classes, which keeps all corrections; `nil` if the classes
  /// are those of its source, or cannot be written in a list on a command line.
  package static func command(
    toImport dataset: DatasetRecord, classes: [String], task: ModelTask? = nil
  ) -> String? {
    guard dataset.format.isUnlabeled, let options = try? JSONValue(parsing: dataset.options) else {
      return nil
    }
    let isListed = classes.allSatisfy { name in
      !name.unicodeScalars.contains { $0 == "," || $0.properties.generalCategory == .control }
    }
    // A longer list is no command to read or to copy.
    guard isListed, classes.reduce(0, { $0 + $1.utf8.count }) <= 4096 else { return nil }
    let ignores = options["ignoresCompanions"] == .bool(true)
    let source = dataset.root + (options["images"] == nil ? ":" + dataset.format.rawValue : "")
    var words = ["assay", "import", source, "--name", dataset.name, "--classes"]
    words.append(classes.joined(separator: ","))
    if let task = task ?? stated(for: dataset) { words += ["--task", task.rawValue] }
    for (name, option) in [("split", "--split"), ("fps", "--fps"), ("every", "--every")] {
      guard let value = options[name], value != .null else { continue }
      words += [option, value.text ?? value.text()]
    }
    if ignores { words.append("--ignore-companions") }
    if options[DatasetRoot.followLinks] == .bool(true) { words.append("--follow-links") }
    return (words + ["--replace"]).map(ShellWord.quoted).joined(separator: " ")
  }
}

extension DatasetRecord {
  /// True if the ground truth of its images can have regions: its source has some, or the import stated a task whose
  /// objects or masks are drawn.
  package var holdsRegions: Bool {
    if regions > 0 { return true }
    let stated = LabelingTask.stated(for: self)?.output
    return stated == .objects || stated == .masks
  }
}

extension Catalog {
  /// Returns whether the ground truth that this catalog reads can have objects: imported ones, those of the task that
  /// the import stated, or those that people drew.
  func holdsObjects(in dataset: DatasetRecord) throws -> Bool {
    try dataset.holdsRegions || hasCorrectedObjects(in: dataset)
  }
}
