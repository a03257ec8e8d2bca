/// The bottom of everything that is on screen.
///
/// Follows [UIWindow](https://developer.apple.com/documentation/uikit/uiwindow). A window here is on screen from the
/// beginning: there is no scene to wait for.
@MainActor
open class UIWindow: UIView {
    /// The controller whose view fills the window.
    ///
    /// "Assigning a view controller to this property installs the view controller's view as the content view of the
    /// window": [rootViewController](https://developer.apple.com/documentation/uikit/uiwindow/rootviewcontroller).
    open var rootViewController: UIViewController? {
        didSet {
            guard rootViewController !== oldValue else { return }
            oldValue?.viewIfLoaded?.removeFromSuperview()
            if let view = rootViewController?.view { addSubview(view) }
        }
    }

    /// What the window says of the device: an iPhone, unless it is told otherwise.
    ///
    /// Follows [traitOverrides](https://developer.apple.com/documentation/uikit/uiview/traitoverrides).
    open var traitOverrides: any UITraitOverrides = HeadlessTraits()

    /// The window itself.
    open override var window: UIWindow? { self }
}

/// What kind of device an interface is made for.
///
/// Follows [UIUserInterfaceIdiom](https://developer.apple.com/documentation/uikit/uiuserinterfaceidiom).
public enum UIUserInterfaceIdiom: Int, Sendable {
    /// Nobody has said.
    case unspecified = -1
    /// An iPhone.
    case phone = 0
    /// An iPad.
    case pad = 1
}

/// What a window says of the device, in place of what the device says.
///
/// Follows [UITraitOverrides](https://developer.apple.com/documentation/uikit/uitraitoverrides-1s5cb).
@MainActor
public protocol UITraitOverrides {
    /// The kind of device.
    var userInterfaceIdiom: UIUserInterfaceIdiom { get set }
}

struct HeadlessTraits: UITraitOverrides {
    var userInterfaceIdiom = UIUserInterfaceIdiom.phone
}
