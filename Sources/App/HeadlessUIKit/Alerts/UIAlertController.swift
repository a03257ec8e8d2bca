import Foundation

/// A message with buttons: an alert or an action sheet.
///
/// Follows [UIAlertController](https://developer.apple.com/documentation/uikit/uialertcontroller). The user leaves it
/// with a button; a sheet on an iPad is a popover, which a tap outside takes away as well.
@MainActor
open class UIAlertController: UIViewController {
    /// How the message is shown.
    ///
    /// Follows [UIAlertController.Style](https://developer.apple.com/documentation/uikit/uialertcontroller/style).
    public enum Style: Int, Sendable {
        /// At the edge of the screen, on an iPad in a popover.
        case actionSheet = 0
        /// In the middle of the screen.
        case alert = 1
    }

    /// How the message is shown.
    ///
    /// Follows [preferredStyle](https://developer.apple.com/documentation/uikit/uialertcontroller/preferredstyle).
    public private(set) var preferredStyle: Style = .actionSheet
    /// The text below the title.
    ///
    /// Follows [message](https://developer.apple.com/documentation/uikit/uialertcontroller/message).
    open var message: String?
    /// The buttons, in the order in which they were added.
    ///
    /// Follows [actions](https://developer.apple.com/documentation/uikit/uialertcontroller/actions).
    open private(set) var actions: [UIAlertAction] = []
    /// The text fields, in the order in which they were added, or `nil`.
    ///
    /// Follows [textFields](https://developer.apple.com/documentation/uikit/uialertcontroller/textfields).
    open private(set) var textFields: [UITextField]?

    /// Creates an alert without buttons.
    ///
    /// Follows [init(title:message:preferredStyle:)](https://developer.apple.com/documentation/uikit/uialertcontroller/init(title:message:preferredstyle:)).
    public convenience init(title: String?, message: String?, preferredStyle: Style) {
        self.init(nibName: nil, bundle: nil)
        modalPresentationStyle = .overFullScreen
        self.title = title
        self.message = message
        self.preferredStyle = preferredStyle
    }

    /// Adds a button. A second one with the style ``UIAlertAction/Style/cancel`` stops the program, where UIKit raises.
    ///
    /// Follows [addAction(_:)](https://developer.apple.com/documentation/uikit/uialertcontroller/addaction(_:)).
    open func addAction(_ action: UIAlertAction) {
        precondition(
            action.style != .cancel || cancelAction == nil,
            "UIAlertController can only have one action with a style of UIAlertAction.Style.cancel"
        )
        actions.append(action)
    }

    /// Adds a text field. "You can add a text field only if the preferredStyle property is set to
    /// UIAlertController.Style.alert": another style stops the program, where UIKit raises.
    ///
    /// Follows [addTextField(configurationHandler:)](https://developer.apple.com/documentation/uikit/uialertcontroller/addtextfield(configurationhandler:)).
    open func addTextField(configurationHandler: ((UITextField) -> Void)? = nil) {
        precondition(preferredStyle == .alert, "Text fields can only be added to an alert controller of style .alert")
        let field = UITextField(frame: .zero)
        configurationHandler?(field)
        textFields = (textFields ?? []) + [field]
    }

    var cancelAction: UIAlertAction? { actions.first { $0.style == .cancel } }

    override func makePresentationController() -> UIPresentationController {
        guard preferredStyle == .actionSheet else { return super.makePresentationController() }
        return UIPopoverPresentationController(presentedViewController: self, presenting: nil)
    }

    override var dimsPresenter: Bool { true }

    override func checkPresentation(in window: UIWindow?) {
        precondition(
            title != nil || message != nil || !actions.isEmpty,
            "UIAlertController must have a title, a message or an action to display"
        )
        guard window?.traitOverrides.userInterfaceIdiom == .pad, let popover = popoverPresentationController else {
            return
        }
        precondition(
            popover.sourceView != nil || popover.sourceItem != nil,
            "\(popover) should have a non-nil sourceView or sourceItem set before the presentation occurs"
        )
    }
}
