import Foundation

extension Int {
    /// With thousands separators: `57,195`.
    var grouped: String {
        formatted(.number.locale(Locale(identifier: "en_US")))
    }

    /// The number and what is counted: `1 visit`, `12 visits`.
    func grouped(_ singular: String) -> String {
        "\(grouped) \(singular)\(self == 1 ? "" : "s")"
    }
}
