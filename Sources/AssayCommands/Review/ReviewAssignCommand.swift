package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay review assign`: gives samples of a review to other people.
package struct ReviewAssignCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "assign",
    abstract: "Give what a person has not decided yet in a review to others.",
    discussion: """
      assay review assign r1 --from ben --to anna
      assay review assign r1 --to anna,carla --limit 100     samples that belong to nobody

      Several people get the samples in turn. Samples that the person has decided stay. A shared sample \
      keeps its other people; the new person starts it from the ground truth that all of them started from. A \
      running server shows the change when the review is opened again.
      """)

  @Argument(help: "The review.")
  package var name: String

  @Option(help: "The person whose samples are given away. Default: samples that belong to nobody.")
  package var from: String?

  @Option(help: ArgumentHelp("The people who get them: anna,ben.", valueName: "names"))
  package var to: String

  @Option(help: ArgumentHelp("The maximum number of samples. Default: all.", valueName: "n"))
  package var limit: Int?

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    let people = try PeopleList.names(to, option: "to")
    if let from, people.contains(from) {
      throw ValidationError("--from and --to name the same person")
    }
    if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more") }
  }

  package func run() throws {
    try options.perform { progress in
      let opened = try OpenedReview(
        name, in: options.catalogPath, .readWrite, create: true, reportingTo: progress)
      let queue = opened.queue
      if let from, !queue.parts.contains(where: { $0.author == from }) {
        throw ReviewAssignError.unknownPerson(
          from, review: name, known: queue.parts.map(\.author))
      }
      let people = try PeopleList.names(to, option: "to")
      let outcome = try ReviewAssignment(catalog: opened.desk.catalog).assign(
        queue, from: from, to: people, limit: limit)
      let after = try ReviewQueue(catalog: opened.desk.catalog, review: queue.review)
      try after.loadVersions(opened.desk)
      return ReviewAssignResult(
        review: queue.review, from: from, people: people, outcome: outcome, parts: after.parts)
    }
  }
}

/// The reason why samples cannot be assigned.
enum ReviewAssignError: Error, Hashable, CustomStringConvertible {
  case unknownPerson(String, review: String, known: [String])

  var description: String {
    switch self {
    case .unknownPerson(let name, let review, let known):
      "“\(name)” has no samples in the review “\(review)”"
        + (known.isEmpty
          ? "; none are assigned: omit --from" : "; there are \(known.joined(separator: ", "))")
    }
  }
}

/// The result of `assay review assign`.
struct ReviewAssignResult: CommandResult {
  var review: ReviewRecord
  var from: String?
  var people: [String]
  var outcome: ReviewAssignment.Outcome
  var parts: [PersonPart]

  private var total: Int { outcome.given.reduce(0, +) }

  var json: JSONValue {
    [
      "review": .string(review.name), "from": JSONValue(from), "assigned": JSONValue(total),
      "shared": JSONValue(outcome.shared), "decided": JSONValue(outcome.decided),
      "kept": JSONValue(outcome.kept), "beyond_limit": JSONValue(outcome.beyond),
      "to": .array(
        zip(people, outcome.given).map { ["author": .string($0), "assigned": JSONValue($1)] }),
      "parts": .array(parts.map(\.json)),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let to = zip(people, outcome.given).map { "\(Terminal.safe($0)) \($1)" }
    var lines = [
      "review \(Terminal.safe(review.name)): \(Counted.text(total, "sample", "samples"))"
        + (from.map { " of \(Terminal.safe($0))" } ?? "") + " assigned"
        + (total > 0 ? ": " + to.joined(separator: ", ") : "")
    ]
    if outcome.decided > 0 {
      lines.append("\(Counted.text(outcome.decided, "sample", "samples")) decided already")
    }
    if outcome.kept > 0 {
      lines.append(
        "\(Counted.text(outcome.kept, "sample", "samples")) left, which these people have already")
    }
    if outcome.beyond > 0 { lines.append("\(outcome.beyond) more beyond --limit") }
    return lines.joined(separator: "\n") + "\n\n"
      + PersonPart.table(parts).text(in: terminal)
  }
}
