import Foundation
import FunnelServiceSupport

/// The password of a server, for [HTTP Basic](https://www.rfc-editor.org/rfc/rfc7617) with any user name.
///
/// Its descriptions and reflections do not contain the password.
struct ReportPassword: Sendable, Hashable {
    private let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Returns whether an `Authorization` header has the password.
    func isIn(_ authorization: String?) -> Bool {
        guard let authorization, let space = authorization.firstIndex(of: " "),
            authorization[..<space].lowercased() == "basic",
            let pair = Data(base64Encoded: String(authorization[authorization.index(after: space)...])),
            let colon = pair.firstIndex(of: UInt8(ascii: ":"))
        else { return false }
        return SecretComparison.isEqual(bytes, Array(pair[pair.index(after: colon)...]))
    }
}

extension ReportPassword: CustomStringConvertible, CustomReflectable {
    var description: String { "password" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
