/// The entries of one sample in the order of their sequence, and how they hang together.
///
/// The main branch: each entry's parent is the one before it. Every other entry is beside it, one after
/// another where it was made on the last of such a branch.
struct CorrectionChain: Sendable {
  /// An entry as it was read.
  struct Step: Sendable {
    var entry: LedgerEntry
    var remarks: CorrectionMetadata
    var operation: Result<CorrectionOperation, CorrectionOperation.Failure>
    /// True if it was made on an image with another content.
    var isForeign: Bool
  }

  /// A dataset and key that an entry uses for the sample: a renamed one brings entries of its own.
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
  /// `nil` for a step of the main branch.
  func branch(of step: Int) -> Int? { branchOf[step] }

  /// Takes in the next entry.
  ///
  /// - Returns: its place among the steps; `nil` where it is none that follows, or was there already.
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

  /// The steps that the author of a step saw, that step last: the main branch up to the fork, and
  /// what follows.
  func path(to step: Int) -> [Int] {
    var tail: [ArraySlice<Int>] = []
    var step = step
    while let branch = branchOf[step], let end = branches[branch].firstIndex(of: step) {
      tail.append(branches[branch][...end])
      let parent = steps[branches[branch][0]].entry.parent
      // A parent has a lower sequence, or it is none.
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
