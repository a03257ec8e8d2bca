/// A line of text that the user edits.
///
/// Follows [UITextField](https://developer.apple.com/documentation/uikit/uitextfield).
@MainActor
open class UITextField: UIView {
    /// The text.
    ///
    /// Follows [text](https://developer.apple.com/documentation/uikit/uitextfield/text).
    open var text: String? = ""
    /// The text that an empty field shows.
    ///
    /// Follows [placeholder](https://developer.apple.com/documentation/uikit/uitextfield/placeholder).
    open var placeholder: String?
    /// Whether the field hides its text.
    ///
    /// Follows [isSecureTextEntry](https://developer.apple.com/documentation/uikit/uitextinputtraits/issecuretextentry).
    open var isSecureTextEntry = false
}
