import AssayCore
import AssayFormats

/// The reasons why a source that is not local was not read.
package enum RemoteError: Error, Hashable {
  case badAddress(String, reason: String)
  /// There is no curl in PATH, or it is too old; its version.
  case noClient(version: String?)
  case noBucket(String)
  /// Nothing is at the address.
  case nothing(String)
  /// The server refuses; its code and message, and what was known of credentials.
  case denied(String, code: String, credentials: String)
  /// A profile whose credentials only the AWS command line can get.
  case foreignProfile(String, reason: String)
  case badProfile(path: String, reason: String)
  /// A web page that is no list of files.
  case noListing(String, reason: String)
  /// A listing that breaks its own rules.
  case badListing(String, reason: String)
  case tooMany(String, limit: Int)
  /// An object that is not as it was listed.
  case changed(String, what: String)
  case gone(String)
  /// The listing differs from the imported one, which the cache no longer has.
  case otherListing(String)
  /// An object that does not fit into the cache.
  case tooLarge(String, size: Int, limit: Int)
  /// The cache is too small for what is read at the same time.
  case evicted(String, limit: Int)
  case noCache(reason: String)
  /// A variable of the environment that must be a size, and is not.
  case badSize(variable: String, text: String, allowed: String)
  case cache(path: String, reason: String)
  /// The network or the server failed, again and again.
  case failed(String, reason: String)
  /// An unexpected answer.
  case status(String, Int, message: String)
  case unstamped(String)
  case video(String)

  /// True if the same request may succeed later.
  package var isTransient: Bool {
    switch self {
    case .failed: true
    default: false
    }
  }

  /// True if the error is about one object only: others can be read.
  package var isOfOneObject: Bool {
    switch self {
    case .changed, .gone, .tooLarge, .unstamped: true
    default: false
    }
  }
}

extension RemoteError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .badAddress(let text, let reason): "\(text) cannot be read: \(reason)"
    case .noClient(let version):
      "sources that are not local are read with the program curl, "
        + (version.map { "and version \($0) is too old (7.76 or newer is needed)" }
          ?? "and there is no curl in PATH")
        + "; as root: apt-get install curl. Or download the files and import their folder"
    case .noBucket(let address):
      "\(address): there is no such bucket. Check its name, and $AWS_ENDPOINT_URL if it is not at AWS"
    case .nothing(let address):
      "\(address): nothing is there. Names are case-sensitive; give the whole key of a file, or the start of the keys "
        + "of a folder up to a “/”"
    case .denied(let address, let code, let credentials):
      "\(address): access denied (\(code)). \(credentials)"
    case .foreignProfile(let profile, let reason):
      "the AWS profile “\(profile)” has no keys of its own (\(reason)). The AWS command line gets them: "
        + "eval \"$(aws configure export-credentials --profile \(ShellText.quoted(profile)) --format env)\", then run the "
        + "command again"
    case .badProfile(let path, let reason): "\(path) cannot be used: \(reason)"
    case .noListing(let address, let reason):
      "\(address) is not a list of files: \(reason). Lists of Apache, nginx, lighttpd and Python's http.server are read. "
        + "Give the address of a .tar, .zip, .csv or .json file, or download the files and import their folder"
    case .badListing(let address, let reason):
      "the list of files at \(address) cannot be used: \(reason)"
    case .tooMany(let address, let limit):
      "\(address) lists more than \(limit) files, the limit; import a folder of it"
    case .changed(let address, let what):
      "\(address) is not the file that was listed: \(what). Import the dataset again with --replace"
    case .gone(let address): "\(address) is no longer there"
    case .otherListing(let address):
      "the files at \(address) are not those that were imported (names, sizes or versions differ), and the cache no "
        + "longer has the imported list. Import the dataset again with --replace"
    case .tooLarge(let address, let size, let limit):
      "\(address) has \(ByteText.text(size)), more than the cache may hold (\(ByteText.text(limit))); allow more with "
        + "ASSAY_CACHE_SIZE, for example ASSAY_CACHE_SIZE=\(Self.suggestion(size))"
    case .evicted(let address, let limit):
      "\(address) was removed from the cache while it was read: the limit of \(ByteText.text(limit)) is too small for "
        + "what is read at the same time; allow more with ASSAY_CACHE_SIZE"
    case .badSize(let variable, let text, let allowed):
      "$\(variable) is “\(text)”, and must be \(allowed), such as 500M or 50G"
    case .noCache(let reason): "there is no folder for the cache: \(reason); set ASSAY_CACHE=DIR"
    case .cache(let path, let reason):
      "the cache \(path) cannot be used: \(reason). ASSAY_CACHE=DIR puts it elsewhere"
    case .failed(let address, let reason):
      "\(address) could not be read: \(reason). What was read is kept in the cache; run the same command again"
    case .status(let address, let status, let message):
      "\(address): the server answered \(status)\(message.isEmpty ? "" : " (\(message))")"
    case .unstamped(let address):
      "\(address): the server states neither ETag nor Last-Modified, so a change could not be noticed; download the file"
    case .video(let address):
      "\(address) is a video, which is read from the disk only; download it, and import the file"
    }
  }

  private static func suggestion(_ size: Int) -> String { "\((size >> 30) * 2 + 1)G" }
}
