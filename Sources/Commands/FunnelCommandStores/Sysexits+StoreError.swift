package import FunnelCommandSupport
package import FunnelStore

extension Sysexits {
    /// The exit code for a store's error.
    package init(_ error: StoreError) {
        switch error {
        case .missing: self = .noInput
        case .unusable, .newer, .otherData: self = .dataError
        case .unavailable: self = .unavailable
        }
    }
}
