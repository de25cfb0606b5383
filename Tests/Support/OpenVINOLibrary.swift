import Foundation
package import Testing

/// The OpenVINO library that tests of models need: the one unpacked by `Scripts/setup`, or
/// `ASSAY_OPENVINO`.
package enum OpenVINOLibrary {
  /// True if the library is available.
  package static let isInstalled =
    !(ProcessInfo.processInfo.environment["ASSAY_OPENVINO"] ?? "").isEmpty
    || FileManager.default.fileExists(atPath: PackageFolder.url(".deps/openvino/libs").path)
}

extension Trait where Self == ConditionTrait {
  /// Skips a test or a suite if OpenVINO is missing.
  package static var openVINO: Self {
    .enabled(if: OpenVINOLibrary.isInstalled, "needs OpenVINO in .deps (make setup)")
  }
}
