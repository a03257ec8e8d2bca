public import UIPlatform

/// A screen that is not made yet: how to build it, and what it is called.
///
/// It is made to be extended with static functions, whose parameters are what the screen needs:
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
    /// What the screen is called in tests and errors: the function that made it, unless it was given another name.
    public var name: String
    /// Makes the controller, anew with each call.
    public var build: @MainActor () -> UIViewController

    /// Creates a screen.
    ///
    /// - Parameters:
    ///   - name: what the screen is called; by default the function that this is written in.
    ///   - build: makes the controller. It may build other screens, and must not navigate.
    public init(_ name: String = #function, build: @escaping @MainActor () -> UIViewController) {
        self.name = name
        self.build = build
    }
}
