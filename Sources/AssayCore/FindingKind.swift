/// The kinds of findings of `assay check`. The raw value is stored and queried
/// (`issue = nearDuplicate`); none is also the raw value of an ``IssueKind``.
package enum FindingKind: String, CaseIterable, Sendable, Codable {
  case unreadable
  case missingEnd
  case sizeMismatch
  case exactDuplicate
  case nearDuplicate
  case leakage
  case labelConflict
  case outsideBox
  case degenerateAnnotation
  case tinyAnnotation
  case duplicateAnnotation
  case absentClass
  case blank
  case dark
  case bright
  case blurry
  case lowInformation
  case oddSize
  case labelError
  case annotatorDisagreement
  case outlier
}

extension FindingKind {
  /// The facts about a kind: what people read, and where it starts.
  package struct Row: Sendable {
    /// The heading, in the plural: "Near duplicates".
    package var title: String
    /// One sentence.
    package var meaning: String
    /// The default threshold in words; `nil` if there is none.
    package var threshold: String?
    package var severity: Issue.Severity
  }

  /// The facts about the kind.
  package var row: Row {
    switch self {
    case .unreadable:
      Row(
        title: "Unreadable images",
        meaning:
          "The image is missing, damaged, truncated, or not a supported format; all of it is decoded.",
        severity: .error)
    case .missingEnd:
      Row(
        title: "Files without their end",
        meaning:
          "The file of an image is truncated: its end marker is missing, but all of its rows can be "
          + "decoded.",
        severity: .warning)
    case .sizeMismatch:
      Row(
        title: "Wrong sizes",
        meaning: "The image has another size than its annotations state.", severity: .error)
    case .exactDuplicate:
      Row(
        title: "Exact duplicates",
        meaning: "The images have the same bytes, or the same pixels in different files.",
        severity: .warning)
    case .nearDuplicate:
      Row(
        title: "Near duplicates",
        meaning:
          "The images show the same picture: rescaled, re-encoded, mirrored, slightly cropped, "
          + "brighter or darker.",
        threshold:
          "correlation of at least 0.97 after alignment (0.99 below 96 pixels, 0.998 below 32), and a "
          + "difference of colors below 24",
        severity: .warning)
    case .leakage:
      Row(
        title: "Leakage between splits",
        meaning: "The same or nearly the same image is in two splits.", severity: .error)
    case .labelConflict:
      Row(
        title: "One image with two labels",
        meaning:
          "Exact or near duplicates have different labels, or exact duplicates different objects.",
        severity: .error)
    case .outsideBox:
      Row(
        title: "Boxes outside the image",
        meaning: "A box extends beyond its image.", threshold: "more than 1 pixel",
        severity: .warning)
    case .degenerateAnnotation:
      Row(
        title: "Degenerate annotations",
        meaning: "A region has no area.", threshold: "width or height of 0", severity: .error)
    case .tinyAnnotation:
      Row(
        title: "Tiny annotations",
        meaning: "A region is too small to see.", threshold: "box below 16 square pixels",
        severity: .warning)
    case .duplicateAnnotation:
      Row(
        title: "Duplicate annotations",
        meaning: "Two regions of one class in one image cover the same place.",
        threshold: "IoU of at least 0.95, of the masks if both have one, else of the boxes",
        severity: .warning)
    case .absentClass:
      Row(
        title: "Classes without samples",
        meaning: "A split has no sample of a class that another split has.", severity: .warning)
    case .blank:
      Row(
        title: "Blank images",
        meaning: "All pixels have about the same gray value.",
        threshold: "range of 8 gray levels (1st to 99th percentile)", severity: .warning)
    case .dark:
      Row(
        title: "Dark images", meaning: "Even the brightest pixels are dark.",
        threshold: "99th percentile of gray below 64 of 255", severity: .warning)
    case .bright:
      Row(
        title: "Bright images", meaning: "Even the darkest pixels are bright.",
        threshold: "1st percentile of gray above 216 of 255", severity: .warning)
    case .blurry:
      Row(
        title: "Blurry images",
        meaning: "The image has no sharp edges at 160 pixels on the longer side.",
        threshold: "99th percentile of the Laplacian below 0.12 of the gray range",
        severity: .warning)
    case .lowInformation:
      Row(
        title: "Images with low information", meaning: "The image has only a few gray values.",
        threshold: "entropy of the gray values below 2.5 bits; not judged below 1,024 pixels",
        severity: .warning)
    case .oddSize:
      Row(
        title: "Odd sizes", meaning: "The size or shape of the image differs from the rest.",
        threshold: "area 10 times above or below the median, or aspect ratio of at least 3 and "
          + "2 times the median", severity: .warning)
    case .labelError:
      Row(
        title: "Likely label errors",
        meaning:
          "A run confidently contradicts the ground truth: another label, a missed or a swapped "
          + "object.",
        threshold:
          "as many as confident learning estimates; objects: a disagreement of at least 0.5",
        severity: .warning
      )
    case .annotatorDisagreement:
      Row(
        title: "Disagreement between annotators",
        meaning: "Another person annotated the image differently.",
        threshold: "another label; a region without a region of its class at a box IoU of 0.5",
        severity: .warning)
    case .outlier:
      Row(
        title: "Outliers",
        meaning: "To a model, the image resembles no other image of the view.",
        threshold:
          "mean cosine distance to the 10 nearest neighbors, a robust z-score of at least 5",
        severity: .warning)
    }
  }

  /// True if finding it needs the images' pixels.
  package var needsImages: Bool {
    switch self {
    case .unreadable, .missingEnd, .sizeMismatch, .exactDuplicate, .nearDuplicate, .leakage,
      .labelConflict,
      .blank, .dark, .bright, .blurry, .lowInformation, .oddSize:
      true
    case .outsideBox, .degenerateAnnotation, .tinyAnnotation, .duplicateAnnotation, .absentClass,
      .labelError, .annotatorDisagreement, .outlier:
      false
    }
  }

  /// True if finding it compares images with each other.
  package var needsDuplicates: Bool {
    switch self {
    case .exactDuplicate, .nearDuplicate, .leakage, .labelConflict: true
    default: false
    }
  }

  /// True if it describes an image alone; if most images of a view are so, it is a property of the
  /// dataset and not a finding.
  package var isAppearance: Bool {
    switch self {
    case .dark, .bright, .blurry, .lowInformation: true
    default: false
    }
  }
}
