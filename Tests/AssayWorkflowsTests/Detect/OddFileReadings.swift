/// The expected messages for each invalid file: below its name, the findings, each after a dash, or
/// the lines of the error that rejects it, each after an exclamation mark.
enum OddFileReadings {
  enum Reading {
    /// The file is rejected with this error.
    case refused(String)
    /// The file is evaluated, with these findings.
    case evaluated([String])
  }

  static let all: [String: Reading] = {
    var all: [String: Reading] = [:]
    var name = ""
    for line in (ofTruth + "\n" + ofResults).split(separator: "\n").map(String.init) {
      let text = String(line.dropFirst(2))
      switch (line.prefix(2), all[name]) {
      case ("- ", .evaluated(let findings)?): all[name] = .evaluated(findings + [text])
      case ("! ", .refused(let error)?): all[name] = .refused(error + "\n" + text)
      case ("! ", _): all[name] = .refused(text)
      default:
        name = line
        all[name] = .evaluated([])
      }
    }
    return all
  }()
}
