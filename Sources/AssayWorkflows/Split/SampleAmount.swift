/// The requested size of a sample.
package enum SampleAmount: Hashable, Sendable {
  /// A number of samples, at least 1.
  case count(Int)
  /// A share of the view in units of 1 / ``PartShare/scale``, greater than 0 and at most 1.
  case share(Int)

  /// Reads `1000`, or `10%` with at most seven decimal places.
  ///
  /// - Throws: ``SampleError/badAmount(_:)``.
  package init(_ text: String) throws(SampleError) {
    if text.hasSuffix("%") {
      let sides = text.dropLast().split(
        separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      let decimals = sides.count == 2 ? String(sides[1]) : ""
      let digits = String(sides.first ?? "") + decimals
      guard !digits.isEmpty, digits.utf8.allSatisfy({ 48...57 ~= $0 }), decimals.count <= 7,
        digits.count <= 12,
        let share = Int(digits + String(repeating: "0", count: 7 - decimals.count)),
        share > 0, share <= PartShare.scale
      else { throw .badAmount(text) }
      self = .share(share)
      return
    }
    guard text.utf8.allSatisfy({ 48...57 ~= $0 }), let count = Int(text), count > 0 else {
      throw .badAmount(text)
    }
    self = .count(count)
  }

  /// The number of samples of a view with a number of samples; a share is rounded to the nearest.
  ///
  /// - Throws: ``SampleError/tooMany(_:view:of:)``, ``SampleError/none(view:of:)``.
  func count(of total: Int, view: String) throws(SampleError) -> Int {
    switch self {
    case .count(let count):
      guard count <= total else { throw .tooMany(count, view: view, of: total) }
      return count
    case .share(let share):
      let (product, overflows) = total.multipliedReportingOverflow(by: share)
      let count = overflows ? total : (product + PartShare.scale / 2) / PartShare.scale
      guard count > 0 else { throw .none(view: view, of: total) }
      return count
    }
  }
}

/// The reasons why a sample is not drawn.
package enum SampleError: Error, Hashable {
  case badAmount(String)
  case noSamples(view: String)
  case tooMany(Int, view: String, of: Int)
  /// A share that is less than half a sample.
  case none(view: String, of: Int)
  /// Classes with fewer images than are requested of each, with their numbers of images, fewest first.
  case rareClasses([String], counts: [Int], wanted: Int)
  /// A view without any class, for a sample by class.
  case noClasses(view: String)
}

extension SampleError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .badAmount(let text):
      "invalid size “\(text)”: expected a number of samples above 0 (1000), or a share above 0 and at "
        + "most 100% (12.5%)"
    case .noSamples(let view): "\(view) has no samples"
    case .tooMany(let count, let view, let total):
      "\(view) has \(total) \(total == 1 ? "sample" : "samples"), fewer than \(count)"
    case .none(let view, let total):
      "this share of the \(total) \(total == 1 ? "sample" : "samples") of \(view) is less than one"
    case .rareClasses(let names, let counts, let wanted):
      "\(names.count) \(names.count == 1 ? "class has" : "classes have") fewer than \(wanted) images: "
        + zip(names, counts).prefix(5).map { "\($0) \($1)" }.joined(separator: ", ")
        + (names.count > 5 ? ", …" : "")
        + "; all classes have at least \(counts.first ?? 1): --per-class \(counts.first ?? 1)"
    case .noClasses(let view):
      "no sample of \(view) has a label or annotation: use a number or a share instead of --per-class"
    }
  }
}
