import Foundation
package import Testing

/// The OpenVINO library that tests of models need: the one that `Scripts/setup` unpacks, or
/// `ASSAY_OPENVINO`.
package enum OpenVINOLibrary {
  /// Whether the library is there.
  package static let isInstalled =
    !(ProcessInfo.processInfo.environment["ASSAY_OPENVINO"] ?? "").isEmpty
    || FileManager.default.fileExists(atPath: PackageFolder.url(".deps/openvino/libs").path)
}

extension Trait where Self == ConditionTrait {
  /// Skips a test or a suite where OpenVINO is missing.
  package static var openVINO: Self {
    .enabled(if: OpenVINOLibrary.isInstalled, "needs OpenVINO in .deps (make setup)")
  }
}
