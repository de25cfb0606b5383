import AssayCore

/// Joins the pieces of a results file, in file order.
struct COCOResultsMerge {
  private var imageTable = COCOIDTable()
  private var categoryTable = COCOIDTable()
  private var results = COCOResults()

  /// The number of results so far, and the fields of the first one.
  var count: Int { results.count }
  var first: COCOResults.Shape { results.first }

  /// - Parameter share: the share of the file read so far, including this piece, in 0...1, used to
  ///   estimate the memory for all.
  mutating func add(_ part: COCOResultsPart, share: Double) throws {
    guard results.count + part.count < Int(Int32.max) else { throw COCOFileError.tooLarge }
    if results.count == 0, part.count > 0 {
      results.first = part.first
      let room = Int(Double(part.count) / max(share, 1e-3) * 1.02)
      results.imageNumbers.reserveCapacity(room)
      results.categoryNumbers.reserveCapacity(room)
      results.scores.reserveCapacity(room)
      results.boxes.reserveCapacity(room)
      results.flags.reserveCapacity(room)
    }
    let start = results.count
    if part.isOdd { results.isOdd = true }
    var texts = part.texts[...]
    for place in 0..<part.count {
      var text: (place: Int, image: SourceID?, category: SourceID?)?
      if texts.first?.place == place { text = texts.popFirst() }
      if part.flags[place].contains(.unusable) {
        results.imageNumbers.append(-1)
        results.categoryNumbers.append(-1)
        continue
      }
      let image = text?.image.map { Int32(imageTable.number(of: $0)) }
      results.imageNumbers.append(image ?? imageTable.number(of: part.images[place]))
      let category = text?.category.map { Int32(categoryTable.number(of: $0)) }
      results.categoryNumbers.append(
        category ?? categoryTable.number(of: part.categories[place]))
    }
    results.scores += part.scores
    results.boxes += part.boxes
    results.flags += part.flags
    results.keypoints.append(part.keypoints, entries: part.count, after: start)
    results.findings.merge(part.findings, at: start)
    results.regions.append(part.regions, entries: part.count)
    results.count += part.count
  }

  consuming func finished(
    isWrapped: Bool, hasRegions: Bool, isGrouped: Bool
  ) -> COCOResults {
    results.hasRegions = hasRegions
    results.isWrapped = isWrapped
    if isWrapped { results.findings.note(.wrappedResults, at: nil) }
    if results.count == 0 { results.findings.note(.noResults, at: nil) }
    results.images = imageTable.ids
    results.categories = categoryTable.ids
    if isGrouped { results.group() }
    return results
  }
}
