import ArgumentParser
import Foundation
import UnixSignals

/// Cancels the running task on a signal, so that it can remove its files.
enum Interruption {
    /// Runs `body`. A signal cancels it.
    ///
    /// - Throws: the error of `body`. After a signal and the end of `body`, the exit code that shells use for the signal.
    static func ending(_ body: @escaping @Sendable () async throws -> Void) async throws {
        // A closed pipe then fails the next write with an error, instead of ending the process immediately.
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
            // The error only says that the task was canceled.
            _ = try? await group.next()
            throw ExitCode(128 + signal.rawValue)
        }
    }
}
