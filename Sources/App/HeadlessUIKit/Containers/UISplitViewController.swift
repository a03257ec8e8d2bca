public import Foundation

/// A container that shows two controllers side by side: a list, and what is selected in it.
///
/// Follows [UISplitViewController](https://developer.apple.com/documentation/uikit/uisplitviewcontroller), expanded.
@MainActor
open class UISplitViewController: UIViewController {
    /// The controllers of the columns, the primary one first and the secondary one last.
    ///
    /// Follows [viewControllers](https://developer.apple.com/documentation/uikit/uisplitviewcontroller/viewcontrollers).
    open var viewControllers: [UIViewController] = [] {
        didSet {
            for controller in oldValue where !viewControllers.contains(where: { $0 === controller }) {
                controller.willMove(toParent: nil)
                controller.viewIfLoaded?.removeFromSuperview()
                controller.removeFromParent()
            }
            for controller in viewControllers where controller.parent !== self {
                addChild(controller)
                controller.didMove(toParent: self)
                showView(of: controller)
            }
        }
    }

    override func viewMovedToWindow() {
        super.viewMovedToWindow()
        for controller in viewControllers { showView(of: controller) }
    }
}

/// Presents the results of a search over the searched content.
///
/// Follows [UISearchController](https://developer.apple.com/documentation/uikit/uisearchcontroller).
@MainActor
open class UISearchController: UIViewController {
    /// The controller that shows the results; `nil` if the searched content shows them itself.
    ///
    /// Follows [searchResultsController](https://developer.apple.com/documentation/uikit/uisearchcontroller/searchresultscontroller).
    public let searchResultsController: UIViewController?

    /// Creates a search controller.
    ///
    /// Follows [init(searchResultsController:)](https://developer.apple.com/documentation/uikit/uisearchcontroller/init(searchresultscontroller:)).
    public init(searchResultsController: UIViewController?) {
        self.searchResultsController = searchResultsController
        super.init(nibName: nil, bundle: nil)
        modalPresentationStyle = .overFullScreen
        guard let searchResultsController else { return }
        addChild(searchResultsController)
        searchResultsController.didMove(toParent: self)
    }

    /// Always `nil`: there are no storyboards here.
    public required init?(coder: NSCoder) { nil }

    override func viewMovedToWindow() {
        super.viewMovedToWindow()
        if let searchResultsController { showView(of: searchResultsController) }
    }
}
