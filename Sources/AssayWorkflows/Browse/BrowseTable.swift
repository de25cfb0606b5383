import AssayCore
import AssayStore

/// The fields of all samples of a dataset in memory, from which counts are made in one pass. Fields are read on first
/// use.
struct BrowseTable {
  let dataset: DatasetRecord
  let classes: [String]
  let columns: SampleColumns
  /// True if a sample can have several classes: the dataset has sets of labels, or objects.
  let hasSeveralClasses: Bool
  /// True if a sample has one label or none, and nothing else.
  let isSingleLabel: Bool
  /// The runs over the dataset whose fields were counted.
  var runs: [RunRecord] = []
  /// The index of each value of a field that every sample has at most once: `part(folds)`, `run(r1).label`.
  private var codes: [String: (names: [String], codes: [Int32])] = [:]
  private var traits: [String: (names: [String], starts: [Int32], values: [Int32])] = [:]
  private var numbers: [String: [Double]] = [:]
  private var predictions: [Int64: PredictionColumns] = [:]
  private var flags: [String: [Bool]] = [:]
  private var fields: [Field]?

  /// The values of a custom field, or of another field of the source, of all samples.
  struct Field {
    var name: String
    /// Its texts and truth values, and the index of each sample's; −1 for none.
    var texts: [String] = []
    var codes: [Int32]
    /// NaN where a sample has no number; empty if none has.
    var numbers: [Double] = []
    var count = 0
    fileprivate var places: [String: Int32] = [:]
    fileprivate var hasTooManyTexts = false
  }

  /// - Parameter catalog: reads the ground truth that is counted.
  /// - Throws: `StoreError`.
  init(_ dataset: DatasetRecord, in catalog: Catalog) throws {
    self.dataset = dataset
    classes = try catalog.taxonomy(of: dataset.id).names
    columns = try catalog.columns(of: dataset)
    hasSeveralClasses = try dataset.isMultiLabel || catalog.holdsObjects(in: dataset)
    isSingleLabel = try !hasSeveralClasses && !catalog.hasTags(in: dataset)
  }

  /// The predictions of a run that were read before; `nil` if they were not.
  func heldPredictions(of run: Int64) -> PredictionColumns? { predictions[run] }

