package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay model check`: compares a model's outputs with another program's.
package struct ModelCheckCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Compare a model's raw outputs with another program's; exit status 1 if they differ.",
    discussion: """
      The same inputs go through the model as assay runs it and through a second program: ONNX Runtime, if \
      python3 (or $ASSAY_PYTHON) has it; with --runner a program that speaks the protocol of runners; with \
      --expect nothing runs, and recorded outputs are compared. Without a view the inputs are images of \
      seeded noise. Preprocessing is not part of the check: see assay model inputs and assay model audit.

      --expect FILE.npz: an array “input” (or with the name of the model's input) of the model's shape, and one \
      per output with its name. numpy.savez writes it.
      """)

  @Argument(help: "The model's name.")
  package var model: String

  @Argument(help: "A view whose first samples are the inputs. Default: noise.")
  package var view: String?

  @Option(
    help: ArgumentHelp("Recorded inputs and outputs (NumPy archive).", valueName: "file"),
    completion: .file(extensions: ["npz"]))
  package var expect: String?

  @Option(
    help: ArgumentHelp(
      "A program to compare with, which is started as it is given; see Runners in Docs/Models.md.",
      valueName: "command"))
  package var runner: String?

  @Option(
    help: ArgumentHelp(
      "The maximum number of inputs. Default: \(ModelCheck.imageLimit), or all of --expect.",
      valueName: "n"))
  package var limit: Int?

  @Option(
    help: ArgumentHelp(
      "The difference that counts as equal, for values up to 1; for larger ones in proportion.",
      valueName: "number"))
  package var tolerance = 0.001

  @OptionGroup package var limits: ModelLimitOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    if let limit, !(1...100_000).contains(limit) {
      throw ValidationError("--limit is \(limit); it must be from 1 to 100,000")
    }
    guard tolerance >= 0, tolerance.isFinite else {
      throw ValidationError("--tolerance is \(tolerance); it must be at least 0")
    }
    if expect != nil, view != nil || runner != nil {
      throw ValidationError(
        "--expect has its own inputs and outputs; leave the view and --runner out")
    }
    _ = try reference()
  }

  private func reference() throws -> ModelCheck.Reference {
    if let expect { return .expected(path: expect) }
    guard let runner else { return .onnxRuntime }
    guard let command = ModelCheck.command(runner) else {
      throw ValidationError(
        "--runner is “\(runner)”; expected a command such as “python3 net.py {model}”")
    }
    return command
  }

  package func run() throws {
    try options.perform { progress in
      try limits.enterChild()
      let catalog = try Catalog.open(options.catalogPath, .readOnly, reportingTo: progress)
      var check = ModelCheck(catalog: catalog, progress: progress)
      check.reference = try reference()
      check.limit = limit
      check.tolerance = tolerance
      let outcome = try check.run(model: model, view: view)
      let result = ModelCheckResult(outcome: outcome)
      guard outcome.isEqual else { throw CheckFailed(result) }
      return result
    }
  }
}

/// The result of `assay model check`.
struct ModelCheckResult: CommandResult {
  let outcome: ModelCheckOutcome

  private var inputs: String {
    let count = outcome.inputs.names.count
    return switch outcome.inputs.source {
    case .noise: "\(Counted.text(count, "image", "images")) of seeded noise"
    case .view(let view): "\(Counted.text(count, "sample", "samples")) of \(view)"
    case .recorded(let path, let all):
      count < all
        ? "the first \(count) of \(all) recorded inputs of \(path)"
        : "\(Counted.text(count, "recorded input", "recorded inputs")) of \(path)"
    }
  }

  var json: JSONValue {
    [
      "model": .string(outcome.model), "engine": .string(outcome.engine),
      "reference": .string(outcome.reference), "inputs": JSONValue(outcome.inputs.names.count),
      "tolerance": .number(outcome.tolerance), "quantized": .bool(outcome.isQuantized),
      "equal": .bool(outcome.isEqual),
      "outputs": .array(
        outcome.outputs.map { output in
          [
            "name": .string(output.name), "values_per_input": JSONValue(output.count),
            "compared": JSONValue(output.compared), "beyond_tolerance": JSONValue(output.beyond),
            "largest_difference": .number(Double(output.worstDifference)),
            "mean_difference": JSONValue(output.meanDifference),
            "relative_difference": JSONValue(output.relativeDifference),
            "worst": output.worst.map { worst in
              [
                "sample": .string(worst.sample), "index": JSONValue(worst.index),
                "value": .number(Double(worst.own)), "reference": .number(Double(worst.other)),
              ]
            } ?? .null,
          ]
        }),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let (engine, reference) = (Terminal.safe(outcome.engine), Terminal.safe(outcome.reference))
    var lines = [
      outcome.isEqual
        ? "\(terminal.right("equal")): \(Terminal.safe(outcome.model)) gives the same with \(engine) and \(reference)"
        : "\(terminal.wrong("different")): \(Terminal.safe(outcome.model)) gives other values with \(engine) than with"
          + " \(reference)",
      "\(Terminal.safe(inputs)); equal means within \(outcome.tolerance) for values up to 1, in proportion for larger ones",
      "",
    ]
    var table = TextTable([
      ("output", .left), ("values", .right), ("beyond", .right), ("relative RMS", .right),
      ("largest difference", .left),
    ])
    for output in outcome.outputs {
      table.add([
        Terminal.safe(output.name), "\(output.compared)", "\(output.beyond)",
        output.relativeDifference.map(Self.number) ?? "–",
        output.worst.map {
          "\(Self.number(Double(output.worstDifference))) (\($0.own) and \($0.other), \(Terminal.safe($0.sample)))"
        } ?? "0",
      ])
    }
    lines.append(table.text(in: terminal))
    if outcome.isQuantized, outcome.outputs.contains(where: { $0.beyond > 0 }) {
      lines += [
        "",
        "the model is quantized: programs that sum in another order round some values to the next level. Up to a relative"
          + " RMS of \(ModelCheckOutcome.quantizedLimit) (the differences beside the spread of the values) they count as equal",
      ]
    }
    if !outcome.isEqual {
      lines += [
        "",
        "do not trust this model's results before you know which of the two is right: compare with the program that it"
          + " was trained with (--runner, --expect)",
      ]
    }
    return lines.joined(separator: "\n")
  }

  /// Three significant digits.
  private static func number(_ value: Double) -> String {
    value.isFinite ? String(format: "%.3g", value) : "infinite"
  }
}
