/// Words of a shell command line. Unlike `ShellText`, options such as `--flip` stay as they are.
package enum ShellWord {
  /// A word, in quotes if the shell would change it.
  package static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0)
          || "/._-+=:,@%".unicodeScalars.contains($0)
      }
    return isPlain ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
  }
}
