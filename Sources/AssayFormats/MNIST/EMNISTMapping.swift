import AssayCore

/// EMNIST's table of classes: a label, and the code of each character that has it (`1 65 97`).
enum EMNISTMapping {
  /// The classes in the table's order; a class is called like the first of its characters.
  ///
  /// - Throws: ``FormatError/table(_:line:problem:)`` for an invalid line; as ``NameList``.
  static func read(_ tree: any SourceTree, _ path: String) throws -> [NumberedClasses.Name] {
    var names: [NumberedClasses.Name] = []
    var numbers: Set<Int> = []
    for (place, line) in try NameList.lines(tree, path).enumerated() where !line.isEmpty {
      let fields = line.split { $0 == " " || $0 == "\t" || $0 == "," }.map(String.init)
      let numbersOfLine = fields.compactMap { Int($0) }
      guard numbersOfLine.count == fields.count, fields.count >= 2,
        (0...255).contains(numbersOfLine[0]),
        let scalar = Unicode.Scalar(UInt32(clamping: numbersOfLine[1])), scalar.value > 0x20
      else {
        throw FormatError.table(
          path, line: place + 1,
          problem: "expected a label (0…255) and the codes of its characters, found "
            + "“\(line.prefix(40))”")
      }
      guard numbers.insert(numbersOfLine[0]).inserted else {
        throw FormatError.table(
          path, line: place + 1, problem: "the label \(numbersOfLine[0]) is repeated")
      }
      names.append(NumberedClasses.Name(number: numbersOfLine[0], name: String(Character(scalar))))
    }
    return names
  }
}
