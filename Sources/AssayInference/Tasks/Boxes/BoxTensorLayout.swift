import AssayCore

/// The layout of a sample's boxes and their scores in a model's outputs, which are stored one after
/// another.
package struct BoxTensorLayout: Hashable, Sendable {
  /// The positions of a box's values.
  struct Columns: Hashable, Sendable {
    let start: Int
    /// The strides between two boxes and between two values of one box.
    let row: Int
    let column: Int

    func place(_ row: Int, _ column: Int) -> Int { start + row * self.row + column * self.column }

    /// The same rows from another column on.
    func from(_ column: Int) -> Columns {
      Columns(start: place(0, column), row: row, column: self.column)
    }
  }

  /// The number of boxes that the model outputs per sample; the maximum if it is open.
  package let rows: Int
  package let classes: Int
  /// The number of values per sample, for each output that is read.
  package private(set) var counts: [Int]
  /// True if each box has an objectness, by which its class scores are multiplied.
  package var hasObjectness: Bool { objectness != nil }
  private(set) var boxes: Columns
  private(set) var objectness: Columns?
  private(set) var scores: Columns
  /// The values after the scores of each box; `nil` if there are none.
  private(set) var extra: Columns?
  /// The numbers of the classes of boxes that the model chose itself; `nil` if each class has a score, or the boxes
  /// are of the only one.
  let labels: Columns?
  /// The place of the number of boxes that the model chose; `nil` if it does not state it.
  let chosenCount: Int?
  /// True for each output whose number of boxes differs from sample to sample.
  private(set) var areOpen: [Bool]
  /// For each output the number of values of a box, if the model gives them column by column and they are read
  /// box by box.
  private(set) var transposedWidths: [Int?] = []
  /// The raw grids, of which each is read into rows before, in the order of the outputs; empty for other heads.
  private(set) var grids: [GridLayout] = []
  /// The keypoints of one object, which are read into a row before; `nil` for other heads.
  private(set) var pose: PoseLayout?
  /// The place of a grid of probabilities for each box; `nil` if there are none.
  private(set) var cells: Cells?
  /// The place of the masks' prototypes; `nil` if there are none.
  private(set) var prototypes: Prototypes?

  /// The maps of which the mask of each box is a weighted sum.
  struct Prototypes: Hashable, Sendable {
    let start: Int
    /// The number of maps.
    let count: Int
    let width: Int
    let height: Int
    /// True if the values of a cell are contiguous.
    let isChannelLast: Bool
  }

  /// The grids of probabilities, box by box, each row by row. They are the last values of a sample, and there are
  /// only as many as the model gives.
  struct Cells: Hashable, Sendable {
    let start: Int
    let width: Int
    let height: Int

    /// The values of a box's grid.
    func range(ofRow row: Int) -> Range<Int> {
      let first = start + row * width * height
      return first..<first + width * height
    }
  }

  /// The maximum number of boxes, and of values, per sample.
  package static let rowLimit = 1 << 20
  package static let limit = 1 << 28
  /// The maximum number of boxes per sample if it is known only after the model has run.
  package static let openRowLimit = 4_096

  /// The number of values per sample; the maximum if the last ones are grids of probabilities.
  package var count: Int { counts.reduce(0, +) }

  /// The index of the output that has only as many values as the model gives; `nil` for none.
  var unpadded: Int? { cells.map { _ in counts.count - 1 } }

  /// Derives the layout from the outputs' shapes, which must be completely known except for the
  /// batch size, and for the number of boxes that the model chose itself.
  ///
  /// - Parameters:
  ///   - outputs: one output with boxes and scores, or those that the manifest names, in the order of
  ///     ``DetectorRule/Outputs/names``.
  ///   - isBatched: false if the model takes one image without a batch dimension.
  /// - Throws: ``InferenceError`` for shapes that do not fit the manifest, are ambiguous, or are
  ///   open.
  init(
    of outputs: [TensorSignature], _ manifest: ModelManifest, isBatched: Bool = true
  ) throws(InferenceError) {
    let isFinal = manifest.detector?.head.isFinal ?? false
    for output in outputs where !isFinal && !Self.isKnown(output, isBatched) {
      throw .boxCountOpen(model: output)
    }
    let classes = manifest.outputs.count
    let extra = manifest.detector?.extraValues ?? 0
    let found: [BoxTensorLayout]
    switch (manifest.detector?.head, manifest.detector?.outputs) {
    case (.yolox(let strides), _):
      let rows = BoxGrid.cellCount(strides: strides, of: manifest.input.size)
      found = Self.single(outputs[0], classes, objectness: [true], extra: 0, isBatched).filter {
        $0.rows == rows
      }
      guard !found.isEmpty else {
        throw .gridShape(
          input: manifest.input.size, strides: strides, rows: rows, values: 5 + classes,
          model: outputs[0])
      }
    case (.anchors(let rule), _):
      found = try Self.gridded(outputs, rule, manifest.input.size, classes, isBatched)
    case (.blazeface(let rule), _):
      found = [try Self.centered(outputs, rule, manifest, isBatched)]
    case (.keypoints(let rule), _):
      guard classes == 1 else { throw .poseClasses(classes) }
      let pose = try PoseLayout(
        of: outputs, rule, input: manifest.input.size, activation: manifest.activation.remaining,
        isBatched: isBatched)
      let columns = Columns(start: 0, row: pose.rowWidth, column: 1)
      var layout = BoxTensorLayout(
        rows: 1, classes: classes, counts: pose.counts, boxes: columns, objectness: nil,
        scores: columns.from(4), extra: columns.from(6), labels: columns.from(5))
      layout.pose = pose
      found = [layout]
    case (.final, let names?):
      let keypoints = names.keypoints == nil ? nil : manifest.detector?.keypoints
      found = Self.chosen(outputs, names, classes, keypoints, isBatched)
      guard !found.isEmpty else { throw .chosenShape(keypoints: keypoints, model: outputs) }
    case (.final, nil):
      let row = manifest.detector?.row ?? .boxScoreClass
      found = Self.final(outputs[0], classes, row, extra: extra, isBatched)
      guard !found.isEmpty else {
        throw .finalShape(row, width: row.places.width + extra, model: outputs[0])
      }
    case (_, nil):
      guard let hasObjectness = manifest.detector?.hasObjectness else {
        let any = Self.single(
          outputs[0], classes, objectness: [false, true], extra: extra, isBatched)
        guard any.isEmpty else { throw .objectnessOpen(classes: classes, model: outputs[0]) }
        throw .boxShape(classes: classes, hasObjectness: nil, extra: extra, model: outputs[0])
      }
      found = Self.single(
        outputs[0], classes, objectness: [hasObjectness], extra: extra, isBatched)
      guard !found.isEmpty else {
        throw .boxShape(
          classes: classes, hasObjectness: hasObjectness, extra: extra, model: outputs[0])
      }
    case (_, _?):
      found = outputs.count == 2 ? Self.pair(outputs[0], outputs[1], classes, isBatched) : []
      guard !found.isEmpty else {
        throw .boxPairShape(classes: classes, boxes: outputs[0], scores: outputs[outputs.count - 1])
      }
    }
    guard found.count == 1 else { throw .boxLayoutUnclear(classes: classes, model: outputs) }
    guard found[0].rows <= Self.rowLimit, found[0].count <= Self.limit else {
      throw .tooManyBoxes(found[0].rows, limit: Self.rowLimit, model: outputs[0])
    }
    self = found[0]
    guard let rule = manifest.detector, rule.hasMasks, let output = outputs.last else { return }
    if rule.masksOutput == nil {
      try addCells(output, rule.maskFrame, manifest.input.size, isBatched)
    } else {
      try addPrototypes(output, count: rule.maskCoefficients, isBatched)
    }
  }

  /// The layout for outputs whose number of boxes depends on the image's size: boxes come after one another,
  /// and missing ones are 0.
  ///
  /// - Parameter varies: for each output that is read.
  func open(_ varies: [Bool]) -> BoxTensorLayout {
    var layout = self
    layout.transposedWidths = [Int?](repeating: nil, count: counts.count)
    var start = 0
    for (index, count) in counts.enumerated() {
      defer { start += count }
      guard varies[index], !areOpen[index] else { continue }
      layout.areOpen[index] = true
      let width = count / rows
      let isByColumns = { (columns: Columns) in
        columns.row == 1 && columns.column == rows && width > 1
      }
      func rowwise(_ columns: Columns) -> Columns {
        guard (start..<start + count).contains(columns.start), isByColumns(columns) else {
          return columns
        }
        layout.transposedWidths[index] = width
        return Columns(start: start + (columns.start - start) / rows, row: width, column: 1)
      }
      layout.boxes = rowwise(boxes)
      if index == 0 { layout.objectness = objectness.map(rowwise) }
      if index == 0 { layout.extra = extra.map(rowwise) }
      layout.scores = rowwise(layout.scores)
    }
    return layout
  }

  /// Adds the output with the prototypes: `[N, maps, height, width]` or `[N, height, width, maps]`.
  private mutating func addPrototypes(
    _ output: TensorSignature, count maps: Int, _ isBatched: Bool
  ) throws(InferenceError) {
    let lengths = Self.lengths(output, isBatched).compactMap(\.self)
    let isFirst = lengths.first == maps
    let isLast = lengths.last == maps
    guard lengths.count == 3, isFirst != isLast, lengths.allSatisfy({ $0 > 0 }) else {
      throw .prototypeShape(maps: maps, model: output)
    }
    let (height, width) = isFirst ? (lengths[1], lengths[2]) : (lengths[0], lengths[1])
    guard height <= Self.limit / width, height * width <= (Self.limit - count) / maps else {
      throw .prototypeShape(maps: maps, model: output)
    }
    prototypes = Prototypes(
      start: count, count: maps, width: width, height: height, isChannelLast: isLast)
    counts.append(maps * height * width)
    areOpen.append(false)
  }

  /// Adds the output with a grid of probabilities for each box: `[N, boxes, 1, height, width]`, or without the 1.
  ///
  /// Grids over the input have its size if theirs is open.
  private mutating func addCells(
    _ output: TensorSignature, _ frame: MaskFrame, _ input: ImageSize, _ isBatched: Bool
  ) throws(InferenceError) {
    let refusal = InferenceError.cellShape(frame, input: input, model: output)
    var lengths = Self.lengths(output, isBatched)
    // The numbers of values are compared with those of boxes in each sample.
    if lengths.count == 4, lengths[1] ?? 1 == 1 { lengths.remove(at: 1) }
    guard lengths.count == 3, lengths[0] == (areOpen[0] ? nil : rows) else { throw refusal }
    var (height, width) = (lengths[1], lengths[2])
    if frame == .input { (height, width) = (height ?? input.height, width ?? input.width) }
    guard let height, let width, let size = ImageSize.checked(width: width, height: height) else {
      throw refusal
    }
    let most = (Self.limit - count) / size.area
    guard areOpen[0] ? most > 0 : most >= rows else { throw refusal }
    cells = Cells(start: count, width: width, height: height)
    counts.append(min(most, rows) * size.area)
    areOpen.append(areOpen[0] || lengths[1] == nil || lengths[2] == nil)
  }

  init(
    rows: Int, classes: Int, counts: [Int], boxes: Columns, objectness: Columns?, scores: Columns,
    extra: Columns? = nil, labels: Columns? = nil, chosenCount: Int? = nil, areOpen: [Bool] = []
  ) {
    self.rows = rows
    self.classes = classes
    self.counts = counts
    self.boxes = boxes
    self.objectness = objectness
    self.scores = scores
    self.extra = extra
    self.labels = labels
    self.chosenCount = chosenCount
    self.areOpen = areOpen.isEmpty ? counts.map { _ in false } : areOpen
  }

  /// Raw grids, as rows of a box, its objectness and its scores.
  private static func gridded(
    _ outputs: [TensorSignature], _ rule: AnchorRule, _ input: ImageSize, _ classes: Int,
    _ isBatched: Bool
  ) throws(InferenceError) -> [BoxTensorLayout] {
    let width = 5 + classes
    var candidates: [[GridLayout]] = []
    for (place, output) in outputs.enumerated() {
      let stride = rule.strides[place]
      let (height, columns) = (input.height / stride, input.width / stride)
      let anchors = rule.anchors[place].count
      let found = GridLayout.candidates(
        lengths(output, isBatched), anchors: anchors, height: height, width: columns,
        values: width)
      guard !found.isEmpty else {
        throw .anchorShape(
          anchors: anchors, height: height, width: columns, values: width, model: output)
      }
      candidates.append(found)
    }
    // A grid that could be read in two ways has the order of the others.
    let orders = candidates.map { Set($0.map(\.order)) }
    let common = orders.dropFirst().reduce(orders.first ?? []) { $0.intersection($1) }
    var grids: [GridLayout] = []
    for (place, found) in candidates.enumerated() {
      let fitting = found.count == 1 ? found : found.filter { common == [$0.order] }
      guard fitting.count == 1 else {
        throw .boxLayoutUnclear(classes: classes, model: [outputs[place]])
      }
      grids += fitting
    }
    let columns = Columns(start: 0, row: width, column: 1)
    let counts = grids.map(\.count)
    var layout = BoxTensorLayout(
      rows: counts.reduce(0, +) / width, classes: classes, counts: counts, boxes: columns,
      objectness: columns.from(4), scores: columns.from(5))
    layout.grids = grids
    return [layout]
  }

  /// The values as rows of boxes: those of raw grids are put in order, keypoints of one object become a row, others
  /// are as the model gives them.
  ///
  /// - Throws: ``InferenceError`` of ``PoseLayout/row(of:sample:)``.
  func table(of outputs: [Float], sample: String) throws(InferenceError) -> [Float] {
    if let pose { return try pose.row(of: outputs, sample: sample) }
    guard !grids.isEmpty else { return outputs }
    var rows: [Float] = []
    rows.reserveCapacity(outputs.count)
    var start = 0
    for grid in grids {
      grid.append(from: outputs, start: start, to: &rows)
      start += grid.count
    }
    return rows
  }

  /// `[N, rows, 6]` and `[N, 6, rows]`: a box, its score and the number of its class; or the five or
  /// seven values of another row.
  private static func final(
    _ output: TensorSignature, _ classes: Int, _ row: DetectorRule.Row, extra: Int,
    _ isBatched: Bool
  ) -> [BoxTensorLayout] {
    let (width, box, score, label) = row.places
    return tables(output, width: width + extra, start: 0, isBatched, allowsOpen: true).map {
      table in
      BoxTensorLayout(
        rows: table.rows, classes: classes, counts: [(width + extra) * table.rows],
        boxes: table.columns.from(box), objectness: nil, scores: table.columns.from(score),
        extra: extra > 0 ? table.columns.from(width) : nil,
        labels: label.map { table.columns.from($0) },
        areOpen: [table.isOpen])
    }
  }

  /// Boxes that the model chose itself, `[N, rows, 4]`, with a score and a class in outputs of their
  /// own, `[N, rows]`; or `[N, rows, 5]`, with the score as the fifth value. Boxes of the only class have no class.
  private static func chosen(
    _ outputs: [TensorSignature], _ names: DetectorRule.Outputs, _ classes: Int,
    _ keypoints: KeypointForm?, _ isBatched: Bool
  ) -> [BoxTensorLayout] {
    let width = names.scores == nil ? 5 : 4
    guard outputs.count == names.names.count else { return [] }
    // Chosen boxes come in rows, also if there are as many as values.
    let tables = tables(outputs[0], width: width, start: 0, isBatched, allowsOpen: true)
    return tables.prefix(1).flatMap {
      boxes -> [BoxTensorLayout] in
      var counts = [width * boxes.rows]
      var areOpen = [boxes.isOpen]
      var columns: [Columns] = []
      let lists = outputs.dropFirst().prefix([names.scores, names.labels].compactMap(\.self).count)
      for list in lists {
        let start = counts.reduce(0, +)
        let found = Self.tables(list, width: 1, start: start, isBatched, allowsOpen: true)
        guard let table = found.first(where: { $0.rows == boxes.rows }) else { return [] }
        counts.append(table.rows)
        areOpen.append(table.isOpen)
        columns.append(table.columns)
      }
      var place = 1 + lists.count
      var chosenCount: Int?
      if names.count != nil {
        guard lengths(outputs[place], isBatched).allSatisfy({ $0 == 1 }) else { return [] }
        chosenCount = counts.reduce(0, +)
        counts.append(1)
        areOpen.append(false)
        place += 1
      }
      var extra: Columns?
      if names.keypoints != nil {
        guard let keypoints,
          let table = pointTable(outputs[place], keypoints, counts.reduce(0, +), isBatched),
          table.rows == boxes.rows
        else { return [] }
        extra = table.columns
        counts.append(keypoints.count * table.rows)
        areOpen.append(table.isOpen)
      }
      return [
        BoxTensorLayout(
          rows: boxes.rows, classes: classes, counts: counts, boxes: boxes.columns,
          objectness: nil, scores: names.scores == nil ? boxes.columns.from(4) : columns[0],
          extra: extra, labels: names.labels == nil ? nil : columns.last,
          chosenCount: chosenCount, areOpen: areOpen)
      ]
    }
  }

  /// Keypoints `[N, rows, points, values]`, or `[N, rows, points · values]`.
  private static func pointTable(
    _ output: TensorSignature, _ form: KeypointForm, _ start: Int, _ isBatched: Bool
  ) -> Table? {
    let lengths = lengths(output, isBatched)
    guard let first = lengths.first,
      lengths.dropFirst().elementsEqual([form.points, form.values])
        || lengths.dropFirst().elementsEqual([form.count])
    else { return nil }
    let columns = Columns(start: start, row: form.count, column: 1)
    guard let first else { return Table(rows: openRowLimit, columns: columns, isOpen: true) }
    return first > 0 && first <= limit / form.count ? Table(rows: first, columns: columns) : nil
  }

  /// `[N, rows, values]` and `[N, values, rows]`, with or without an objectness.
  private static func single(
    _ output: TensorSignature, _ classes: Int, objectness: [Bool], extra: Int, _ isBatched: Bool
  ) -> [BoxTensorLayout] {
    objectness.flatMap { hasObjectness in
      let first = hasObjectness ? 5 : 4
      let width = first + classes + extra
      return tables(output, width: width, start: 0, isBatched).map { table in
        BoxTensorLayout(
          rows: table.rows, classes: classes, counts: [table.rows * width], boxes: table.columns,
          objectness: hasObjectness ? table.columns.from(4) : nil,
          scores: table.columns.from(first),
          extra: extra > 0 ? table.columns.from(first + classes) : nil)
      }
    }
  }

  /// Boxes and scores with the same number of rows.
  private static func pair(
    _ boxes: TensorSignature, _ scores: TensorSignature, _ classes: Int, _ isBatched: Bool
  ) -> [BoxTensorLayout] {
    tables(boxes, width: 4, start: 0, isBatched).flatMap { boxes in
      tables(scores, width: classes, start: 4 * boxes.rows, isBatched)
        .filter { $0.rows == boxes.rows }
        .map {
          BoxTensorLayout(
            rows: boxes.rows, classes: classes, counts: [4 * boxes.rows, classes * boxes.rows],
            boxes: boxes.columns, objectness: nil, scores: $0.columns)
        }
    }
  }

  /// An output read as rows of a number of values.
  struct Table {
    let rows: Int
    let columns: Columns
    /// True if the number of rows is known only after the model has run; `rows` is the maximum.
    var isOpen = false
  }

  /// The ways to read an output as rows of `width` values; superfluous lengths of 1 are ignored.
  ///
  /// - Parameter allowsOpen: accept an open number of rows, if they come before their values.
  static func tables(
    _ output: TensorSignature, width: Int, start: Int, _ isBatched: Bool, allowsOpen: Bool = false
  ) -> [Table] {
    var lengths = lengths(output, isBatched)
    while lengths.count > 2, let place = lengths.lastIndex(of: 1) { lengths.remove(at: place) }
    if lengths.count == 1, width == 1 { lengths.append(1) }
    if allowsOpen, lengths.count == 2, lengths[0] == nil, lengths[1] == width {
      return [
        Table(
          rows: openRowLimit, columns: Columns(start: start, row: width, column: 1), isOpen: true)
      ]
    }
    let known = lengths.compactMap(\.self)
    guard lengths.count == 2, known.count == 2,
      known.allSatisfy({ $0 > 0 && $0 <= limit / width })
    else { return [] }
    var found: [Table] = []
    if known[1] == width {
      found.append(
        Table(rows: known[0], columns: Columns(start: start, row: width, column: 1)))
    }
    // A table with one column has the same layout in both orders.
    if known[0] == width, width > 1 || known[1] != width {
      found.append(
        Table(rows: known[1], columns: Columns(start: start, row: 1, column: known[1])))
    }
    return found
  }

  /// The lengths for one sample; `nil` for an open one.
  private static func lengths(_ output: TensorSignature, _ isBatched: Bool) -> [Int?] {
    Array((output.shape ?? []).dropFirst(isBatched ? 1 : 0))
  }

  private static func isKnown(_ output: TensorSignature, _ isBatched: Bool) -> Bool {
    output.shape != nil && lengths(output, isBatched).allSatisfy { $0 != nil }
  }
}
