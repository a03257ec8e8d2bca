/// An app.
///
/// Follows [App](https://developer.apple.com/documentation/swiftui/app).
@MainActor
@preconcurrency
public protocol App {
    /// The type of the body.
    associatedtype Body: Scene
    /// What the app consists of.
    var body: Body { get }
    /// Creates the app.
    init()
}

extension App {
    /// Makes the app. There is no interface to run here.
    public static func main() { _ = Self() }
}

/// A part of an app.
///
/// Follows [Scene](https://developer.apple.com/documentation/swiftui/scene).
@MainActor
@preconcurrency
public protocol Scene {}

/// Windows of one kind.
///
/// Follows [WindowGroup](https://developer.apple.com/documentation/swiftui/windowgroup).
public struct WindowGroup<Content: View>: Scene {
    /// Creates a group of windows.
    public init(@ViewBuilder content: () -> Content) {}
}
