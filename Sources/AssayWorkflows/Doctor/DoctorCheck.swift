/// One thing that assay needs or can use, and whether it is there.
package struct DoctorCheck: Hashable, Sendable {
  /// The raw value is the spelling in text and JSON.
  package enum Status: String, Sendable, Codable {
    /// There, and fit for use.
    case ok
    /// Needed, and not there or not fit for use.
    case missing
    /// Not there, and not needed by everybody.
    case optional
  }

  /// A short name: `OpenVINO`, `catalog`.
  package var name: String
  package var status: Status
  /// The finding, one line; `nil` for none.
  package var found: String?
  /// The way to install or repair it; `nil` if nothing needs to be done.
  package var advice: String?

  package init(_ name: String, _ status: Status, _ found: String?, advice: String? = nil) {
    self.name = name
    self.status = status
    self.found = found
    self.advice = advice
  }
}
