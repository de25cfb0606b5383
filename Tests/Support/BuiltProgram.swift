package import Foundation

/// Programs of this package, which are built next to the test bundle.
package enum BuiltProgram {
  /// The location of a product's program, in the build folder of the tests.
  package static func url(_ name: String) -> URL {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }.map(
      URL.init(fileURLWithPath:))
    return (bundle ?? Bundle.main.executableURL ?? URL(fileURLWithPath: "."))
      .deletingLastPathComponent().appendingPathComponent(name)
  }
}
