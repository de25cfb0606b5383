/// Names of files and folders that belong to no dataset, wherever they are.
package enum HiddenName {
  /// Folders that operating systems, network storage and archivers put beside files.
  private static let folders: Set<String> = [
    "__MACOSX", "@eaDir", "#recycle", "$RECYCLE.BIN", "System Volume Information", "lost+found",
  ]

  /// Returns whether a folder of this name is left out: it is hidden (`.git`), or not the user's (`@eaDir`).
  package static func isFolder(_ name: some StringProtocol) -> Bool {
    name.utf8.first == UInt8(ascii: ".") || folders.contains(String(name))
  }
}
