package import ArgumentParser
import AssayReview
import AssayWorkflows

/// The options of `assay review` that give samples to people.
package struct SharingOptions: ParsableArguments {
  /// The maximum number of people.
  static let most = 50

  @Option(
    help: ArgumentHelp(
      "Divide the queue among these people, by weight: anna,ben or anna:2,ben.",
      valueName: "names"))
  package var assign: String?

  @Option(
    help: ArgumentHelp(
      "The share of the queue that several people correct independently, such as 0.1.",
      valueName: "share"))
  package var overlap: Double?

  @Option(
    help: ArgumentHelp(
      "With --overlap: the people who do that. Default: those of --assign.", valueName: "names"))
  package var annotators: String?

  @Option(
    name: .customLong("per-sample"),
    help: ArgumentHelp(
      "With --overlap: the number of people for each shared sample. Default: all.", valueName: "n"))
  package var perSample: Int?

  package init() {}

  package func validate() throws { _ = try sharing() }

  /// The division of the samples among people; `nil` without these options.
  func sharing() throws -> ReviewSharing? {
    guard overlap != nil || assign != nil else {
      guard annotators == nil, perSample == nil else {
        throw ValidationError("--annotators and --per-sample need --overlap")
      }
      return nil
    }
    let parts = try assign.map(Self.parts) ?? []
    let annotators = try annotators.map { try PeopleList.names($0, option: "annotators") } ?? []
    let sharing = ReviewSharing(
      overlap: overlap ?? 0, annotators: annotators, perSample: perSample, parts: parts)
    if let overlap {
      guard overlap > 0, overlap <= 1 else {
        throw ValidationError("--overlap must be above 0 and at most 1")
      }
      guard sharing.sharers.count >= 2 else {
        throw ValidationError("--overlap needs two people or more: --annotators anna,ben")
      }
      if let perSample, !(2...sharing.sharers.count).contains(perSample) {
        throw ValidationError("--per-sample must be in 2...\(sharing.sharers.count)")
      }
    } else if !annotators.isEmpty || perSample != nil {
      throw ValidationError("--annotators and --per-sample need --overlap")
    }
    return sharing
  }

  private static func parts(_ text: String) throws -> [ReviewSharing.Part] {
    var parts: [ReviewSharing.Part] = []
    for item in text.split(separator: ",", omittingEmptySubsequences: false) {
      let pair = item.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard let weight = pair.count == 2 ? Int(pair[1]) : 1, (1...1_000).contains(weight) else {
        throw ValidationError("--assign: the weight in “\(item)” must be in 1...1000")
      }
      parts.append(.init(author: String(pair[0]), weight: weight))
    }
    _ = try PeopleList.checked(parts.map(\.author), option: "assign")
    return parts
  }
}

/// A list of people on the command line: `anna,ben`.
enum PeopleList {
  static func names(_ text: String, option: String) throws -> [String] {
    try checked(
      text.split(separator: ",", omittingEmptySubsequences: false).map(String.init),
      option: option)
  }

  static func checked(_ names: [String], option: String) throws -> [String] {
    for name in names {
      do {
        let checked = try ReviewAuthor.checked(name)
        guard checked == name else {
          throw ValidationError("--\(option): “\(name)” has blanks at its ends")
        }
      } catch let error as ReviewServerError {
        throw ValidationError("--\(option): \(error)")
      }
    }
    guard Set(names).count == names.count else {
      throw ValidationError("--\(option): a person is named twice")
    }
    guard names.count <= SharingOptions.most else {
      throw ValidationError("--\(option): at most \(SharingOptions.most) people")
    }
    return names
  }
}
