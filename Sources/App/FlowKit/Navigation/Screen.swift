public import UIPlatform

/// A screen that does not exist yet: its name, and a closure that builds it.
///
/// Extend it with static functions. Their parameters are the dependencies of the screen:
///
/// ```swift
/// extension Screen {
///     static func detail(assembly: Assembly, character: Character.ID) -> Screen {
///         Screen { DetailViewController(service: assembly.characters, id: character) }
///     }
/// }
///
/// try navigator.handle(navigation: .push(.detail(assembly: assembly, character: id)))
/// ```
public struct Screen: Sendable {
    /// The name in tests and errors: by default the function that creates this value.
    public var name: String
    /// Builds a new controller with each call.
    public var build: @MainActor () -> UIViewController

    /// Creates a screen.
    ///
    /// - Parameters:
    ///   - name: the name; by default the calling function.
    ///   - build: builds the controller. It may build other screens. It must not navigate.
    public init(_ name: String = #function, build: @escaping @MainActor () -> UIViewController) {
        self.name = name
        self.build = build
    }
}
