public import Funnels
public import YAMLNodes

/// Reads the funnels file, `config/funnels.yaml`.
///
/// ```swift
/// let funnels = try FunnelsFile.read(path: "config/funnels.yaml")
/// ```
///
/// Every mistake is a `ConfigurationError` (`YAMLNodes`) with the file, the line and what was expected. Names, events and
/// descriptions must be texts: write a name like `2026` in quotes.
public enum FunnelsFile {
    /// Reads the file at a path.
    ///
    /// - Parameters:
    ///   - path: an absolute path, or a path relative to the working directory.
    ///   - remedy: what to do if the file cannot be read, as the end of the error's sentence.
    /// - Returns: the funnels, in the order of the file; at least one.
    /// - Throws: `ConfigurationError` where the file does not exist, cannot be read or has a mistake.
    public static func read(
        path: String,
        remedy: String = "check the path"
    ) throws(ConfigurationError) -> [Funnel] {
        try funnels(YAMLDocument.read(path: path, remedy: remedy))
    }

    /// Reads the bytes of a funnels file.
    ///
    /// - Parameters:
    ///   - bytes: the contents of the file, UTF-8.
    ///   - file: the file's name, for errors.
    /// - Returns: the funnels, in the order of the file; at least one.
    /// - Throws: `ConfigurationError` where the file has a mistake.
    public static func parse(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> [Funnel] {
        try funnels(YAMLDocument.parse(bytes, file: file))
    }

    private static func funnels(_ root: YAMLNode) throws(ConfigurationError) -> [Funnel] {
        let top = try root.mapping("the funnels file")
        try top.allow(only: ["timezone", "funnels"])
        let timeZone = try top["timezone"].map { node throws(ConfigurationError) in try Self.timeZone(node) }
        var funnels: [Funnel] = []
        var lines: [String: Int] = [:]
        for node in try top.required("funnels").list("funnels", of: "funnels") {
            let funnel = try FunnelEntry.funnel(node, timeZone: timeZone ?? .utc)
            let nameNode = node.descendant(["name"])
            if let line = lines[funnel.name] {
                throw nameNode.error(
                    "there is a funnel named '\(funnel.name)' in line \(line) already: expected unique names"
                )
            }
            lines[funnel.name] = nameNode.line
            funnels.append(funnel)
        }
        return funnels
    }

    private static func timeZone(_ node: YAMLNode) throws(ConfigurationError) -> FunnelTimeZone {
        let name = try node.text("timezone")
        do {
            return try FunnelTimeZone(name)
        } catch {
            throw node.error("timezone: \(error.message)")
        }
    }
}
