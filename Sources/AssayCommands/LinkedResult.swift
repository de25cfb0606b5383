import AssayCore
import AssayWorkflows

/// A result whose files were written to folders. The text has a remark for each folder that was
/// given as a symbolic link.
struct LinkedResult: CommandResult {
  private let result: any CommandResult
  private let folders: [String]

  /// - Parameter folders: as the user named them; `nil` for none.
  init(_ result: any CommandResult, _ folders: [String?]) {
    self.result = result
    self.folders = folders.compactMap { $0 }
  }

  var json: JSONValue { result.json }

  func text(in terminal: Terminal) -> String { result.text(in: terminal) }

  var remarks: [String] { result.remarks + folders.compactMap(OutputFolder.linkRemark) }
}
