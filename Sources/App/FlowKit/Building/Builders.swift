/// The namespace for an app's factory functions. Type `Builders.` and Xcode lists every screen by module.
///
/// ```swift
/// extension Builders {
///     enum Characters {
///         @MainActor static func detail(_ id: Character.ID, flow: Flow) -> UIViewController { … }
///     }
/// }
///
/// Builders.Characters.detail(id, flow: flow) |> flow.present
/// ```
///
/// A factory function may read the app's services, clock and locale, so that screens need not. A ``Builder`` gets all of
/// its dependencies from the caller. Use a function where the app is put together. Use a scoped builder where one screen
/// opens another and must not know the dependencies of that screen.
public enum Builders {}
