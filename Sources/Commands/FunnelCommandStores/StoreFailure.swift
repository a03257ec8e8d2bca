package import FunnelCommandSupport
package import FunnelStore
package import Funnels

extension Sysexits {
    /// Returns the exit code for a store's error.
    package init(_ error: StoreError) {
        switch error.code {
        case .missing: self = .noInput
        case .unavailable: self = .unavailable
        case .unusable, .older, .newer, .otherData: self = .dataError
        case .invalidURL: self = .configuration
        default: self = .unavailable
        }
    }
}

extension StoreError {
    /// The command, the flag and the variable that help, as a sentence to append to the message; `nil` if none does.
    package var hint: String? {
        let another = "--store or STORE_URL names another store."
        if let changes { return "To rebuild, run `\(changes.rebuildCommand)` with the same options; \(another)" }
        return switch code {
        case .missing: "To create it, start funnel-consumer first; \(another)"
        case .unusable, .older, .newer, .otherData: another
        case .invalidURL: "Correct the URL in --store, in STORE_URL or in `store` of the configuration file."
        default: nil
        }
    }
}

extension FunnelChanges {
    /// The command for a shell that counts the funnels as the file says.
    package var rebuildCommand: String {
        // After `--`, a name that begins with a dash is not taken for a flag.
        let separator = names.contains { $0.hasPrefix("-") } ? ["--"] : []
        return (["funnel-consumer rebuild"] + separator + names).joined(separator: " ")
    }
}
