import AssayCore

/// The columns, classes and numbers of a predictions file as its user states them.
///
/// Nothing of this is guessed: what is not stated and does not follow from the file is refused.
package struct PredictionFileOptions: Hashable, Sendable {
  /// The character between two fields of a CSV file.
  package enum Separator: String, CaseIterable, Sendable {
    case comma, semicolon, tab

    var byte: UInt8 {
      switch self {
      case .comma: UInt8(ascii: ",")
      case .semicolon: UInt8(ascii: ";")
      case .tab: UInt8(ascii: "\t")
      }
    }
  }

  /// The name of the column of sample keys; `nil` for a first column with a reserved name.
  package var key: String?
  /// The name of the column of predicted classes, for a file without scores.
  package var label: String?
  /// The beginning of the names of score columns; the rest of the name is the class.
  package var prefix: String?
  /// Columns that are neither keys nor classes.
  package var ignored: [String] = []
  /// The classes: in the order of the scores of an array, or the score columns of a table.
  package var classes: [String]?
  /// The number of the first class, 0 or 1, if classes are given by number; the numbers count
  /// ``classes``, or the dataset's classes in their order.
  package var firstNumber: Int?
  /// `nil` for the separator in the header, if it has only one.
  package var separator: Separator?
  /// True if numbers have a decimal comma in place of a point.
  package var hasDecimalCommas = false
  /// The name of the array of scores in an `.npz` file.
  package var array: String?

  package init() {}
}

/// The reason why a column of a predictions file cannot be read, with the option that reads it.
struct PredictionColumnProblem: Error, Hashable {
  var text: String

  init(_ text: String) { self.text = text }
}

/// The classes that numbers stand for.
package struct ClassNumbering: Hashable, Sendable {
  /// The classes in the order of their numbers.
  package let names: [String]
  /// The number of the first class; `nil` if numbers are not read.
  package let first: Int?
  private let places: [String: Int]

  package init(_ names: [String], first: Int?) {
    self.names = names
    self.first = first
    places = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
  }

  /// The index of a class given by name or, if numbers are stated, by number; `nil` for another
  /// text.
  ///
  /// With stated numbers a text that is a number never counts as a name.
  package func index(of text: String) -> Int? {
    guard first != nil else { return places[text] }
    guard let number = Self.number(text) else { return places[text] }
    return index(ofNumber: number)
  }

  /// The index of a class given by its number; `nil` without stated numbers and for numbers out of
  /// range.
  package func index(ofNumber number: Int) -> Int? {
    guard let first, number >= first, number - first < names.count else { return nil }
    return number - first
  }

  /// A whole number, also as pandas writes integers of a column with gaps: `3.0`.
  static func number(_ text: some StringProtocol) -> Int? {
    Int(text) ?? (text.hasSuffix(".0") ? Int(text.dropLast(2)) : nil)
  }

  /// The meaning of the first and the last number; and a caution if the classes are named by numbers that another order
  /// puts elsewhere.
  package var notes: [String] {
    guard let first, let name = names.first else { return [] }
    let last = names.count - 1
    let range =
      "class numbers: \(first) is “\(name)”"
      + (last > 0 ? ", … \(first + last) is “\(names[last])”" : "")
    let sorted = names.sorted()
    guard names.allSatisfy({ Int($0) != nil }),
      let place = names.indices.first(where: { names[$0] != sorted[$0] })
    else { return [range] }
    return [
      range,
      "the classes are numbers in the order of the dataset; torchvision and Keras sort such folders as texts, so that "
        + "\(first + place) is “\(sorted[place])”, not “\(names[place])”: if the model was trained so, give --classes "
        + sorted.prefix(4).joined(separator: ",") + ",…",
    ]
  }

  /// The first place at which two lists of classes differ, in words.
  package static func difference(_ given: [String], _ found: [String]) -> String {
    guard given.count == found.count else { return "\(given.count) and \(found.count) classes" }
    guard let place = given.indices.first(where: { given[$0] != found[$0] }) else { return "" }
    return "class \(place + 1) is “\(given[place])” and “\(found[place])”"
  }

  /// Returns the reason why a text is not a class, and the next step.
  package func problem(_ text: String) -> String {
    if Self.number(text) != nil {
      guard let first else {
        return
          "“\(text)” is not a class; if it is a class number, state the number of the first class: "
          + "--class-numbers 0 (or 1), with --classes if the numbers do not count the dataset's classes"
      }
      return "\(text) is not the number of a class: there are \(names.count), \(first) to "
        + "\(first + names.count - 1)"
    }
    let near = NearMiss.suggestion(for: text, among: names)
    return "unknown class “\(text)”" + (near.map { " (did you mean “\($0)”?)" } ?? "")
      + "; --classes A,B,… lists all classes of the model"
  }
}
