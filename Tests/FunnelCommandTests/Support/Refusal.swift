import Testing

/// Expects that a command exited with a code, wrote the reason to standard error, and wrote nothing to standard output.
func expect(
    _ outcome: Command.Outcome,
    _ status: Int32,
    saying parts: String...,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(outcome.status == status && !outcome.isKilled, "\(outcome.errors)", sourceLocation: sourceLocation)
    #expect(outcome.output.isEmpty, sourceLocation: sourceLocation)
    for part in parts {
        #expect(outcome.errors.contains(part), "\(outcome.errors)", sourceLocation: sourceLocation)
    }
}
