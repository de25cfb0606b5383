package import AssayCore
package import AssayStore

/// The reasons why a correction was not saved. The ledger is then unchanged.
package enum CorrectionError: Error {
  /// The client expects a different ledger.
  case otherLedger(asked: String, ours: String)
  /// A mask without pixels, without confirmation that the class is to be emptied.
  case emptyUnsaid(category: String)
  /// A new object without pixels.
  case emptyObject
  /// A class that the dataset does not have.
  case unknownCategory(String, dataset: String, suggestion: String?, known: [String])
  /// A mask whose size differs from the image's.
  case wrongSize(found: ImageSize, image: ImageSize)
  /// An image whose size cannot be determined.
  case noSize(key: String)
  /// A label for a dataset of regions, and the reverse.
  case noLabels(dataset: String)
  case noRegions(dataset: String)
  /// A label for a dataset whose samples have sets of labels, and an edit of a set for a dataset
  /// with single labels.
  case setOfLabels(dataset: String)
  case oneLabel(dataset: String)
  case unknownSample(key: String, dataset: String, suggestion: String?)
  /// A box or polygons without a part inside the image.
  case outlineOutside(ShapeKind, image: ImageSize)
  /// A box for an object that is none, or polygons for one without a region.
  case otherShape(ShapeKind, object: ShapeKind, key: String)
  case noFields
  /// A field that cannot be set, and the reason.
  case badField(String, reason: String)
  /// An object that the sample does not have in the state that the change is based on.
  case unknownObject(CorrectionTarget, key: String)
  /// An unknown object name on the command line, and the known names.
  case noObject(String, key: String, known: [String])
  /// An entry that does not belong to the sample.
  case unknownEntry(String, key: String)
  /// A state of the sample that is not in the ledger.
  case unknownParent(String, key: String)
  case nothingToUndo(key: String)
  case nothingToRedo(key: String)
  /// An entry that is already undone cannot be undone, and one that counts cannot be redone.
  case alreadyUndone(sequence: Int64)
  case notUndone(sequence: Int64)
  /// An entry whose change the imported ground truth includes.
  case included(sequence: Int64, key: String)
  /// An undo, a note or an adoption cannot be undone: to reverse it, make the opposite entry.
  case cannotUndo(sequence: Int64, kind: String)
  /// There is no conflict to resolve.
  case noConflict(String, key: String)
  /// The two versions of a conflict cannot both be kept.
  case cannotMerge(MergeObstacle, key: String)
  /// A change of another person's independent version.
  case otherVersion(author: String, of: String)
  /// A run without a prediction for the sample or for the class.
  case noPrediction(run: String, key: String, reason: String)
  /// A take that would replace masks with boxes, or remove all objects of a class, without
  /// confirmation.
  case takeLoses(run: String, key: String, [ReplacementLoss])
  /// A run over a different dataset.
  case otherDataset(run: String, its: String, sample: String)
  case noAuthor
  case noReason
  case noNote
  /// A text that exceeds the length limit.
  case tooLong(what: String, count: Int, limit: Int)
  /// An invalid number of seconds.
  case badSeconds
  /// Two changes to the same item in one batch.
  case namedTwice(key: String, what: String)
  case picture(SampleImageError)
  case catalog(StoreError)
  case ledger(LedgerError)
  case other(any Error)
}

