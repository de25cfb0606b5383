import CSimdJSON

/// The JSON parser library.
package enum JSONLibrary {
  /// The version of simdjson that the program was compiled with.
  package static var version: String { String(cString: assay_simdjson_version()) }
}
