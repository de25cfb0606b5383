import AssayCore
import AssayInference
import AssayRemote
import Foundation

/// Checks the program, its libraries, the catalog and the machine.
package struct Doctor: Sendable {
  /// The version of the program.
  package var programVersion: String
  /// The catalog's file; it need not exist.
  package var catalogPath: String
  package var environment: [String: String]
  /// The folders that are searched for fonts, recursively.
  package var fontFolders: [String]
  /// Loads OpenVINO and returns its build number and file.
  package var loadOpenVINO: @Sendable () throws -> (version: String, file: String)

  /// Creates a doctor for this process.
  package init(programVersion: String, catalogPath: String) {
    self.programVersion = programVersion
    self.catalogPath = catalogPath
    environment = ProcessInfo.processInfo.environment
    fontFolders = FontSearch.folders(
      home: environment["HOME"], configuration: environment["FONTCONFIG_FILE"])
    loadOpenVINO = {
      let library = try OpenVINO.load()
      return (library.version, library.library)
    }
  }

  /// All checks, in the order in which they are reported.
  package func examine() -> [DoctorCheck] {
    [program] + LinkedLibrary.all.map(\.check) + [font, openVINO]
      + CatalogExamination(catalogPath).checks
      + [machine, ffmpeg, curl, browser]
  }

  private var program: DoctorCheck {
    let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    #if DEBUG
      let build = "debug build"
    #else
      let build = "release build"
    #endif
    return DoctorCheck("assay", .ok, "\(programVersion), \(build)" + (file.map { ", \($0)" } ?? ""))
  }

  private var font: DoctorCheck {
    guard let file = FontSearch.best(in: fontFolders) else {
      return DoctorCheck(
        "font", .missing, nil,
        advice:
          "charts and sheets have no text without it; as root: apt-get install fonts-dejavu-core")
    }
    return DoctorCheck("font", .ok, file)
  }

  private var openVINO: DoctorCheck {
    do {
      let (version, file) = try loadOpenVINO()
      return DoctorCheck("OpenVINO", .ok, "\(version), \(file)")
    } catch {
      return DoctorCheck("OpenVINO", .missing, nil, advice: "\(error)")
    }
  }

  private var machine: DoctorCheck {
    let process = ProcessInfo.processInfo
    let memory = Double(process.physicalMemory) / Double(1 << 30)
    let gibibytes = Int(memory.rounded())
    let cores = process.activeProcessorCount
    return DoctorCheck(
      "machine", .ok, "\(cores) \(cores == 1 ? "core" : "cores"), \(gibibytes) GiB of memory")
  }

  private var ffmpeg: DoctorCheck {
    guard let ffmpeg = FFmpeg(environment: environment) else {
      return DoctorCheck(
        "ffmpeg", .optional, nil,
        advice: "only for importing video files; as root: apt-get install ffmpeg")
    }
    guard let version = ffmpeg.version else {
      return DoctorCheck("ffmpeg", .optional, nil, advice: "\(ffmpeg.path) does not run")
    }
    return DoctorCheck("ffmpeg", .ok, "\(version), \(ffmpeg.path)")
  }

  private var curl: DoctorCheck {
    guard let curl = CurlClient(environment: environment) else {
      return DoctorCheck(
        "curl", .optional, nil,
        advice:
          "only for sources that are not local (s3://, https://); as root: apt-get install curl")
    }
    guard let version = curl.version else {
      return DoctorCheck("curl", .optional, nil, advice: "\(curl.path) does not run")
    }
    guard CurlClient.isSupported(version) else {
      return DoctorCheck(
        "curl", .optional, nil,
        advice: "\(curl.path) is version \(version); sources that are not local need 7.76 or newer")
    }
    return DoctorCheck("curl", .ok, "\(version), \(curl.path)")
  }

  private var browser: DoctorCheck {
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    for name in ["chromium", "chromium-browser", "google-chrome"] {
      for folder in folders where FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)")
      {
        return DoctorCheck("browser", .ok, "\(folder)/\(name)")
      }
    }
    return DoctorCheck(
      "browser", .optional, nil,
      advice: "only for tests of reports in a browser; as root: apt-get install chromium")
  }
}

/// Searches the fontconfig folders for font files.
enum FontSearch {
  /// The font for charts, if it is installed.
  static let preferred = "DejaVuSans.ttf"

  /// - Parameters:
  ///   - home: the user's home folder.
  ///   - configuration: fontconfig's file in `FONTCONFIG_FILE`, beside which the wheel has its font.
  static func folders(home: String?, configuration: String? = nil) -> [String] {
    ["/usr/share/fonts", "/usr/local/share/fonts"]
      + (home.map { ["\($0)/.local/share/fonts", "\($0)/.fonts"] } ?? [])
      + (configuration.map { [$0.parentFolder] } ?? [])
  }

  /// The preferred font's file, or else the first other font file by path; `nil` if there is none.
  static func best(in folders: [String]) -> String? {
    var other: String?
    for folder in folders {
      guard let paths = FileManager.default.enumerator(atPath: folder) else { continue }
      for case let path as String in paths {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        if name == preferred { return "\(folder)/\(path)" }
        guard [".ttf", ".otf", ".ttc", ".pfb"].contains(where: name.lowercased().hasSuffix) else {
          continue
        }
        let found = "\(folder)/\(path)"
        other = min(other ?? found, found)
      }
    }
    return other
  }
}
