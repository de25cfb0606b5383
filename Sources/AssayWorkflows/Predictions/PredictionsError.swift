package import AssayCore

/// The reasons why predictions were not imported or exported.
package enum PredictionsError: Error, Hashable {
  case fileExists(String)
  case notWritten(String, reason: String)
  case noPredictions(run: String)
  /// A mask export of a run without masks.
  case noMasks(run: String, task: ModelTask)
  /// A scores export of a run without image-level scores.
  case noScores(run: String, task: ModelTask)
  /// A run without vectors beside its predictions.
  case noEmbeddings(run: String)
  /// Vectors that do not fit into a zip archive without zip64.
  case embeddingsTooLarge(run: String)
  /// A vector of another length than the run's others.
  case embeddingsDiffer(run: String, sample: String, count: Int, expected: Int)
  /// A segmentation run whose classes are not in the dataset.
  case noSharedClass(run: String, classes: [String], categories: [String])
  /// A column of true classes for a run whose images can have several classes.
  case noSingleTruth(run: String)
  /// A CSV for a task whose predictions are not image-level scores.
  case noTable(ModelTask)
  /// Row normalization for independent scores.
  case normalizedLabels
  /// A column of true classes in a table for images that can have several.
  case truthOfLabels
  /// A score outside 0...1 where scores are independent; `dataset` is set if the dataset has no
  /// class with that name, otherwise `nil`.
  case scoreOutOfRange(row: Int, className: String, value: Float, dataset: String?)
  /// No prediction has a ground truth.
  case noTruth(run: String)
  case emptyView(String)
  /// Keys in the file that the view does not have, with examples.
  case unknownSamples([String], count: Int, view: String)
  /// The view has none of the images in the results; examples of both ids.
  case noSharedImage([SourceID], view: String, known: [SourceID])
  /// The dataset has none of the categories in the results; examples of both ids.
  case noSharedCategory([SourceID], known: [SourceID])
  /// Results that name another image, or another class, than the dataset has with their id.
  case otherImage(id: SourceID, stated: String, known: String)
  case otherCategory(id: SourceID, stated: String, known: String)
  /// Results whose categories have no name, for a dataset without classes; examples of their ids.
  case noClassNames([SourceID], dataset: String)
  /// A category with two different names in the results.
  case twoClassNames(SourceID, String, String)
  /// A results file of which every result was left out, with the first reason.
  case nothingUsable(String, results: Int, reason: String?)
  /// Rows without keys whose number differs from the number of samples in the view.
  case rowCount(found: Int, view: String, samples: Int)
  /// Rows without keys whose true classes differ from those of the samples.
  case truthDiffers(row: Int, found: String, expected: String?)
  /// A score that is not a probability.
  case notProbability(row: Int, className: String, value: Float)
  /// A row whose sum is not 1 within rounding, with its largest score.
  case notNormalized(row: Int, sum: Double, largest: Double)
  /// A row that is not probabilities because of a problem with the header.
  case badHeader(row: Int, problem: String)
  /// A row whose scores are all 0, so that none is the largest.
  case onlyZeros(row: Int)
  /// A run with that name and different contents.
  case otherRun(String)
  /// A key in the file that several samples fit.
  case ambiguousKey(String, samples: [String], byName: Bool)
  /// A sample that two keys in the file mean.
  case sampleTwice(String, second: String)
  /// A sample whose image was never read, where boxes or masks need its size.
  case noImageSize(String)
  /// A file that changed while it was read.
  case fileChanged(String)
  /// Scores that are probabilities already, although logits were stated.
  case notLogits
  /// Softmax for independent scores, or normalization after it.
  case softmaxOfLabels
  case normalizedSoftmax
  /// One predicted class per image, where images can have several.
  case oneLabelOfSeveral
  /// An option about scores, for a file without scores.
  case labelsHaveNoScores(option: String)
  /// A use of a run's scores, for a run without scores.
  case onlyLabels(run: String, what: String)
  /// No class of a table is one of the dataset.
  case noCommonClass(file: String, classes: [String], dataset: String, known: [String])
}

