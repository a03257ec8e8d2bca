/// A mistake in what somebody wrote to configure a program: where it is, what it is and what was expected.
public struct ConfigurationError: Error, Sendable, Hashable {
    /// The file, by the path that it was asked for, or the name of the environment variable.
    public let place: String
    /// The line in the file, from 1; `nil` where the mistake is no line's.
    public let line: Int?
    /// The mistake and what was expected, for people.
    public let message: String

    /// Creates an error from its parts.
    public init(place: String, line: Int? = nil, message: String) {
        self.place = place
        self.line = line
        self.message = message
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// The error as compilers write theirs, so that editors can jump to it: `config/funnels.yaml:7: …`.
    public var description: String {
        line.map { "\(place):\($0): \(message)" } ?? "\(place): \(message)"
    }
}
