import Foundation

/// The keys, region and server for S3, from the places where the AWS tools look for them.
///
/// Keys are only in memory: they are never part of an address, an error, a file or a command line.
package struct S3Account: Sendable {
  /// Keys that sign requests.
  package struct Keys: Sendable {
    var identifier: String
    var secret: String
    /// The token of temporary keys.
    var token: String?

    package init(identifier: String, secret: String, token: String? = nil) {
      self.identifier = identifier
      self.secret = secret
      self.token = token
    }
  }

  /// `nil` to ask without a signature, as public buckets allow.
  package var keys: Keys?
  package var region: String
  /// A server that is not Amazon's, without a slash at its end; `nil` for Amazon's.
  package var endpoint: String?
  /// The file with the certificates to trust; `nil` for the system's.
  package var certificates: String?
  /// The place where the keys were found, for messages: a sentence without any key.
  package var provenance: String
  /// A profile that has no keys of its own, and how it gets them; used if a request is refused.
  package var foreign: (profile: String, reason: String)?

  package init(
    keys: Keys?, region: String = "us-east-1", endpoint: String? = nil,
    certificates: String? = nil, provenance: String = ""
  ) {
    self.keys = keys
    self.region = region
    self.endpoint = endpoint
    self.certificates = certificates
    self.provenance = provenance
  }

  /// Reads the environment, then the files of AWS.
  ///
  /// - Parameter read: the bytes of a file; `nil` if there is none.
  /// - Throws: ``RemoteError/badProfile(path:reason:)``; ``RemoteError/foreignProfile(_:reason:)``.
  package init(
    environment: [String: String], read: (String) -> [UInt8]? = Self.contents
  ) throws(RemoteError) {
    func value(_ names: String...) -> String? {
      names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    let home = value("HOME") ?? ""
    let named = value("AWS_PROFILE", "AWS_DEFAULT_PROFILE")
    let name = named ?? "default"
    let credentialsPath = value("AWS_SHARED_CREDENTIALS_FILE") ?? home + "/.aws/credentials"
    let configPath = value("AWS_CONFIG_FILE") ?? home + "/.aws/config"
    let credentials = try AWSFile.profile(name, in: credentialsPath, isConfig: false, read)
    let config = try AWSFile.profile(name, in: configPath, isConfig: true, read)
    // The settings of both files are one profile, as for botocore.
    let profile = (config ?? [:]).merging(credentials ?? [:]) { $1 }
    let fileKeys = [credentials, config].lazy.compactMap { $0.flatMap(Self.keys) }.first
    if let identifier = value("AWS_ACCESS_KEY_ID"), let secret = value("AWS_SECRET_ACCESS_KEY") {
      keys = Keys(identifier: identifier, secret: secret, token: value("AWS_SESSION_TOKEN"))
      provenance = "The keys are those of $AWS_ACCESS_KEY_ID"
    } else if let found = fileKeys {
      keys = found
      provenance =
        "The keys are those of the profile “\(name)” in \(credentials.flatMap(Self.keys) != nil ? credentialsPath : configPath)"
    } else {
      keys = nil
      provenance =
        "No keys were found in $AWS_ACCESS_KEY_ID and $AWS_SECRET_ACCESS_KEY, \(credentialsPath) and \(configPath) "
        + "(profile “\(name)”); aws configure writes them"
      if named != nil, credentials == nil, config == nil {
        throw .badProfile(
          path: configPath, reason: "it has no profile “\(name)”, which $AWS_PROFILE names")
      }
      let foreign = ["sso_session", "sso_start_url", "role_arn", "credential_process"]
      for member in foreign where profile[member] != nil {
        throw .foreignProfile(name, reason: "it has \(member)")
      }
    }
    region = value("AWS_REGION", "AWS_DEFAULT_REGION") ?? profile["region"] ?? "us-east-1"
    guard region.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }),
      region.utf8.count < 64
    else {
      throw .badProfile(path: "$AWS_REGION", reason: "“\(region)” is not the name of a region")
    }
    endpoint = try Self.endpoint(
      value("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL") ?? profile["endpoint_url"])
    certificates = value("AWS_CA_BUNDLE") ?? profile["ca_bundle"]
  }

  private static func keys(_ profile: [String: String]) -> Keys? {
    guard let identifier = profile["aws_access_key_id"],
      let secret = profile["aws_secret_access_key"], !identifier.isEmpty, !secret.isEmpty
    else { return nil }
    return Keys(identifier: identifier, secret: secret, token: profile["aws_session_token"])
  }

  private static func endpoint(_ text: String?) throws(RemoteError) -> String? {
    guard var text else { return nil }
    while text.hasSuffix("/") { text.removeLast() }
    let lower = text.lowercased()
    guard lower.hasPrefix("https://") || lower.hasPrefix("http://"),
      text.utf8.allSatisfy({ $0.isLetterOrDigit || ":/.-_~[]".utf8.contains($0) }),
      text.utf8.count < 1_024
    else {
      throw .badProfile(
        path: "$AWS_ENDPOINT_URL",
        reason: "it must be http(s)://host[:port], without a user name or query")
    }
    return text
  }

  /// The bytes of a file, up to 1 MiB.
  package static func contents(of path: String) -> [UInt8]? {
    FileBytes.read(path, limit: 1 << 20)
  }

  /// The address of a bucket on its server, without a slash at its end.
  package func bucketURL(_ bucket: String, region: String) -> String {
    if let endpoint { return "\(endpoint)/\(bucket)" }
    let suffix = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
    // The certificate of the server is for one name below it only.
    return bucket.contains(".") || bucket.contains("_") || bucket.lowercased() != bucket
      ? "https://s3.\(region).\(suffix)/\(bucket)" : "https://\(bucket).s3.\(region).\(suffix)"
  }
}

/// The profiles in the files of the AWS tools: sections of `name = value`.
enum AWSFile {
  /// The members of a profile; `nil` if the file or the profile is missing.
  ///
  /// - Throws: ``RemoteError/badProfile(path:reason:)``.
  static func profile(
    _ name: String, in path: String, isConfig: Bool, _ read: (String) -> [UInt8]?
  ) throws(RemoteError) -> [String: String]? {
    guard let bytes = read(path) else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .badProfile(path: path, reason: "it is not UTF-8 text")
    }
    var found: [String: String]?
    var isInside = false
    for line in text.split(whereSeparator: \.isNewline) {
      let isNested = line.first == " " || line.first == "\t"
      let line = line.trimmingCharacters(in: .whitespaces)
      guard !line.isEmpty, !line.hasPrefix("#"), !line.hasPrefix(";") else { continue }
      if line.hasPrefix("[") {
        var section = line.dropFirst().prefix { $0 != "]" }.trimmingCharacters(in: .whitespaces)
        if isConfig, section.hasPrefix("profile ") {
          section = section.dropFirst(8).trimmingCharacters(in: .whitespaces)
        } else if isConfig, section != "default" {
          section = ""
        }
        section = section.trimmingCharacters(in: CharacterSet(charactersIn: "\"'"))
        isInside = section == name
        if isInside { found = found ?? [:] }
      } else if isInside, !isNested, let sign = line.firstIndex(of: "=") {
        let key = line[..<sign].trimmingCharacters(in: .whitespaces).lowercased()
        found?[key] = line[line.index(after: sign)...].trimmingCharacters(in: .whitespaces)
      }
    }
    return found
  }
}
