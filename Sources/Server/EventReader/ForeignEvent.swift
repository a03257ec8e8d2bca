import FlowEvents
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Events in the other forms that CloudEvents has, as events in structured mode with JSON data: the form that the reader knows.
///
/// Only a value that is no valid event as it stands is looked at again. So events in structured mode cost nothing more.
package enum ForeignEvent {
    /// An attribute of an event in binary mode: a header without `ce-` or `ce_`.
    package struct Attribute: Sendable, Hashable {
        /// The name, such as `id`.
        package var name: String
        /// The value as text.
        package var value: String

        /// Creates an attribute.
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Returns the event of a message in binary mode: the attributes from its headers, its value as `data`.
    ///
    /// - Parameters:
    ///   - attributes: the attributes, each once.
    ///   - data: the value; empty where there is none.
    /// - Returns: `nil` without the attribute `specversion`, where an attribute comes twice or its name is none, and where the
    ///   data is no JSON.
    package static func structured(_ attributes: [Attribute], data: UnsafeRawBufferPointer) -> [UInt8]? {
        guard attributes.contains(where: { $0.name == "specversion" }), attributes.allSatisfy(\.isNamed),
            Set(attributes.map(\.name)).count == attributes.count
        else { return nil }
        var range: Range<Int>?
        if !data.isEmpty {
            guard case .value(let found)? = try? JSONDocument(splitting: data, limit: 0) else { return nil }
            range = found
        }
        return [UInt8](json: Structured(attributes: attributes, data: range.map { Array(data[$0]) }))
    }

    /// Returns an event whose `data_base64` is JSON with that JSON as its `data`.
    ///
    /// - Returns: `nil` for an event with `data`, or without such a `data_base64`.
    package static func decodingData(of value: UnsafeRawBufferPointer, _ scratch: JSONScratch) -> [UInt8]? {
        guard let raw = try? RawEvent(reading: value, scratch), raw.shape.data == .absent,
            let text = raw.dataBase64.string, let data = Data(base64Encoded: Data(text)),
            let end = value.lastIndex(of: UInt8(ascii: "}"))
        else { return nil }
        let bytes = [UInt8](data)
        let range = bytes.withUnsafeBytes { bytes -> Range<Int>? in
            if case .value(let found)? = try? JSONDocument(splitting: bytes, limit: 0) { found } else { nil }
        }
        guard let range else { return nil }
        // The event has members, because one of them is `data_base64`.
        // Of two members with one name, the last one counts: `data` may be there as null.
        return value[..<end] + Array(#","data":"#.utf8) + bytes[range] + value[end...]
    }
}

extension ForeignEvent.Attribute {
    // What CloudEvents 1.0 allows as names, but `data`, which is none.
    fileprivate var isNamed: Bool {
        !name.isEmpty && !name.hasPrefix("data_") && name != "data"
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
    }
}

private struct Structured: JSONWritable {
    let attributes: [ForeignEvent.Attribute]
    let data: [UInt8]?

    var sizeWithoutEscapes: Int {
        attributes.reduce(16 + (data?.count ?? 0)) { $0 + $1.name.utf8.count + $1.value.utf8.count + 6 }
    }

    func write(to json: inout JSONWriter) {
        json.append("{")
        for (index, attribute) in attributes.enumerated() {
            if index > 0 { json.append(",") }
            json.appendString(attribute.name)
            json.append(":")
            json.appendString(attribute.value)
        }
        if let data {
            json.append(#","data":"#)
            data.withUnsafeBufferPointer { json.append($0) }
        }
        json.append("}")
    }
}

extension EventReader {
    /// Returns a value that is no valid event as one in structured mode with JSON data, where it is an event in another form.
    ///
    /// - Parameters:
    ///   - value: the value of the record or of the request.
    ///   - violation: the rule that it breaks.
    ///   - attributes: returns the attributes of binary mode. It is called only for a value that is no CloudEvent by itself.
    package func rewritten(
        _ value: UnsafeRawBufferPointer,
        after violation: EventViolation,
        attributes: () -> [ForeignEvent.Attribute]
    ) -> [UInt8]? {
        switch violation.reason {
        case .notJSON, .notCloudEvents: ForeignEvent.structured(attributes(), data: value)
        case .missingField: ForeignEvent.decodingData(of: value, scratch)
        default: nil
        }
    }
}
