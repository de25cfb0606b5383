import AssayFormats
import Foundation

/// A system library that the program is linked with; without it, the program would not have
/// started.
struct LinkedLibrary: Sendable {
  /// The way to read a library's version.
  enum VersionFunction: Sendable {
    case plain(String)
    /// A function whose text starts with a name: `expat_2.5.0`.
    case named(String, prefix: String)
    /// A function that takes a pointer, which may be null.
    case takingPointer(String)
    /// A function that takes the number of the requested text.
    case takingNumber(String, Int32)
    /// A function without parameters that returns a byte for each part of the version, the last one lowest.
    case packed(String)
    /// The library has no such function; the version of the header that the program was compiled
    /// with.
    case compiled(String)
  }

  var name: String
  /// A function of the library, used to find its file.
  var symbol: String
  var version: VersionFunction?

  static let all = [
    LinkedLibrary(
      name: "SQLite", symbol: "sqlite3_libversion", version: .plain("sqlite3_libversion")),
    LinkedLibrary(
      name: "libpng", symbol: "png_get_libpng_ver", version: .takingPointer("png_get_libpng_ver")),
    LinkedLibrary(name: "libjpeg-turbo", symbol: "tjInitDecompress"),
    LinkedLibrary(
      name: "libwebp", symbol: "WebPDecode", version: .packed("WebPGetDecoderVersion")),
    LinkedLibrary(
      name: "libtiff", symbol: "TIFFGetVersion",
      version: .named("TIFFGetVersion", prefix: "LIBTIFF, Version ")),
    LinkedLibrary(
      name: "cairo", symbol: "cairo_version_string", version: .plain("cairo_version_string")),
    LinkedLibrary(
      name: "expat", symbol: "XML_ExpatVersion",
      version: .named("XML_ExpatVersion", prefix: "expat_")),
    LinkedLibrary(name: "zlib", symbol: "zlibVersion", version: .plain("zlibVersion")),
    // 7 is OPENSSL_FULL_VERSION_STRING.
    LinkedLibrary(
      name: "libcrypto", symbol: "EVP_DigestInit_ex",
      version: .takingNumber("OpenSSL_version", 7)),
    LinkedLibrary(
      name: "simdjson", symbol: "_ZN8simdjson25get_active_implementationEv",
      version: .compiled(JSONLibrary.version)),
  ]

  /// The version, if the library reports it, and the file it was loaded from.
  var check: DoctorCheck {
    guard let address = dlsym(nil, symbol) else {
      return DoctorCheck(
        name, .missing, nil, advice: "the program was linked without it; rebuild with make")
    }
    let parts = [versionText, Self.file(of: address)].compactMap { $0 }
    return DoctorCheck(name, .ok, parts.joined(separator: ", "))
  }

  /// The text that a function without parameters returns.
  private static func text(of symbol: String) -> String? {
    typealias Function = @convention(c) () -> UnsafePointer<CChar>?
    guard let address = dlsym(nil, symbol) else { return nil }
    return unsafeBitCast(address, to: Function.self)().map { String(cString: $0) }
  }

  private var versionText: String? {
    switch version {
    case nil: return nil
    case .compiled(let version): return version
    case .plain(let symbol): return Self.text(of: symbol)
    case .named(let symbol, let prefix):
      return Self.text(of: symbol).map {
        String($0.trimmingPrefix(prefix).prefix { !$0.isNewline })
      }
    case .packed(let symbol):
      typealias Function = @convention(c) () -> Int32
      guard let address = dlsym(nil, symbol) else { return nil }
      let version = unsafeBitCast(address, to: Function.self)()
      return [16, 8, 0].map { String(version >> Int32($0) & 255) }.joined(separator: ".")
    case .takingPointer(let symbol):
      typealias Function = @convention(c) (UnsafeRawPointer?) -> UnsafePointer<CChar>?
      guard let address = dlsym(nil, symbol) else { return nil }
      return unsafeBitCast(address, to: Function.self)(nil).map { String(cString: $0) }
    case .takingNumber(let symbol, let number):
      typealias Function = @convention(c) (Int32) -> UnsafePointer<CChar>?
      guard let address = dlsym(nil, symbol) else { return nil }
      return unsafeBitCast(address, to: Function.self)(number).map { String(cString: $0) }
    }
  }

  /// The file that is mapped at the address, according to the kernel's list of mappings.
  private static func file(of address: UnsafeMutableRawPointer) -> String? {
    // Read to the end, because the reported file size is 0.
    guard let bytes = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd() else {
      return nil
    }
    return file(at: UInt(bitPattern: address), in: String(decoding: bytes, as: UTF8.self))
  }

  /// - Parameter maps: lines of the form `from-to permissions offset device inode path` with
  ///   hexadecimal numbers.
  static func file(at address: UInt, in maps: String) -> String? {
    for line in maps.split(separator: "\n") {
      let columns = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      let ends = columns.first?.split(separator: "-").compactMap { UInt($0, radix: 16) } ?? []
      guard ends.count == 2, ends[0] <= address, address < ends[1] else { continue }
      let path = columns.count == 6 ? columns[5].drop { $0 == " " } : ""
      return path.hasPrefix("/") ? String(path) : nil
    }
    return nil
  }
}
