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
    switch attribute {
    case "split":
      let values = judged.samples.map(\.split)
      return Self.parts(values, order: Set(values.compactMap(\.self)).sorted())
    case "category":
      return Self.parts(
        judged.truths.map { judged.join.classes[$0] }, order: judged.join.classes)
    default:
      let partitions = try catalog.partitions(of: judged.run.dataset.id)
      guard let partition = partitions.first(where: { $0.name == attribute }) else {
        throw EvaluationError.unknownSlice(
          attribute, known: ["split", "category"] + partitions.map(\.name))
      }
      var part: [Int64: String] = [:]
      for name in partition.parts.map(\.part) {
        let selection = try catalog.resolve("\(judged.run.dataset.name)/\(name)")
        for sample in try catalog.samples(in: selection) { part[sample.id] = name }
      }
      return Self.parts(
        judged.samples.map { part[$0.id] }, order: partition.parts.map(\.part))
    }
  }

  private static func parts(_ values: [String?], order: [String]) -> [Part] {
    var indices: [String: [Int]] = [:]
    for (index, value) in values.enumerated() { indices[value ?? "–", default: []].append(index) }
    return (order + ["–"]).compactMap { value in
      indices[value].map { Part(value: value, indices: $0) }
    }
  }
}
