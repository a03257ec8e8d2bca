import EventReader
import Foundation
import HTTPTypes
internal import NIOCore

/// Reads an event in binary mode of the [HTTP Protocol
/// Binding](https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md), 3.1: its attributes
/// are the headers that begin with `ce-`, its data is the body.
enum BinaryMode {
    /// Returns the event in structured mode.
    ///
    /// - Throws: ``Problem`` where the headers and the body are no event.
    static func structured(_ body: ByteBuffer, _ headers: HTTPFields) throws(Problem) -> ByteBuffer {
        var attributes = headers.compactMap { field -> ForeignEvent.Attribute? in
            let name = field.name.canonicalName
            guard name.hasPrefix("ce-"), name != "ce-datacontenttype" else { return nil }
            // Characters beyond ASCII are percent-encoded.
            let value = field.value.removingPercentEncoding ?? field.value
            return ForeignEvent.Attribute(name: String(name.dropFirst("ce-".count)), value: value)
        }
        if let type = headers[.contentType] {
            attributes.append(ForeignEvent.Attribute(name: "datacontenttype", value: type))
        }
        let event = body.withUnsafeReadableBytes { ForeignEvent.structured(attributes, data: $0) }
        guard let event else {
            throw .badRequest("binary mode: expected each ce- header once, a name of a-z and 0-9, and a body of JSON")
        }
        return ByteBuffer(bytes: event)
    }
}
