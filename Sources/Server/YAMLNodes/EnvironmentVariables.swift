package import FunnelServiceSupport

/// The environment variables of a program.
///
/// ```swift
/// let variables = EnvironmentVariables(ProcessInfo.processInfo.environment)
/// settings.topic = try variables.value("KAFKA_TOPIC", .topic) ?? settings.topic
/// ```
///
/// An empty variable counts as not set, because container tools pass unset variables as empty ones.
package struct EnvironmentVariables: Sendable {
    private let texts: [String: String]

    /// Creates the variables from their names and texts.
    package init(_ texts: [String: String]) {
        self.texts = texts.filter { !$0.value.isEmpty }
    }

    /// The text of a variable; `nil` if it is not set.
    package subscript(_ name: String) -> String? { texts[name] }

    /// Reads a variable; `nil` if it is not set.
    ///
    /// - Throws: `ConfigurationError` with the variable's name and text, if `rule` does not allow the text.
    package func value<Value>(_ name: String, _ rule: SettingText<Value>) throws(ConfigurationError) -> Value? {
        guard let text = self[name] else { return nil }
        do {
            return try rule.value(text)
        } catch {
            throw ConfigurationError(source: name, message: "\(error), found '\(text)'")
        }
    }
}
