public import Funnels
public import YAMLNodes

/// Reads the funnels file, `config/funnels.yaml`.
///
/// Every mistake is a ``YAMLNodes/ConfigurationError`` that names the file, the line and what was expected. Names,
/// events and descriptions have to be texts: a name like `2026` stands in quotes.
public enum FunnelsFile {
    /// Reads the file at `path`, relative to the working directory unless it is absolute.
    ///
    /// - Returns: the funnels, in the order of the file; at least one.
    /// - Throws: `ConfigurationError`, also where there is no such file or it may not be read.
    public static func read(path: String) throws(ConfigurationError) -> [Funnel] {
        let remedy = "give the funnels file with --funnels or FUNNELS_PATH"
        return try funnels(YAMLDocument.read(path: path, remedy: remedy))
    }

    /// Reads the bytes of a funnels file.
    ///
    /// - Parameters:
    ///   - bytes: what the file holds, UTF-8.
    ///   - file: the file's name, for errors.
    /// - Returns: the funnels, in the order of the file; at least one.
    /// - Throws: `ConfigurationError`.
    public static func parse(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> [Funnel] {
        try funnels(YAMLDocument.parse(bytes, file: file))
    }

    private static func funnels(_ root: YAMLNode) throws(ConfigurationError) -> [Funnel] {
        let top = try root.mapping("the funnels file")
        try top.allow(only: ["funnels"])
        var funnels: [Funnel] = []
        var lines: [String: Int] = [:]
        for node in try top.required("funnels").list("funnels", of: "funnels") {
            let entry = try FunnelEntry(node)
            if let line = lines[entry.funnel.name] {
                throw entry.nameNode.error(
                    "there is a funnel named '\(entry.funnel.name)' in line \(line) already: expected unique names"
                )
            }
            lines[entry.funnel.name] = entry.nameNode.line
            funnels.append(entry.funnel)
        }
        return funnels
    }
}
