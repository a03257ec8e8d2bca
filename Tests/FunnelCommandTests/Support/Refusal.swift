import Testing

/// Expects that a command ended with an exit code and said why: on standard error, and nothing else on standard output.
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
