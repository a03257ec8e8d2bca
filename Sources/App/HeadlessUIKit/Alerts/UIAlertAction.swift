public import Foundation

/// A button of an alert.
///
/// Follows [UIAlertAction](https://developer.apple.com/documentation/uikit/uialertaction).
@MainActor
open class UIAlertAction: NSObject {
    /// What a button means, and so how it looks.
    ///
    /// Follows [UIAlertAction.Style](https://developer.apple.com/documentation/uikit/uialertaction/style-swift.enum).
    public enum Style: Int, Sendable {
        /// An ordinary button.
        case `default` = 0
        /// The button that leaves everything as it is.
        case cancel = 1
        /// A button that changes or deletes data.
        case destructive = 2
    }

    /// The text on the button.
    public let title: String?
    /// What the button means.
    public let style: Style
    /// Whether the button can be tapped.
    open var isEnabled = true
    let handler: ((UIAlertAction) -> Void)?

    /// Creates a button.
    ///
    /// Follows [init(title:style:handler:)](https://developer.apple.com/documentation/uikit/uialertaction/init(title:style:handler:)).
    ///
    /// - Parameters:
    ///   - title: the text on the button.
    ///   - style: what the button means.
    ///   - handler: called when the button was tapped, after the alert has gone.
    public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
        self.title = title
        self.style = style
        self.handler = handler
        super.init()
    }
}
