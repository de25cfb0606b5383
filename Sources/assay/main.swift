import AssayCommands

Assay.main()
