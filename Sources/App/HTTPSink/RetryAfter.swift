import FlowEvents
import Foundation

/// The header `Retry-After`, [RFC 9110, section 10.2.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3).
enum RetryAfter {
    /// The maximum duration. A wrong header must not stop an app from sending for longer.
    static let maximum = Duration.seconds(86_400)

    /// Returns the duration to wait; `nil` if the value is neither a number of seconds nor a date.
    ///
    /// - Parameter now: the server's time, or the device's if the server's is unknown.
    static func duration(_ value: String, now: Timestamp) -> Duration? {
        let value = value.trimmingCharacters(in: .whitespaces)
        if !value.isEmpty, value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return min(maximum, .seconds(Int64(value) ?? .max / 1_000_000_000_000))
        }
        guard let date = HTTPDate.timestamp(value) else { return nil }
        return min(maximum, max(.zero, .milliseconds(date.milliseconds - now.milliseconds)))
    }
}

/// A date in an HTTP header, [RFC 9110, section 5.6.7](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7), in its
/// preferred form: `Sun, 06 Nov 1994 08:49:37 GMT`. Current servers do not send the obsolete forms.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Parses a date; `nil` for another form.
    static func timestamp(_ text: String) -> Timestamp? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", parts[1].count == 2,
            let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        let number = month + 1
        return Timestamp("\(parts[3])-\(number < 10 ? "0" : "")\(number)-\(parts[1])T\(parts[4])Z")
    }
}
