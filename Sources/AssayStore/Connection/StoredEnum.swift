import GRDB

extension Row {
  /// A column whose text is an enum's raw value.
  ///
  /// - Throws: ``StoreError/unknownValue(table:column:value:)``.
  func stored<Value: RawRepresentable<String>>(
    _ column: String, of table: String, as type: Value.Type = Value.self
  ) throws -> Value {
    let text: String = self[column]
    guard let value = Value(rawValue: text) else {
      throw StoreError.unknownValue(table: table, column: column, value: text)
    }
    return value
  }
}
