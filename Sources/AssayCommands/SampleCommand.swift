package import ArgumentParser
import AssayCore
import AssayWorkflows

/// `assay sample`: draws a random sample of a view.
package struct SampleCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "sample",
    abstract: "Draw a random sample of a view, and save it as a view.",
    discussion: """
      assay sample faces/train 1000 --stratify --save small

      assay sample film 10% --group-by '^(scene[0-9]+)/' --save part

      assay sample street --per-class 50 --save balanced

      The sample is a fixed list that every command takes as a view. It depends only on the seed, the \
      samples' keys and, with --stratify or --per-class, their classes; not on the order of the import. \
      A larger sample with the same seed contains the smaller one (without --stratify and --group-by).

      --stratify keeps the share of each class, by the largest remainder. An image with several classes \
      (labels, or classes of its annotations) counts in the class of it that the fewest images have. \
      `assay rm view NAME` removes a sample.
      """)

  @Argument(help: "A dataset, a saved view, or a part of one.")
  package var view: String

  @Argument(
    help: ArgumentHelp(
      "The number of samples, or their share with “%” (rounded to the nearest number).",
      valueName: "n|share%"))
  package var amount: String?

  @Option(
    help: ArgumentHelp(
      """
      At least this many samples of each class that occurs, instead of a size; exactly as many if each sample \
      has one class. Samples without a class are not drawn.
      """, valueName: "n"))
  package var perClass: Int?

  @Option(help: "The seed of the random order.")
  package var seed: UInt64 = 42

  @Flag(help: "Keep the proportions of the classes.")
  package var stratify = false

  @Option(
    help: ArgumentHelp(
      """
      Draw whole groups, so that the size is met as well as the groups allow. The group is what the expression \
      captures (or matches) in the sample's key, or the value of a field of the image or of an attribute of its annotations.
      """, valueName: "regex|@attribute"))
  package var groupBy: String?

  @Option(help: ArgumentHelp("The name of the view.", valueName: "name"))
  package var save: String

  @OptionGroup package var truth: TruthOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    do {
      _ = try request()
    } catch let error as SampleError {
      throw ValidationError("\(error)")
    } catch let error as SplitError {
      throw ValidationError("\(error)")
    }
  }

  private func request() throws -> SampleRequest {
    let rule: SampleRequest.Rule
    switch (amount, perClass) {
    case (let amount?, nil): rule = .amount(try SampleAmount(amount))
    case (nil, let count?):
      guard count > 0 else { throw ValidationError("--per-class must be at least 1") }
      guard !stratify, groupBy == nil else {
        throw ValidationError("--per-class goes with neither --stratify nor --group-by")
      }
      rule = .perClass(count)
    default: throw ValidationError("sample needs a number, a share, or --per-class")
    }
    var request = SampleRequest(view, rule, name: save)
    request.seed = seed
    request.stratify = stratify
    request.grouping = try groupBy.map { text throws(SplitError) in try SampleGrouping(text) }
    return request
  }

  package func run() throws {
    let request = try request()
    try options.perform { progress in
      let opened = try CorrectedCatalog.open(
        options.catalogPath, .readWrite, truth: truth.choice, reportingTo: progress)
      let summary = try ViewSample(catalog: opened.catalog).run(request, progress: progress)
      return CorrectedResult(
        SampleResult(summary: summary), opened.corrections.of(summary.saved.dataset))
    }
  }
}

/// The sample that was drawn.
struct SampleResult: CommandResult {
  let summary: ViewSample.Summary

  /// The maximum number of classes that the text lists.
  private static let listedClasses = 40

  var json: JSONValue {
    let request = summary.request
    return [
      "view": summary.saved.summary, "of": .string(request.view),
      "samples": JSONValue(summary.samples), "total": JSONValue(summary.total),
      "seed": .string(String(request.seed)), "stratified_by": JSONValue(strata),
      "group_by": JSONValue(request.grouping?.text),
      "groups": summary.groups.map {
        ["drawn": JSONValue($0.drawn), "total": JSONValue($0.total)]
      } ?? .null,
      "classes": .array(
        summary.classes.indices.map {
          [
            "class": .string(summary.classes[$0]), "total": JSONValue(summary.before[$0]),
            "samples": JSONValue(summary.after[$0]),
          ]
        }),
      "without_class": [
        "total": JSONValue(summary.before.last), "samples": JSONValue(summary.after.last),
      ],
    ]
  }

  /// The strata; `nil` for none.
  private var strata: String? {
    guard summary.request.stratify else { return nil }
    return summary.hasSets ? "rarest class" : "class"
  }

  func text(in terminal: Terminal) -> String {
    let request = summary.request
    let groups = summary.groups.map {
      ", \($0.drawn) of \($0.total) groups of \(request.grouping?.text ?? "")"
    }
    var lines = [
      Terminal.safe(
        "saved \(summary.saved.name): \(Counted.text(summary.samples, "sample", "samples")) of the "
          + "\(summary.total) of \(request.view)" + (strata.map { ", stratified by \($0)" } ?? "")
          + (groups ?? "") + ", seed \(request.seed)")
    ]
    let present = summary.classes.indices.filter { summary.before[$0] > 0 }
    if !present.isEmpty, present.count <= Self.listedClasses {
      var table = TextTable([
        ("class", .left), (request.view, .right), (summary.saved.name, .right),
      ])
      for place in present {
        table.add([
          summary.classes[place], "\(summary.before[place])", "\(summary.after[place])",
        ])
      }
      if let without = summary.before.last, without > 0 {
        table.add(["no class", "\(without)", "\(summary.after.last ?? 0)"])
      }
      lines += ["", table.text(in: terminal)]
      if summary.hasSets { lines.append("images with each class; an image can have several") }
    }
    lines += ["", "next: assay stats \(summary.saved.name)"]
    return lines.joined(separator: "\n")
  }
}
