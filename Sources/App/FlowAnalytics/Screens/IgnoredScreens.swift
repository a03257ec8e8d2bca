public import UIPlatform

/// Controllers that are no screens of the app, such as debug overlays and the sheets of other SDKs. Apple's share sheet,
/// pickers, composers and context menus are none anyway, unless ``ScreenNaming`` names them.
///
/// An ignored controller is never tracked, and what lies beneath it stays the current screen:
///
/// ```swift
/// let screens = ScreenTracker(tracker, ignoring: .classes(ChatSheet.self, DebugOverlay.self))
/// ```
public struct IgnoredScreens: Sendable {
    let contains: @MainActor (UIViewController.Type) -> Bool

    /// Ignores the controllers of each class for which the closure returns `true`. It is called once for each class.
    public init(_ contains: @escaping @MainActor (UIViewController.Type) -> Bool) {
        self.contains = contains
    }

    /// Ignores nothing more.
    public static let none = IgnoredScreens { _ in false }

    /// Ignores the controllers of some classes and of their subclasses.
    public static func classes<each Ignored: UIViewController>(_ classes: repeat (each Ignored).Type) -> IgnoredScreens
    {
        IgnoredScreens { type in
            var isIgnored = false
            repeat isIgnored = isIgnored || type is (each Ignored).Type
            return isIgnored
        }
    }
}
