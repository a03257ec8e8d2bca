import Foundation
import Yams

/// Reads a file with one YAML document. Every error has the file and the line.
package enum YAMLDocument {
    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: the path of the file, which may be relative to the working directory.
    ///   - remedy: what to do if the file cannot be read, as the end of a sentence.
    ///   - mayBeEmpty: whether an empty document is an empty mapping, because no key is required.
    /// - Throws: ``ConfigurationError``.
    package static func read(
        path: String,
        remedy: String,
        mayBeEmpty: Bool = false
    ) throws(ConfigurationError) -> YAMLNode {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            throw ConfigurationError(source: path, message: "there is no such file: \(remedy)")
        } catch let error as CocoaError where error.code == .fileReadNoPermission {
            throw ConfigurationError(source: path, message: "no permission to read the file: check its permissions")
        } catch {
            throw ConfigurationError(source: path, message: "the file cannot be read: \(remedy)")
        }
        return try parse(Array(data), file: path, mayBeEmpty: mayBeEmpty)
    }

    /// Reads the contents of a file.
    ///
    /// - Parameters:
    ///   - bytes: the contents: UTF-8, with or without a byte order mark.
    ///   - file: the file's name, for errors.
    ///   - mayBeEmpty: whether an empty document is an empty mapping, because no key is required.
    /// - Throws: ``ConfigurationError`` if the bytes are not exactly one YAML document, or if it is empty and may not be.
    package static func parse(
        _ bytes: [UInt8],
        file: String,
        mayBeEmpty: Bool = false
    ) throws(ConfigurationError) -> YAMLNode {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
            throw ConfigurationError(
                source: file,
                line: line.map { $0 + 1 },
                message: "expected UTF-8, found other bytes: save the file as UTF-8"
            )
        }
        let root: YAMLNode?
        do {
            root = try compose(text, file: file)
        } catch let error as ConfigurationError {
            throw error
        } catch let error as YamlError {
            throw ConfigurationError(error, text: text, file: file)
        } catch {
            throw ConfigurationError(source: file, message: "not valid YAML: \(error)")
        }
        if let root, !root.isNull { return root }
        if mayBeEmpty { return YAMLNode(.mapping([:]), file: file) }
        throw ConfigurationError(source: file, line: 1, message: "the file is empty: expected a mapping")
    }

    private static func compose(_ text: String, file: String) throws -> YAMLNode? {
        // The basic resolver resolves nothing: Yams' other rules are those of YAML 1.1, and they load regular expressions.
        let parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
        guard let root = try parser.nextRoot() else { return nil }
        if let second = try parser.nextRoot() {
            throw ConfigurationError(
                source: file,
                line: second.mark?.line,
                message: "expected one YAML document, found a second one after '---'"
            )
        }
        return YAMLNode(root, file: file)
    }
}
