import Foundation

/// A JSON Web Signature in the [compact serialization](https://www.rfc-editor.org/rfc/rfc7515#section-7.1): header, payload
/// and signature, separated by points.
struct CompactJWS {
    /// The header as it is written: base64url, which also names the chain in a cache.
    let header: Substring
    /// The payload's bytes.
    let payload: Data
    /// The signature's bytes.
    let signature: Data
    /// What is signed: header and payload as they are written, with the point between them.
    let signed: Substring

    /// Splits the text, and decodes payload and signature.
    init(_ text: String, _ what: String) throws(NotificationRefusal) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw NotificationRefusal(.unreadable, "\(what): expected a JWS of three parts, found \(parts.count)")
        }
        header = parts[0]
        signed = text[..<parts[1].endIndex]
        guard let payload = Self.decode(parts[1]), let signature = Self.decode(parts[2]) else {
            throw NotificationRefusal(.unreadable, "\(what): expected a JWS in base64url")
        }
        self.payload = payload
        self.signature = signature
    }

    /// The bytes of a part; `nil` if it is not base64url without padding.
    static func decode(_ part: Substring) -> Data? {
        // Foundation reads base64 only, and ignores nothing.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(part.utf8.count + 3)
        for byte in part.utf8 {
            switch byte {
            case UInt8(ascii: "-"): bytes.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): bytes.append(UInt8(ascii: "/"))
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: bytes.append(byte)
            }
        }
        while !bytes.count.isMultiple(of: 4) { bytes.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(bytes))
    }
}
