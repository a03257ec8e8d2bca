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

    init(_ traits: any UITraitOverrides) {
        userInterfaceIdiom = traits.userInterfaceIdiom
        horizontalSizeClass = traits.horizontalSizeClass
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
