/// The CloudEvents mode of a request's body.
enum ContentKind: Sendable, Hashable {
    /// A JSON array of events: batch mode.
    case batch
    /// One event: structured mode.
    case structured
    /// A batch or one event, as `navigator.sendBeacon` sends a text: it cannot set a type that needs a preflight.
    case text
    /// An event in binary mode: its attributes are in the headers, the body is its data.
    case binary

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
        case let type where isBinaryMode:
            guard type == nil || type == "application/json" || type?.hasSuffix("+json") ?? false else {
                throw .mediaType(Self.binaryMode)
            }
            self = .binary
        case "text/plain": self = .text
        default: throw .mediaType(Self.expected)
        }
        for parameter in parts.dropFirst() where parameter.hasPrefix("charset=") {
            let charset = parameter.dropFirst("charset=".count).filter { $0 != "\"" }
            guard charset == "utf-8" else { throw .mediaType("Content-Type: expected charset=UTF-8 or no charset") }
        }
    }

    private static let expected =
        "Content-Type: expected application/cloudevents-batch+json, application/cloudevents+json or text/plain"
    private static let binaryMode =
        "Content-Type: expected application/json for the data of an event in binary mode"
}

extension Substring {
    /// The text without the spaces and tabs that HTTP allows around it.
    var trimmingSpaces: Substring {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let end = lastIndex { !isSpace($0) }.map(index(after:)) ?? startIndex
        return self[..<end].drop(while: isSpace)
    }
}
