import Synchronization

/// The decoded pages of columns of bytes, such as images, for reading single rows. A compressed page has
/// no place for a value: the page is decoded once and kept while others need it. Thread-safe.
enum ParquetPages {
  /// The pages of one leaf in one row group.
  private struct List {
    var chunk: ParquetChunk
    var headers: [ParquetPageHeader]
  }

  private struct Held {
    /// The time of the last use.
    var used = 0
    var page: ParquetByteColumn
    /// The index of the value of each row, -1 for none; empty if all are there.
    var places: [Int32]
  }

  private struct Key: Hashable {
    var file: Int
    var leaf: Int
    var group: Int
    /// -1 for the list of the pages.
    var page: Int
  }

  private struct State {
    var lists: [(key: Key, list: List)] = []
    var pages: [Key: Held] = [:]
    var bytes = 0
    /// The number of uses so far.
    var clock = 0
  }

  private static let state = Mutex(State())

  /// The size of the pages that are kept beside the last one, for all files: 256 MiB.
  private static let byteLimit = 256 << 20
  /// The number of pages that are kept: a file can have a page for each small image.
  static let pageLimit = 1_024
  /// The number of row groups whose lists of pages are kept.
  private static let listLimit = 64
  /// The size of their dictionaries: 128 MiB.
  private static let dictionaryLimit = 128 << 20

  /// The number of pages that are kept.
  static var keptPages: Int { state.withLock { $0.pages.count } }

  /// Calls `body` with the bytes of a row; `nil` if they are null.
  ///
  /// - Parameters:
  ///   - leaf: a leaf of bytes outside of lists.
  ///   - row: the number of the row in the file.
  /// - Throws: ``ParquetError``; any error that the tree throws.
  static func withBytes<Result>(
    _ file: ParquetFile, leaf: Int, row: Int, _ body: (ArraySlice<UInt8>?) -> Result
  ) throws -> Result {
    try file.naming {
      guard let place = file.place(ofRow: row) else {
        throw ParquetProblem("it has no row \(row)")
      }
      let (page, index) = try state.withLock { state in
        let key = Key(file: file.id, leaf: leaf, group: place.group, page: -1)
        return try find(key, row: place.row, file, &state)
      }
      let value = page.places.isEmpty ? index : Int(page.places[index])
      return body(value < 0 ? nil : page.page[value])
    }
  }

  private static func find(
    _ key: Key, row: Int, _ file: ParquetFile, _ state: inout State
  ) throws -> (Held, Int) {
    let list = try list(key, file, &state)
    guard let number = list.headers.lastIndex(where: { $0.firstValue <= row }),
      row - list.headers[number].firstValue < list.headers[number].values
    else { throw ParquetProblem.damaged("the column \(list.chunk.leaf.name) has too few rows") }
    let index = row - list.headers[number].firstValue
    var pageKey = key
    pageKey.page = number
    state.clock += 1
    if let held = state.pages[pageKey] {
      state.pages[pageKey]?.used = state.clock
      return (held, index)
    }
    let page = try list.chunk.page(list.headers[number])
    guard case .bytes(let column) = page.values else {
      throw ParquetProblem("the column \(list.chunk.leaf.name) holds no bytes")
    }
    var places: [Int32] = []
    if !page.definitions.isEmpty, column.ranges.count < page.count {
      var next: Int32 = 0
      for definition in page.definitions {
        let isThere = definition == list.chunk.leaf.maxDefinition
        places.append(isThere ? next : -1)
        if isThere { next += 1 }
      }
    }
    let held = Held(used: state.clock, page: column, places: places)
    state.pages[pageKey] = held
    state.bytes += size(of: held)
    while state.pages.count > 1, state.bytes > byteLimit || state.pages.count > pageLimit,
      let oldest = state.pages.min(by: { $0.value.used < $1.value.used })
    {
      state.bytes -= size(of: oldest.value)
      state.pages[oldest.key] = nil
    }
    return (held, index)
  }

  private static func size(of held: Held) -> Int {
    held.page.storage.count + 16 * held.page.ranges.count + 4 * held.places.count
  }

  private static func list(
    _ key: Key, _ file: ParquetFile, _ state: inout State
  ) throws -> List {
    if let place = state.lists.lastIndex(where: { $0.key == key }) {
      if place < state.lists.count - 1 { state.lists.append(state.lists.remove(at: place)) }
      return state.lists[state.lists.count - 1].list
    }
    var chunk = try ParquetChunk(file, leaf: key.leaf, group: key.group)
    guard chunk.leaf.maxRepetition == 0 else {
      throw ParquetProblem("the column \(chunk.leaf.name) is a list of images, which is not read")
    }
    var headers: [ParquetPageHeader] = []
    while let header = try chunk.nextHeader() { headers.append(header) }
    let list = List(chunk: chunk, headers: headers)
    state.lists.append((key, list))
    var dictionaries = state.lists.reduce(0) { $0 + $1.list.chunk.dictionaryBytes }
    while state.lists.count > 1, state.lists.count > listLimit || dictionaries > dictionaryLimit {
      dictionaries -= state.lists.removeFirst().list.chunk.dictionaryBytes
    }
    return list
  }
}
