import Foundation

extension Int {
    /// The number with thousands separators: `57,195`.
    var grouped: String {
        formatted(.number.locale(Locale(identifier: "en_US")))
    }

    /// Returns the number with a noun whose plural is its own: `1 person`, `12 people`.
    func grouped(_ singular: String, _ plural: String) -> String {
        "\(grouped) \(self == 1 ? singular : plural)"
    }

    /// Returns the number with a noun: `1 visit`, `12 visits`.
    func grouped(_ singular: String) -> String {
        "\(grouped) \(singular)\(self == 1 ? "" : "s")"
    }
}
