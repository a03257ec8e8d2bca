/// What differs between the releases of SwiftUI.
public struct HeadlessRelease: Sendable, Hashable {
    /// Whether `onAppear` is called twice.
    public var doublesAppearances: Bool
    /// Whether a view appears before the one that it replaces disappears.
    public var appearsFirst: Bool
    /// Whether the views of all tabs appear at the launch.
    public var loadsAllTabs: Bool
    /// Whether the views of a tab never disappear once it was selected.
    public var keepsTabs: Bool

    /// Describes a release.
    public init(
        doublesAppearances: Bool = false,
        appearsFirst: Bool = true,
        loadsAllTabs: Bool = false,
        keepsTabs: Bool = false
    ) {
        self.doublesAppearances = doublesAppearances
        self.appearsFirst = appearsFirst
        self.loadsAllTabs = loadsAllTabs
        self.keepsTabs = keepsTabs
    }
}
