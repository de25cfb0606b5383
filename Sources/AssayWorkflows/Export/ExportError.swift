package import AssayCore

/// The reasons why a view cannot be exported.
package enum ExportError: Error, Hashable {
  case noSamples(view: String)
  /// A view that is empty because corrections moved this number of samples out of it.
  case allMoved(view: String, count: Int)
  /// A class that the dataset does not have.
  case unknownCategory(String, dataset: String, suggestion: String?, known: [String])
  /// More classes than an index mask has values.
  case tooManyCategories(Int, limit: Int)
  /// A dataset without any region.
  case noRegions(dataset: String)
  /// A dataset whose images are not files.
  case noFiles(dataset: String)
  /// A dataset whose images are in several folders, for a file that lists them.
  case severalRoots(dataset: String)
  /// A dataset whose images have no label.
  case noLabels(dataset: String)
  /// A dataset with sets of labels for a single-label format, or the reverse.
  case setsOfLabels(dataset: String)
  case noSetsOfLabels(dataset: String)
  /// A class that cannot be read back from a CSV, and the reason.
  case unreadableClass(String, reason: String)
  /// Images too large for the rows of a table.
  case tooLargeForTable(ImageSize, limit: Int)
  /// None of the images of a view can be read.
  case noPictures(view: String)
  /// No samples are left after `--only-corrected` or `--since`.
  case nothingCorrected(view: String, since: Int64?)
  /// A dataset without classes, for a table with a column for each.
  case noClasses(dataset: String)
  /// A class in two of the requested changes.
  case classChangedTwice(String)
  /// A new name that another class has.
  case nameTaken(String, by: String)
  /// Images whose pixels are not in files, to be linked or left where they are.
  case noFilesToLink(dataset: String)
  /// A format without an importer, to be read back.
  case noImporter(format: String)
  /// None of the images can be written.
  case nothingWritten(view: String, format: String, reasons: [String])
  /// A run of another dataset than the exported one.
  case otherDataset(run: String, dataset: String, expected: String)
  /// A minimum score for a run that has none.
  case noScores(run: String)
}

extension ExportError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noSamples(let view): return "“\(view)” has no samples"
    case .allMoved(let view, let count):
      return """
        “\(view)” has no samples with the corrected ground truth: corrections moved \
        \(count == 1 ? "1 sample" : "\(count) samples") out of it; without --corrected the view has \
        \(count == 1 ? "it" : "them")
        """
    case .unknownCategory(let name, let dataset, let suggestion, let known):
      let listed = known.prefix(20).joined(separator: ", ") + (known.count > 20 ? ", …" : "")
      return "\(dataset) has no class “\(name)”"
        + (suggestion.map { "; did you mean “\($0)”?" } ?? ";") + " classes: \(listed)"
    case .tooManyCategories(let count, let limit):
      return """
        \(count) classes exceed the \(limit) values of index masks with 16 bits; choose some with --category, merge or \
        leave out some with --map and --drop of assay convert, or write coco-panoptic
        """
    case .noRegions(let dataset):
      return """
        \(dataset) has no regions: masks and COCO annotations cannot be exported. Labels of images go to csv, \
        folder or hf-imagefolder (assay export --help)
        """
    case .noFiles(let dataset):
      return
        "the pixels of \(dataset) are stored in the catalog, but a COCO file lists image files; assay convert writes them as files (--to coco)"
    case .severalRoots(let dataset):
      return
        "the images of \(dataset) are in several folders (it is merged), and a COCO file lists "
        + "paths in one: --copy-images copies them beside it"
    case .noLabels(let dataset):
      return """
        the images of \(dataset) have no labels, and --to fer and --to folder need them; --to coco and \
        --to masks write regions
        """
    case .setsOfLabels(let dataset):
      return """
        the images of \(dataset) have sets of labels, but this format has one label per image; use \
        --to multilabel-csv
        """
    case .noSetsOfLabels(let dataset):
      return """
        the images of \(dataset) have no sets of labels, which --to multilabel-csv needs; use \
        --to folder or --to fer for single labels, --to coco or --to masks for regions; labels beside \
        regions are written by assay convert SOURCE --to multilabel-csv DIR
        """
    case .unreadableClass(let name, let reason):
      return "the class “\(name)” cannot be a column of the CSV: \(reason); rename it in the source"
    case .tooLargeForTable(let size, let limit):
      return "images of \(size) exceed the limit of \(limit) pixels per row"
    case .noPictures(let view): return "no image of “\(view)” can be read"
    case .nothingCorrected(let view, let since):
      return since.map { "nothing in “\(view)” was corrected after entry \($0)" }
        ?? "nothing in “\(view)” was corrected"
    case .noClasses(let dataset):
      return "\(dataset) has no classes, and the table has a column for each"
    case .classChangedTwice(let name):
      return "the class “\(name)” is in more than one of --map, --rename and --drop"
    case .nameTaken(let name, let other):
      return "“\(other)” cannot be renamed to “\(name)”, which is another class; merge them with "
        + "--map '\(other)=\(name)'"
    case .noFilesToLink(let dataset):
      return "the pixels of \(dataset) are stored in the catalog: use --images copy"
    case .noImporter(let format):
      return "this version has no importer for \(format), so --verify cannot read it back"
    case .otherDataset(let run, let dataset, let expected):
      return "the run \(run) is of \(dataset), not of \(expected); `assay ls` shows the runs"
    case .noScores(let run):
      return
        "the run \(run) has labels without scores, so --min-score cannot choose among them; leave it out"
    case .nothingWritten(let view, let format, let reasons):
      return (["\(format) can hold no image of “\(view)”"] + reasons).joined(separator: "\n  ")
    }
  }
}

/// A sample that was left out of an export, or whose image was, and the reason.
package struct LeftOutSample: Error, Hashable {
  package var key: String
  package var reason: String

  package init(key: String, reason: String) {
    self.key = key
    self.reason = reason
  }
}
