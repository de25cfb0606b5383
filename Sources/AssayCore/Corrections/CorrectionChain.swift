/// The entries of one sample in sequence order, and their parent links.
///
/// In the main branch, each entry's parent is the one before it. Every other entry is on a side
/// branch, and continues that branch if its parent is the last entry there.
struct CorrectionChain: Sendable {
  /// One entry of the sample, after parsing.
  struct Step: Sendable {
    var entry: LedgerEntry
    var remarks: CorrectionMetadata
    var operation: Result<CorrectionOperation, CorrectionOperation.Failure>
    /// True if it was made on an image with different content.
    var isForeign: Bool
  }

  /// A dataset and key that entries use for the sample: a renamed sample keeps its earlier entries.
  /// Compared by bytes, as in the ledger.
  private struct Place: Hashable {
    private let bytes: [UInt8]

    init(_ sample: SampleIdentity) {
      bytes = Array(sample.dataset.utf8) + [0] + Array(sample.key.utf8)
    }
  }

  private(set) var steps: [Step] = []
  /// Indices into ``steps``, as in ``branches``.
  private(set) var main: [Int] = []
  private(set) var branches: [[Int]] = []
  private var branchOf: [Int: Int] = [:]
  private var bySequence: [Int64: Int] = [:]
  private var byUUID: [String: Int] = [:]
  private var heads: [Place: Int64] = [:]

  /// The main branch's last sequence.
  var head: Int64? { main.last.map { steps[$0].entry.sequence } }

  func head(under name: SampleIdentity) -> Int64? { heads[Place(name)] }

  func step(uuid: String) -> Int? { byUUID[uuid] }
  func step(sequence: Int64) -> Int? { bySequence[sequence] }
  /// `nil` if the step is on the main branch.
  func branch(of step: Int) -> Int? { branchOf[step] }

  /// Adds the next entry.
  ///
  /// - Returns: its index among the steps; `nil` if it is not a later entry, or was already added.
  mutating func append(_ entry: LedgerEntry, contentHash: String?) -> Int? {
    guard entry.sequence > steps.last?.entry.sequence ?? .min, byUUID[entry.uuid] == nil else {
      return nil
    }
    let payload = (try? JSONValue(parsing: entry.payload)) ?? .null
    let operation = Result { () throws(CorrectionOperation.Failure) in
      try CorrectionOperation(entry, payload: payload)
    }
    let index = steps.count
    steps.append(
      Step(
        entry: entry, remarks: CorrectionMetadata(payload), operation: operation,
        isForeign: contentHash.map { $0 != entry.sample.contentHash } ?? false))
    bySequence[entry.sequence] = index
    byUUID[entry.uuid] = index
    let place = Place(entry.sample)
    if entry.parent == head || entry.parent == heads[place] {
      main.append(index)
      heads[place] = entry.sequence
    } else if let parent = entry.parent.flatMap({ bySequence[$0] }), let branch = branchOf[parent],
      branches[branch].last == parent
    {
      branches[branch].append(index)
      branchOf[index] = branch
    } else {
      branchOf[index] = branches.count
      branches.append([index])
    }
    return index
  }

  /// The steps that the author of a step saw, with that step last: the main branch up to the fork,
  /// and the steps after it.
  func path(to step: Int) -> [Int] {
    var tail: [ArraySlice<Int>] = []
    var step = step
    while let branch = branchOf[step], let end = branches[branch].firstIndex(of: step) {
      tail.append(branches[branch][...end])
      let parent = steps[branches[branch][0]].entry.parent
      // A parent has a lower sequence; otherwise it is not a parent.
      guard let parent, parent < steps[branches[branch][0]].entry.sequence else {
        return Array(tail.reversed().joined())
      }
      if let next = bySequence[parent], branchOf[next] != nil {
        step = next
      } else {
        return main.prefix { steps[$0].entry.sequence <= parent } + tail.reversed().joined()
      }
    }
    let sequence = steps[step].entry.sequence
    return main.prefix { steps[$0].entry.sequence <= sequence } + tail.reversed().joined()
  }
}
