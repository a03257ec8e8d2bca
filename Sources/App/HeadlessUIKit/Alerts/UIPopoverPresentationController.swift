public import Foundation

/// What manages a popover: it has to know where its arrow points.
///
/// Follows [UIPopoverPresentationController](https://developer.apple.com/documentation/uikit/uipopoverpresentationcontroller).
@MainActor
open class UIPopoverPresentationController: UIPresentationController {
    /// The view that the popover is anchored to.
    ///
    /// Follows [sourceView](https://developer.apple.com/documentation/uikit/uipopoverpresentationcontroller/sourceview).
    open var sourceView: UIView?
    /// The rectangle in ``sourceView`` that the arrow points at.
    ///
    /// Follows [sourceRect](https://developer.apple.com/documentation/uikit/uipopoverpresentationcontroller/sourcerect).
    open var sourceRect = CGRect.null
    /// The item that the popover is anchored to.
    ///
    /// Follows [sourceItem](https://developer.apple.com/documentation/uikit/uipopoverpresentationcontroller/sourceitem).
    open var sourceItem: (any UIPopoverPresentationControllerSourceItem)?
    /// The directions in which the arrow may point; none for a popover without an arrow.
    ///
    /// Follows [permittedArrowDirections](https://developer.apple.com/documentation/uikit/uipopoverpresentationcontroller/permittedarrowdirections).
    open var permittedArrowDirections: UIPopoverArrowDirection = .any
}

/// What a popover can be anchored to.
///
/// Follows [UIPopoverPresentationControllerSourceItem](https://developer.apple.com/documentation/uikit/uipopoverpresentationcontrollersourceitem).
@MainActor
public protocol UIPopoverPresentationControllerSourceItem: NSObjectProtocol {}

extension UIView: UIPopoverPresentationControllerSourceItem {}

/// The directions in which a popover's arrow points, with UIKit's values.
///
/// Follows [UIPopoverArrowDirection](https://developer.apple.com/documentation/uikit/uipopoverarrowdirection).
public struct UIPopoverArrowDirection: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Creates directions from their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Up.
    public static let up = UIPopoverArrowDirection(rawValue: 1 << 0)
    /// Down.
    public static let down = UIPopoverArrowDirection(rawValue: 1 << 1)
    /// Left.
    public static let left = UIPopoverArrowDirection(rawValue: 1 << 2)
    /// Right.
    public static let right = UIPopoverArrowDirection(rawValue: 1 << 3)
    /// Any of the four.
    public static let any: UIPopoverArrowDirection = [.up, .down, .left, .right]
}
