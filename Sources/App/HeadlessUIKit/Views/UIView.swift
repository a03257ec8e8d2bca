public import Foundation

/// A rectangle on the screen, as far as a container needs one: it has a place and it holds other views.
///
/// Nothing is ever drawn or laid out.
///
/// Follows [UIView](https://developer.apple.com/documentation/uikit/uiview).
@MainActor
open class UIView: NSObject {
    /// How a view follows its superview when that changes its size. Kept, never acted on: there is no layout here.
    ///
    /// Follows [UIView.AutoresizingMask](https://developer.apple.com/documentation/uikit/uiview/autoresizingmask-swift.struct).
    public struct AutoresizingMask: OptionSet, Sendable {
        /// The bits, with UIKit's values.
        public let rawValue: UInt
        /// Creates a mask from its bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// The width follows.
        public static let flexibleWidth = AutoresizingMask(rawValue: 1 << 1)
        /// The height follows.
        public static let flexibleHeight = AutoresizingMask(rawValue: 1 << 4)
    }

    /// The place in the superview's coordinates.
    open var frame: CGRect
    /// The place in the view's own coordinates: ``frame`` at the origin, for nothing here is ever scrolled.
    open var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }
    /// How the view follows its superview.
    open var autoresizingMask: AutoresizingMask = []
    /// The views on this one, the topmost last.
    open private(set) var subviews: [UIView] = []
    /// The view that this one is on.
    public private(set) weak var superview: UIView?

    /// Creates a view with a place.
    public init(frame: CGRect) {
        self.frame = frame
        super.init()
    }

    /// Creates a view with no size.
    public convenience override init() {
        self.init(frame: .zero)
    }

    /// The window that the view is in, `nil` where it is in none.
    ///
    /// Follows [window](https://developer.apple.com/documentation/uikit/uiview/window).
    open var window: UIWindow? { superview?.window }

    /// Puts a view on top of the others; a view that is on another one leaves it first.
    ///
    /// Follows [addSubview(_:)](https://developer.apple.com/documentation/uikit/uiview/addsubview(_:)).
    open func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        subviews.append(view)
        view.superview = self
    }

    /// Takes the view off the one that it is on.
    ///
    /// Follows [removeFromSuperview()](https://developer.apple.com/documentation/uikit/uiview/removefromsuperview()).
    open func removeFromSuperview() {
        superview?.subviews.removeAll { $0 === self }
        superview = nil
    }
}
