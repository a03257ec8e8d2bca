public import Foundation

/// The view at the bottom of everything that one scene shows.
///
/// Follows [UIWindow](https://developer.apple.com/documentation/uikit/uiwindow). A window is hidden until
/// ``makeKeyAndVisible()`` or ``isHidden`` makes it visible. The view of its root controller is loaded then, not before.
@MainActor
open class UIWindow: UIView {
    /// Posted when a window becomes visible, with the window as its object:
    /// [didBecomeVisibleNotification](https://developer.apple.com/documentation/uikit/uiwindow/didbecomevisiblenotification).
    public nonisolated static let didBecomeVisibleNotification = Notification.Name(
        "UIWindowDidBecomeVisibleNotification"
    )
    /// Posted when a window becomes hidden, with the window as its object:
    /// [didBecomeHiddenNotification](https://developer.apple.com/documentation/uikit/uiwindow/didbecomehiddennotification).
    public nonisolated static let didBecomeHiddenNotification = Notification.Name("UIWindowDidBecomeHiddenNotification")

    /// The controller whose view fills the window.
    ///
    /// "Assigning a view controller to this property installs the view controller's view as the content view of the
    /// window": [rootViewController](https://developer.apple.com/documentation/uikit/uiwindow/rootviewcontroller). In a
    /// hidden window that happens when the window becomes visible.
    open var rootViewController: UIViewController? {
        didSet {
            guard rootViewController !== oldValue else { return }
            oldValue?.viewIfLoaded?.removeFromSuperview()
            installRoot()
        }
    }

    /// The scene that contains the window.
    ///
    /// Follows [windowScene](https://developer.apple.com/documentation/uikit/uiwindow/windowscene).
    open weak var windowScene: UIWindowScene?

    /// The traits of the device: an iPhone, unless a test sets others.
    ///
    /// Follows [traitOverrides](https://developer.apple.com/documentation/uikit/uiview/traitoverrides).
    open var traitOverrides: any UITraitOverrides = HeadlessTraits() {
        didSet {
            rootViewController?.adaptSplitViews()
            announceTraits(before: UITraitCollection(oldValue), now: UITraitCollection(traitOverrides))
        }
    }

    /// When a presentation or dismissal without animation ends in this window. UIKit promises neither.
    public var headlessTiming = HeadlessTiming.ofNewWindows

    /// Creates a hidden window.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        link.window = self
        super.isHidden = true
    }

    /// Creates a hidden window in a scene.
    ///
    /// Follows [init(windowScene:)](https://developer.apple.com/documentation/uikit/uiwindow/init(windowscene:)).
    public convenience init(windowScene: UIWindowScene) {
        self.init(frame: .zero)
        self.windowScene = windowScene
    }

    /// Always `nil`: there are no nib files here.
    public required init?(coder: NSCoder) { nil }

    /// The window itself.
    open override var window: UIWindow? { self }
    let link = WindowLink()
    override var windowLinkOfSubviews: WindowLink? { link }
    override var isInWindow: Bool { true }

    deinit {
        link.window = nil
    }

    /// Whether the window is invisible, as it is at first.
    open override var isHidden: Bool {
        didSet {
            guard isHidden != oldValue else { return }
            if !isHidden { installRoot() }
            NotificationCenter.default.post(
                name: isHidden ? Self.didBecomeHiddenNotification : Self.didBecomeVisibleNotification,
                object: self
            )
        }
    }

    /// Makes the window visible.
    ///
    /// Follows [makeKeyAndVisible()](https://developer.apple.com/documentation/uikit/uiwindow/makekeyandvisible()).
    open func makeKeyAndVisible() {
        isHidden = false
    }

    private func installRoot() {
        guard !isHidden, let view = rootViewController?.view, view.superview !== self else { return }
        addSubview(view)
    }
}

/// When a presentation or dismissal without animation ends. UIKit's documentation does not say, so an app's tests may run
/// with both:
///
/// ```swift
/// HeadlessTiming.$ofNewWindows.withValue(.later) { journey() }
/// ```
public enum HeadlessTiming: Sendable, CaseIterable {
    /// The timing of windows that the current task creates.
    @TaskLocal public static var ofNewWindows = HeadlessTiming.immediate

    /// Before the call returns.
    case immediate
    /// On a later turn of the main actor.
    case later
}
