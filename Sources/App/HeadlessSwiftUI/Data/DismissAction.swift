/// Dismisses the sheet that a view is in, or goes back from it.
///
/// Follows [DismissAction](https://developer.apple.com/documentation/swiftui/dismissaction).
public struct DismissAction: Sendable {
    let action: (@MainActor () -> Void)?

    /// Dismisses.
    @MainActor
    public func callAsFunction() { action?() }
}

extension EnvironmentValues {
    /// Dismisses what the view is in.
    ///
    /// Follows [dismiss](https://developer.apple.com/documentation/swiftui/environmentvalues/dismiss).
    public internal(set) var dismiss: DismissAction {
        get { self[DismissKey.self] }
        set { self[DismissKey.self] = newValue }
    }
}

private enum DismissKey: EnvironmentKey {
    static let defaultValue = DismissAction(action: nil)
}
