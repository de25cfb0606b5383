package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay model audit`: tries other ways to prepare a model's inputs.
package struct ModelAuditCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Find out whether a model's preprocessing is the one it was trained with.",
    discussion: """
      Runs the model on labeled samples with other recipes than the manifest's: scale and offset, order of the \
      colors, resize and crop, filter, layout, activation. Each recipe differs from the best one so far in one \
      part; all see the same samples. The list is ranked by the task's main metric, with the paired difference \
      to the manifest's recipe and an interval that holds for all recipes of a round together (95 %, \
      Bonferroni). For detectors that is AP pooled over the classes, which has an interval although some \
      classes are rare. A recipe counts as better only if its interval excludes 0.

      Nothing is stored in the catalog: runs are made in a temporary copy. --apply revises the model as \
      assay model edit does; runs keep the manifest they were made with.
      """)

  @Argument(help: "The model's name.")
  package var model: String

  @Argument(help: "A view with ground truth: faces/val.")
  package var view: String

  @Option(
    help: ArgumentHelp(
      "The number of samples, drawn at random. Default: 2000 for labels, 200 for masks, 500 for boxes.",
      valueName: "n"))
  package var samples: Int?

  @Option(help: ArgumentHelp("The seed of the draw and of the intervals.", valueName: "n"))
  package var seed: UInt64 = 42

  @Flag(help: "Write the clearly better recipe into the model's manifest.")
  package var apply = false

  @Flag(help: "List all recipes, not only the best 12.")
  package var all = false

  @OptionGroup package var limits: ModelLimitOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    if let samples, !(2...10_000_000).contains(samples) {
      throw ValidationError("--samples is \(samples); it must be from 2 to 10,000,000")
    }
  }

  package func run() throws {
    try options.perform { progress in
      try limits.enterChild()
      let catalog = try Catalog.open(
        options.catalogPath, apply ? .readWrite : .readOnly, reportingTo: progress)
      var audit = ModelAudit(catalog: catalog, progress: progress)
      audit.samples = samples
      audit.seed = seed
      let outcome = try audit.run(model: model, view: view)
      var kept: String?
      var isApplied = false
      if apply, outcome.rivals.isEmpty, let text = try outcome.improvedManifest() {
        kept = try catalog.reviseModel(named: outcome.model.name, manifest: text).kept?.name
        isApplied = true
      }
      return ModelAuditResult(
        outcome: outcome, showsAll: all, isApplied: isApplied, kept: kept)
    }
  }
}

/// The result of `assay model audit`.
struct ModelAuditResult: CommandResult {
  let outcome: AuditOutcome
  let showsAll: Bool
  let isApplied: Bool
  /// The name under which the earlier model was kept; `nil` if no run uses it.
  let kept: String?

  private static let shown = 12

  var json: JSONValue {
    [
      "model": .string(outcome.model.name), "view": .string(outcome.view),
      "samples": JSONValue(outcome.samples), "metric": JSONValue(outcome.metric?.name),
      "value": JSONValue(outcome.ownValue),
      "best": outcome.best.map(json(of:)) ?? .null,
      "rivals": .array(outcome.rivals.map(json(of:))), "applied": .bool(isApplied),
      "kept_as": JSONValue(kept),
      "recipes": .array(outcome.ranked.map(json(of:))),
    ]
  }

  private func json(of trial: AuditTrial) -> JSONValue {
    let interval = trial.difference?.interval
    return [
      "changes": .string(trial.recipe.difference(from: outcome.own)),
      "part": .string(trial.part.rawValue), "value": JSONValue(trial.value),
      "difference": JSONValue(trial.difference?.value),
      "interval": interval.map { [.number($0.low), .number($0.high)] } ?? .null,
      "clearly_better": trial.isClearlyBetter.map { .bool($0) } ?? .null,
      "refused": JSONValue(trial.refusal),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let title = outcome.metric?.title ?? ""
    var lines: [String] = []
    if let best = outcome.best, let value = best.value, let own = outcome.ownValue {
      lines.append(
        "\(terminal.wrong("better")): \(Terminal.safe(best.recipe.difference(from: outcome.own)))")
      lines.append(
        "\(title) \(Fixed.text(value, places: 4)) instead of \(Fixed.text(own, places: 4)) on \(outcome.samples) samples of"
          + " \(Terminal.safe(outcome.view))")
    } else if let own = outcome.ownValue {
      lines.append(
        "\(terminal.right("no better recipe")): none of \(outcome.trials.count) is clearly better than the manifest's"
      )
      lines.append(
        "\(title) \(Fixed.text(own, places: 4)) on \(outcome.samples) samples of \(Terminal.safe(outcome.view))"
      )
    } else {
      lines.append("no recipe could be compared with the manifest's")
    }
    lines += ["", table(in: terminal)]
    let rest = listed.count - Self.shown
    if !showsAll, rest > 0 { lines.append("and \(rest) more: --all") }
    let idle = outcome.trials.filter(\.hasNoEffect)
    if !showsAll, !idle.isEmpty {
      var names: [String] = []
      for name in idle.map({ $0.recipe.text(of: $0.part) }) where !names.contains(name) {
        names.append(name)
      }
      lines.append(
        Paragraph.text(
          "without any effect on these samples: \(Terminal.safe(names.joined(separator: "; ")))",
          in: terminal))
    }
    lines.append("")
    if isApplied {
      lines.append(
        "the manifest of \(Terminal.safe(outcome.model.name)) was revised"
          + (kept.map {
            "; the earlier one is kept as \(Terminal.safe($0)), which its runs belong to"
          } ?? ""))
      lines.append(
        "next: assay predict \(Terminal.safe(outcome.view)) --model \(Terminal.safe(outcome.model.name)) --name NAME"
      )
    } else if !outcome.rivals.isEmpty {
      let names = outcome.rivals.prefix(4).map {
        $0.recipe.difference(from: outcome.own, brief: true)
      }
      lines.append(
        Paragraph.text(
          "these samples do not tell it apart from \(names.joined(separator: "; ")), so --apply leaves the manifest as"
            + " it is: find out how the model was trained, or give more --samples", in: terminal))
    } else if outcome.best != nil {
      lines.append(
        "next: the same command with --apply, if this is how the model was trained")
    } else {
      lines.append(
        "intervals hold for all recipes of a round together; more --samples show smaller differences"
      )
    }
    return lines.joined(separator: "\n")
  }

  /// The recipes of the table: without `--all` those that have an effect.
  private var listed: [AuditTrial] {
    showsAll ? outcome.ranked : outcome.ranked.filter { !$0.hasNoEffect }
  }

  private func table(in terminal: Terminal) -> String {
    var table = TextTable([
      (outcome.metric?.title ?? "", .right), ("difference", .right), ("95 % interval", .left),
      ("recipe", .left),
    ])
    for trial in listed.prefix(showsAll ? .max : Self.shown) {
      let value = trial.difference?.value
      let sign = (value ?? 0) >= 0 ? "+" : ""
      let interval = trial.difference?.interval.map { interval in
        "[\(Fixed.text(interval.low, places: 4)), \(Fixed.text(interval.high, places: 4))]"
      }
      table.add([
        trial.value.map { Fixed.text($0, places: 4) } ?? "–",
        value.map { sign + Fixed.text($0, places: 4) } ?? "",
        interval ?? (trial.refusal == nil ? "" : "refused"),
        Terminal.safe(trial.recipe.difference(from: outcome.own, brief: true)),
      ])
    }
    return table.text(in: terminal)
  }
}
