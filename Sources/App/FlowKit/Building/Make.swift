/// The namespace of an app's factory functions: type `Make` and a dot, and every screen is there, by module.
///
/// ```swift
/// extension Make {
///     enum Characters {
///         @MainActor static func detail(_ id: Character.ID, flow: Flow) -> UIViewController { … }
///     }
/// }
///
/// Make.Characters.detail(id, flow: flow) |> flow.present
/// ```
///
/// The name is a verb because it reads as one where it is used, and because the nouns are taken: ``Builder`` is the
/// protocol of what is injected, ``Screen`` is a screen that is not made yet.
///
/// A function here may read the app's world (its services, its clock, its locale), so that screens need not: that is
/// the difference to a ``Builder``, which is given what it may know. Use the function where an app is put together, and
/// a scoped builder where a screen makes another one and must not learn what that one needs.
public enum Make {}
