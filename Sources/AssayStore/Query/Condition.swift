import GRDB

/// A piece of SQL that is true or false, with the values of its parameters in order.
struct Condition {
  var sql: String
  var arguments: [DatabaseValue]

  init(_ sql: String, _ arguments: [any DatabaseValueConvertible] = []) {
    self.sql = sql
    self.arguments = arguments.map(\.databaseValue)
  }

  /// The condition that several conditions all hold; true for none.
  static func all(_ conditions: [Condition]) -> Condition {
    conditions.isEmpty ? Condition("1") : joined(conditions[...], by: "AND")
  }

  /// The condition that at least one of several conditions holds; false for none.
  static func any(_ conditions: [Condition]) -> Condition {
    conditions.isEmpty ? Condition("0") : joined(conditions[...], by: "OR")
  }

  /// A balanced tree, because SQLite limits the depth of expressions.
  private static func joined(_ conditions: ArraySlice<Condition>, by word: String) -> Condition {
    if conditions.count == 1, let only = conditions.first { return only }
    let middle = conditions.startIndex + conditions.count / 2
    let left = joined(conditions[..<middle], by: word)
    let right = joined(conditions[middle...], by: word)
    var condition = Condition("(\(left.sql) \(word) \(right.sql))")
    condition.arguments = left.arguments + right.arguments
    return condition
  }

  static prefix func ! (condition: Condition) -> Condition {
    var negation = condition
    negation.sql = "NOT \(condition.sql)"
    return negation
  }

  /// `?, ?, ?` for a list.
  static func placeholders(_ count: Int) -> String {
    repeatElement("?", count: count).joined(separator: ", ")
  }
}
