import AssayCore
import COpenVINO
import Foundation

/// The folders that are searched for OpenVINO's library, in order.
///
/// Each is a folder that the user specified, or that belongs to the program itself or to the
/// system. The current folder and the folders above the program are never searched.
package struct LibrarySearch: Sendable {
  /// The file's name, with the version of the headers.
  package static let fileName = "libopenvino_c.so.2641"
  /// The environment variable for a folder to search first, an absolute path.
  package static let variable = "ASSAY_OPENVINO"
  /// The release with this file, as pip names it; Scripts/setup fetches it.
  package static let release = "2026.4.1"
  /// The ways to get the library.
  static let advice =
    "In a checkout, run Scripts/setup. Elsewhere: python3 -m venv ov && ov/bin/pip install openvino=="
    + "\(release), then set $\(variable) to the folder openvino/libs in it (ls -d"
    + " $PWD/ov/lib/python*/site-packages/openvino/libs)"

  /// The folders, in order, without duplicates; absolute unless ``variable`` contains a relative
  /// one.
  package let folders: [String]
  /// The folder in ``variable``.
  private let named: String?
  /// The user who owns the program's file.
  private let owner: uid_t?

  /// - Parameters:
  ///   - environment: the process's environment.
  ///   - executable: the path of the running program, links resolved.
  ///   - checkout: the absolute path of the source folder that the program was built from.
  package init(
    environment: [String: String], executable: String, checkout: String = Self.checkout
  ) {
    var folders: [String] = []
    named = environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
    owner = Self.status(of: executable)?.st_uid
    if let named { folders.append(named) }
    let folder = URL(fileURLWithPath: executable).deletingLastPathComponent().standardizedFileURL
    if folder.lastPathComponent == "bin" {
      folders.append(folder.deletingLastPathComponent().appending(path: "lib/assay").path)
    }
    // Only for a program inside the checkout that it was built in.
    if folder.path == checkout || folder.path.hasPrefix(checkout + "/.build/") {
      folders.append(checkout + "/.deps/openvino/libs")
    }
    self.folders = folders + Self.systemFolders
  }

  /// The checkout that this program was built in.
  package static var checkout: String { String(cString: assay_ov_checkout()) }

  /// The library folders of Linux distributions.
  private static let systemFolders: [String] = {
    #if arch(x86_64)
      let machine = "x86_64"
    #elseif arch(arm64)
      let machine = "aarch64"
    #else
      let machine = "unknown"
    #endif
    return ["/usr/local/lib", "/usr/lib/\(machine)-linux-gnu", "/usr/lib64", "/usr/lib"]
  }()

  /// The folders for this process.
  package static var current: LibrarySearch {
    let process = ProcessInfo.processInfo
    let link = "/proc/self/exe"
    let executable =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: link))
      ?? process.arguments.first ?? ""
    return LibrarySearch(environment: process.environment, executable: executable)
  }

  /// The library files that exist in those folders, in order.
  package var candidates: [String] {
    folders.map { "\($0)/\(Self.fileName)" }.filter { FileManager.default.fileExists(atPath: $0) }
  }

  /// The reason why a file of ``candidates`` must not be loaded; `nil` if it can be loaded.
  ///
  /// The folder in ``variable`` is trusted. Elsewhere the file and its folder must belong to root,
  /// to the user who runs the program, or to the owner of the program's file.
  package func refusal(of candidate: String) -> String? {
    guard candidate.hasPrefix("/") else { return "$\(Self.variable) is not an absolute path" }
    let folder = candidate.parentFolder
    if let named, candidate == "\(named)/\(Self.fileName)" { return nil }
    let trusted = [0, geteuid()] + (owner.map { [$0] } ?? [])
    for path in [folder, candidate] {
      guard let status = Self.status(of: path) else { return "\(path) cannot be examined" }
      guard trusted.contains(status.st_uid) else {
        return "\(path) belongs to another user (\(status.st_uid)), so it is not loaded"
      }
      guard status.st_mode & S_IWOTH == 0 else {
        return "\(path) can be changed by any user, so it is not loaded"
      }
    }
    return nil
  }

  private static func status(of path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }
}
