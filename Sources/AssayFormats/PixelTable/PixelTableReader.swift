import AssayCore

/// Reads a whole CSV file of pixels: blocks are parsed in parallel, batches are delivered in order.
struct PixelTableReader {
  let tree: any SourceTree
  let file: SourceFile
  let table: PixelTable
  let options: ImportOptions

  /// Reads the file from beginning to end.
  ///
  /// - Throws: ``FormatError``; any error that the tree or `deliver` throws.
  func run(deliver: (ImportedBatch) throws -> Void) throws -> FinishedImport {
    let stream = try ByteStream(tree, file, hashing: true)
    let blocks = OrderedBlocks<ParsedBlock>(LineBlocks(stream, blockBytes: options.blockBytes))
    let parser = BlockParser(table)
    var merge = PixelTableMerge(table)
    try blocks.run(
      workers: options.workers,
      parse: { block, number in parser.parse(block, isFirst: number == 0) },
      deliver: { part in try deliver(merge.add(part)) })
    try deliver(merge.finish(damage: blocks.damage, isChecksum: blocks.hasWrongChecksum))
    return FinishedImport(outcome: merge.outcome, contentHash: blocks.contentHash)
  }
}
