import AssayCore
import AssayImaging
import AssayReports
import AssayStore

/// Images that cannot be read to their end.
struct UnreadableRule: CheckRule {
  static let kinds = [FindingKind.unreadable]

  func run(_ view: CheckedView) throws -> RuleResult {
    var result = RuleResult()
    for (place, image) in (view.scanned?.images ?? []).enumerated() {
      guard let problem = image.problem else { continue }
      result.findings.append(view.finding(.unreadable, [place], problem))
    }
    return result
  }
}

/// Images that can be read, but whose files end too early.
struct MissingEndRule: CheckRule {
  static let kinds = [FindingKind.missingEnd]

  func run(_ view: CheckedView) throws -> RuleResult {
    var result = RuleResult()
    for (place, image) in (view.scanned?.images ?? []).enumerated() where !image.hasEnd {
      result.findings.append(
        view.finding(
          .missingEnd, [place],
          "the end marker is missing (EOI of a JPEG, IEND of a PNG); all rows can be decoded, but some programs "
            + "refuse the file"))
    }
    return result
  }
}

/// Images of another size than stated. As everywhere, a size fits if it is the size with or without
/// the file's orientation.
struct SizeMismatchRule: CheckRule {
  static let kinds = [FindingKind.sizeMismatch]

  func run(_ view: CheckedView) throws -> RuleResult {
    var result = RuleResult()
    for (place, image) in (view.scanned?.images ?? []).enumerated() {
      guard let stated = view.samples[place].size, let size = image.size, stated != size,
        stated != image.storedSize
      else { continue }
      result.findings.append(
        view.finding(.sizeMismatch, [place], "\(size) pixels, stated as \(stated)"))
    }
    return result
  }
}

/// Blank images: all gray values are about the same.
struct BlankRule: CheckRule {
  static let kinds = [FindingKind.blank]
  static let range = 8

  /// True if an image is blank; other rules pass over it.
  static func isBlank(_ appearance: ImageAppearance) -> Bool { appearance.range <= range }

  func run(_ view: CheckedView) throws -> RuleResult {
    var result = RuleResult()
    for (place, image) in (view.scanned?.images ?? []).enumerated() {
      guard let appearance = image.appearance, Self.isBlank(appearance) else { continue }
      let values =
        appearance.range == 0
        ? "all pixels have the gray value \(appearance.low)"
        : "gray values \(appearance.low) to \(appearance.high)"
      result.findings.append(view.finding(.blank, [place], values))
    }
    return result
  }
}

/// Images that are dark, bright, blurry, or have low information. If more than half of the images
/// are so, that is a property of the dataset: a note says so, and there is no finding.
struct AppearanceRule: CheckRule {
  static let kinds = [FindingKind.dark, .bright, .blurry, .lowInformation]
  static let darkest: UInt8 = 64
  static let brightest: UInt8 = 216
  static let sharpness: Float = 0.12
  static let entropy: Float = 2.5

  let kind: FindingKind

  func run(_ view: CheckedView) throws -> RuleResult {
    var result = RuleResult()
    var readable = 0
    for (place, image) in (view.scanned?.images ?? []).enumerated() {
      guard let appearance = image.appearance else { continue }
      readable += 1
      guard !BlankRule.isBlank(appearance), let (score, message) = measure(appearance) else {
        continue
      }
      result.findings.append(view.finding(kind, [place], score: score, message))
    }
    if result.findings.count * 2 > readable, readable > 1 {
      result.notes.append(
        "\(kind.rawValue): \(NumberText.count(result.findings.count)) of "
          + "\(NumberText.count(readable)) images; this is a property of the dataset and not reported"
      )
      result.findings = []
    }
    result.findings.sort { ($0.score ?? 0, $0.samples[0]) < ($1.score ?? 0, $1.samples[0]) }
    return result
  }

  /// The score of an image that has the property, lowest first, and the measure in words.
  private func measure(_ appearance: ImageAppearance) -> (score: Double, message: String)? {
    switch kind {
    case .dark where appearance.high < Self.darkest:
      (
        Double(appearance.high),
        "99 % of the pixels have a gray value of at most \(appearance.high)"
      )
    case .bright where appearance.low > Self.brightest:
      (
        -Double(appearance.low),
        "99 % of the pixels have a gray value of at least \(appearance.low)"
      )
    case .blurry:
      appearance.sharpness.flatMap { sharpness in
        sharpness < Self.sharpness
          ? (Double(sharpness), "sharpness \(NumberText.fixed(Double(sharpness)))") : nil
      }
    case .lowInformation:
      appearance.entropy.flatMap { entropy in
        entropy < Self.entropy
          ? (Double(entropy), "entropy of \(NumberText.fixed(Double(entropy), 2)) bits") : nil
      }
    default: nil
    }
  }
}

/// Images whose size or shape differs from the rest.
struct OddSizeRule: CheckRule {
  static let kinds = [FindingKind.oddSize]
  static let areaFactor = 10.0
  static let aspect = 3.0
  static let aspectFactor = 2.0

  func run(_ view: CheckedView) throws -> RuleResult {
    var result = RuleResult()
    let images = view.scanned?.images ?? []
    let sizes = images.compactMap(\.size)
    let areas = sizes.map { Double($0.area) }.sorted()
    let aspects = sizes.map(Self.aspect).sorted()
    guard !sizes.isEmpty else { return result }
    let (area, shape) = (areas[areas.count / 2], aspects[aspects.count / 2])
    for (place, image) in images.enumerated() {
      guard let size = image.size else { continue }
      let (own, ratio) = (Double(size.area), Self.aspect(size))
      if own >= area * Self.areaFactor || own * Self.areaFactor <= area {
        let words = own > area ? "larger" : "smaller"
        let factor = NumberText.short((max(own / area, area / own) * 10).rounded() / 10)
        result.findings.append(
          view.finding(
            .oddSize, [place], "\(size) pixels, \(factor) times \(words) than the median"))
      } else if ratio >= Self.aspect, ratio >= shape * Self.aspectFactor {
        result.findings.append(
          view.finding(
            .oddSize, [place], "\(size) pixels, aspect ratio \(NumberText.fixed(ratio, 1))"))
      }
    }
    return result
  }

  private static func aspect(_ size: ImageSize) -> Double {
    Double(max(size.width, size.height)) / Double(min(size.width, size.height))
  }
}
