public import Foundation

/// What shows one screen, or contains those that do.
///
/// Follows [UIViewController](https://developer.apple.com/documentation/uikit/uiviewcontroller): containment,
/// presentation and the transition between two of them. Views appear nowhere, so the appearance callbacks are missing.
@MainActor
open class UIViewController: NSObject {
    /// The controller that contains this one.
    ///
    /// Follows [parent](https://developer.apple.com/documentation/uikit/uiviewcontroller/parent).
    public var parent: UIViewController? { container }
    // Stored out of sight, here and for the view: the compiler then knows everyone who touches it, and leaves out the
    // checks for overlapping access that would cost more than all else that is asked on the way to a screen.
    private weak var container: UIViewController?
    /// The controllers that this one contains.
    ///
    /// Follows [children](https://developer.apple.com/documentation/uikit/uiviewcontroller/children).
    open private(set) var children: [UIViewController] = []
    /// What the controller shows, in words for people.
    ///
    /// Follows [title](https://developer.apple.com/documentation/uikit/uiviewcontroller/title).
    open var title: String?
    /// The view, where something has asked for it already.
    ///
    /// Follows [viewIfLoaded](https://developer.apple.com/documentation/uikit/uiviewcontroller/viewifloaded).
    open var viewIfLoaded: UIView? { loadedView }
    private var loadedView: UIView?

    /// The controller that this very one presents; ``presentedViewController`` also asks the ancestors.
    var ownPresented: UIViewController?
    /// The controller that presents this very one; ``presentingViewController`` also asks the ancestors.
    weak var ownPresenter: UIViewController?
    /// The presentation controller of this very one, from its first use to the end of the presentation.
    var ownPresentationController: UIPresentationController?
    /// The presentation or dismissal that this controller is in the middle of, on either side.
    var presentationTransition: HeadlessTransition?
    /// The transition that this very controller is in the middle of.
    var ownTransition: HeadlessTransition? { presentationTransition }

    /// Whether this controller's presentation has begun and not ended.
    ///
    /// Follows [isBeingPresented](https://developer.apple.com/documentation/uikit/uiviewcontroller/isbeingpresented).
    open internal(set) var isBeingPresented = false
    /// Whether this controller's dismissal has begun and neither ended nor been cancelled.
    ///
    /// Follows [isBeingDismissed](https://developer.apple.com/documentation/uikit/uiviewcontroller/isbeingdismissed).
    open internal(set) var isBeingDismissed = false

    /// Creates a controller; there are no nib files here, so both are ignored.
    ///
    /// Follows [init(nibName:bundle:)](https://developer.apple.com/documentation/uikit/uiviewcontroller/init(nibname:bundle:)).
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init()
    }

    /// Always `nil`: there are no storyboards here.
    public required init?(coder: NSCoder) {
        nil
    }

    /// Creates a controller without a nib file.
    public convenience override init() {
        self.init(nibName: nil, bundle: nil)
    }

    // UIKit declares the view as `UIView!`, and code written against it relies on that.
    /// The view, made when it is first asked for.
    ///
    /// Follows [view](https://developer.apple.com/documentation/uikit/uiviewcontroller/view).
    open var view: UIView! {
        get {
            let view = loadedView ?? UIView(frame: .zero)
            loadedView = view
            return view
        }
        set { loadedView = newValue }
    }

    /// Makes what manages the next presentation of this very controller.
    func makePresentationController() -> UIPresentationController {
        UIPresentationController(presentedViewController: self, presenting: nil)
    }

    /// Stops the program where UIKit raises when the controller is about to be presented.
    func checkPresentation(in window: UIWindow?) {}

    /// Contains a controller, which leaves the one that contained it before.
    ///
    /// Calls the child's ``willMove(toParent:)``; ``didMove(toParent:)`` is the container's to call.
    /// Follows [addChild(_:)](https://developer.apple.com/documentation/uikit/uiviewcontroller/addchild(_:)).
    open func addChild(_ childController: UIViewController) {
        childController.willMove(toParent: self)
        childController.parent?.children.removeAll { $0 === childController }
        children.append(childController)
        childController.container = self
    }

    /// Leaves the container, and calls ``didMove(toParent:)`` with `nil`.
    ///
    /// Follows [removeFromParent()](https://developer.apple.com/documentation/uikit/uiviewcontroller/removefromparent()).
    open func removeFromParent() {
        guard let parent else { return }
        parent.children.removeAll { $0 === self }
        container = nil
        didMove(toParent: nil)
    }

    /// Called before the controller moves into a container or, with `nil`, out of one. Does nothing by itself.
    ///
    /// Follows [willMove(toParent:)](https://developer.apple.com/documentation/uikit/uiviewcontroller/willmove(toparent:)).
    open func willMove(toParent parent: UIViewController?) {}

    /// Called after the controller moved into a container or, with `nil`, out of one. Does nothing by itself.
    ///
    /// Follows [didMove(toParent:)](https://developer.apple.com/documentation/uikit/uiviewcontroller/didmove(toparent:)).
    open func didMove(toParent parent: UIViewController?) {}

    /// Presents a controller modally.
    ///
    /// - The farthest ancestor presents, as UIKit has it for every presentation that covers the screen.
    /// - ``presentedViewController`` tells of it at once. An animated presentation ends on a later turn of the main
    ///   actor, one that is not animated before this returns; the completion is called when it has ended.
    /// - Presenting while presenting is refused: nothing happens and the completion is never called.
    /// - What is contained or presented elsewhere, or is an ancestor of the presenter, stops the program. UIKit raises
    ///   there, and an app that does it cannot be shipped.
    ///
    /// Follows [present(_:animated:completion:)](https://developer.apple.com/documentation/uikit/uiviewcontroller/present(_:animated:completion:)).
    open func present(
        _ viewControllerToPresent: UIViewController,
        animated flag: Bool,
        completion: (() -> Void)? = nil
    ) {
        farthestAncestor.beginPresentation(of: viewControllerToPresent, animated: flag, completion: completion)
    }

    /// Dismisses what this controller presents, with all that is presented on top of it; where it presents nothing,
    /// asks the controller that presents it to dismiss it.
    ///
    /// Presented stays presented until the dismissal has ended: on a later turn of the main actor where it is animated,
    /// before this returns where it is not. The completion is called then. With nothing to dismiss, or in the middle of
    /// a presentation or dismissal, nothing happens and the completion is never called.
    ///
    /// Follows [dismiss(animated:completion:)](https://developer.apple.com/documentation/uikit/uiviewcontroller/dismiss(animated:completion:)).
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        let presenter = presentedViewController?.ownPresenter ?? presentingViewController
        presenter?.beginDismissal(isInteractive: false, completion: completion)?.run(animated: flag)
    }
}
