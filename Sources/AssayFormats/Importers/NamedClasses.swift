import AssayCore

/// Images without labels whose names begin with what may be their class, such as `cat.0.jpg` and `Abyssinian_12.jpg`.
enum NamedClasses {
  /// The largest number of words that can be classes.
  private static let limit = 1_000

  /// A note with the commands that make labels of the names; `nil` if the names do not look like it.
  ///
  /// They do if at least half of them are a word and a number, of 2 to 1,000 different words, each in at least two names.
  static func note(_ paths: [String]) -> String? {
    var counts: [String: Int] = [:]
    var found = 0
    for path in paths {
      guard let word = word(path) else { continue }
      found += 1
      counts[word, default: 0] += 1
      if counts.count > limit { return nil }
    }
    guard counts.count > 1, found * 2 >= paths.count, counts.values.allSatisfy({ $0 > 1 }) else {
      return nil
    }
    let words = counts.keys.sorted()
    return "\(found) of \(paths.count) names are one of \(words.count) words "
      + "(\(words.prefix(4).joined(separator: ", "))\(words.count > 4 ? ", …" : "")) and a number; if the words are the "
      + "classes, write them into a table and import that: (cd PATH && find . -type f | "
      + ##"sed -nE 's#^\./((.*/)?([A-Za-z][^/]*[A-Za-z]|[A-Za-z])[^A-Za-z0-9/]*[0-9]+\.[A-Za-z]+)$#"\1","\3"#p' | "##
      + "sed '1i file,class' > labels.csv) && assay import PATH/labels.csv --columns image=file,label=class"
  }

  /// The word before the number at the end of a file's name; `nil` for another name.
  private static func word(_ path: String) -> String? {
    let stem = SortedFiles.stem(of: path)
    let digits = stem.reversed().prefix { $0.isASCII && $0.isNumber }.count
    guard digits > 0 else { return nil }
    let word = stem.dropLast(digits)
      .reversed().drop { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.reversed()
    guard let first = word.first, let last = word.last, first.isASCII, first.isLetter,
      last.isLetter
    else { return nil }
    return String(word)
  }
}
