public import Foundation

/// What kind of device an interface is made for.
///
/// Follows [UIUserInterfaceIdiom](https://developer.apple.com/documentation/uikit/uiuserinterfaceidiom).
public enum UIUserInterfaceIdiom: Int, Sendable {
    /// Not known.
    case unspecified = -1
    /// An iPhone.
    case phone = 0
    /// An iPad.
    case pad = 1
}

/// The traits of a window, in place of the device's.
///
/// Follows [UITraitOverrides](https://developer.apple.com/documentation/uikit/uitraitoverrides-1s5cb).
@MainActor
public protocol UITraitOverrides {
    /// The kind of device.
    var userInterfaceIdiom: UIUserInterfaceIdiom { get set }
    /// How much room there is from left to right: split views collapse where it is compact.
    var horizontalSizeClass: UIUserInterfaceSizeClass { get set }
    /// How much room there is from top to bottom.
    var verticalSizeClass: UIUserInterfaceSizeClass { get set }
}

/// How much room an interface has in one direction.
///
/// Follows [UIUserInterfaceSizeClass](https://developer.apple.com/documentation/uikit/uiuserinterfacesizeclass).
public enum UIUserInterfaceSizeClass: Int, Sendable {
    /// Not known: here, as regular.
    case unspecified = 0
    /// Little room, as on an iPhone held upright and in a narrow iPad window.
    case compact = 1
    /// Much room.
    case regular = 2
}

struct HeadlessTraits: UITraitOverrides {
    var userInterfaceIdiom = UIUserInterfaceIdiom.phone
    var horizontalSizeClass = UIUserInterfaceSizeClass.unspecified
    var verticalSizeClass = UIUserInterfaceSizeClass.unspecified
}

/// A trait to watch, such as `UITraitHorizontalSizeClass.self`.
///
/// Follows [UITrait](https://developer.apple.com/documentation/uikit/uitrait-9423).
public typealias UITrait = any UITraitDefinition.Type

/// A type that names a trait.
///
/// Follows [UITraitDefinition](https://developer.apple.com/documentation/uikit/uitraitdefinition-64c15).
public protocol UITraitDefinition {}

/// The trait ``UITraitCollection/horizontalSizeClass``.
///
/// Follows [UITraitHorizontalSizeClass](https://developer.apple.com/documentation/uikit/uitraithorizontalsizeclass-swift.struct).
public struct UITraitHorizontalSizeClass: UITraitDefinition {}

/// The trait ``UITraitCollection/verticalSizeClass``.
///
/// Follows [UITraitVerticalSizeClass](https://developer.apple.com/documentation/uikit/uitraitverticalsizeclass-swift.struct).
public struct UITraitVerticalSizeClass: UITraitDefinition {}

/// A handler that ``UIView/registerForTraitChanges(_:handler:)`` has registered.
///
/// Follows [UITraitChangeRegistration](https://developer.apple.com/documentation/uikit/uitraitchangeregistration).
public protocol UITraitChangeRegistration: AnyObject {}

/// What to call when one of some traits has changed.
@MainActor
final class TraitHandler: UITraitChangeRegistration {
    private let traits: [UITrait]
    /// Takes the view and its traits before the change.
    let body: (UIView, UITraitCollection) -> Void

    init(_ traits: [UITrait], body: @escaping (UIView, UITraitCollection) -> Void) {
        self.traits = traits
        self.body = body
    }

    /// Whether one of the traits differs.
    func isCalled(_ before: UITraitCollection, _ now: UITraitCollection) -> Bool {
        traits.contains { trait in
            switch trait {
            case is UITraitHorizontalSizeClass.Type: before.horizontalSizeClass != now.horizontalSizeClass
            case is UITraitVerticalSizeClass.Type: before.verticalSizeClass != now.verticalSizeClass
            default: false
            }
        }
    }
}

/// The traits that a view had.
///
/// Follows [UITraitCollection](https://developer.apple.com/documentation/uikit/uitraitcollection).
@MainActor
open class UITraitCollection: NSObject {
    /// The kind of device.
    public let userInterfaceIdiom: UIUserInterfaceIdiom
    /// How much room there is from left to right.
    public let horizontalSizeClass: UIUserInterfaceSizeClass
    /// How much room there is from top to bottom.
    public let verticalSizeClass: UIUserInterfaceSizeClass

    init(_ traits: any UITraitOverrides) {
        userInterfaceIdiom = traits.userInterfaceIdiom
        horizontalSizeClass = traits.horizontalSizeClass
        verticalSizeClass = traits.verticalSizeClass
        super.init()
    }
}

extension UIViewController {
    /// The window has more or less room now.
    func adaptSplitViews() {
        (self as? UISplitViewController)?.adapt()
        for child in children { child.adaptSplitViews() }
        ownPresented?.adaptSplitViews()
    }
}
