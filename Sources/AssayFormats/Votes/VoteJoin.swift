import AssayCore

/// Joins FER+'s table to the rows of FER-2013's CSV, row by row.
///
/// Votes and pixels have no common key, so the join compares what both sides state: the usage of each
/// row, the number of rows, and the emotions. FER-2013's labels agree with most majorities of votes;
/// rows in another order agree by chance, in about one row of five.
struct VoteJoin {
  private let options: VoteOptions
  private let file: String
  private(set) var counts: VoteCounts
  private var isFirst = true
  private var window = Window()

  /// The last compared rows, whose emotions are compared together, so that another order in any part is found.
  private struct Window {
    private var rows: [(row: Int, agrees: Bool)] = []
    private var next = 0
    private(set) var agreeing = 0

    var compared: Int { rows.count }
    /// The first of the rows.
    var first: Int { rows.isEmpty ? 0 : rows[rows.count < VoteJoin.windowSize ? 0 : next].row }

    mutating func add(_ row: Int, agrees: Bool) {
      agreeing += agrees ? 1 : 0
      guard rows.count == VoteJoin.windowSize else { return rows.append((row, agrees)) }
      agreeing -= rows[next].agrees ? 1 : 0
      rows[next] = (row, agrees)
      next = (next + 1) % VoteJoin.windowSize
    }
  }

  /// The number of compared rows of a window, and the smallest number from which agreement tells
  /// anything.
  private static let windowSize = 200
  static let leastCompared = 30

  /// The smallest share of agreeing rows in percent: between chance (18 % on the shuffled public test
  /// set) and the agreement of the same faces.
  private static let leastAgreement = 40

  private static let usages = SplitRule(translatesUsage: true, reportsUnknown: true, fallback: nil)

  /// The place among ``VoteRule/emotions`` of each of FER-2013's classes.
  private static let places = [4, 5, 6, 1, 3, 2, 0]

  /// - Throws: ``FormatError/predictions(_:problem:)`` if the CSV lacks a column to compare.
  init(_ options: VoteOptions, _ table: PixelTable) throws(FormatError) {
    self.options = options
    file = table.file
    counts = VoteCounts(rule: options.rule)
    counts.incomplete = options.table.rows.count { $0.votes.reduce(0, +) < VoteTable.voters }
    for (column, name) in [(table.labelColumn, "emotion"), (table.splitColumn, "Usage")]
    where column == nil {
      throw .predictions(
        file,
        problem: "--votes needs the column \(name), by which the order of the rows is compared; "
          + "use fer2013.csv with emotion, pixels and Usage")
    }
  }

  /// Replaces the labels of a batch, and leaves out samples without one.
  ///
  /// - Throws: ``FormatError`` if a row does not match the table's.
  mutating func apply(_ batch: ImportedBatch) throws(FormatError) -> ImportedBatch {
    var batch = batch
    batch.newCategories = isFirst ? Self.categories : []
    batch.newSets = isFirst ? [.votes(options: VoteRule.options)] : []
    isFirst = false
    let samples = batch.samples
    batch.samples.removeAll(keepingCapacity: true)
    for sample in samples {
      guard let (labeled, votes) = try label(sample) else { continue }
      batch.annotations += annotations(of: votes)
      batch.samples.append(labeled)
    }
    batch.rejected += samples.count - batch.samples.count
    return batch
  }

  /// Completes the comparison.
  ///
  /// - Parameter outcome: that of the CSV without the votes.
  /// - Throws: ``FormatError/predictions(_:problem:)``.
  mutating func finish(_ outcome: ImportOutcome) throws(FormatError) -> ImportOutcome {
    guard outcome.read == options.table.rows.count else { throw otherCount(outcome.read) }
    // A few rows alone have not been judged yet.
    if window.compared >= Self.leastCompared { try check(last: outcome.read - 1) }
    var outcome = outcome
    outcome.rejected += outcome.accepted - counts.kept
    outcome.accepted = counts.kept
    outcome.ordinals = Array(VoteRule.emotions.indices)
    return outcome
  }

  private static var categories: [Category] {
    VoteRule.emotions.enumerated().map { number, name in
      Category(name: name, sourceID: .integer(Int64(number)))
    }
  }

