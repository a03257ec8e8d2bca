import FunnelCommandSupport
import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

extension Program {
    /// Runs it as a service for as long as `body` takes, then asks it to end and waits for that.
    ///
    /// - Parameters:
    ///   - environment: goes over what this process has.
    ///   - readiness: what a line of its standard error says about being ready, such as its address; `nil` for any other
    ///     line, which is passed on.
    ///   - body: is called once it is ready.
    /// - Throws: what `body` throws, and `CommandFailure` where it ends before it is ready.
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
                // To the end, or the service could not write any more.
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
                    throw CommandFailure(.unavailable, "\(name) ended too early; what it said stands above")
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
