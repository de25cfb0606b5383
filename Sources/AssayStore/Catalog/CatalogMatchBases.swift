import GRDB

extension Catalog {
  /// At which IoU and from which score on detections are counted in what is asked of samples.
  ///
  /// - Parameters:
  ///   - selection: its own expression is looked at, too.
  ///   - expression: a further one.
  ///   - fields: numbers, as ``numbers(_:of:in:)`` takes them.
  /// - Returns: each once, in the order in which the runs are named; none where no run of detection is.
  /// - Throws: ``StoreError/expression(_:)``.
  package func matchBases(
    in selection: Selection, where expression: String? = nil, fields: [String] = []
  ) throws -> [MatchBasis] {
    try read("reading evaluations") { database in
      let scope = try DatasetScope(of: selection.dataset, truth: truth, in: database)
      var bases: [MatchBasis] = []
      do throws(ExpressionError) {
        for source in [selection.expression, expression].compactMap(\.self) {
          let compiler = ViewCompiler(source: source, scope: scope, database: database)
          for subject in try ViewExpression.parse(source).subjects {
            if let basis = try compiler.basis(subject) { bases.append(basis) }
          }
        }
        for source in fields {
          let compiler = ViewCompiler(source: source, scope: scope, database: database)
          if let basis = try compiler.basis(try ViewExpression.parse(field: source)) {
            bases.append(basis)
          }
        }
      } catch {
        throw StoreError.expression(error)
      }
      return MatchBasis.merged(bases)
    }
  }
}

extension MatchBasis: CustomStringConvertible {
  /// `run(r1): IoU 0.5, score ≥ 0.3`.
  package var description: String {
    let parts = [iou.map { "IoU \(Self.text($0))" }, score.map { "score ≥ \(Self.text($0))" }]
    return "run(\(run)): " + parts.compactMap(\.self).joined(separator: ", ")
  }

  /// A number as people write it: `linspace` gives 0.8999999999999999.
  static func text(_ number: Double) -> String {
    let rounded = (number * 1e6).rounded() / 1e6
    return rounded == rounded.rounded() && abs(rounded) < 1e15
      ? String(Int(rounded)) : "\(rounded)"
  }

  /// Each once, without those that another one says as well.
  static func merged(_ bases: [MatchBasis]) -> [MatchBasis] {
    var merged: [MatchBasis] = []
    for basis in bases where !merged.contains(where: { $0.says(basis) }) {
      merged.removeAll { basis.says($0) }
      merged.append(basis)
    }
    return merged
  }

  private func says(_ other: MatchBasis) -> Bool {
    run == other.run && (other.iou == nil || other.iou == iou)
      && (other.score == nil || other.score == score)
  }
}
