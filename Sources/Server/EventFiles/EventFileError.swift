/// Why a file of events could not be read.
package struct EventFileError: Error, Sendable, Hashable {
    /// The kind of failure.
    package enum Code: Sendable, Hashable {
        /// The file is not there, or cannot be opened or read.
        case unreadable
        /// The file's compressed data is damaged, or ends too early.
        case damaged
    }

    /// The kind of failure.
    package let code: Code
    /// The file and what is wrong with it, in a sentence.
    package let message: String
}

extension EventFileError: CustomStringConvertible {
    /// The ``message``.
    package var description: String { message }
}
