package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay check`: finds unreadable and duplicate images, leakage, and faulty annotations.
package struct CheckCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Find duplicates, leakage between splits, unreadable images, and faulty annotations.",
    discussion: """
      Reads every image of the view. The findings are stored in place of those of the last check of the \
      same view: `assay query 'issue = nearDuplicate'` lists the samples. Nothing is changed in the \
      dataset.

      Kinds:
      \(CheckCommand.kindList)

      Likely label errors need a run that was not trained on these labels (--run), outliers a model whose \
      output gives features (--features): its scores, or a named output such as the one before them. Exit status 1 if a kind \
      of --fail-on is found.
      """)

  private static let kindList = FindingKind.allCases.map { kind in
    "  \(kind.rawValue): \(kind.row.title.prefix(1).lowercased())\(kind.row.title.dropFirst())"
  }.joined(separator: "\n")

  @Argument(
    help:
      "A dataset, a view, or a part of either: faces/train; or a folder with the parts of --shard.")
  package var view: String

  @Option(
    help: ArgumentHelp("Look only for these kinds: nearDuplicate,leakage.", valueName: "kinds"))
  package var only: String?

  @Option(
    help: ArgumentHelp("Exit with status 1 if one of these is found.", valueName: "kinds"))
  package var failOn: String?

  @Option(
    name: .customLong("run"),
    help: ArgumentHelp("The run that likely label errors come from.", valueName: "run"))
  package var runName: String?

  @Option(
    help: ArgumentHelp(
      "The model whose output gives the features for outliers. Default output: a classifier's scores.",
      valueName: "model[:output]"))
  package var features: String?

  @Option(
    help: ArgumentHelp(
      "The partition whose parts are the splits. Default: the source's splits.",
      valueName: "partition"))
  package var partition: String?

  @Option(
    help: ArgumentHelp(
      "Write an HTML report with the images of the findings. With --shard: the folder for the parts.",
      valueName: "file"))
  package var out: String?

  @OptionGroup package var shards: ShardOption

  @Option(help: ArgumentHelp("The number of threads. Default: one per core.", valueName: "n"))
  package var workers: Int?

  @Flag(help: "Overwrite a file that assay did not write.")
  package var force = false

  @OptionGroup(title: "Model of --features") package var limits: ModelLimitOptions
  @OptionGroup(title: "Ground truth") package var truth: TruthOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    try shards.check(
      folder: out,
      unused: [
        ("--only", only != nil), ("--fail-on", failOn != nil), ("--run", runName != nil),
        ("--features", features != nil), ("--partition", partition != nil), ("--force", force),
      ])
    for (option, list) in [("--only", only), ("--fail-on", failOn)] {
      guard let list else { continue }
      _ = try Self.kinds(list, option)
    }
    if let workers, workers < 1 { throw ValidationError("--workers must be at least 1") }
    let kinds = try only.map { try Self.kinds($0, "--only") }
    let needs: [(kind: FindingKind, option: String, given: String?, error: CheckError)] = [
      (.labelError, "--run", runName, .noRun), (.outlier, "--features", features, .noFeatures),
    ]
    for (kind, option, given, error) in needs {
      if let kinds, kinds.contains(kind), given == nil { throw ValidationError("\(error)") }
      if let kinds, given != nil, !kinds.contains(kind) {
        throw ValidationError("\(option) is for \(kind.rawValue), which --only leaves out")
      }
    }
    for kind in try failOn.map({ try Self.kinds($0, "--fail-on") }) ?? [] {
      if let kinds, !kinds.contains(kind) {
        throw ValidationError("--fail-on \(kind.rawValue) is not one of --only")
      }
      for (needed, _, given, error) in needs where kind == needed && given == nil {
        throw ValidationError("\(error)")
      }
    }
  }

  package func run() throws {
    guard shards.shard == nil else { return try runShard() }
    try options.perform { progress in
      // Before any thread is started.
      if features != nil { try limits.enterChild() }
      let parts = try RecordParts.given(view, of: .check, options)
      let opened = try CorrectedCatalog.open(
        parts?.catalogPath(options) ?? options.catalogPath, .readWrite, truth: truth.choice,
        reportingTo: progress)
      var file = try out.map { path throws(OutputError) in try OutputFile(path, force: force) }
      let request = CheckRequest(
        parts?.text("view") ?? view, kinds: try only.map { try Self.kinds($0, "--only") },
        run: runName,
        features: features, partition: partition)
      let workflow = workflow(opened.catalog, progress)
      let failing = try failOn.map { try Self.kinds($0, "--fail-on") } ?? []
      let outcome = try workflow.find(request, parts: parts)
      if failing.contains(.leakage), (outcome.leakage?.splits.count ?? 0) < 2 {
        throw CheckError.noSplits(view: request.view)
      }
      let page = try file.map { _ in try workflow.page(outcome) }
      try opened.checkUnmoved()
      try workflow.store(outcome)
      if let page { try file?.write(page) }
      let result = CorrectedResult(
        CheckResult(
          outcome: outcome, failing: FindingKind.allCases.filter(failing.contains), report: out,
          parts: parts?.path),
        opened.corrections.of(outcome.dataset))
      guard !outcome.findings.contains(where: { failing.contains($0.kind) }) else {
        throw CheckFailed(result)
      }
      return result
    }
  }

  private func workflow(_ catalog: Catalog, _ progress: any ProgressSink) -> CheckWorkflow {
    workers.map { CheckWorkflow(catalog: catalog, workers: $0, progress: progress) }
      ?? CheckWorkflow(catalog: catalog, progress: progress)
  }

  private func runShard() throws {
    try shards.perform(
      options, truth, folder: out, ["assay", "check", view] + truth.words
    ) { request, opened, progress in
      try workflow(opened.catalog, progress).makePart(
        view, request, programVersion: ProgramVersion.number)
    }
  }

  /// The kinds of a comma-separated list.
  private static func kinds(_ list: String, _ option: String) throws -> Set<FindingKind> {
    let names = list.split(separator: ",").map { $0.trimmingSpaces }
    guard !names.isEmpty else { throw ValidationError("\(option) must name at least one kind") }
    return Set(
      try names.map { name in
        if let kind = FindingKind(rawValue: name) { return kind }
        let known = FindingKind.allCases.map(\.rawValue)
        let guess = NearMiss.suggestion(for: name, among: known).map { " (did you mean “\($0)”?)" }
        throw ValidationError(
          "\(option): unknown kind “\(name)”\(guess ?? ""); the kinds are "
            + known.joined(separator: ", "))
      })
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
