/// The CloudEvents mode of a request's body.
enum ContentKind: Sendable, Hashable {
    /// A JSON array of events: batch mode.
    case batch
    /// One event: structured mode.
    case structured

    /// Reads a `Content-Type`.
    ///
    /// - Parameters:
    ///   - contentType: the header's value, if there is one.
    ///   - isBinaryMode: whether the request has a `ce-specversion` header.
    /// - Throws: a ``Problem`` with status 415.
    init(contentType: String?, isBinaryMode: Bool) throws(Problem) {
        switch contentType {
        // The common spellings, without parsing.
        case "application/cloudevents-batch+json", "application/cloudevents-batch+json; charset=UTF-8":
            self = .batch
            return
        case "application/cloudevents+json", "application/cloudevents+json; charset=UTF-8":
            self = .structured
            return
        default: break
        }
        let parts = (contentType ?? "").split(separator: ";").map { part in
            part.trimmingSpaces.lowercased()
        }
        switch parts.first {
        case "application/cloudevents-batch+json": self = .batch
        case "application/cloudevents+json": self = .structured
        default: throw .mediaType(isBinaryMode ? Self.binaryMode : Self.expected)
        }
        for parameter in parts.dropFirst() where parameter.hasPrefix("charset=") {
            let charset = parameter.dropFirst("charset=".count).filter { $0 != "\"" }
            guard charset == "utf-8" else { throw .mediaType("Content-Type: expected charset=UTF-8 or no charset") }
        }
    }

    private static let expected =
        "Content-Type: expected application/cloudevents-batch+json or application/cloudevents+json"
    private static let binaryMode =
        "binary mode is not taken: send the event in structured mode, as application/cloudevents+json"
}

extension Substring {
    /// The text without the spaces and tabs that HTTP allows around it.
    var trimmingSpaces: Substring {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let end = lastIndex { !isSpace($0) }.map(index(after:)) ?? startIndex
        return self[..<end].drop(while: isSpace)
    }
}
