package import AssayCore

/// The errors of the catalog. Findings about data are issues, not errors.
package enum StoreError: Error, Hashable {
  /// There is no file at the path, and this command does not create one.
  case noCatalog(path: String)
  /// The file is not an SQLite database, or not a catalog.
  case notACatalog(path: String)
  /// The file was written by a later version of assay.
  case newerSchema(path: String)
  /// The file was written by an earlier version of assay, and cannot be updated, because it is
  /// write-protected.
  case olderSchema(path: String)
  /// A catalog of an earlier version, opened by a task that does not change it.
  case notUpdated(path: String)
  /// The file cannot be opened, with SQLite's reason.
  case cannotOpen(path: String, reason: String)
  /// The file was moved, replaced or removed after it was opened.
  case moved(path: String)
  /// Another process is writing.
  case busy(path: String)
  /// A file that would be overwritten.
  case fileExists(path: String)
  /// A name with invalid characters.
  case badName(String)
  /// A name that is in use.
  case nameTaken(NameKind, String)
  /// An unknown name, the nearest known one, and all known names.
  case unknownName(NameKind, String, suggestion: String?, known: [String])
  /// A VIEW that is neither dataset nor view.
  case unknownView(String, suggestion: String?, known: [String])
  /// A run in place of a VIEW, and the VIEW that it was made on.
  case runForView(String, view: String)
  /// A dataset, view or model in place of a run, and its runs.
  case otherForRun(String, NameKind, runs: [String])
  /// A part that the dataset does not have.
  case unknownPart(String, dataset: String, suggestion: String?, known: [String])
  /// A part that already exists, in the source or in a partition.
  case partTaken(String, dataset: String)
  /// An evaluation that the run does not have.
  case unknownEvaluation(String, run: String, known: [String])
  /// An evaluation that the run already has.
  case evaluationExists(String, run: String)
  /// A class that a run or an evaluation names twice.
  case duplicateClass(String)
  /// An object that the command uses is no longer in the catalog.
  case removedMeanwhile(NameKind)
  /// A sample that is not part of the run.
  case notInRun(run: String, sample: Int64)
  /// A model with runs cannot be removed.
  case modelInUse(String, runs: [String])
  /// Two samples of one import have the same key.
  case duplicateKey(String)
  /// An importer passed a category, pixels or ordinals that are inconsistent.
  case badBatch(String)
  /// Scores that do not match the run's classes or are not numbers.
  case badScores(run: String, sample: Int64, expected: Int, count: Int)
  case scoreNotFinite(run: String, sample: Int64)
  /// Masks or maps that do not match the run, with the problem.
  case badMasks(run: String, sample: Int64, String)
  /// Pixel counts that do not match the evaluation's classes.
  case badTally(sample: Int64, classes: Int)
  /// Detections that do not match the run, with the problem.
  case badDetections(run: String, sample: Int64, String)
  /// IoU thresholds that cannot be used for matches, with the problem.
  case badMatching(String)
  /// Matches that do not match the evaluation, with the problem.
  case badMatches(sample: Int64, String)
  /// An invalid expression of the view language.
  case expression(ExpressionError)
  /// A query that is not a single read-only statement.
  case query(String)
  /// A stored value that this version does not support.
  case unknownValue(table: String, column: String, value: String)
  /// Inconsistent rows, which only another program can have written.
  case damaged(table: String, String)
  /// Any other SQLite error, with the operation in progress.
  case sqlite(code: Int32, message: String, doing: String)
}

