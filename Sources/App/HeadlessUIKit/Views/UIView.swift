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
    open var subviews: [UIView] { contained }
    // Private, as in UIViewController, and taken out to be changed: so no access can overlap with another, and the compiler
    // leaves out the run-time checks for that.
    private var contained: [UIView] = []
    /// The view that contains this one.
    public var superview: UIView? { superviewLink?.view }
    private var superviewLink: ViewLink?
    /// The link that a view on this one has, from the first such view on.
    private var ownLink: ViewLink?
    /// The link to the controller whose view this is.
    var ownerLink: ControllerLink?
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

    deinit {
        ownLink?.view = nil
    }

    /// The window that contains the view, or `nil`.
    ///
    /// Follows [window](https://developer.apple.com/documentation/uikit/uiview/window).
    open var window: UIWindow? { windowLink?.window }
    // Asked for far more often than it changes, so each view keeps it.
    private var windowLink: WindowLink?
    /// Whether a window contains the view. Faster than asking for the window, to which references are counted slowly.
    var isInWindow: Bool { windowLink != nil }
    /// The link that a view on this one gets.
    var windowLinkOfSubviews: WindowLink? { windowLink }

    /// Adds a view on top of the others. The view leaves its previous superview first.
    ///
    /// Follows [addSubview(_:)](https://developer.apple.com/documentation/uikit/uiview/addsubview(_:)).
    open func addSubview(_ view: UIView) {
        insert(view, at: nil)
    }

    /// Inserts a view among the others, the first one beneath all of them.
    ///
    /// Follows [insertSubview(_:at:)](https://developer.apple.com/documentation/uikit/uiview/insertsubview(_:at:)).
    open func insertSubview(_ view: UIView, at index: Int) {
        insert(view, at: index)
    }

    private func insert(_ view: UIView, at index: Int?) {
        let link = windowLinkOfSubviews
        let changesWindow = view.windowLink !== link
        if changesWindow { view.announceMove(to: link?.window) }
        view.superview?.remove(view)
        var views = contained
        contained = []
        views.insert(view, at: min(index ?? views.count, views.count))
        contained = views
        view.superviewLink = linkOfSubviews()
        if changesWindow { view.finishMove(to: link) }
    }

    /// Removes the view from its superview.
    ///
    /// Follows [removeFromSuperview()](https://developer.apple.com/documentation/uikit/uiview/removefromsuperview()).
    open func removeFromSuperview() {
        guard let superview else { return }
        let leavesWindow = windowLink != nil
        if leavesWindow { announceMove(to: nil) }
        superview.remove(self)
        superviewLink = nil
        if leavesWindow { finishMove(to: nil) }
    }

    /// Lays out what is on the view, if it has to be. There is no layout here, so nothing happens; a subclass may hear of it.
    ///
    /// Follows [layoutIfNeeded()](https://developer.apple.com/documentation/uikit/uiview/layoutifneeded()).
    open func layoutIfNeeded() {}

    private func linkOfSubviews() -> ViewLink {
        if let ownLink { return ownLink }
        let made = ViewLink(self)
        ownLink = made
        return made
    }

    private func remove(_ view: UIView) {
        var views = contained
        contained = []
        if let index = views.lastIndex(where: { $0 === view }) { views.remove(at: index) }
        contained = views
    }

    /// Called before the view's window changes. Does nothing by itself.
    ///
    /// Follows [willMove(toWindow:)](https://developer.apple.com/documentation/uikit/uiview/willmove(towindow:)).
    open func willMove(toWindow newWindow: UIWindow?) {}

    /// Called after the view's window has changed. Does nothing by itself.
    ///
    /// Follows [didMoveToWindow()](https://developer.apple.com/documentation/uikit/uiview/didmovetowindow()).
    open func didMoveToWindow() {}

    var ownTintAdjustmentMode = TintAdjustmentMode.automatic

    /// Called when the color of the view's tint has changed, as when UIKit dims it. Does nothing by itself.
    ///
    /// Follows [tintColorDidChange()](https://developer.apple.com/documentation/uikit/uiview/tintcolordidchange()).
    open func tintColorDidChange() {}

    private var traitHandlers: [TraitHandler] = []

    /// Watches some traits of the view's window. After each change of one of them, the handler is called with the view and its
    /// traits before the change.
    ///
    /// Follows [registerForTraitChanges(_:handler:)](https://developer.apple.com/documentation/uikit/uitraitchangeobservable-67e94/registerfortraitchanges(_:handler:)).
    @discardableResult
    public func registerForTraitChanges<TraitEnvironment: UIView>(
        _ traits: [UITrait],
        handler: @escaping (TraitEnvironment, UITraitCollection) -> Void
    ) -> any UITraitChangeRegistration {
        let registration = TraitHandler(traits) { view, before in
            if let view = view as? TraitEnvironment { handler(view, before) }
        }
        traitHandlers.append(registration)
        return registration
    }

    func announceTraits(before: UITraitCollection, now: UITraitCollection) {
        for handler in traitHandlers where handler.isCalled(before, now) { handler.body(self, before) }
        for view in contained { view.announceTraits(before: before, now: now) }
    }

    /// The subviews that inherit the mode hear of the change, too.
    func announceTint() {
        tintColorDidChange()
        for index in contained.indices where contained[index].ownTintAdjustmentMode == .automatic {
            contained[index].announceTint()
        }
    }

    private func announceMove(to newWindow: UIWindow?) {
        willMove(toWindow: newWindow)
        for view in contained { view.announceMove(to: newWindow) }
    }

    private func finishMove(to link: WindowLink?) {
        setWindow(link)
        hearMove()
    }

    private func setWindow(_ link: WindowLink?) {
        windowLink = link
        // By index, since a view as a variable counts a reference. Nothing of the app runs meanwhile.
        for index in contained.indices { contained[index].setWindow(link) }
    }

    private func hearMove() {
        // A view that is added or removed by what hears of the move has heard of its own.
        let moved = contained
        ownerLink?.controller?.viewMovedToWindow()
        didMoveToWindow()
        for view in moved where view.windowLink === windowLink { view.hearMove() }
    }
}

/// Leads from a view to its superview, for the same reason as ``ControllerLink``.
// Unchecked: the superview clears it when it is freed, and a view reads it on the main actor.
final class ViewLink: @unchecked Sendable {
    // Unsafe, and never read after the superview is freed: its deinit clears it.
    unowned(unsafe) var view: UIView?

    init(_ view: UIView) {
        self.view = view
    }
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
