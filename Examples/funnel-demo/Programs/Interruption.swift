import ArgumentParser
import Foundation
import UnixSignals

/// Ends what is running when somebody asks the process to end, so that it can clean up behind itself.
enum Interruption {
    /// Runs `body`; a signal cancels it.
    ///
    /// - Throws: what `body` throws or, after a signal and the end of `body`, the exit code by which shells tell of it.
    static func ending(_ body: @escaping @Sendable () async throws -> Void) async throws {
        // A reader that is gone then fails the next write, like every other trouble, instead of ending the process at once.
        signal(SIGPIPE, SIG_IGN)
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        try await withThrowingTaskGroup(of: UnixSignal?.self) { group in
            group.addTask {
                try await body()
                return nil
            }
            group.addTask { await signals.first { _ in true } }
            let first = try await group.next()
            group.cancelAll()
            guard let signal = first ?? nil else { return }
            // What it throws now is only that it was cancelled.
            _ = try? await group.next()
            throw ExitCode(128 + signal.rawValue)
        }
    }
}
