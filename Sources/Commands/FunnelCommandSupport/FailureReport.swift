import ArgumentParser
import Foundation

/// How a command ends when something goes wrong: a sentence on standard error, and the exit code that goes with it.
public struct FailureReport: Sendable {
    private let command: String
    private let status: @Sendable (any Error) -> Sysexits?

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - command: the command's name, with which the sentence begins.
    ///   - status: the code for an error; `nil` for one that it does not know, which ends with ``Sysexits/software``.
    public init(command: String, status: @escaping @Sendable (any Error) -> Sysexits?) {
        self.command = command
        self.status = status
    }

    /// Runs `body`.
    ///
    /// - Throws: `ExitCode`, after the sentence was written; ArgumentParser's own errors as they are.
    public func reporting<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw report(error)
        }
    }

    /// Runs `body`, like ``reporting(_:)-(()->Result)``.
    public func reporting<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch {
            throw report(error)
        }
    }

    private func report(_ error: any Error) -> any Error {
        if error is ExitCode || error is CleanExit || error is ValidationError { return error }
        StandardError.write("\(command): \(error)\n")
        let known = (error as? CommandFailure)?.status ?? status(error)
        return ExitCode((known ?? .software).rawValue)
    }
}

/// A failure that knows its exit code, for what no other error type says.
public struct CommandFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The code to exit with.
    public let status: Sysexits
    /// What happened and what to do.
    public let description: String

    /// Creates a failure.
    public init(_ status: Sysexits, _ description: String) {
        self.status = status
        self.description = description
    }
}
