import ArgumentParser
import Foundation

/// Reports the failure of a command: prints the error to standard error and chooses the exit code.
///
/// ```swift
/// let report = FailureReport(command: "funnel-report") { error in error is StoreError ? .dataError : nil } hint: { error in
///     error is StoreError ? "--store or STORE_URL names another store." : nil
/// }
/// try report.reporting { try printReport() }
/// ```
package struct FailureReport: Sendable {
    private let command: String
    private let status: @Sendable (any Error) -> Sysexits?
    private let hint: @Sendable (any Error) -> String?

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - command: the command's name, which begins the message.
    ///   - status: returns the exit code for an error, or `nil` for an unknown error, which exits with
    ///     ``Sysexits/software``.
    ///   - hint: returns the flags and variables that mend the error, as sentences to append to the message. Libraries
    ///     do not know them.
    package init(
        command: String,
        status: @escaping @Sendable (any Error) -> Sysexits?,
        hint: @escaping @Sendable (any Error) -> String? = { _ in nil }
    ) {
        self.command = command
        self.status = status
        self.hint = hint
    }

    /// Runs `body`.
    ///
    /// - Throws: `ExitCode`, after the message is printed. Errors of ArgumentParser are rethrown.
    package func reporting<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw report(error)
        }
    }

    /// Runs `body`, like ``reporting(_:)-(()->Result)``.
    package func reporting<Result>(
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
        StandardError.write(message(error))
        let known = (error as? CommandFailure)?.status ?? status(error)
        return ExitCode((known ?? .software).rawValue)
    }

    func message(_ error: any Error) -> String {
        var text = "\(command): \(error)"
        if let hint = hint(error) { text += (text.hasSuffix(".") ? " " : ". ") + hint }
        return text + "\n"
    }
}

/// A failure with its exit code, for which no other error type exists.
package struct CommandFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The exit code.
    package let status: Sysexits
    /// What happened and what to do.
    package let description: String

    /// Creates a failure.
    package init(_ status: Sysexits, _ description: String) {
        self.status = status
        self.description = description
    }
}
