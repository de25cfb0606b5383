package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay split`: divides a dataset into parts.
package struct SplitCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "split",
    abstract: "Divide a dataset, or one of its splits, into parts.",
    discussion: """
      assay split faces --parts fit=0.8,held=0.2 --from train --seed 42 --stratify

      assay split film --parts fit=0.8,held=0.2 --group-by '^(scene[0-9]+)/'

      With --group-by no part divides a group, so one subject or one video is never in two parts. The \
      shares are then met as well as the groups allow, and the table shows them. Otherwise sizes use the largest remainder method and add up, with and without --stratify. Which samples \
      a part gets depends only on the seed and the samples' keys. Use a part as DATASET/PART wherever \
      a view is expected; an existing part is never overwritten.
      """)

  @Argument(help: "The dataset.")
  package var dataset: String

  @Option(
    help: ArgumentHelp(
      "The parts with their shares, which must add up to 1.", valueName: "name=share,…"))
  package var parts: String

  @Option(
    help: ArgumentHelp("Divide this split or part only. Default: the dataset.", valueName: "part"))
  package var from: String?

  @Option(help: "The seed of the random assignment.")
  package var seed: UInt64 = 42

  @Flag(
    help: """
      Keep the class proportions in each part (stratified split); in a multi-label dataset those of the sets of \
      labels.
      """)
  package var stratify = false

  @Option(
    help: ArgumentHelp(
      """
      Keep the samples of a group in one part. The group is what the expression captures (or matches) in the \
      sample's key, or the value of a field of the image or of an attribute of its annotations.
      """,
      valueName: "regex|@attribute"))
  package var groupBy: String?

  @Option(help: "The partition's name. Default: the part names joined by “-”.")
  package var name: String?

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    do throws(SplitError) {
      _ = try PartShare.parse(parts)
      _ = try groupBy.map { text throws(SplitError) in try SampleGrouping(text) }
    } catch {
      throw ValidationError("\(error)")
    }
  }

  package func run() throws {
    try options.perform { progress in
      let catalog = try CorrectedCatalog.open(
        options.catalogPath, .readWrite, reportingTo: progress
      ).catalog
      let summary = try DatasetSplit(catalog: catalog).run(
        dataset, parts: PartShare.parse(parts), from: from, seed: seed, stratify: stratify,
        grouping: groupBy.map { try SampleGrouping($0) }, name: name)
      return SplitResult(summary: summary)
    }
  }
}

/// The parts that were made.
struct SplitResult: CommandResult {
  let summary: DatasetSplit.Summary

  var json: JSONValue {
    [
      "dataset": .string(summary.dataset), "source": .string(summary.source),
      "stratified": .bool(summary.isStratified), "partition": summary.partition.summary,
      "group_by": JSONValue(summary.grouping?.text),
      "parts": .array(
        summary.partition.parts.indices.map { part in
          [
            "part": .string(summary.partition.parts[part].part),
            "count": JSONValue(summary.partition.parts[part].count),
            "classes": .object(
              zip(summary.classes, summary.counts[part]).map {
                JSONValue.Member($0, JSONValue($1))
              }),
            "unlabeled": JSONValue(summary.counts[part].last),
            "groups": summary.grouping == nil ? .null : JSONValue(summary.groups[part]),
          ]
        }),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let parts = summary.partition.parts
    let views = parts.map { "\(summary.dataset)/\($0.part)" }
    let table = SplitTable(summary)
    var rule = ""
    if summary.isStratified {
      let strata = summary.isMultiLabel ? "set of labels" : "class"
      rule = table.isUnlabeled ? ", at random (no sample has a label)" : ", stratified by \(strata)"
    }
    let groups =
      summary.grouping.map { grouping in
        let counts = zip(parts, summary.groups).map { "\($0.part) \($1)" }
        return ", by groups of \(grouping.text) (\(counts.joined(separator: ", ")))"
      } ?? ""
    return """
      split \(summary.source) into \(parts.map(\.part).joined(separator: ", "))\
      \(rule)\(groups), seed \(summary.partition.seed)

      \(table.text(in: terminal))

      next: assay stats \(views.first ?? summary.dataset)
      """
  }
}
