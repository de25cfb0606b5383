package import AssayCore

/// The page of an action shot: the picture, and all frames with the reason for each decision, of which others can
/// be chosen.
package struct ActionShotReport: Sendable {
  /// A frame of the film.
  package struct Frame: Sendable {
    package var name: String
    /// The opacity of a chosen frame; `nil` for others.
    package var opacity: Double?
    /// The reason why it was not chosen; empty for a chosen frame.
    package var reason: String
    /// The frame and the opacity of its subject, of the same size; `nil` if it is only listed.
    package var photo: Raster<UInt8>?
    package var matte: Raster<UInt8>?

    package init(name: String, opacity: Double?, reason: String) {
      (self.name, self.opacity, self.reason) = (name, opacity, reason)
    }
  }

  /// The longer side of a frame on the page in pixels.
  package static let longest = 640

  package var source: String
  /// The finished picture.
  package var picture: Raster<UInt8>
  /// All frames in the order of time.
  package var frames: [Frame]
  /// The command up to `--frames`.
  package var command: String
  /// The opacity of the oldest of the chosen frames; `nil` if other frames cannot be chosen on the page.
  package var minOpacity: Double?
  package var facts: [FactGroup]

  package init(
    source: String, picture: Raster<UInt8>, frames: [Frame], command: String, minOpacity: Double?,
    facts: [FactGroup]
  ) {
    (self.source, self.picture, self.frames) = (source, picture, frames)
    (self.command, self.minOpacity, self.facts) = (command, minOpacity, facts)
  }

  /// Renders the page; the same value gives the same bytes.
  ///
  /// - Throws: ``ReportError``.
  package func render(workers: Int = 2) throws(ReportError) -> [UInt8] {
    let chosen = frames.count { $0.opacity != nil }
    return try ReportPage(
      title: "Action shot",
      subtitle: "\(chosen) of \(NumberText.count(frames.count)) frames of \(source)",
      sections: [
        ActionShotSection(report: self),
        ProvenanceSection(facts: facts, terms: [], title: "Provenance"),
      ], addedStyle: "action-shot.css", addedScript: "action-shot.js"
    ).render(workers: workers).html
  }
}

/// The picture and the frames that it is made of.
struct ActionShotSection: ReportSection {
  let report: ActionShotReport
  let id = "action-shot"
  let title = "Picture"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let pictured = report.frames.filter { $0.photo != nil && $0.matte != nil }
    let chosen = report.frames.filter { $0.opacity != nil }
    let requests = pictured.flatMap { frame in
      [frame.photo, frame.matte].compactMap(\.self).map { raster in
        PictureRequest(
          raster, spoken: "frame \(frame.name)", longest: ActionShotReport.longest)
      }
    }
    let picture = try builder.pictures([
      PictureRequest(
        PictureLimits.photo(report.picture),
        spoken: "The action shot: \(chosen.count) frames in one picture",
        longest: ActionShotReport.longest)
    ])
    let made = try builder.pictures(requests)
    let cards = pictured.enumerated().compactMap { place, frame -> [String: Any]? in
      guard let photo = made[2 * place], let matte = made[2 * place + 1] else { return nil }
      return [
        "name": frame.name, "photo": photo["source"] ?? "", "matte": matte["source"] ?? "",
        "width": frame.photo?.width ?? 0, "height": frame.photo?.height ?? 0,
        "chosen": frame.opacity != nil,
        "opacity": frame.opacity.map { "opacity \(NumberText.fixed($0, 2))" } ?? "",
        "reason": Self.unbroken(frame.reason),
      ]
    }
    let listed = report.frames.filter { $0.photo == nil }
    return [
      "picture": picture[0]?["source"] ?? "", "width": report.picture.width,
      "height": report.picture.height,
      "sentence": sentence(chosen), "cards": cards, "command": report.command,
      "minOpacity": report.minOpacity.map { "\($0)" } ?? "",
      "isChoosable": report.minOpacity != nil,
      "hasListed": !listed.isEmpty,
      "listed": listed.map { ["name": $0.name, "reason": Self.unbroken($0.reason)] },
    ]
  }

  /// The text with no line break between a number and its percent sign.
  private static func unbroken(_ text: String) -> String { text.replacing(" %", with: "\u{A0}%") }

  private func sentence(_ chosen: [ActionShotReport.Frame]) -> String {
    guard let last = chosen.last else { return "" }
    guard chosen.count > 1 else {
      return "Only \(last.name) could be used: the picture is this frame."
    }
    return "\(chosen.count) frames, oldest first: \(chosen.map(\.name).joined(separator: ", ")). "
      + "The background is that of \(last.name)."
  }
}
