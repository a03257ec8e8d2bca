package import FunnelCommandSupport
package import FunnelStore

extension Sysexits {
    /// Returns the exit code for a store's error.
    package init(_ error: StoreError) {
        switch error.code {
        case .missing: self = .noInput
        case .unusable, .newer, .otherData: self = .dataError
        case .invalidURL: self = .configuration
        default: self = .unavailable
        }
    }
}

extension StoreError {
    /// The command, the flag and the variable that help, as a sentence to append to the message; `nil` if none does.
    package var hint: String? {
        switch code {
        case .missing: "To create it, start funnel-consumer first; --store or STORE_URL names another store."
        case .older: "To bring it up to date, start funnel-consumer once."
        case .unusable, .newer, .otherData: "--store or STORE_URL names another store."
        case .invalidURL: "--store or STORE_URL has the URL."
        default: nil
        }
    }
}
