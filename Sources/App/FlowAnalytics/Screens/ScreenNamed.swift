public import UIPlatform

/// A controller that knows the name of its screen: the `screen` of its `screen_view`.
@MainActor
public protocol ScreenNamed: UIViewController {
    /// The name, the same for every install: no titles that are translated, no ids.
    var screenName: String { get }
}

/// Where the names of screens come from.
///
/// The first answer counts: what the controller says as ``ScreenNamed``, what the app's mapping says, and else the name
/// of the type in snake case without its `ViewController`: `UserProfileViewController` is `user_profile`. A container
/// is never asked.
public struct ScreenNaming: Sendable {
    let mapping: @MainActor (UIViewController) -> String?

    /// Names for controllers that cannot say their own.
    ///
    /// - Parameter mapping: the screen's name, or `nil` where the type's name will do.
    public init(_ mapping: @escaping @MainActor (UIViewController) -> String?) {
        self.mapping = mapping
    }

    /// No mapping: screens that name themselves, and the names of types.
    public static let automatic = ScreenNaming { _ in nil }

    /// What is left where nobody has said a name: the type's name in snake case, without generic arguments and without
    /// `ViewController`, `Controller` or `VC` at its end.
    static func fallback(forType type: String) -> String {
        let plain = type.prefix { $0 != "<" }
        let suffixes = ["ViewController", "Controller", "VC"]
        let suffix = suffixes.first { plain.hasSuffix($0) && plain.count > $0.count } ?? ""
        return snakeCase(Array(plain.dropLast(suffix.count)))
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
