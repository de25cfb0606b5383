import AssayWorkflows

/// The subject of an evaluation as text for the terminal, the same for every task.
struct EvaluatedSubject {
  let subject: Evaluation.Subject
  /// The name under which the evaluation is stored; `nil` if it is not stored.
  let name: String?
  /// The expression that selects the evaluated samples.
  let filter: String?

  /// `r1@strict (cnn on digits/test where label = 3)`, or the names of two files.
  var text: String {
    switch subject {
    case .run(let run, let model, let view):
      let filter = filter.map { " where \($0)" } ?? ""
      let model = model.map { $0 + " " } ?? ""
      return Terminal.safe("\(reference(to: run)) (\(model)on \(view)\(filter))")
    case .objects(let run, let view, let labels):
      let filter = filter.map { " where \($0)" } ?? ""
      return Terminal.safe(
        "\(labels.attribute) of the objects of \(run) against \(labels.field ?? "the class") of those on "
          + "\(view)\(filter)")
    case .files(let truth, let results, _):
      return Terminal.safe("\(Self.fileName(results)) against \(Self.fileName(truth))")
    }
  }

  /// The run, with the evaluation's name unless it is the default.
  func reference(to run: String) -> String {
    guard let name, name != Evaluation.defaultName else { return run }
    return "\(run)@\(name)"
  }

  /// Returns the lines below the numbers: the stored evaluation, the written file, and the next commands.
  ///
  /// - Parameter question: a condition on the run that selects the errors: `.iou < 0.5`.
  func closing(samplesFile: String?, question: String) -> [String] {
    let numbers =
      samplesFile.map { "written: \(Terminal.safe($0))\nall metrics: --json" }
      ?? "all metrics: --json; one row per sample: --samples FILE.csv"
    guard case .run(let run, _, let view) = subject else { return [numbers] }
    let reference = reference(to: run)
    guard let name else { return [numbers, Self.mergeLine(folder: run)] }
    return [
      "stored as \(run)@\(name)", numbers,
      "next: assay report \(reference) --out DIR",
      "next: assay query 'run(\(reference))\(question)' --in \(view)",
    ]
  }

  /// The next command for the parts of a run, whose evaluation is not stored.
  static func mergeLine(folder: String) -> String {
    "next: assay merge \(Terminal.safe(ShellWord.quoted(folder))) --name RUN"
  }

  static func fileName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
