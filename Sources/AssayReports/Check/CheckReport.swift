package import AssayCore

/// The content of the report of a check, as plain values.
package struct CheckReport: Sendable {
  /// An image of a finding.
  package struct Picture: Sendable {
    package var key: String
    /// One channel (gray) or three; `nil` if it cannot be read.
    package var raster: Raster<UInt8>?
    /// The line below: the split and the label.
    package var caption: String
    /// The image, or parts of it, with its annotations drawn, shown instead of ``raster``; empty if
    /// the finding is about the whole image.
    package var cutouts: [ObjectCutout] = []
    /// The frame: whether a prediction is right.
    package var frame = ContactSheet.Frame.none
    /// The longer side at which ``raster`` is shown.
    package var longest = CheckReport.longest

    package init(key: String, raster: Raster<UInt8>?, caption: String) {
      (self.key, self.raster, self.caption) = (key, raster, caption)
    }
  }

  /// A finding with its first images.
  package struct Finding: Sendable {
    package var message: String
    /// The number of samples of the finding, and the keys of the first ones.
    package var count: Int
    package var samples: [String]
    package var pictures: [Picture]

    package init(message: String, count: Int, samples: [String], pictures: [Picture]) {
      (self.message, self.count) = (message, count)
      (self.samples, self.pictures) = (samples, pictures)
    }
  }

  /// A color of the drawings over images.
  package enum Color: CaseIterable, Sendable {
    case blue
    case orange
    case gray
  }

  /// The findings of one kind.
  package struct Group: Sendable {
    package var kind: FindingKind
    /// The number of findings, and of images in them.
    package var findings: Int
    package var images: Int
    /// The first findings.
    package var shown: [Finding]
    /// The meaning of the colors in the drawings of the kind; empty without any.
    package var legend: [Color: String] = [:]

    package init(kind: FindingKind, findings: Int, images: Int, shown: [Finding]) {
      (self.kind, self.findings, self.images, self.shown) = (kind, findings, images, shown)
    }
  }

  /// The number of images of each split that have a duplicate in each split.
  package struct Matrix: Sendable {
    package var splits: [String]
    package var totals: [Int]
    package var counts: [[Int]]

    package init(splits: [String], totals: [Int], counts: [[Int]]) {
      (self.splits, self.totals, self.counts) = (splits, totals, counts)
    }
  }

  /// The maximum number of findings of a kind on the page, and of images of a finding.
  package static let findingLimit = 8
  package static let pictureLimit = 4
  /// The longer side of an image in pixels.
  package static let longest = 160
  /// The longer side of an image with a drawing over it.
  package static let drawnLongest = 252

  package var view: String
  /// The number of images that were checked.
  package var count: Int
  /// The kinds that were looked for.
  package var groups: [Group]
  package var matrix: Matrix?
  package var facts: [FactGroup]
  package var notes: [String]

  package init(
    view: String, count: Int, groups: [Group], matrix: Matrix?, facts: [FactGroup],
    notes: [String]
  ) {
    (self.view, self.count, self.groups) = (view, count, groups)
    (self.matrix, self.facts, self.notes) = (matrix, facts, notes)
  }

  /// Renders the report as one page; the same value gives the same bytes.
  ///
  /// - Throws: ``ReportError``.
  package func render(workers: Int = 2) throws(ReportError) -> [UInt8] {
    try ReportPage(
      title: "Check of \(view)", subtitle: "\(NumberText.count(count)) images",
      sections: [CheckAnswerSection(report: self)]
        + groups.filter { $0.findings > 0 }.map { CheckKindSection(group: $0, matrix: matrix) }
        + [ProvenanceSection(facts: facts, terms: [], title: "Provenance")],
      addedStyle: "check.css"
    ).render(workers: workers).html
  }
}
