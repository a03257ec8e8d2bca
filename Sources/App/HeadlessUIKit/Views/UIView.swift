public import Foundation

/// A rectangle on the screen that contains other views.
///
/// Nothing is drawn or laid out. A view knows its window and hears when that changes.
///
/// Follows [UIView](https://developer.apple.com/documentation/uikit/uiview).
@MainActor
open class UIView: NSObject {
    /// How a view follows a change of its superview's size. The value has no effect: there is no layout here.
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

    /// The rectangle in the superview's coordinates.
    open var frame: CGRect
    /// The rectangle in the view's own coordinates: ``frame`` moved to the origin, since nothing scrolls here.
    open var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }
    /// How the view follows its superview.
    open var autoresizingMask: AutoresizingMask = []
    /// Whether the view is invisible. A hidden view keeps its window.
    ///
    /// Follows [isHidden](https://developer.apple.com/documentation/uikit/uiview/ishidden).
    open var isHidden = false
    /// Whether touches reach the view.
    ///
    /// Follows [isUserInteractionEnabled](https://developer.apple.com/documentation/uikit/uiview/isuserinteractionenabled).
    open var isUserInteractionEnabled = true
    /// The views on this one, the topmost last.
    open private(set) var subviews: [UIView] = []
    /// The view that contains this one.
    public private(set) weak var superview: UIView?
    /// The link to the controller whose view this is.
    var ownerLink: OwnerLink?
    /// The controller whose view this is, else the superview.
    ///
    /// Follows [next](https://developer.apple.com/documentation/uikit/uiresponder/next): "UIView implements this method
    /// and returns the UIViewController object that manages it (if it has one) or its superview (if it doesn't)".
    open var next: NSObject? { ownerLink?.controller ?? superview }

    /// Creates a view.
    public init(frame: CGRect) {
        self.frame = frame
        super.init()
    }

    /// Always `nil`: there are no nib files here.
    public required init?(coder: NSCoder) { nil }

    /// Creates a view with no size.
    public convenience override init() {
        self.init(frame: .zero)
    }

    /// The window that contains the view, or `nil`.
    ///
    /// Follows [window](https://developer.apple.com/documentation/uikit/uiview/window).
    open var window: UIWindow? { superview?.window }

    /// Adds a view on top of the others. The view leaves its previous superview first.
    ///
    /// Follows [addSubview(_:)](https://developer.apple.com/documentation/uikit/uiview/addsubview(_:)).
    open func addSubview(_ view: UIView) {
        let oldWindow = view.window
        let newWindow = window
        let changesWindow = oldWindow !== newWindow
        if changesWindow { view.announceMove(to: newWindow) }
        view.superview?.subviews.removeAll { $0 === view }
        subviews.append(view)
        view.superview = self
        if changesWindow { view.finishMove() }
    }

    /// Removes the view from its superview.
    ///
    /// Follows [removeFromSuperview()](https://developer.apple.com/documentation/uikit/uiview/removefromsuperview()).
    open func removeFromSuperview() {
        guard let superview else { return }
        let leavesWindow = window != nil
        if leavesWindow { announceMove(to: nil) }
        superview.subviews.removeAll { $0 === self }
        self.superview = nil
        if leavesWindow { finishMove() }
    }

    /// Called before the view's window changes. Does nothing by itself.
    ///
    /// Follows [willMove(toWindow:)](https://developer.apple.com/documentation/uikit/uiview/willmove(towindow:)).
    open func willMove(toWindow newWindow: UIWindow?) {}

    /// Called after the view's window has changed. Does nothing by itself.
    ///
    /// Follows [didMoveToWindow()](https://developer.apple.com/documentation/uikit/uiview/didmovetowindow()).
    open func didMoveToWindow() {}

    private func announceMove(to newWindow: UIWindow?) {
        willMove(toWindow: newWindow)
        for view in subviews { view.announceMove(to: newWindow) }
    }

    private func finishMove() {
        ownerLink?.controller?.viewMovedToWindow()
        didMoveToWindow()
        for view in subviews { view.finishMove() }
    }
}

/// Leads from a view to its controller, without a weak reference: that would make all reference counting of the controller
/// several times slower.
// Unchecked: the controller clears it when it is freed, and a view reads it on the main actor. Nothing frees a controller
// on another thread while its view is in use.
final class OwnerLink: @unchecked Sendable {
    // Unsafe, and never read after the controller is freed: its deinit clears it.
    unowned(unsafe) var controller: UIViewController?
}

/// A view with a visual effect. Its content is in ``contentView``: "Do not add subviews directly to the
/// UIVisualEffectView".
///
/// Follows [UIVisualEffectView](https://developer.apple.com/documentation/uikit/uivisualeffectview).
@MainActor
open class UIVisualEffectView: UIView {
    /// The view for the content.
    ///
    /// Follows [contentView](https://developer.apple.com/documentation/uikit/uivisualeffectview/contentview).
    public let contentView = UIView(frame: .zero)

    /// Creates a view without an effect.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        super.addSubview(contentView)
    }

    /// Always `nil`: there are no nib files here.
    public required init?(coder: NSCoder) { nil }

    /// Stops the program: UIKit raises for a subview that is not in ``contentView``.
    open override func addSubview(_ view: UIView) {
        preconditionFailure("\(view) has been added as a subview to \(self). Use its contentView instead.")
    }
}
