import FunnelCommandSupport
import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

extension Program {
    /// Runs the program as a service while `body` runs, then terminates it and waits for its end.
    ///
    /// - Parameters:
    ///   - environment: changes to the environment of this process.
    ///   - readiness: parses the line of its standard error that reports that it is ready, for example with its address. It
    ///     returns `nil` for any other line, which is passed on.
    ///   - body: is called when the program is ready.
    /// - Throws: the error of `body`, and `CommandFailure` if the program ends before it is ready.
    @MainActor
    func serve<Ready: Sendable, Value: Sendable>(
        _ arguments: [String],
        environment: [Environment.Key: String?],
        readiness: @escaping @Sendable (String) -> Ready?,
        body: @MainActor @Sendable (Ready) async throws -> Value
    ) async throws -> Value {
        let result = try await Subprocess.run(
            .path(FilePath(path)),
            arguments: Arguments(arguments),
            environment: .inherit.updating(environment),
            platformOptions: Self.options,
            input: .none,
            output: .discarded,
            error: .sequence
        ) { execution in
            let (announcements, continuation) = AsyncStream<Ready>.makeStream()
            return try await withThrowingTaskGroup(of: Void.self) { group in
                // Reads to the end, because a full pipe would block the service.
                group.addTask {
                    defer { continuation.finish() }
                    for try await line in execution.standardError.strings() {
                        if let ready = readiness(line) {
                            continuation.yield(ready)
                        } else {
                            StandardError.write(line + "\n")
                        }
                    }
                }
                var iterator = announcements.makeAsyncIterator()
                guard let ready = await iterator.next() else {
                    try Task.checkCancellation()
                    throw CommandFailure(.unavailable, "\(name) ended before it was ready; its output is above")
                }
                let outcome: Result<Value, any Error>
                do { outcome = .success(try await body(ready)) } catch { outcome = .failure(error) }
                try execution.send(signal: .terminate)
                try await group.waitForAll()
                return try outcome.get()
            }
        }
        try check(result.terminationStatus)
        return result.closureResult
    }
}
