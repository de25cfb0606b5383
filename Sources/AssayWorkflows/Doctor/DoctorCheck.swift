/// A dependency, required or optional, and its status.
package struct DoctorCheck: Hashable, Sendable {
  /// The raw value is the spelling in text and JSON.
  package enum Status: String, Sendable, Codable {
    /// Available and usable.
    case ok
    /// Required, but not available or not usable.
    case missing
    /// Not available, and not required by all users.
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
