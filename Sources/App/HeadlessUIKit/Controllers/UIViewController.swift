public import Foundation

/// Shows one screen, or contains controllers that do.
///
/// Follows [UIViewController](https://developer.apple.com/documentation/uikit/uiviewcontroller): containment,
/// presentation, and the appearance of views. Nothing is drawn or laid out.
@MainActor
open class UIViewController: NSObject {
    /// The controller that contains this one.
    ///
    /// Follows [parent](https://developer.apple.com/documentation/uikit/uiviewcontroller/parent).
    public var parent: UIViewController? { containerLink?.controller }
    // Private storage, here and for the view: the compiler then sees every access and leaves out the run-time checks for
    // overlapping access, which would cost more than everything else on the way to a screen.
    private var containerLink: ControllerLink?
    /// The controllers that this one contains.
    ///
    /// Follows [children](https://developer.apple.com/documentation/uikit/uiviewcontroller/children).
    public var children: [UIViewController] { contained }
    private var contained: [UIViewController] = []
    /// The title of the screen.
    ///
    /// Follows [title](https://developer.apple.com/documentation/uikit/uiviewcontroller/title).
    open var title: String?
    /// The view, if it is loaded.
    ///
    /// Follows [viewIfLoaded](https://developer.apple.com/documentation/uikit/uiviewcontroller/viewifloaded).
    public var viewIfLoaded: UIView? { loadedView }
    private var loadedView: UIView?
    /// Whether the view is loaded.
    ///
    /// Follows [isViewLoaded](https://developer.apple.com/documentation/uikit/uiviewcontroller/isviewloaded).
    open var isViewLoaded: Bool { loadedView != nil }

    /// Leads to this controller from those that it contains or presents, and from its view.
    let link = ControllerLink()

    /// The controller that this very one presents; ``presentedViewController`` also asks the ancestors.
    var ownPresented: UIViewController?
    /// The controller that presents this very one; ``presentingViewController`` also asks the ancestors.
    var ownPresenter: UIViewController? {
        get { presenterLink?.controller }
        set { presenterLink = newValue?.link }
    }
    private var presenterLink: ControllerLink?
    /// The presentation controller of this very one, from its first use to the end of the presentation.
    var ownPresentationController: UIPresentationController?
    /// The running presentation or dismissal of this controller, on either side.
    var presentationTransition: HeadlessTransition?
    /// The running transition of this very controller.
    var ownTransition: HeadlessTransition? { presentationTransition }
    /// What the appearance callbacks have said last.
    var appearance = Appearance.disappeared

    /// How the controller covers the screen when it is presented.
    ///
    /// Follows [modalPresentationStyle](https://developer.apple.com/documentation/uikit/uiviewcontroller/modalpresentationstyle).
    open var modalPresentationStyle: UIModalPresentationStyle {
        get { presentationStyle }
        set { presentationStyle = newValue }
    }
    private var presentationStyle = UIModalPresentationStyle.automatic
    /// Whether the user cannot dismiss the presentation.
    ///
    /// Follows [isModalInPresentation](https://developer.apple.com/documentation/uikit/uiviewcontroller/ismodalinpresentation).
    open var isModalInPresentation = false

    /// Whether the controller presents what is presented in the current context by one that it contains: a search, and the
    /// styles `currentContext` and `overCurrentContext`.
    ///
    /// Follows [definesPresentationContext](https://developer.apple.com/documentation/uikit/uiviewcontroller/definespresentationcontext).
    open var definesPresentationContext: Bool {
        get { isPresentationContext }
        set { isPresentationContext = newValue }
    }
    private var isPresentationContext = false

    /// Whether this controller's presentation has begun and not ended.
    ///
    /// Follows [isBeingPresented](https://developer.apple.com/documentation/uikit/uiviewcontroller/isbeingpresented).
    open var isBeingPresented: Bool { hasUnfinishedPresentation }
    var hasUnfinishedPresentation = false
    /// Whether this controller's dismissal has begun and neither ended nor been canceled.
    ///
    /// Follows [isBeingDismissed](https://developer.apple.com/documentation/uikit/uiviewcontroller/isbeingdismissed).
    open var isBeingDismissed: Bool { hasUnfinishedDismissal }
    var hasUnfinishedDismissal = false

