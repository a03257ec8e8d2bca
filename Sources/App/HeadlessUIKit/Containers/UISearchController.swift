public import Foundation

/// Presents the results of a search over the searched content. UIKit hides their view while the search has no text.
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

    override var needsPresentationContext: Bool { true }

    override func viewMovedToWindow() {
        super.viewMovedToWindow()
        if let searchResultsController { showView(of: searchResultsController) }
    }
}
