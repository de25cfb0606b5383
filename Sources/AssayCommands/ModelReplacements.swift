import ArgumentParser

/// The values of `--use`: models to take in place of others of a pipeline.
enum ModelReplacements {
  /// Reads `MODEL=OTHER`, each model once.
  static func parse(_ use: [String]) throws(ValidationError) -> [String: String] {
    var pairs: [String: String] = [:]
    for text in use {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw ValidationError("--use is “\(text)”; expected MODEL=OTHER, such as fer=mine")
      }
      guard pairs.updateValue(parts[1], forKey: parts[0]) == nil else {
        throw ValidationError("--use names “\(parts[0])” twice")
      }
    }
    return pairs
  }
}
