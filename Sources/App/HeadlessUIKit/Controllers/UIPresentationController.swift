public import Foundation

/// Manages one presentation from its beginning until its dismissal.
///
/// Follows [UIPresentationController](https://developer.apple.com/documentation/uikit/uipresentationcontroller).
@MainActor
open class UIPresentationController: NSObject {
    // Unowned, unlike in UIKit, where a tree that is released while it presents something is a known leak.
    /// The controller that is presented.
    public unowned let presentedViewController: UIViewController
    var presenting: UIViewController? {
        get { presentingLink?.controller }
        set { presentingLink = newValue?.link }
    }
    private var presentingLink: ControllerLink?
    /// The object that hears what the user does to the presentation.
    ///
    /// Follows [delegate](https://developer.apple.com/documentation/uikit/uipresentationcontroller/delegate).
    public var delegate: (any UIAdaptivePresentationControllerDelegate)? {
        get { listener }
        set { listener = newValue }
    }
    // Private storage, for the same reason as in UIViewController.
    private weak var listener: (any UIAdaptivePresentationControllerDelegate)?

    /// The view in which the presentation takes place, from its beginning until the dismissal has ended; `nil` before and
    /// after. The presented view is in it.
    ///
    /// It is made when it is first asked for, which only a look at the superview of the presented view can tell.
    ///
    /// Follows [containerView](https://developer.apple.com/documentation/uikit/uipresentationcontroller/containerview).
    open var containerView: UIView? {
        if let container { return container }
        guard presenting != nil, let view = presentedViewController.viewIfLoaded, let window = view.window else {
            return nil
        }
        let made = UIView(frame: window.bounds)
        window.addSubview(made)
        made.addSubview(view)
        container = made
        return made
    }
    private(set) var container: UIView?

    /// The dismissal has ended.
    func removeContainer() {
        container?.removeFromSuperview()
        container = nil
    }

    /// Creates a presentation controller; a view controller makes its own.
    public init(presentedViewController: UIViewController, presenting presentingViewController: UIViewController?) {
        self.presentedViewController = presentedViewController
        presentingLink = presentingViewController?.link
        super.init()
    }

    /// The controller that presents; the presented one itself before the presentation has begun.
    open var presentingViewController: UIViewController { presenting ?? presentedViewController }
}

/// Hears what the user does to a presentation. Nothing is called for a dismissal that the app asks for.
///
/// Follows [UIAdaptivePresentationControllerDelegate](https://developer.apple.com/documentation/uikit/uiadaptivepresentationcontrollerdelegate).
/// Every method may be left out, as in UIKit.
@MainActor
public protocol UIAdaptivePresentationControllerDelegate: NSObjectProtocol {
    /// Whether the user may dismiss.
    func presentationControllerShouldDismiss(_ presentationController: UIPresentationController) -> Bool
    /// The user began to dismiss, and may still cancel.
    func presentationControllerWillDismiss(_ presentationController: UIPresentationController)
    /// The user has dismissed.
    func presentationControllerDidDismiss(_ presentationController: UIPresentationController)
    /// The user tried to dismiss where it was not allowed.
    func presentationControllerDidAttemptToDismiss(_ presentationController: UIPresentationController)
}

extension UIAdaptivePresentationControllerDelegate {
    /// Allows it.
    public func presentationControllerShouldDismiss(_ presentationController: UIPresentationController) -> Bool { true }
    /// Does nothing.
    public func presentationControllerWillDismiss(_ presentationController: UIPresentationController) {}
    /// Does nothing.
    public func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {}
    /// Does nothing.
    public func presentationControllerDidAttemptToDismiss(_ presentationController: UIPresentationController) {}
}
