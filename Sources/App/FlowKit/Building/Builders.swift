/// The namespace for an app's factory functions: type `Builders.` and Xcode lists every screen, by module.
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
/// A function here may read the app's world (its services, its clock, its locale), so that screens need not: that is
/// the difference to a ``Builder``, which is given what it may know. Use the function where an app is put together, and
/// a scoped builder where a screen makes another one and must not learn what that one needs.
public enum Builders {}
