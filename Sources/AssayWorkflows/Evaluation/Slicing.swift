import AssayCore
import AssayStore

/// Divides a run's samples into slices by an attribute.
package struct Slicing {
  /// A slice: its name, and the indices of its samples in the run.
  package struct Part: Hashable {
    package var value: String
    package var indices: [Int]
  }

  private let catalog: Catalog

  init(catalog: Catalog) { self.catalog = catalog }

  /// The slices by `split`, `category`, a partition of the dataset or a field of its samples, in the order of the
  /// classes, of the partition's parts, of numbers, or of names. Samples without a value are in the last slice, “–”. A
  /// sample can be in several slices by category.
  ///
  /// - Throws: ``EvaluationError/unknownSlice(_:known:)``, ``EvaluationError/tooManySlices(_:limit:)``.
  func parts<Task>(of run: EvaluatedRun<Task>, by attribute: String) throws -> [Part] {
    guard attribute == "category" else {
      return try parts(run.samples, of: run.run, by: attribute)
    }
    return try Task.slicesByClass(of: run, in: catalog)
  }

  private func parts(
    _ samples: [SampleRecord], of run: RunRecord, by attribute: String
  ) throws -> [Part] {
    if let name = Self.field(attribute) {
      return try fieldParts(samples, by: name, known: [])
    }
    if attribute == "split" {
      let values = samples.map(\.split)
      return Self.parts(values, order: Set(values.compactMap(\.self)).sorted())
    }
    let partitions = try catalog.partitions(of: run.dataset.id)
    guard let partition = partitions.first(where: { $0.name == attribute }) else {
      return try fieldParts(
        samples, by: attribute, known: ["split", "category"] + partitions.map(\.name))
    }
    var part: [Int64: String] = [:]
    for name in partition.parts.map(\.part) {
      let selection = try catalog.resolve("\(run.dataset.name)/\(name)")
      for sample in try catalog.samples(in: selection) { part[sample.id] = name }
    }
    return Self.parts(samples.map { part[$0.id] }, order: partition.parts.map(\.part))
  }

  /// The name in `field(NAME)`, which is a field even if a partition or a word has that name; `nil` for other texts.
  private static func field(_ attribute: String) -> String? {
    guard attribute.hasPrefix("field("), attribute.hasSuffix(")") else { return nil }
    let name = attribute.dropFirst(6).dropLast()
    guard name.count > 1, let quote = name.first, quote == "\"" || quote == "'", name.last == quote
    else { return String(name) }
    return String(name.dropFirst().dropLast())
  }

  /// The maximum number of different values of a field.
  private static let valueLimit = 100

  /// The slices by a field of the samples, custom or of their source: texts, numbers and truth values.
  private func fieldParts(
    _ samples: [SampleRecord], by name: String, known: [String]
  ) throws -> [Part] {
    var values: [String?] = Array(repeating: nil, count: samples.count)
    var numbers: [String: Double] = [:]
    var names: Set<String> = []
    try catalog.forEachFields(of: samples.map(\.id)) { index, fields in
      for field in fields {
        names.insert(field.name)
        guard field.name == name else { continue }
        switch field.value {
        case .string, .bool: values[index] = field.value.spelling
        case .integer, .number:
          let text = field.value.spelling
          values[index] = text
          numbers[text] = field.value.double
        case .null, .array, .object: break
        }
      }
    }
    let found = Set(values.compactMap(\.self))
    guard !found.isEmpty else {
      throw EvaluationError.unknownSlice(name, known: known + names.sorted().prefix(20))
    }
    guard found.count <= Self.valueLimit else {
      throw EvaluationError.tooManySlices(name, limit: Self.valueLimit)
    }
    let order = found.sorted {
      (numbers[$0] ?? .infinity, $0) < (numbers[$1] ?? .infinity, $1)
    }
    return Self.parts(values, order: order)
  }

  /// The slices of samples with one value each; `nil` is in the slice “–”.
  static func parts(_ values: [String?], order: [String]) -> [Part] {
    var indices: [String: [Int]] = [:]
    for (index, value) in values.enumerated() { indices[value ?? "–", default: []].append(index) }
    return (order + ["–"]).compactMap { value in
      indices[value].map { Part(value: value, indices: $0) }
    }
  }

  /// The slices by class if a sample can have several.
  ///
  /// - Parameters:
  ///   - indices: the indices of the samples for each class.
  ///   - without: the indices of the samples without a class.
  static func parts(_ classes: [String], _ indices: [[Int]], without: [Int]) -> [Part] {
    (zip(classes, indices).map { Part(value: $0, indices: $1) }
      + [Part(value: "–", indices: without)]).filter { !$0.indices.isEmpty }
  }
}