  /// The numbers of a field that were read before; `nil` if they were not, or if the dataset has none.
  func heldNumbers(_ field: String) -> [Double]? {
    numbers[field].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The places of samples, which are ascending ids of the dataset.
  func places(of ids: [Int64]) -> [Int] {
    guard ids.count < columns.ids.count else { return Array(columns.ids.indices) }
    var places: [Int] = []
    places.reserveCapacity(ids.count)
    var place = 0
    for id in ids {
      while place < columns.ids.count, columns.ids[place] < id { place += 1 }
      if place < columns.ids.count, columns.ids[place] == id { places.append(place) }
    }
    return places
  }

  // MARK: Counts

  /// The counts of a field that each sample has at most once.
  func counts(_ names: [String], _ codes: [Int32], _ places: [Int]) -> [Int] {
    var counts = [Int](repeating: 0, count: names.count)
    for place in places {
      let code = Int(codes[place])
      if code >= 0, code < counts.count { counts[code] += 1 }
    }
    return counts
  }

  /// The counts of something that samples can have several of, and the number of samples that have any.
  mutating func traitCounts(
    _ key: String, _ places: [Int],
    _ read: () throws -> (names: [String], traits: TraitList)
  ) rethrows -> (names: [String], counts: [Int], samples: Int) {
    if traits[key] == nil {
      let found = try read()
      traits[key] = listed(found.names, found.traits)
    }
    guard let list = traits[key] else { return ([], [], 0) }
    var counts = [Int](repeating: 0, count: list.names.count)
    var samples = 0
    for place in places {
      let range = Int(list.starts[place])..<Int(list.starts[place + 1])
      if !range.isEmpty { samples += 1 }
      for index in range {
        let value = Int(list.values[index])
        if counts.indices.contains(value) { counts[value] += 1 }
      }
    }
    return (list.names, counts, samples)
  }

  /// The traits of each sample one after another; those of retired samples are left out.
  private func listed(
    _ names: [String], _ traits: TraitList
  ) -> (names: [String], starts: [Int32], values: [Int32]) {
    var starts: [Int32] = []
    starts.reserveCapacity(columns.ids.count + 1)
    var values: [Int32] = []
    var next = 0
    for id in columns.ids {
      starts.append(Int32(values.count))
      while next < traits.pairs.count, traits.pairs[next].sample < id { next += 1 }
      while next < traits.pairs.count, traits.pairs[next].sample == id {
        values.append(traits.pairs[next].trait)
        next += 1
      }
    }
    starts.append(Int32(values.count))
    return (names, starts, values)
  }

  /// The codes of a field that is not part of ``columns``.
  mutating func codes(
    _ field: String, _ read: () throws -> (names: [String], codes: [Int32])
  ) rethrows -> (names: [String], codes: [Int32]) {
    if let known = codes[field] { return known }
    let found = try read()
    codes[field] = found
    return found
  }

  /// The predictions of a run of one label per image.
  mutating func predictions(of run: RunRecord, in catalog: Catalog) throws -> PredictionColumns {
    if let known = predictions[run.id] { return known }
    let read = try catalog.predictionColumns(of: run, for: columns.ids)
    predictions[run.id] = read
    return read
  }

  /// The fields with the most samples, sorted by name; without texts of too many different values, such as names of
  /// files.
  mutating func fields(in catalog: Catalog) throws -> [Field] {
    if let fields { return fields }
    var found: [String: Field] = [:]
    var place = 0
    let ids = columns.ids
    if try catalog.hasSampleFields(in: dataset.id) {
      try catalog.forEachFieldValue(of: dataset.id) { value in
        while place < ids.count, ids[place] < value.sample { place += 1 }
        guard place < ids.count, ids[place] == value.sample else { return }
        // A field of its own for every sample would fill the memory.
        guard found[value.name] != nil || found.count < 4 * SampleFacet.customLimit else { return }
        found[
          value.name,
          default: Field(name: value.name, codes: [Int32](repeating: -1, count: ids.count))
        ].add(value.content, at: place, of: ids.count)
      }
    }
    let kept = found.values.filter { !$0.numbers.isEmpty || !$0.texts.isEmpty }
      .sorted { (-$0.count, $0.name) < (-$1.count, $1.name) }.prefix(SampleFacet.customLimit)
      .sorted { $0.name < $1.name }
    fields = kept
    return kept
  }

  /// A numeric field of all samples; `nil` if the dataset or the run does not have it.
  mutating func numbers(_ field: String, in catalog: Catalog) throws -> [Double]? {
    if let known = numbers[field] { return known.isEmpty ? nil : known }
    do {
      let all = Selection.all(of: dataset)
      let column = try catalog.numberColumn(field, of: all)
      numbers[field] = column.count == columns.ids.count ? column : []
    } catch StoreError.expression {
      // Such as a number of an evaluation that was not made.
      numbers[field] = []
    }
    return numbers[field].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The number of samples for which an expression holds; 0 if it is not valid for the dataset.
  mutating func count(
    where expression: String, _ places: [Int], in catalog: Catalog
  ) throws -> Int {
    if flags[expression] == nil {
      var holds = [Bool](repeating: false, count: columns.ids.count)
      do {
        let found = try catalog.ids(
          in: Selection.all(of: dataset), where: expression, orderedBy: nil)
        for place in self.places(of: found.ids) { holds[place] = true }
      } catch StoreError.expression {}
      flags[expression] = holds
    }
    guard let holds = flags[expression] else { return 0 }
    return places.reduce(0) { $0 + (holds[$1] ? 1 : 0) }
  }
}

extension BrowseTable.Field {
  fileprivate mutating func add(_ content: FieldValue.Content, at place: Int, of total: Int) {
    count += 1
    let text: String
    switch content {
    case .number(let number):
      if numbers.isEmpty { numbers = [Double](repeating: .nan, count: total) }
      numbers[place] = number
      return
    case .text(let value): text = value
    case .truth(let value): text = value ? "true" : "false"
    }
    guard !hasTooManyTexts else { return }
    if let known = places[text] {
      codes[place] = known
      return
    }
    guard texts.count < SampleFacet.customTextLimit else {
      hasTooManyTexts = true
      (texts, places) = ([], [:])
      codes = [Int32](repeating: -1, count: total)
      return
    }
    places[text] = Int32(texts.count)
    codes[place] = Int32(texts.count)
    texts.append(text)
  }
}
