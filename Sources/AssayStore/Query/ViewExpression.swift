package import AssayCore

/// A parsed expression of the view language: the condition for a sample to be in a view.
///
/// Logic has two values: a comparison with an undefined value (no label, no prediction) is false,
/// and its `not` is true.
package indirect enum ViewExpression: Hashable, Sendable {
  case all([ViewExpression])
  case any([ViewExpression])
  case not(ViewExpression)
  case comparison(Comparison)

  /// A subject and the test that is applied to it.
  package struct Comparison: Hashable, Sendable {
    package var subject: Subject
    /// The 0-based character where the subject starts.
    package var offset: Int
    package var test: Test
  }

  /// The field that is compared. Texts are names as written, not yet resolved.
  package enum Subject: Hashable, Sendable {
    /// The source's split; spellings of one split (`val`, `validation`) match each other.
    case split
    /// The whole-image label's class; in a multi-label dataset each of them.
    case label
    /// The number of whole-image labels.
    case labels
    case key
    /// In pixels.
    case width
    case height
    /// The width divided by the height.
    case aspect
    /// A kind of issue that the sample has; it can have several.
    case issue
    /// A part of the named partition, or of any (`nil`).
    case part(Word?)
    /// The number of annotations of a class in the sample: its crowds, or all that are not crowds.
    case count(Word, isCrowd: Bool)
    /// The area of the union of a class's regions, crowds included, over the image's; 0 without one.
    case coverage(Word)
    /// The cosine of the angle between its embedding of a run and that of the sample with a key.
    case similarity(run: Word, to: Word)
    /// The number of objects that fulfill a condition: of the ground truth, or of a run.
    case objects(run: Word?, ObjectExpression)
    /// The number of whole-image labels that fulfill a condition, such as captions.
    case labelsWith(ObjectExpression)
    /// True if the sample has this review mark.
    case mark(ReviewMark)
    /// The number of visits that changed its ground truth.
    case corrections
    /// The people who changed it.
    case correctedBy
    /// A tag of the sample; it can have several.
    case tag
    /// A note that someone wrote about the sample; it can have several.
    case note
    /// A field of the frames of videos.
    case field(SampleField)
    /// A custom field, or another field of the sample in its source, by its name.
    case custom(Word)
    /// Something about a run's prediction, or its score in the named evaluation (`nil` for the default).
    case run(Word, evaluation: Word?, MatchThresholds, RunField)
  }

  /// The review marks of a sample.
  package enum ReviewMark: String, CaseIterable, Sendable {
    /// Its ground truth was changed, or it was excluded.
    case corrected
    /// Excluded from evaluation and export.
    case leftOut = "left_out"
    /// Its current ground truth was confirmed as correct.
    case reviewed
    /// A reviewer was unsure.
    case unsure
    /// It has unresolved concurrent corrections.
    case conflict
  }

  /// The fields of a run's prediction for a sample, or of an evaluation of it.
  package enum RunField: String, CaseIterable, Sendable {
    // Classification.
    case correct, label, confidence, margin, accepted
    // Segmentation, from an evaluation.
    case iou, dice, precision, recall
    case pixelAccuracy = "pixel_accuracy"
    case boundaryIoU = "boundary_iou"
    case hausdorff95
    case uncertainty
    case centerOffset = "center_offset"
    // Detection, from an evaluation; precision and recall too.
    case truePositives = "true_positives"
    case falsePositives = "false_positives"
    case falseNegatives = "false_negatives"
    case detections
    case classificationErrors = "classification_errors"
    case localizationErrors = "localization_errors"
    case bothErrors = "both_errors"
    case duplicates
    case backgroundErrors = "background_errors"
    case missed
    // Multi-label classification, from an evaluation.
    case missedLabels = "missed_labels"
    case addedLabels = "added_labels"
    case wrongLabels = "wrong_labels"
    case rankingLoss = "ranking_loss"

    /// Earlier spellings, which are still accepted, because saved views and scripts contain them.
    static let earlierSpellings: [String: RunField] = [
      "unsureness": .uncertainty, "centre_offset": .centerOffset,
      "class_errors": .classificationErrors, "place_errors": .localizationErrors,
    ]

    /// Returns a note for each earlier spelling that a text uses for a field of a run.
    package static func renamingNotes(for text: String) -> [String] {
      earlierSpellings.sorted { $0.key < $1.key }.compactMap { earlier, field in
        guard let found = text.firstRange(of: ").\(earlier)") else { return nil }
        let next = text[found.upperBound...].first
        guard next.map({ $0 != "_" && !$0.isLetter && !$0.isNumber }) ?? true else { return nil }
        return
          "the field .\(earlier) is now .\(field.rawValue); the next version will not read the "
          + "old name"
      }
    }

    /// The field with a spelling, including earlier ones.
    init?(spelling: String) {
      guard let field = Self(rawValue: spelling) ?? Self.earlierSpellings[spelling] else {
        return nil
      }
      self = field
    }

    /// The name for people, as in a menu; `nil` for fields that are no numbers.
    package var title: String? {
      switch self {
      case .correct, .label, .accepted: nil
      case .iou: "IoU"
      case .dice: "Dice"
      case .boundaryIoU: "boundary IoU"
      case .hausdorff95: "Hausdorff distance (95th percentile)"
      case .bothErrors: "class and localization errors"
      case .falseNegatives: "missed objects"
      case .missed: "missed objects without another error"
      default: rawValue.replacing("_", with: " ")
      }
    }

    /// The tasks whose runs have the field.
    package var tasks: [ModelTask] {
      switch self {
      case .correct, .label, .confidence, .margin, .accepted: [.classification]
      case .precision, .recall: [.segmentation, .detection]
      case .iou, .dice, .pixelAccuracy, .boundaryIoU, .hausdorff95, .uncertainty, .centerOffset:
        [.segmentation]
      case .truePositives, .falsePositives, .falseNegatives, .detections,
        .classificationErrors, .localizationErrors, .bothErrors, .duplicates, .backgroundErrors,
        .missed:
        [.detection]
      case .missedLabels, .addedLabels, .wrongLabels, .rankingLoss: [.multiLabel]
      }
    }

    /// The fields of a task's runs, as in `.iou, .dice`.
    static func list(of task: ModelTask) -> String {
      allCases.filter { $0.tasks.contains(task) }.map { ".\($0.rawValue)" }
        .joined(separator: ", ")
    }
  }

  /// The IoU and minimum score at which matches are counted, if they differ from the evaluation's
  /// own, as in `run(r1, iou: 0.75, score: 0.5)`.
  package struct MatchThresholds: Hashable, Sendable {
    package var iou: Literal?
    package var score: Literal?
    /// The only class whose detections and objects are counted, as in `run(r1, class: person)`; `nil` for all.
    package var category: Word?

    package init(iou: Literal? = nil, score: Literal? = nil, category: Word? = nil) {
      self.iou = iou
      self.score = score
      self.category = category
    }
  }

  /// The comparison with a subject.
  package enum Test: Hashable, Sendable {
    case compare(Comparator, Literal)
    case among([Literal])
    /// Both ends included.
    case within(Literal, Literal)
    /// A text pattern, in which `*` stands for any text and `?` for one character.
    case like(Literal)
    /// Another field of the sample, which starts at a 0-based character.
    case field(Comparator, Subject, offset: Int)
  }

  package enum Comparator: String, CaseIterable, Sendable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  /// A name with its location.
  package struct Word: Hashable, Sendable {
    package var text: String
    package var offset: Int
  }

  /// A value as written: a text, and its number if it is one.
  package struct Literal: Hashable, Sendable {
    package var text: String
    package var number: Double?
    package var offset: Int
  }
}
