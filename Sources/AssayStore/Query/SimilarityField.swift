import AssayCore
import Foundation
import GRDB

/// The similarity of samples by their embeddings: `similarity(RUN, KEY)`.
extension ViewCompiler {
  /// The cosine of the angle between a sample's embedding and that of the sample with a key, as SQL over a
  /// sample `s`: -1 to 1; NULL if the sample has none, or one of the two has the length 0.
  ///
  /// - Throws: ``ExpressionError`` for a run without embeddings, an unknown key, or a sample without one
  ///   or with one of the length 0.
  func similarity(
    to key: ViewExpression.Word, by name: ViewExpression.Word
  ) throws(ExpressionError) -> Condition {
    let run = try run(name)
    func failure(_ offset: Int, _ message: String) -> ExpressionError {
      ExpressionError(source: source, offset: offset, message: message)
    }
    let found: (hasAny: Bool, sample: Int64?, vector: Data?)
    do {
      let hasAny =
        try Bool.fetchOne(
          database, sql: "SELECT EXISTS (SELECT 1 FROM embedding WHERE run = ?)",
          arguments: [run.id]) ?? false
      let sample = try Int64.fetchOne(
        database, sql: "SELECT id FROM sample WHERE dataset = ? AND key = ? AND NOT retired",
        arguments: [scope.dataset.id, key.text])
      let vector = try Data.fetchOne(
        database, sql: "SELECT vector FROM embedding WHERE run = ? AND sample = ?",
        arguments: [run.id, sample])
      found = (hasAny, sample, vector)
    } catch {
      throw failure(name.offset, "the embeddings of run “\(run.name)” cannot be read: \(error)")
    }
    guard found.hasAny else {
      throw failure(
        name.offset,
        "run “\(run.name)” keeps no embeddings; give its model's manifest an `embedding` and predict again"
      )
    }
    guard found.sample != nil else {
      throw failure(key.offset, "“\(scope.dataset.name)” has no sample with the key “\(key.text)”")
    }
    guard let vector = found.vector else {
      throw failure(key.offset, "run “\(run.name)” has no embedding of “\(key.text)”")
    }
    guard CosineFunction.cosine(vector, vector) != nil else {
      throw failure(
        key.offset,
        "the embedding of “\(key.text)” by run “\(run.name)” has the length 0, and so no angle to others"
      )
    }
    return Condition(
      """
      (SELECT \(CosineFunction.name)(e.vector, ?) FROM embedding e \
      WHERE e.run = ? AND e.sample = s.id)
      """, [vector, run.id])
  }
}

/// The SQL function `cosine(a, b)` of two vectors of float32, little-endian.
enum CosineFunction {
  static let name = "cosine"

  /// NULL for values that are no vectors of one length, and for a vector of the length 0.
  static let function = DatabaseFunction(name, argumentCount: 2, pure: true) { values in
    guard values.count == 2, case .blob(let a) = values[0].storage,
      case .blob(let b) = values[1].storage
    else { return nil }
    return cosine(a, b)
  }

  /// The cosine of the angle between two vectors; sums are of doubles.
  static func cosine(_ a: Data, _ b: Data) -> Double? {
    guard a.count == b.count, a.count.isMultiple(of: 4), !a.isEmpty else { return nil }
    return a.withUnsafeBytes { first in
      b.withUnsafeBytes { second in
        var (product, length, other) = (0.0, 0.0, 0.0)
        for offset in stride(from: 0, to: first.count, by: 4) {
          let x = value(first, offset)
          let y = value(second, offset)
          product += x * y
          length += x * x
          other += y * y
        }
        let scale = (length * other).squareRoot()
        guard scale > 0, scale.isFinite else { return nil }
        return min(max(product / scale, -1), 1)
      }
    }
  }

  private static func value(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Double {
    let bits = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    return Double(Float(bitPattern: UInt32(littleEndian: bits)))
  }
}
