/// The install of a tracker, as it is known now.
package enum CurrentInstall: Sendable, Hashable {
    case known(String)
    /// The user has opted out, and no event has an install.
    case optedOut
    /// It cannot be read now.
    case unknown

    /// The install id.
    package var id: String? {
        if case .known(let id) = self { id } else { nil }
    }
}
