package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows
import Foundation

/// `assay submit slurm check`: a job array of the shards of a check, and a job that joins them.
package struct SubmitSlurmCheckCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a view as a Slurm job array, and join the parts.",
    discussion: """
      A task for each shard that is not in OUT yet (assay check --shard), and a job that finds pairs and stores \
      the findings when all of them have succeeded. Paths, retries and logs are as for assay submit slurm predict.
      """)

  @Argument(help: "The view: a dataset, DATASET/PART, or a saved view.")
  package var view: String

  @OptionGroup package var slurm: SlurmOptions
  @OptionGroup(title: "Ground truth") package var truth: TruthOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { _ in
      try slurm.submit(.check, of: view, own: truth.words, joining: truth.words, options)
    }
  }
}

/// `assay submit slurm stats`: a job array of the shards of statistics, and a job that joins them.
package struct SubmitSlurmStatsCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Add up the images of a view as a Slurm job array, and draw mean images.",
    discussion: """
      A task for each shard that is not in OUT yet (assay stats --shard), and a job that writes the mean images into \
      --means when all of them have succeeded. Paths, retries and logs are as for assay submit slurm predict.
      """)

  @Argument(help: "The view: a dataset, DATASET/PART, or a saved view.")
  package var view: String

  @Option(
    help: ArgumentHelp("The folder for the mean images.", valueName: "dir"),
    completion: .directory)
  package var means: String

  @Option(
    help: ArgumentHelp("Resize all images and masks.", valueName: "WxH"))
  package var resize: String?

  @OptionGroup package var slurm: SlurmOptions
  @OptionGroup(title: "Ground truth") package var truth: TruthOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    if let resize, ImageSize(text: resize) == nil {
      throw ValidationError("--resize must be two integers, such as 64x64, not “\(resize)”.")
    }
  }

  package func run() throws {
    try options.perform { _ in
      try slurm.submit(
        .statistics, of: view, own: truth.words + (resize.map { ["--resize", $0] } ?? []),
        joining: truth.words + ["--out", URL(fileURLWithPath: means).path], options)
    }
  }
}

/// `assay submit slurm scan`: a job array of the shards of a scan, and a job that imports the folder.
package struct SubmitSlurmScanCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Read the images of a folder as a Slurm job array, and import the folder.",
    discussion: """
      A task for each shard that is not in OUT yet (assay scan), and a job that imports the folder with the scan \
      when all of them have succeeded. For other options of the import, cancel that job and run assay import --scan. \
      Paths, retries and logs are as for assay submit slurm predict.
      """)

  @Argument(
    help: ArgumentHelp(
      "The folder, and its format if it is not to be detected.", valueName: "path[:format]"),
    completion: .directory)
  package var source: String

  @Option(help: "The dataset's name.")
  package var name: String

  @Flag(help: "Follow symbolic links that lead out of the folder.")
  package var followLinks = false

  @OptionGroup package var slurm: SlurmOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { _ in
      let db = URL(fileURLWithPath: options.catalogPath).path
      let request = ImportRequest(source)
      let path = URL(fileURLWithPath: request.path).path
      let format = request.format.map { ":\($0.rawValue)" } ?? ""
      let links = followLinks ? ["--follow-links"] : []
      _ = try Name.checked(name)
      let jobs = try slurm.jobs(
        .scan, stem: "scan-" + name,
        command: (["assay", "scan", path] + links).map(ShellWord.quoted).joined(separator: " "),
        joining: ["import", path + format, "--name", name, "--scan", SlurmOptions.folderWord]
          + links + ["--db", db])
      if !slurm.dryRun, !PartFolder.isFolder(path) { throw ScanError.noFolder(path: path) }
      return try slurm.submit(jobs)
    }
  }
}
