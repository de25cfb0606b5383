import Foundation

/// The places where OpenVINO's library is looked for, in order.
package struct LibrarySearch: Sendable {
  /// The file's name: the version that the headers are of.
  package static let fileName = "libopenvino_c.so.2641"
  /// The environment variable that names a folder to look into first.
  package static let variable = "ASSAY_OPENVINO"

  /// The folders, in order, without repetition.
  package let folders: [String]

  /// - Parameters:
  ///   - environment: the process's environment.
  ///   - executable: the path of the running program, links resolved.
  package init(environment: [String: String], executable: String) {
    var folders: [String] = []
    if let own = environment[Self.variable], !own.isEmpty { folders.append(own) }
    var folder = URL(fileURLWithPath: executable).deletingLastPathComponent().standardizedFileURL
    folders.append(folder.deletingLastPathComponent().appending(path: "lib/assay").path)
    // A build lies a few folders below its checkout: .build/x86_64-unknown-linux-gnu/release.
    for _ in 0..<6 where folder.path != "/" {
      folders.append(folder.appending(path: ".deps/openvino/libs").path)
      folder = folder.deletingLastPathComponent()
    }
    self.folders = folders
  }

  /// The places for this process.
  package static var current: LibrarySearch {
    let process = ProcessInfo.processInfo
    let link = "/proc/self/exe"
    let executable =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: link))
      ?? process.arguments.first ?? ""
    return LibrarySearch(environment: process.environment, executable: executable)
  }

  /// The library's files that exist in those places, in order.
  package var candidates: [String] {
    folders.map { "\($0)/\(Self.fileName)" }.filter { FileManager.default.fileExists(atPath: $0) }
  }
}
