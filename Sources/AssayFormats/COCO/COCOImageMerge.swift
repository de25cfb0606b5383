import AssayCore

/// Creates samples from a file's images, in their order, and indexes them for the annotations.
struct COCOImageMerge {
  private let file: String
  private let split: String?
  private var missing: [(path: String, place: Int)] = []
  private var missingCount = 0
  /// The last number appended to a repeated path.
  private var repeats: [String: Int] = [:]
  private(set) var index = COCOImageIndex()
  private(set) var read = 0
  private(set) var kept = 0
  /// The paths of this file's images; `nil` for the first file, whose paths are all that there are.
  private var own: Set<String>?
  /// An image of this file that another one has as well; `nil` if there is none.
  private(set) var shared: String?

  /// - Parameter isFirst: whether no other file was read before.
  init(file: String, split: String?, isFirst: Bool) {
    self.file = file
    self.split = split
    if !isFirst { own = [] }
  }

  /// The number of kept images whose file exists.
  var found: Int { kept - missingCount }

  /// Returns the samples of a part of the images.
  ///
  /// - Parameter keys: the keys of all samples of the import.
  mutating func add(
    _ part: COCOImageReader.Part, keys: inout Set<String>, _ findings: inout OddityIssues
  ) -> [ImportedSample] {
    read += part.read
    var samples: [ImportedSample] = []
    samples.reserveCapacity(part.records.count)
    for record in part.records {
      if record.isLeftOut {
        guard let id = record.id, !index.contains(id) else { continue }
        index.add(id, COCOImageIndex.Entry(sample: nil, size: nil, key: ""))
        continue
      }
      if let id = record.id, index.contains(id) {
        findings.note(
          .repeatedImageID, "/images/\(record.place)/id",
          "\(COCOImageReader.title(id, record.path)): another image has this id; left out, and the annotations go to the first"
        )
        continue
      }
      let key = key(for: record, among: &keys, &findings)
      if !record.isThere {
        missingCount += 1
        if missing.count < COCOOddity.missingImage.issueLimit {
          missing.append((key, record.place))
        }
      }
      if let id = record.id {
        index.add(id, COCOImageIndex.Entry(sample: keys.count - 1, size: record.size, key: key))
      }
      samples.append(
        ImportedSample(
          key: key, location: record.path, split: split, size: record.size, sourceID: record.id,
          attributes: record.attributes))
      kept += 1
    }
    return samples
  }

  /// Returns the path, with a number appended if another image has the path.
  private mutating func key(
    for record: COCOImageReader.Record, among keys: inout Set<String>,
    _ findings: inout OddityIssues
  ) -> String {
    let isNew = keys.insert(record.path).inserted
    // Images that are not there can be different ones: they have no folder.
    if own?.insert(record.path).inserted == true, !isNew, record.isThere { shared = record.path }
    if isNew { return record.path }
    var number = repeats[record.path, default: 1] + 1
    while !keys.insert("\(record.path)#\(number)").inserted { number += 1 }
    repeats[record.path] = number
    let key = "\(record.path)#\(number)"
    findings.note(
      .repeatedFileName, "/images/\(record.place)/file_name", key: key,
      "\(COCOImageReader.title(record.id, record.path)): another image has the same file; kept as "
        + key)
    return key
  }

  /// Reports images without a file: in one message if no image has a file.
  func noteMissing(_ findings: inout OddityIssues) {
    guard let first = missing.first else { return }
    guard found > 0 else {
      findings.note(
        .missingImage, nil,
        kept == 1
          ? "its only image does not exist (looked for \(first.path)); it is kept without a file: run "
            + "`assay relink` once it exists, or import again with --images DIR"
          : "none of its \(kept) images exists (looked for \(first.path), …); all are kept without a "
            + "file: run `assay relink` once they exist, or import again with --images DIR")
      return
    }
    for (path, place) in missing {
      findings.note(
        .missingImage, "/images/\(place)/file_name", key: path,
        "\(path) does not exist; kept without a file")
    }
    findings.count(.missingImage, missingCount - missing.count)
  }
}
