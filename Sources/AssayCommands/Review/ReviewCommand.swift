package import ArgumentParser

/// `assay review`: puts samples in a queue and lets people correct them in a browser.
package struct ReviewCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "review",
    abstract: "Correct masks and labels in a browser, uncertain and likely wrong samples first.",
    discussion: """
      assay review digits/test --order disagreement
      assay review coco/val2017 --where 'count(person) > 0' --order random --limit 200 --author anna
      assay review r1 r2 --list
      assay review status

      The samples of a view, or of runs, are put into a stored queue; then a server starts on this \
      computer only and prints a link to open. Every change is saved immediately, beside the catalog, and \
      can be undone. Ctrl-C ends the server; the same command continues with the remaining samples.

      Options, explained by `assay review start --help`: --order uncertainty|disagreement|random, --limit, \
      --where, --seed, --name, --fresh, --corrected, --assign, --overlap, --annotators, --per-sample, --author, \
      --list, --rows, --segmenter, --port, --host, --allow-host. \
      `start` can be omitted.
      """,
    subcommands: [
      ReviewStartCommand.self, ReviewStatusCommand.self, ReviewLinkCommand.self,
      ReviewAssignCommand.self, ReviewConsensusCommand.self,
    ],
    defaultSubcommand: ReviewStartCommand.self)

  package init() {}
}
