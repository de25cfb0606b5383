import AssayCore
import Synchronization

/// The values of some columns of a Parquet file by row, for workers that ask for rows roughly in order.
/// A few hundred rows are held. Thread-safe.
final class ParquetRecords: Sendable {
  private struct State {
    /// The reader of a row group, and the number of its next row in the file; `nil` before the first.
    var rows: (reader: ParquetRows, group: Int, next: Int)?
    /// The blocks that were read, the oldest first.
    var blocks: [(number: Int, rows: [[JSONValue]])] = []
    /// The row groups that cannot be read, and why.
    var failures: [Int: ParquetProblem] = [:]
  }

  private let file: ParquetFile
  private let columns: [ParquetSchema.Node]
  private let state = Mutex(State())

  /// The number of rows of a block, and of blocks that are held: more than the workers ask for at once.
  private static let blockRows = 64
  private static let blockLimit = 32

  init(_ file: ParquetFile, _ columns: [ParquetSchema.Node]) {
    self.file = file
    self.columns = columns
  }

  /// The values of the columns in a row.
  ///
  /// - Throws: ``ParquetError``; any error that the tree throws.
  func values(ofRow row: Int) throws -> [JSONValue] {
    guard !columns.isEmpty else { return [] }
    return try file.naming { try state.withLock { try values(ofRow: row, &$0) } }
  }

  private func values(ofRow row: Int, _ state: inout State) throws -> [JSONValue] {
    guard let place = file.place(ofRow: row) else { throw ParquetProblem("it has no row \(row)") }
    if let failure = state.failures[place.group] { throw failure }
    let first = file.footer.groups[place.group].firstRow
    // Blocks end with their row group.
    let start = row - place.row % Self.blockRows
    if let block = state.blocks.last(where: { $0.number == start }) {
      return block.rows[row - start]
    }
    do {
      if state.rows?.group != place.group || state.rows.map({ $0.next > start }) == true {
        state.rows = (try ParquetRows(file, columns, group: place.group), place.group, first)
      }
      while let next = state.rows?.next, next <= start {
        var block: [[JSONValue]] = []
        while block.count < Self.blockRows, let values = try state.rows?.reader.next() {
          block.append(values)
        }
        guard !block.isEmpty else { throw ParquetProblem.damaged("it has too few rows") }
        state.rows?.next += block.count
        state.blocks.append((next, block))
        if state.blocks.count > Self.blockLimit { state.blocks.removeFirst() }
      }
    } catch let problem as ParquetProblem {
      state.rows = nil
      state.failures[place.group] = problem
      throw problem
    }
    guard let block = state.blocks.last(where: { $0.number == start }),
      block.rows.indices.contains(row - start)
    else { throw ParquetProblem.damaged("it has too few rows") }
    return block.rows[row - start]
  }
}