    /// Creates a controller. There are no nib files here, so both arguments are ignored.
    ///
    /// Follows [init(nibName:bundle:)](https://developer.apple.com/documentation/uikit/uiviewcontroller/init(nibname:bundle:)).
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init()
        link.controller = self
    }

    /// Always `nil`: there are no storyboards here.
    public required init?(coder: NSCoder) {
        nil
    }

    deinit {
        link.controller = nil
    }

    /// Creates a controller without a nib file.
    public convenience override init() {
        self.init(nibName: nil, bundle: nil)
    }

    // UIKit declares the view as `UIView!`, and code written against it relies on that.
    /// The view. The first access loads it and calls ``viewDidLoad()``.
    ///
    /// Follows [view](https://developer.apple.com/documentation/uikit/uiviewcontroller/view).
    open var view: UIView! {
        get {
            if loadedView == nil {
                loadView()
                precondition(loadedView != nil, "loadView did not set the view of \(self)")
                viewDidLoad()
            }
            return loadedView
        }
        set {
            loadedView = newValue
            newValue?.ownerLink = link
        }
    }

    /// Loads the view, if it is not loaded.
    ///
    /// Follows [loadViewIfNeeded()](https://developer.apple.com/documentation/uikit/uiviewcontroller/loadviewifneeded()).
    open func loadViewIfNeeded() {
        _ = view
    }

    /// Sets ``view`` to an empty view.
    ///
    /// Follows [loadView()](https://developer.apple.com/documentation/uikit/uiviewcontroller/loadview()).
    open func loadView() {
        view = UIView(frame: .zero)
    }

    /// Called once, after the view has been loaded. Does nothing by itself.
    ///
    /// Follows [viewDidLoad()](https://developer.apple.com/documentation/uikit/uiviewcontroller/viewdidload()).
    open func viewDidLoad() {}

    /// Called before the view appears. Does nothing by itself.
    ///
    /// Follows [viewWillAppear(_:)](https://developer.apple.com/documentation/uikit/uiviewcontroller/viewwillappear(_:)).
    open func viewWillAppear(_ animated: Bool) {}

    /// Called after the view has been added to the hierarchy and before it is on screen. Does nothing by itself.
    ///
    /// Follows [viewIsAppearing(_:)](https://developer.apple.com/documentation/uikit/uiviewcontroller/viewisappearing(_:)).
    open func viewIsAppearing(_ animated: Bool) {}

    /// Called after the view has appeared. Does nothing by itself.
    ///
    /// Follows [viewDidAppear(_:)](https://developer.apple.com/documentation/uikit/uiviewcontroller/viewdidappear(_:)).
    open func viewDidAppear(_ animated: Bool) {}

    /// Called before the view disappears. Does nothing by itself.
    ///
    /// Follows [viewWillDisappear(_:)](https://developer.apple.com/documentation/uikit/uiviewcontroller/viewwilldisappear(_:)).
    open func viewWillDisappear(_ animated: Bool) {}

    /// Called after the view has disappeared. Does nothing by itself.
    ///
    /// Follows [viewDidDisappear(_:)](https://developer.apple.com/documentation/uikit/uiviewcontroller/viewdiddisappear(_:)).
    open func viewDidDisappear(_ animated: Bool) {}

    /// Called when the window of the view has changed. A container shows its child then.
    func viewMovedToWindow() {
        updateAppearance()
    }

    /// Makes the controller of the next presentation of this very controller.
    func makePresentationController() -> UIPresentationController {
        UIPresentationController(presentedViewController: self, presenting: nil)
    }

    /// Whether UIKit dims the tint of the presenter's view, which stays in its window.
    var dimsPresenter: Bool { modalPresentationStyle.isSheet || modalPresentationStyle == .popover }

    /// Whether a controller that ``definesPresentationContext`` presents this one, in place of the farthest ancestor.
    var needsPresentationContext: Bool {
        modalPresentationStyle == .currentContext || modalPresentationStyle == .overCurrentContext
    }

    /// Stops the program where UIKit raises when the controller is about to be presented.
    func checkPresentation(in window: UIWindow?) {}

    /// Contains a controller, which leaves the one that contained it before.
    ///
    /// Calls the child's ``willMove(toParent:)``; ``didMove(toParent:)`` is the container's to call.
    /// Follows [addChild(_:)](https://developer.apple.com/documentation/uikit/uiviewcontroller/addchild(_:)).
    open func addChild(_ childController: UIViewController) {
        childController.willMove(toParent: self)
        childController.parent?.remove(childController)
        contained = contained + [childController]
        childController.containerLink = link
    }

    /// Leaves the container, and calls ``didMove(toParent:)`` with `nil`.
    ///
    /// Follows [removeFromParent()](https://developer.apple.com/documentation/uikit/uiviewcontroller/removefromparent()).
    open func removeFromParent() {
        guard let parent else { return }
        parent.remove(self)
        containerLink = nil
        didMove(toParent: nil)
    }

    private func remove(_ child: UIViewController) {
        contained = contained.filter { $0 !== child }
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
    /// - The farthest ancestor presents, as in UIKit for every presentation that covers the screen. A search, and what is
    ///   presented in the current context, is presented by the nearest ancestor that ``definesPresentationContext``.
    /// - ``presentedViewController`` is set immediately. An animated presentation ends on a later turn of the main actor,
    ///   one without animation as ``UIWindow/headlessTiming`` says. The completion is called then.
    /// - UIKit refuses a presenter that presents already and one whose view is in no window: nothing happens, and the
    ///   completion is never called.
    /// - A controller that is contained or presented elsewhere, or an ancestor of the presenter, stops the program, where
    ///   UIKit raises.
    ///
    /// Follows [present(_:animated:completion:)](https://developer.apple.com/documentation/uikit/uiviewcontroller/present(_:animated:completion:)).
    open func present(
        _ viewControllerToPresent: UIViewController,
        animated flag: Bool,
        completion: (() -> Void)? = nil
    ) {
        let presenter = viewControllerToPresent.needsPresentationContext ? presentationContext : farthestAncestor
        presenter.beginPresentation(of: viewControllerToPresent, animated: flag, completion: completion)
    }

    /// Dismisses the presented controller and everything on top of it. If this controller presents nothing, it asks its
    /// presenter to dismiss it.
    ///
    /// ``presentedViewController`` keeps its value until the dismissal has ended: on a later turn of the main actor if it
    /// is animated, else as ``UIWindow/headlessTiming`` says. The completion is called then. With nothing to dismiss, and
    /// during a presentation or dismissal, nothing happens and the completion is never called.
    ///
    /// Follows [dismiss(animated:completion:)](https://developer.apple.com/documentation/uikit/uiviewcontroller/dismiss(animated:completion:)).
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        let presenter = presentedViewController?.ownPresenter ?? presentingViewController
        presenter?.beginDismissal(isInteractive: false, animated: flag, completion: completion)?
            .run(animated: flag, in: presenter?.timing ?? .immediate)
    }
}

/// How a presented controller covers the screen.
///
/// Follows [UIModalPresentationStyle](https://developer.apple.com/documentation/uikit/uimodalpresentationstyle).
public enum UIModalPresentationStyle: Int, Sendable {
    /// Covers the screen and removes the presenter's view from it.
    case fullScreen = 0
    /// A sheet that leaves the presenter's view in its window.
    case pageSheet = 1
    /// A smaller sheet.
    case formSheet = 2
    /// Covers the presenter and removes its view.
    case currentContext = 3
    /// Chosen by the app.
    case custom = 4
    /// Covers the screen and leaves the presenter's view in its window.
    case overFullScreen = 5
    /// Covers the presenter and leaves its view in its window.
    case overCurrentContext = 6
    /// A popover.
    case popover = 7
    /// Not presented.
    case none = -1
    /// A sheet on most devices.
    case automatic = -2

    /// "The views belonging to the presenting view controller are removed after the presentation completes."
    var removesPresenter: Bool { self == .fullScreen || self == .currentContext }
    /// Whether the user can swipe the presentation down.
    var isSheet: Bool { self == .automatic || self == .pageSheet || self == .formSheet }
}