  /// The votes of the sample that was labeled last, as annotations: one for each option with votes.
  private func annotations(of votes: [Int]) -> [ImportedAnnotation] {
    votes.indices.filter { votes[$0] > 0 }.map { option in
      ImportedAnnotation(
        sample: counts.kept - 1, category: option, ordinal: option, shape: .label,
        attributes: #"{"votes":\#(votes[option])}"#, set: 0)
    }
  }

  /// The sample with its label by the rule, and its votes; `nil` if it is left out.
  private mutating func label(
    _ sample: ImportedSample
  ) throws(FormatError) -> (sample: ImportedSample, votes: [Int])? {
    guard let number = Int(sample.key) else { return nil }
    guard number < options.table.rows.count else { throw otherCount(nil) }
    let row = options.table.rows[number]
    guard sample.split == Self.usages.split(named: row.usage).split else {
      throw .table(
        options.table.name, line: row.line,
        problem: "Usage is “\(row.usage)”, and row \(number) of \(file) (from 0) is of the split "
          + "\(sample.split ?? "none"): the files do not have the same rows in the same order; use "
          + "fer2013.csv as it was published")
    }
    try compare(sample.category, row.votes, number)
    guard row.hasName else {
      counts.unnamed += 1
      return nil
    }
    switch options.rule.target(of: row.votes) {
    case .leftOut(let reason):
      counts.leftOut[reason, default: 0] += 1
      return nil
    case .shares(let shares):
      return (labeled(sample, shares, row.votes), row.votes)
    }
  }

  private mutating func labeled(
    _ sample: ImportedSample, _ shares: [Double], _ votes: [Int]
  ) -> ImportedSample {
    var sample = sample
    let places = shares.indices.filter { shares[$0] > 0 }
    counts.kept += 1
    if places.count > 1 { counts.several += 1 }
    sample.category = options.rule == .multiTarget ? nil : VoteRule.firstMaximum(of: shares)
    sample.categories = options.rule == .multiTarget ? places : []
    var fields: [JSONValue.Member] = []
    if options.rule == .probability {
      let members = places.map {
        JSONValue.Member(VoteRule.emotions[$0], .number(shares[$0]))
      }
      fields.append(.init("distribution", .object(members)))
    }
    let members = zip(VoteRule.options, votes).map { JSONValue.Member($0, JSONValue($1)) }
    fields.append(.init("votes", .object(members)))
    sample.attributes = JSONValue.object(fields).text()
    return sample
  }

  /// Counts whether the CSV's emotion is that of most votes.
  private mutating func compare(_ category: Int?, _ votes: [Int], _ row: Int) throws(FormatError) {
    guard let category, Self.places.indices.contains(category),
      let place = VoteRule.firstMaximum(of: votes), 2 * votes[place] > votes.reduce(0, +),
      Self.places.contains(place)
    else { return }
    let agrees = Self.places[category] == place
    counts.compared += 1
    counts.agreeing += agrees ? 1 : 0
    window.add(row, agrees: agrees)
    if window.compared == Self.windowSize { try check(last: row) }
  }

  /// - Throws: ``FormatError/predictions(_:problem:)`` if too few emotions of the window agree.
  private func check(last: Int) throws(FormatError) {
    guard 100 * window.agreeing < Self.leastAgreement * window.compared else { return }
    throw .predictions(
      options.table.name,
      problem: "in rows \(window.first) to \(last) of \(file) (from 0), \(window.agreeing) of "
        + "\(window.compared) emotions agree with the majority of votes, expected at least "
        + "\(Self.leastAgreement) %: the rows are not in the same order; use fer2013.csv as it was "
        + "published")
  }

  private func otherCount(_ read: Int?) -> FormatError {
    let rows = options.table.rows.count
    let place =
      read.map { read in
        read < rows
          ? "line \(options.table.rows[read].line) has no row in \(file)"
          : "row \(rows) of \(file) (from 0) has no votes"
      } ?? "row \(rows) of \(file) (from 0) has no votes"
    return .predictions(
      options.table.name,
      problem: "it has \(rows) rows, and \(file) has \(read.map(String.init) ?? "more"): \(place); "
        + "use both files as they were published, with 35887 rows")
  }
}
