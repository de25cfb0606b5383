import AssayCore
import AssayStore

/// Parts a run's samples by something that samples have.
struct Slicing {
  /// A part: its name, and the indices of its samples in the run.
  struct Part: Hashable {
    var value: String
    var indices: [Int]
  }

  private let catalog: Catalog

  init(catalog: Catalog) { self.catalog = catalog }

  /// The parts by `split`, `category` or a partition of the dataset, in the order of the classes, of the
  /// partition's parts, or of names; samples without a part are under "–", last.
  ///
  /// - Throws: ``EvaluationError/unknownSlice(_:known:)``.
  func parts(of judged: JudgedRun, by attribute: String) throws -> [Part] {
    guard attribute == "category" else {
      return try parts(judged.samples, of: judged.run, by: attribute)
    }
    return Self.parts(judged.truths.map { judged.join.classes[$0] }, order: judged.join.classes)
  }

  /// The same of masks, where the part of a class is all samples whose truth has a pixel of it: a sample may
  /// be in several.
  ///
  /// - Throws: ``EvaluationError/unknownSlice(_:known:)``.
  func parts(of judged: SegmentedRun, by attribute: String) throws -> [Part] {
    guard attribute == "category" else {
      return try parts(judged.samples, of: judged.run, by: attribute)
    }
    let labels = judged.classes.labels
    var indices = labels.names.map { _ in [Int]() }
    var without: [Int] = []
    for index in judged.samples.indices {
      let confusion = judged.tally[index].confusion
      let present = labels.judged.filter { label in
        confusion[label * labels.count..<(label + 1) * labels.count].contains { $0 > 0 }
      }
      for label in present { indices[label].append(index) }
      if present.isEmpty { without.append(index) }
    }
    let parts = labels.judged.map { Part(value: labels.names[$0], indices: indices[$0]) }
    return (parts + [Part(value: "–", indices: without)]).filter { !$0.indices.isEmpty }
  }

  /// The parts of samples by `split` or a partition.
  ///
  /// - Throws: ``EvaluationError/unknownSlice(_:known:)``.
  func parts(
    _ samples: [SampleRecord], of run: RunRecord, by attribute: String
  ) throws -> [Part] {
    if attribute == "split" {
      let values = samples.map(\.split)
      return Self.parts(values, order: Set(values.compactMap(\.self)).sorted())
    }
    let partitions = try catalog.partitions(of: run.dataset.id)
    guard let partition = partitions.first(where: { $0.name == attribute }) else {
      throw EvaluationError.unknownSlice(
        attribute, known: ["split", "category"] + partitions.map(\.name))
    }
    var part: [Int64: String] = [:]
    for name in partition.parts.map(\.part) {
      let selection = try catalog.resolve("\(run.dataset.name)/\(name)")
      for sample in try catalog.samples(in: selection) { part[sample.id] = name }
    }
    return Self.parts(samples.map { part[$0.id] }, order: partition.parts.map(\.part))
  }

  private static func parts(_ values: [String?], order: [String]) -> [Part] {
    var indices: [String: [Int]] = [:]
    for (index, value) in values.enumerated() { indices[value ?? "–", default: []].append(index) }
    return (order + ["–"]).compactMap { value in
      indices[value].map { Part(value: value, indices: $0) }
    }
  }
}
