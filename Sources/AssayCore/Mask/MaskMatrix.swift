extension Mask {
  /// The IoU of each result with each ground truth mask, in row-major order: result *i* with mask
  /// *j* is at *i* · `truth.count` + *j*.
  ///
  /// All masks have the same size. For a crowd it is the intersection over the result's area. A
  /// pair without a common pixel has 0, even if both are empty, as in pycocotools.
  ///
  /// - Parameter crowds: whether each ground truth mask is a crowd; an empty list means that none
  ///   is.
  /// Source: `rleIou` of pycocotools' maskApi.c.
  package static func ious(
    of results: [Mask], with truth: [Mask], crowds: [Bool] = []
  ) -> [Double] {
    precondition(crowds.isEmpty || crowds.count == truth.count)
    let columns = truth.map(MaskLayers.init)
    return [Double](unsafeUninitializedCapacity: results.count * truth.count) { out, count in
      for result in results {
        let row = MaskLayers(result)
        for index in columns.indices {
          let shared = row.intersectionArea(with: columns[index])
          let isCrowd = !crowds.isEmpty && crowds[index]
          let whole = isCrowd ? row.area : row.area + columns[index].area - shared
          out[count] = shared == 0 ? 0 : Double(shared) / Double(whole)
          count += 1
        }
      }
    }
  }
}
