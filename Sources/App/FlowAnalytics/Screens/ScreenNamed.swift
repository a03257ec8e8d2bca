public import UIPlatform

/// A controller that names its screen: the `screen` of its `screen_view`.
@MainActor
public protocol ScreenNamed: UIViewController {
    /// The name. Use the same name for every install: no translated titles, no ids.
    var screenName: String { get }
}

/// A screen that shows one item of many, such as an article or a product.
///
/// Its screen views have the property `item_id`. `ScreenJourneys` keeps it on the device, so that a home screen can continue
/// where the user stopped:
///
/// ```swift
/// final class ArticleViewController: UIViewController, ItemScreen {
///     let itemID: String?
/// }
/// ```
@MainActor
public protocol ItemScreen: UIViewController {
    /// The id of the item that the screen shows when it becomes current; `nil` for none. Use an id of the app's content, not
    /// of a person. An `EventFilter` of the tracker can remove it from what is sent.
    var itemID: String? { get }
}

/// The names of screens.
///
/// The first answer counts: the name that the controller gives as ``ScreenNamed``, the name in the app's mapping, and
/// else the name of the class in snake case without `ViewController`: `UserProfileViewController` is `user_profile`. A
/// hosting controller is named after its root view: `UIHostingController<HomeView>` is `home`. A class whose name says
/// nothing has the name of its namespace: `Home.ViewController` is `home`. Containers have no names.
public struct ScreenNaming: Sendable {
    let mapping: @MainActor (UIViewController) -> String?

    /// Names controllers that do not name themselves.
    ///
    /// - Parameter mapping: returns the screen's name, or `nil` to use the name of the class.
    public init(_ mapping: @escaping @MainActor (UIViewController) -> String?) {
        self.mapping = mapping
    }

    /// No mapping: the names that controllers give themselves, and the names of classes.
    public static let automatic = ScreenNaming { _ in nil }

    /// The name of a class in snake case, without generic arguments and without `ViewController`, `Controller` or `VC` at
    /// its end. For a hosting controller, the name of its root view without `View` or `Screen`.
    static func fallback(forType type: String) -> String {
        if let root = HostedView.root(ofHost: type) {
            return name(HostedView.lastName(of: root), without: ["View", "Screen"])
        }
        let suffixes = ["ViewController", "Controller", "VC"]
        return name(HostedView.lastName(of: type.prefix { $0 != "<" }), without: suffixes)
    }

    private static func name(_ type: String, without suffixes: [String]) -> String {
        let suffix = suffixes.first { type.hasSuffix($0) && type.count > $0.count } ?? ""
        return snakeCase(Array(type.dropLast(suffix.count)))
    }

    private static func snakeCase(_ characters: [Character]) -> String {
        var result = ""
        for (index, character) in characters.enumerated() {
            if index > 0, character.isUppercase {
                let endsAcronym = index + 1 < characters.count && characters[index + 1].isLowercase
                if !characters[index - 1].isUppercase || endsAcronym, result.last != "_" { result.append("_") }
            }
            result += character.lowercased()
        }
        return result
    }
}
