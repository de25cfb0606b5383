import GRDB

extension Catalog {
  /// The IoU thresholds and minimum scores at which a query counts detections.
  ///
  /// - Parameters:
  ///   - selection: its own expression is included.
  ///   - expression: an additional expression.
  ///   - fields: numbers, as ``numbers(_:of:in:)`` takes them.
  /// - Returns: each basis once, in the order in which the runs are named; empty if no detection
  ///   run is named.
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
          if let basis = try compiler.basis(try ViewExpression.parse(order: source).subject) {
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

  /// The number rounded to six decimals: `linspace` gives 0.8999999999999999.
  static func text(_ number: Double) -> String {
    let rounded = (number * 1e6).rounded() / 1e6
    return rounded == rounded.rounded() && abs(rounded) < 1e15
      ? String(Int(rounded)) : "\(rounded)"
  }

  /// Each basis once, without bases that another one covers.
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
