package import ArgumentParser
import AssayCore
import AssayWorkflows

/// The options by which a source is read, of `import` and `convert`.
package struct SourceOptions: ParsableArguments {
  @Option(help: "The split of samples without one in the source.")
  package var split: String?

  @Option(
    help: ArgumentHelp(
      "Names of the labels 0, 1, 2, …, separated by commas, or a file with one per line; for a multilabel-csv all classes, for via the classes that choose the attribute; for frames and images without labels the classes to label. Can be repeated.",
      valueName: "list"))
  package var classes: [String] = []

  @Option(
    help: ArgumentHelp(
      "The separator of the labels in a multilabel-csv: space, '|', ';' or ','.", valueName: "sign")
  )
  package var labelSeparator: String?

  @Option(
    help: ArgumentHelp(
      "The columns of a csv of boxes, by name or number: image=file,label=class,"
        + "box=xmin:ymin:xmax:ymax. Further keys: boxwh, polygon, split, score, width, height, "
        + "attributes, delimiter, header. Of parquet and tfrecord: image, label, mask, box, boxwh "
        + "(image=image,label=objects.category,boxwh=objects.bbox).", valueName: "key=column,…"))
  package var columns: String?

  @Option(
    help: ArgumentHelp(
      "The unit of the coordinates in a csv of boxes, parquet or tfrecord: pixels or relative.",
      valueName: "unit"))
  package var coordinates: String?

  @Option(
    help: ArgumentHelp(
      "The annotator whose annotations are the labels, of a label-studio export of several people: an id or "
        + "email. By default, the annotation that was submitted last is.", valueName: "name"))
  package var annotator: String?

  @Option(
    help: ArgumentHelp(
      "FER+'s table of votes, fer2013new.csv (.csv.gz), for fer2013.csv: its votes replace the labels.",
      valueName: "file"), completion: .file())
  package var votes: String?

  @Option(
    help: ArgumentHelp(
      "With --votes, FER+'s rule that makes labels of votes: majority, probability (one label and the "
        + "distribution) or multi-target (a set of labels). Default: majority.", valueName: "rule"))
  package var label: String?

  @Option(
    help: ArgumentHelp(
      "The size of a CSV's images if they are not square.", valueName: "WxH"))
  package var size: String?

  @Flag(
    help: ArgumentHelp(
      "With PATH:FORMAT: import even if the folder has annotations that the format does not "
        + "read; they are dropped."))
  package var ignoreCompanions = false

  @Flag(
    help: ArgumentHelp(
      "Follow links to files and folders outside of the source's folder, now and when images are "
        + "read later."))
  package var followLinks = false

  package init() {}

  /// Sets the options in a request.
  ///
  /// - Throws: `ValidationError`.
  func fill(_ request: inout ImportRequest) throws {
    request.split = split
    request.annotator = annotator
    request.votes = votes
    if let label {
      guard votes != nil else { throw ValidationError("--label needs --votes") }
      guard request.setVoteRule(label) else {
        throw ValidationError("--label must be majority, probability or multi-target")
      }
    }
    request.ignoresCompanions = ignoreCompanions
    request.followsLinks = followLinks
    if !classes.isEmpty {
      do {
        let list = try ClassListText(classes)
        (request.classes, request.classFiles) = (list.names, list.files)
      } catch {
        throw ValidationError("\(error)")
      }
    }
    if let labelSeparator {
      guard request.setLabelSeparator(labelSeparator) else {
        throw ValidationError("--label-separator takes space, '|', ';' or ','")
      }
    }
    if let columns {
      do {
        try request.setColumns(columns)
      } catch {
        throw ValidationError("--columns: \(error)")
      }
    }
    if let coordinates {
      guard request.setCoordinates(coordinates) else {
        throw ValidationError("--coordinates must be pixels or relative")
      }
    }
    if let size {
      let sides = size.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
      guard sides.count == 2, let width = sides[0], let height = sides[1],
        let size = ImageSize.checked(width: width, height: height)
      else { throw ValidationError("--size must be width and height, such as 48x48") }
      request.size = size
    }
  }
}
