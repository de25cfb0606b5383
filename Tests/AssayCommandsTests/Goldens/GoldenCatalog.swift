import AssayStore
import Foundation
import Synchronization
import Testing

/// A folder with a catalog of the datasets in `Tests/Fixtures/goldens/data`, prepared once for all
/// cases.
///
/// Each case runs on a copy of the catalog in its own folder, so that no case sees what another
/// stored.
final class GoldenCatalog: Sendable {
  /// The catalog that a case runs on.
  enum Kind: Sendable {
    /// Datasets, runs and a few stored evaluations.
    case imported
    /// The same with corrections, and evaluations with them.
    case corrected
    /// A dataset of label sets, with runs.
    case labelSets
  }

  /// The transcript of the preparation's commands, as in a golden file.
  let transcript: String
  let folder: String

  /// The environment variables of every command, in addition to those of the tests.
  static let environment = ["ASSAY_AUTHOR": "anna", "TZ": "UTC"]

  static let imports = [
    "import faces.csv --name faces", "import plain.csv --name plain",
    "import street --name street", "import empty:coco --name empty",
    "split faces --parts fit=0.7,held=0.3 --seed 7",
    "predictions import r1.csv --name r1 --in faces",
    "predictions import r2.csv --name r2 --in faces",
    "predictions import sigmoid.csv --name raw --in faces --normalize",
    "predictions import partial.csv --name partial --in faces",
    "predictions import nobored.csv --name nobored --in faces --ignore-missing",
    "predictions import plain-r.csv --name p --in plain",
    "predictions import d1.json --name d1 --in street",
    "predictions import d2.json --name d2 --in street",
    "predictions import d3.json --name d3 --in street",
    "predictions import d4.json --name d4 --in street",
    "predictions import empty-d.json --name e --in empty",
  ]

  static let evaluations = [
    "evaluate r1 --as train --where 'split = train' --by category --accept 0.4 --no-intervals",
    "evaluate s1 --threshold 0.4 --no-intervals --by split",
    "evaluate d1 --as strict --iou 0.75 --score 0.4 --no-intervals", "ls runs",
  ]

  static let corrections = [
    "corrections add --from fix.csv --in faces",
    "corrections add --sample faces:7 --reject 'two faces'",
    "corrections add --sample street:train/010.png --object 121 --label car",
    "corrections add --sample street:train/025.png --remove 146",
    "corrections add --sample street:train/035.png --take d2 --drop-masks",
    "corrections add --sample street:val/055.png --reject blurred",
    "evaluate r1 --corrected --no-intervals", "evaluate s1 --corrected --no-intervals",
    "evaluate d1 --corrected --no-intervals",
  ]

  static let labelSets = [
    "import scenes/labels.csv --name scenes",
    "predictions import m1.csv --name m1 --in scenes",
    "predictions import m2.csv --name m2 --in scenes --ignore-missing",
    "predictions import m0.csv --name m0 --in scenes --ignore-missing",
    "evaluate m1 --threshold 0.4 --no-intervals", "ls runs",
  ]

  private static let imported = Result { try GoldenCatalog() }
  private static let corrected = Result { try GoldenCatalog(correcting: imported.get()) }
  private static let ofLabelSets = Result { try GoldenCatalog(of: labelSets) }

  /// The catalog of a kind, prepared on first use.
  static func prepared(_ kind: Kind) throws -> GoldenCatalog {
    switch kind {
    case .imported: try imported.get()
    case .corrected: try corrected.get()
    case .labelSets: try ofLabelSets.get()
    }
  }

  /// Imports everything except the label sets.
  private init() throws {
    folder = try Self.dataFolder()
    var transcript = try Self.run(Self.imports, in: folder)
    try GoldenMaskRuns.add(to: folder)
    transcript += try Self.run(Self.evaluations, in: folder)
    self.transcript = transcript
    // The file that --base accepts in place of a run.
    let base = try Program.run(
      ["evaluate", "r1", "--as", "base", "--no-intervals", "--json"], in: folder)
    try Data(base.stdout.utf8).write(to: URL(fileURLWithPath: folder + "/base-labels.json"))
  }

  /// Runs some commands.
  private init(of commands: [String]) throws {
    folder = try Self.dataFolder()
    transcript = try Self.run(commands, in: folder)
  }

  /// Creates a folder with the data, which remains there: the catalog looks for images in it.
  private static func dataFolder() throws -> String {
    let folder = try Self.makeFolder()
    for name in try FileManager.default.contentsOfDirectory(atPath: GoldenFile.data) {
      try FileManager.default.copyItem(
        atPath: GoldenFile.data + "/" + name, toPath: folder + "/" + name)
    }
    // The hash of a dataset that is a folder depends on its files' times.
    let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    for path in paths.sorted().reversed() {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
        ofItemAtPath: folder + "/" + path)
    }
    for name in ["evaluate", "segmentation"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/" + name, withDestinationPath: GoldenFile.metrics + "/" + name)
    }
    return folder
  }

  /// Corrects a copy of another catalog.
  private init(correcting imported: GoldenCatalog) throws {
    folder = try Self.makeFolder()
    try imported.copy(to: folder)
    transcript = try Self.run(Self.corrections, in: folder)
  }

  /// Puts a copy of the catalog and links to the data into a folder.
  func copy(to folder: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: self.folder)
    where !name.hasPrefix(".") {
      let (from, to) = (self.folder + "/" + name, folder + "/" + name)
      if name.hasPrefix("assay.") {
        try FileManager.default.copyItem(atPath: from, toPath: to)
      } else {
        try FileManager.default.createSymbolicLink(atPath: to, withDestinationPath: from)
      }
    }
  }

  private static func run(_ commands: [String], in folder: String) throws -> String {
    try commands.map { command in
      let outcome = try Program.run(
        TourTests.words(of: command), in: folder, environment: environment)
      try #require(outcome.status == 0, "assay \(command)\n\(outcome.stderr)")
      return GoldenTranscript(command: command, outcome: outcome).text
    }.joined(separator: "\n")
  }

  /// Paths of the folders that are removed when the tests end.
  private static let folders = Mutex<[String]>([])

  private static func makeFolder() throws -> String {
    let path = NSTemporaryDirectory() + "assay-goldens-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let isFirst = folders.withLock { paths in
      paths.append(path)
      return paths.count == 1
    }
    if isFirst {
      atexit {
        for path in GoldenCatalog.folders.withLock({ $0 }) {
          try? FileManager.default.removeItem(atPath: path)
        }
      }
    }
    return path
  }
}
