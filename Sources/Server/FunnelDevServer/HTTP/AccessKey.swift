import Foundation
import FunnelServiceSupport
import HTTPTypes
import Hummingbird

/// The one-time key of a server that other machines can reach: the app has it as its write key, and a browser gets it from
/// the link, as `?key=…`, and keeps it in a cookie until it is closed.
///
/// Its descriptions and reflections do not contain the key.
package struct AccessKey: Sendable, Hashable {
    /// The key.
    package let text: String

    /// Takes a key.
    package init(_ text: String) {
        self.text = text
    }

    /// Makes a key that nobody can guess.
    package static func random() -> AccessKey {
        // The system's generator, which is random enough for keys.
        AccessKey(String((0..<24).compactMap { _ in alphabet.randomElement() }))
    }

    // Without the characters that people mistake for each other.
    private static let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789")
    private static let cookie = "funnel_dev_key"

    /// Answers a request that has the key in its link: it goes on without it, and the browser keeps the key.
    func redirect(_ request: Request) -> Response? {
        guard let given = request.uri.queryParameters["key"], isEqual(String(given)) else { return nil }
        var headers: HTTPFields = [.location: request.uri.path, .cacheControl: "no-store"]
        headers[.setCookie] = "\(Self.cookie)=\(text); HttpOnly; SameSite=Strict; Path=/"
        return Response(status: .seeOther, headers: headers)
    }

    /// Returns a request with the password that the pages ask for, if its cookie has the key.
    func admitted(_ request: Request) -> Request {
        guard let cookie = request.cookies[Self.cookie]?.value, isEqual(cookie) else { return request }
        var head = request.head
        head.headerFields[.authorization] = "Basic \(Data("key:\(text)".utf8).base64EncodedString())"
        return Request(head: head, body: request.body)
    }

    private func isEqual(_ other: String) -> Bool { SecretComparison.isEqual(Array(text.utf8), Array(other.utf8)) }
}

extension AccessKey: CustomStringConvertible, CustomReflectable {
    /// Says that there is a key.
    package var description: String { "access key" }
    /// A mirror without the key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
