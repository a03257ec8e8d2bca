import ArgumentParser

/// The flag of the commands that count the topic again.
struct ScratchOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The folder of the temporary store in which the topic is counted. Default: the folder of an SQLite store, else \
            TMPDIR or /tmp.
            """,
            valueName: "path"
        )
    )
    var scratchDirectory: String?
}