extension CorrectionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .otherLedger(let asked, let ours):
      "this change was made for the ledger \(asked), not for this ledger (\(ours)); nothing was saved. Start "
        + "`assay review` with the other catalog, or open the link for this catalog"
    case .emptyUnsaid(let category):
      "the mask is empty: to confirm that there is no “\(category)”, use --empty"
    case .emptyObject: "an object needs at least one pixel; use remove to delete it"
    case .unknownCategory(let name, let dataset, let suggestion, let known):
      "“\(dataset)” has no class “\(name)”" + Self.choice(suggestion, known)
    case .wrongSize(let found, let image):
      "the mask is \(found), the image \(image); they must have the same size"
    case .noSize(let key):
      "the image size of \(key) is unknown because the image cannot be read; see `assay relink`"
    case .noLabels(let dataset):
      "“\(dataset)” has regions and no labels: correct masks (--mask FILE.png --category C)"
    case .noRegions(let dataset):
      "“\(dataset)” has labels and no regions: correct labels (--label NAME)"
    case .setOfLabels(let dataset):
      "“\(dataset)” has a set of labels for each sample: add or remove one (--add-label NAME, "
        + "--remove-label NAME; in a file the columns add and remove, or labels for the whole set)"
    case .oneLabel(let dataset):
      "“\(dataset)” has no sets of labels: correct the label (--label NAME) or the masks (--mask FILE.png)"
    case .unknownSample(let key, let dataset, let suggestion):
      "“\(dataset)” has no sample “\(key)”"
        + (suggestion.map { "; did you mean “\($0)”?" }
          ?? "; `assay query --in \(dataset) --limit 5` prints keys")
    case .unknownObject(let target, let key):
      "\(key) has no object \(target.text); load the sample again, or see `assay corrections show`"
    case .outlineOutside(let shape, let image):
      "the \(shape.rawValue) has no part inside the image (\(image)); coordinates are pixels from the top left "
        + "corner; remove deletes an object"
    case .otherShape(.box, let object, let key):
      "the object of \(key) is a \(object.rawValue), whose box follows from its shape: correct its mask"
    case .otherShape(let shape, let object, let key):
      "the object of \(key) is a \(object.rawValue); it cannot become a \(shape.rawValue): remove it and add "
        + "a new one"
    case .noFields: "no field of the object is given"
    case .badField(let name, let reason): "the field “\(name)” \(reason)"
    case .noObject(let name, let key, let known):
      "\(key) has no object \(name)"
        + (known.isEmpty
          ? "; it has none"
          : "; it has \(known.prefix(20).joined(separator: ", "))"
            + (known.count > 20 ? ", … (\(known.count))" : ""))
    case .unknownEntry(let entry, let key):
      "\(key) has no entry \(entry); `assay corrections show` lists them"
    case .unknownParent(let parent, let key):
      "\(key) has no entry \(parent) to follow; load the sample again"
    case .nothingToUndo(let key): "\(key): nothing to undo"
    case .nothingToRedo(let key): "\(key): nothing to redo"
    case .alreadyUndone(let sequence): "entry \(sequence) is already undone"
    case .notUndone(let sequence): "entry \(sequence) is not undone: there is nothing to redo"
    case .included(let sequence, let key):
      "entry \(sequence) is part of the imported annotations, which were exported with it; correct \(key) "
        + "again, or import the original annotations"
    case .cannotUndo(let sequence, let kind):
      "entry \(sequence) has the kind “\(kind)”, which cannot be undone"
        + (kind == "undo" ? "; redo the entry that it undid" : "")
    case .noConflict(let entry, let key):
      "\(entry) is not an open conflict of \(key); load the sample again"
    case .cannotMerge(let obstacle, let key):
      "\(key): both versions cannot be kept, because \(obstacle.text); keep one of them (this or head)"
    case .otherVersion(let author, let other):
      "\(author) cannot change the independent version of \(other)"
    case .noPrediction(let run, let key, let reason):
      "no prediction of the run “\(run)” can be used for \(key): \(reason)"
    case .takeLoses(let run, let key, let losses):
      "using the prediction of “\(run)” for \(key) would "
        + losses.map(\.description).joined(separator: "; ")
        + "; nothing was saved. Correct the objects one by one, or confirm it (--drop-masks on the command "
        + "line)"
    case .otherDataset(let run, let its, let sample):
      "the run “\(run)” is over the dataset “\(its)”, but the sample is in “\(sample)”"
    case .noAuthor:
      "the author is missing: give --author NAME (or set ASSAY_AUTHOR)"
    case .noReason: "the reason is missing: state why the sample is excluded"
    case .noNote: "the note is empty"
    case .tooLong(let what, let count, let limit):
      "the \(what) has \(count) characters; the limit is \(limit)"
    case .badSeconds: "seconds must be 0 or more"
    case .namedTwice(let key, let what): "\(key) is listed twice\(what)"
    case .picture(let error): "\(error)"
    case .catalog(let error): "\(error)"
    case .ledger(let error): "\(error)"
    case .other(let error): "\(error)"
    }
  }

  private static func choice(_ suggestion: String?, _ known: [String]) -> String {
    if let suggestion { return "; did you mean “\(suggestion)”?" }
    if known.isEmpty { return "; it has no classes" }
    let shown = known.prefix(20).joined(separator: ", ")
    return "; it has \(shown)" + (known.count > 20 ? ", … (\(known.count))" : "")
  }
}