extension PredictionsError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noCommonClass(let file, let classes, let dataset, let known):
      "\(file) and “\(dataset)” have no class in common. The file's: \(Self.list(classes)); the dataset's: "
        + "\(Self.list(known)). \(Self.renaming(classes, known)); --ignore-missing continues without a common class; "
        + "the run cannot be evaluated"
    case .fileExists(let path): "\(path) exists; give --force to overwrite it"
    case .notWritten(let path, let reason): "\(path) cannot be written: \(reason)"
    case .noPredictions(let run): "the run “\(run)” has no predictions yet"
    case .noMasks(let run, let task):
      "the run “\(run)” is a \(task.rawValue) run and has no masks or boxes; omit --format coco for a CSV of"
        + " its scores"
    case .noEmbeddings(let run):
      "the run “\(run)” has no embeddings: name an output of the model with a vector for each image in its"
        + " manifest, “embedding: OUTPUT” (assay model edit), and predict again"
    case .embeddingsTooLarge(let run):
      "the embeddings of “\(run)” need more than 4 GiB, which a .npz file of this kind cannot hold; read the table"
        + " “embedding” of the catalog instead (float32, little-endian)"
    case .embeddingsDiffer(let run, let sample, let count, let expected):
      "the embedding of \(sample) in “\(run)” has \(count) values, others have \(expected)"
    case .noScores(let run, let task):
      "the run “\(run)” is a \(task.rawValue) run: its "
        + (task.output == .objects ? "detections" : "masks")
        + " cannot be written to a CSV; use --format coco"
    case .noSharedClass(let run, let classes, let categories):
      "no class of the run “\(run)” (\(classes.joined(separator: ", "))) exists in its dataset ("
        + categories.prefix(20).joined(separator: ", ") + (categories.count > 20 ? ", …" : "")
        + "), so there are no ids to write"
    case .noSingleTruth(let run):
      "--for oracle writes one true class per image, and the images of the run “\(run)” can have several; omit it"
    case .noTable(let task):
      "a CSV contains image-level scores, not \(task.rawValue) predictions: give"
        + " --task classification or multilabel, or a file of COCO results (JSON) for detections"
    case .normalizedLabels:
      "--normalize makes the scores of an image sum to 1, but scores are independent in"
        + " multi-label classification; omit it, or give --task classification"
    case .truthOfLabels:
      "the second column (the first if there are no keys) is named truth or label, but images can"
        + " have several labels: remove the column, or put its name in quotes if it is a class"
    case .scoreOutOfRange(let row, let name, let value, let dataset):
      "row \(row): \(value) for “\(name)” must be from 0 to 1; "
        + (dataset.map {
          "“\(name)” is not a class of the dataset \($0): correct the header or remove the column"
        }
          ?? (value > 1 && value <= 100
            ? "divide percentages by 100; for logits give --logits sigmoid"
            : "if these are logits, give --logits sigmoid"))
    case .noTruth(let run):
      "no predicted sample of the run “\(run)” has a ground-truth class that the run has scores for"
    case .emptyView(let view): "“\(view)” has no samples"
    case .unknownSamples(let keys, let count, let view):
      "\(count) of the file's samples are not in “\(view)”: "
        + keys.joined(separator: ", ") + (count > keys.count ? ", …" : "")
        + ". Keys are those that assay query lists, or paths that end with them; --match-names joins by file"
        + " name alone, whatever the folders"
    case .noSharedImage(let found, let view, let known):
      "no image of the file is in “\(view)”: the file has \(Self.list(found)), the view has"
        + " \(Self.list(known)); "
        + (Self.areTextsForNumbers(found, known)
          ? "image_id must be the image's id in the ground truth, not its file name; for Ultralytics' "
            + "predictions.json give the number of the first class: --class-numbers 1 (0 in some versions)"
          : "give the view of the results with --in, or for Ultralytics' predictions.json, whose ids are the names of the "
            + "files, the number of the first class: --class-numbers 1 (0 in some versions)")
    case .noSharedCategory(let found, let known):
      "no category of the file is in the dataset: the file has \(Self.list(found)), the dataset has"
        + " \(Self.list(known)); write the dataset's category ids into the file"
    case .otherImage(let id, let stated, let known):
      "the ids of the results are not those of the ground truth: image_id \(id) is “\(known)” there, and the file_name of "
        + "its result is “\(stated)”. For Ultralytics' predictions.json, whose ids are the names of the files, give the "
        + "number of the first class: --class-numbers 1 (0 in some versions); else write the ids of the ground truth"
    case .otherCategory(let id, let stated, let known):
      "the ids of the results are not those of the ground truth: category_id \(id) is “\(known)” there, and the "
        + "category_name of its result is “\(stated)”; write the category ids of the ground truth into the file"
    case .noClassNames(let ids, let dataset):
      "“\(dataset)” has no classes, and the results identify theirs only by id"
        + " (\(Self.list(ids))): add a \"category_name\" to each result (predictions export writes"
        + " it for such a dataset), or import the ground truth with its categories first"
    case .nothingUsable(let name, let count, let reason):
      "\(name) was read as COCO results, a list of {image_id, category_id, bbox or segmentation,"
        + " score}, and "
        + (count == 1
          ? "its only result cannot be used" : "none of its \(count) results can be used")
        + (reason.map { ": \($0)" } ?? "")
        + ". Scores of images are imported from CSV, .npz or Parquet"
    case .twoClassNames(let id, let first, let second):
      "category \(id) has two names in the results, “\(first)” and “\(second)”; a category_id must have one"
        + " category_name"
    case .rowCount(let found, let view, let samples):
      "the file has no sample column, and its \(found) rows do not match the \(samples) samples of “\(view)”; add"
        + " a column “sample” with their keys, or name the column that has them with --key-column"
    case .truthDiffers(let row, let found, let expected):
      "the file has no sample column, and the ground truth of row \(row) is “\(found)”, but the"
        + " sample in that position is \(expected.map { "“\($0)”" } ?? "unlabeled"); add a column"
        + " “sample” with the keys"
    case .notProbability(let row, let name, let value):
      "row \(row): \(value) for “\(name)” is not a probability; if these are logits, give"
        + " --logits softmax"
    case .notNormalized(let row, let sum, let largest):
      "row \(row): \(ScoreRows.problem(sum: sum, largest: largest))"
        + (largest <= 1 ? "\n\(Self.severalLabels)" : "")
    case .badHeader(let row, let problem):
      "row \(row): \(problem)\n--key-column NAME reads the keys from a column, --ignore-columns NAME leaves one out"
    case .onlyZeros(let row):
      "row \(row) has no score above 0, so it has no predicted class; remove the row\n"
        + Self.severalLabels
    case .ambiguousKey(let key, let samples, let byName):
      "the key “\(key)” fits several samples: \(samples.joined(separator: ", ")); write the keys "
        + (byName ? "with their folders" : "as assay query lists them")
    case .sampleTwice(let sample, let second):
      "two rows are for the sample “\(sample)”; the key of one is “\(second)”"
    case .noImageSize(let sample):
      "the size of the image “\(sample)” is unknown; import the dataset again with its images (--replace)"
    case .fileChanged(let file): "\(file) changed while it was read; import it again"
    case .notLogits:
      "all scores are probabilities already, so --logits would change them; omit it"
    case .softmaxOfLabels:
      "--logits softmax makes the scores of an image sum to 1, but scores are independent in multi-label"
        + " classification; give --logits sigmoid, or --task classification"
    case .normalizedSoftmax: "the rows sum to 1 after --logits softmax; omit --normalize"
    case .oneLabelOfSeveral:
      "the file has one predicted class per image, but images can have several; write a column of 0 and 1 per"
        + " class, or give --task classification"
    case .labelsHaveNoScores(let option):
      "\(option) is for scores, and the file has predicted classes only; omit it"
    case .onlyLabels(let run, let what):
      "the run “\(run)” has predicted classes and no scores, which \(what) needs"
    case .otherRun(let run):
      "the run “\(run)” already exists; choose another --name, or remove it: assay rm run \(run)"
    }
  }

  private static let severalLabels =
    "if an image can have several classes, use --task multilabel"

  private static func areTextsForNumbers(_ found: [SourceID], _ known: [SourceID]) -> Bool {
    found.contains { if case .text = $0 { true } else { false } }
      && known.contains { if case .integer = $0 { true } else { false } }
  }

  private static func list(_ ids: [SourceID]) -> String {
    ids.map(\.description).joined(separator: ", ")
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
  }

  /// The columns to rename: those that are spelled like a class but for case and signs, or that contain one.
  private static func renaming(_ classes: [String], _ known: [String]) -> String {
    func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
    let pairs = classes.compactMap { name in
      (known.first { plain($0) == plain(name) } ?? known.first { name.contains($0) })
        .map { "“\(name)” to “\($0)”" }
    }
    return pairs.isEmpty
      ? "Rename its columns to the dataset's classes"
      : "Rename its columns: " + pairs.prefix(3).joined(separator: ", ")
        + (pairs.count > 3 ? ", …" : "")
  }
}
