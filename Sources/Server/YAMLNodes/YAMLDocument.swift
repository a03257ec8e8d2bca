import Foundation
import Yams

/// Reads a file that holds one YAML document, with the file and the line in every error.
package enum YAMLDocument {
    /// Reads the file at `path`, which may be relative to the working directory.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - remedy: what to do where there is none, as the end of a sentence.
    /// - Throws: ``ConfigurationError``. An empty document is one too.
    package static func read(path: String, remedy: String) throws(ConfigurationError) -> YAMLNode {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            throw ConfigurationError(place: path, message: "there is no such file: \(remedy)")
        } catch let error as CocoaError where error.code == .fileReadNoPermission {
            throw ConfigurationError(place: path, message: "the file may not be read: check its permissions")
        } catch {
            throw ConfigurationError(place: path, message: "expected a file that can be read: \(remedy)")
        }
        return try parse(Array(data), file: path)
    }

    /// Reads the bytes of a file.
    ///
    /// - Parameters:
    ///   - bytes: what the file holds: UTF-8, with or without a byte order mark.
    ///   - file: the file's name, for errors.
    /// - Throws: ``ConfigurationError`` where the bytes are not exactly one YAML document that is not empty.
    package static func parse(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> YAMLNode {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
            throw ConfigurationError(
                place: file,
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
            throw ConfigurationError(place: file, message: "not valid YAML: \(error)")
        }
        let empty = ConfigurationError(place: file, line: 1, message: "the file is empty: expected a mapping")
        guard let root else { throw empty }
        if case .null = root.content { throw empty }
        return root
    }

    private static func compose(_ text: String, file: String) throws -> YAMLNode? {
        // Yams is to resolve nothing: its rules are YAML 1.1's, and they load regular expressions.
        let parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
        guard let root = try parser.nextRoot() else { return nil }
        if let second = try parser.nextRoot() {
            throw ConfigurationError(
                place: file,
                line: second.mark?.line,
                message: "expected one YAML document, found a second one after '---'"
            )
        }
        return YAMLNode(root, file: file)
    }
}
