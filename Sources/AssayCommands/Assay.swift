package import ArgumentParser

/// The program: its subcommands, in the order in which they are used.
package struct Assay: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "assay",
    abstract: "Evaluate image models and correct their labels.",
    discussion: """
      assay help COMMAND prints the options of a command, assay help TOPIC a guide:

      \(HelpTopic.list)
      """,
    version: ProgramVersion.answer(to: CommandLine.arguments),
    subcommands: [
      ImportCommand.self, FormatsCommand.self, ListCommand.self, ShowCommand.self,
      IssuesCommand.self, RemoveCommand.self, RelinkCommand.self, BackupCommand.self,
      ScanCommand.self,
      QueryCommand.self, ViewCommand.self, SQLCommand.self, TagCommand.self, TagsCommand.self,
      FieldCommand.self, FieldsCommand.self,
      SplitCommand.self, SampleCommand.self,
      MergeCommand.self,
      StatsCommand.self,
      CheckCommand.self, OpenCommand.self, LiveCommand.self,
      ModelCommand.self, PredictCommand.self, PlanCommand.self, StatusCommand.self,
      SubmitCommand.self,
      PredictionsCommand.self,
      EvaluateCommand.self,
      CompareCommand.self, DecideCommand.self, GateCommand.self, ReportCommand.self,
      ReviewCommand.self, AgreementCommand.self,
      ActionShotCommand.self, PipelineCommand.self,
      CorrectionsCommand.self, ExportCommand.self, ConvertCommand.self, CacheCommand.self,
      DoctorCommand.self,
    ])

  package init() {}
}
