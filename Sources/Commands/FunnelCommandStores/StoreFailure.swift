package import FunnelCommandSupport
package import FunnelStore

extension Sysexits {
    /// Returns the exit code for a store's error.
    package init(_ error: StoreError) {
        switch error.code {
        case .missing: self = .noInput
        case .unusable, .newer, .otherData: self = .dataError
        default: self = .unavailable
        }
    }
}

extension StoreError {
    /// The flag and the variable that name another store, as a sentence to append to the message; `nil` if another
    /// store does not help.
    package var hint: String? {
        [.missing, .unusable, .newer, .otherData].contains(code) ? "--store or STORE_URL names another store." : nil
    }
}