extension StoreError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noCatalog(let path):
      "no catalog at \(path); create one with `assay import`, or name another with --db FILE"
    case .notACatalog(let path):
      "\(path) is not an assay catalog; name another file with --db"
    case .newerSchema(let path):
      "\(path) was written by a later version of assay than this one (assay --version), and was not changed;"
        + " install that version, or name another catalog with --db"
    case .olderSchema(let path):
      "\(path) was written by an earlier version of assay, and cannot be updated, because it is write-protected;"
        + " make it and its folder writable (chmod u+w), or name a writable copy with --db"
    case .notUpdated(let path):
      "\(path) was written by an earlier version of assay, and a shard does not change the catalog; update it once,"
        + " before the shards: assay ls --db \(path)"
    case .cannotOpen(let path, let reason):
      "cannot open the catalog \(path): \(reason)"
    case .moved(let path):
      "\(path) was moved, replaced or removed while it was in use; nothing was saved. Put it back, or "
        + "run the command again"
    case .busy(let path):
      "another process is writing to \(path); wait for it to end and try again"
    case .fileExists(let path):
      "\(path) exists; give --force to overwrite it"
    case .badName(let name):
      "invalid name “\(name)”: expected letters, digits, “.”, “_” and “-”, starting with a letter or "
        + "digit, at most \(Name.lengthLimit) of them"
    case .nameTaken(let kind, let name):
      switch kind {
      case .dataset:
        "the dataset “\(name)” already exists; import again with --replace, or choose another name"
      default:
        "the \(kind.rawValue) “\(name)” already exists; choose another name, or remove it with "
          + "`assay rm \(kind.rawValue) \(name)`"
      }
    case .unknownName(let kind, let name, let suggestion, let known):
      "unknown \(kind.rawValue) “\(name)”" + Self.advice(suggestion, known, "\(kind.rawValue)s")
    case .unknownView(let name, let suggestion, let known):
      "unknown dataset or view “\(name)”" + Self.advice(suggestion, known, "datasets and views")
    case .runForView(let name, let view):
      "“\(name)” is a run, not a dataset or view; its samples are \(view). Name \(view) here; in an expression "
        + "the run is run(\(name))"
    case .otherForRun(let name, let kind, let runs):
      "“\(name)” is a \(kind.rawValue), not a run; "
        + (runs.isEmpty
          ? "it has no run yet: `assay predict \(kind == .model ? "VIEW --model \(name)" : "\(name) --model MODEL")`"
          : "its runs: \(Self.list(runs))")
    case .unknownPart(let part, let dataset, let suggestion, let known):
      "“\(dataset)” has no part “\(part)”" + Self.advice(suggestion, known, "parts")
    case .partTaken(let part, let dataset):
      "“\(dataset)” already has a part “\(part)”; choose another name for the part"
    case .unknownEvaluation(let name, let run, let known):
      "run “\(run)” has no evaluation “\(name)”" + Self.advice(nil, known, "evaluations")
    case .evaluationExists(let name, let run):
      "run “\(run)” already has an evaluation “\(name)”; choose another name with --as"
    case .duplicateClass(let name):
      "class “\(name)” is named twice; each of the model's outputs needs a class of its own"
    case .removedMeanwhile(let kind):
      "the \(kind.rawValue) that this command uses is no longer in the catalog: another command removed "
        + "it in the meantime (`assay ls` lists what there is); changes that were not saved by then are lost"
    case .notInRun(let run, let sample):
      "sample \(sample) is not in run “\(run)”"
    case .modelInUse(let name, let runs):
      "model “\(name)” is used by \(runs.count == 1 ? "run" : "runs") \(Self.list(runs)); remove "
        + (runs.count == 1 ? "it" : "them") + " first with `assay rm run NAME`"
    case .duplicateKey(let key):
      "two samples have the key “\(key)”; the importer must report the second one as an issue"
    case .badBatch(let what):
      "the importer's batches are inconsistent: \(what)"
    case .badScores(let run, let sample, let expected, let count):
      "run “\(run)” has \(expected) classes, but sample \(sample) came with \(count) scores"
    case .scoreNotFinite(let run, let sample):
      "run “\(run)”: a score of sample \(sample) is not a finite number"
    case .badMasks(let run, let sample, let what):
      "run “\(run)”: sample \(sample) came with \(what)"
    case .badTally(let sample, let classes):
      "the counts of sample \(sample) do not fit an evaluation of \(classes) classes"
    case .badDetections(let run, let sample, let what):
      "run “\(run)”: a detection of sample \(sample) came with \(what)"
    case .badMatching(let what):
      "an evaluation of detections came with \(what)"
    case .badMatches(let sample, let what):
      "a match of sample \(sample) came with \(what)"
    case .expression(let error):
      error.description
    case .query(let message):
      message
    case .unknownValue(let table, let column, let value):
      "\(table).\(column) holds “\(value)”, which is unknown to this version of assay"
    case .damaged(let table, let what):
      "the catalog's table \(table) is damaged: \(what); restore a backup, or import again"
    case .sqlite(let code, let message, let doing):
      switch code & 0xFF {
      case 13:  // SQLITE_FULL
        "the disk is full: no space left while \(doing). Nothing is half-written; free some space "
          + "and try again"
      case 11:  // SQLITE_CORRUPT
        "the catalog is damaged, SQLite reports while \(doing) (\(message)); restore a backup, or "
          + "import again into a new file"
      case 10 where [266, 8_458].contains(code):  // SQLITE_IOERR_READ, SQLITE_IOERR_CORRUPTFS
        "the catalog cannot be read: the disk failed while \(doing) (\(message)). The catalog itself may be "
          + "intact; check the disk, copy the file to another one, and try again"
      case 10:  // SQLITE_IOERR
        "the disk failed while \(doing) (SQLite error \(code): \(message)); check whether it "
          + "is full or disconnected"
      default:
        "SQLite error \(code) while \(doing): \(message)"
      }
    }
  }

  /// "; did you mean …? The …: a, b, c".
  private static func advice(_ suggestion: String?, _ known: [String], _ what: String) -> String {
    var text = suggestion.map { "; did you mean “\($0)”?" } ?? ""
    if known.isEmpty {
      text += "; there are no \(what) yet"
    } else {
      text += (suggestion == nil ? ";" : "") + " \(what): \(list(known))"
    }
    return text
  }

  private static func list(_ names: [String], limit: Int = 20) -> String {
    names.prefix(limit).joined(separator: ", ")
      + (names.count > limit ? " and \(names.count - limit) more" : "")
  }
}
