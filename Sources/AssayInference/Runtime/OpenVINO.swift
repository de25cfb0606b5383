import COpenVINO
import Synchronization

/// OpenVINO, loaded on first use: reads and compiles models for the CPU.
///
/// The program does not link against it or load it at startup, so commands that need no model are
/// fast and work without OpenVINO.
package final class OpenVINO: Sendable {
  /// The library's file, an absolute path.
  package let library: String
  /// The build number, for instance `2026.4.1-22982-…`.
  package let version: String
  /// The build number of the CPU plug-in.
  package let pluginVersion: String
  /// The precisions that the processor supports, as OpenVINO spells them: `FP32`, `BF16`, …
  package let capabilities: [String]

  private let core: Core

  /// OpenVINO's core can be used from several threads; it lives as long as the process.
  private struct Core: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  private static let shared = Mutex<OpenVINO?>(nil)

  /// The one instance; loads the library on first use.
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

  /// Loads the first library that is permitted and loads successfully.
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

  /// The core's handle, for reading and compiling models.
  var handle: OpaquePointer { core.pointer }
}
