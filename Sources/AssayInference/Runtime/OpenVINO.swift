import COpenVINO
import Synchronization

/// OpenVINO, loaded at first use: reads and compiles models for the CPU.
///
/// The program neither links nor starts with it, so that what needs no model is quick, and works
/// where OpenVINO is missing.
package final class OpenVINO: Sendable {
  /// The library's file, an absolute path.
  package let library: String
  /// The build number, for instance `2026.4.1-22982-…`.
  package let version: String
  /// The build number of the CPU plug-in.
  package let pluginVersion: String
  /// The arithmetic that the processor has, as OpenVINO spells it: `FP32`, `BF16`, …
  package let capabilities: [String]

  private let core: Core

  /// OpenVINO's core may be used from several threads at once; it lives as long as the process.
  private struct Core: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  private static let shared = Mutex<OpenVINO?>(nil)

  /// The one instance; loads the library when it is first asked for.
  ///
  /// - Throws: ``InferenceError/libraryNotFound(searched:failures:)``.
  package static func load(_ search: LibrarySearch = .current) throws(InferenceError) -> OpenVINO {
    let result: Result<OpenVINO, InferenceError> = shared.withLock { instance in
      if let instance { return .success(instance) }
      do throws(InferenceError) {
        let loaded = try OpenVINO(search)
        instance = loaded
        return .success(loaded)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private init(_ search: LibrarySearch) throws(InferenceError) {
    let library = try Self.loadLibrary(search)
    do throws(OpenVINOFault) {
      let core = Core(pointer: try OpenVINOFault.checked { assay_ov_core_create($0, $1) })
      version = try OpenVINOFault.text { assay_ov_version($0, $1, $2, $3) }
      pluginVersion = try OpenVINOFault.text {
        assay_ov_plugin_version(core.pointer, $0, $1, $2, $3)
      }
      let capabilities = try OpenVINOFault.text {
        assay_ov_device_property(core.pointer, "OPTIMIZATION_CAPABILITIES", $0, $1, $2, $3)
      }
      self.capabilities = capabilities.split { $0 == " " || $0 == "," }.map(String.init)
      self.library = library
      self.core = core
    } catch {
      throw .libraryNotFound(searched: search.folders, failures: ["\(library): \(error.text)"])
    }
  }

  /// Loads the first library that may be loaded and can be.
  private static func loadLibrary(_ search: LibrarySearch) throws(InferenceError) -> String {
    var failures: [String] = []
    for candidate in search.candidates {
      do throws(OpenVINOFault) {
        if let refusal = search.refusal(of: candidate) { throw OpenVINOFault(text: refusal) }
        try OpenVINOFault.check { assay_ov_load(candidate, $0, $1) }
        return candidate
      } catch {
        failures.append("\(candidate): \(error.text)")
      }
    }
    throw .libraryNotFound(searched: search.folders, failures: failures)
  }

  /// The core's handle, for the models that are read and compiled with it.
  var handle: OpaquePointer { core.pointer }
}
