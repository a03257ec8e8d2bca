/// An alert or an action sheet as a value: its texts and its buttons.
///
/// ```swift
/// AlertBuilder(title: "Delete this list?", message: "It cannot be brought back.")
///     .button("Delete", role: .destructive)
///     .button("Keep", role: .cancel)
///     .show(on: flow) { index in
///         if index == 0 { delete() }
///     }
/// ```
///
/// It accepts input for which UIKit raises an exception. Of several cancel buttons the first stays a cancel button and the
/// others become ordinary ones. An alert without buttons gets one that closes it. An action sheet without an anchor
/// appears in the middle of an iPad's screen, without an arrow.
public struct AlertBuilder: Sendable, Hashable {
    /// How the message appears.
    public enum Style: Sendable, Hashable {
        /// In the middle of the screen.
        case alert
        /// At the edge of the screen, on an iPad beside its anchor.
        case actionSheet
    }

    /// The meaning of a button, which decides how it looks.
    public enum Role: Sendable, Hashable {
        /// An ordinary button.
        case `default`
        /// Changes nothing. A tap outside of an action sheet counts as a tap on this button.
        case cancel
        /// Changes or deletes data.
        case destructive
    }

    /// A button.
    public struct Button: Sendable, Hashable {
        /// The text on the button.
        public var title: String
        /// The meaning of the button.
        public var role: Role
    }

    /// A text field of an alert.
    public struct TextField: Sendable, Hashable {
        /// The text that the empty field shows.
        public var placeholder: String?
        /// Whether the field hides its text.
        public var isSecure: Bool
    }

    /// The title of the button that an alert without buttons gets.
    public static let closeTitle = "OK"

    /// The title.
    public private(set) var title: String?
    /// The message below the title.
    public private(set) var message: String?
    /// How the message appears.
    public private(set) var style = Style.alert
    /// The buttons, in the order in which they were added. UIKit may show them in another order.
    public private(set) var buttons: [Button] = []

    /// The text fields, in the order in which they were added. An action sheet shows none.
    public private(set) var textFields: [TextField] = []

    /// Creates an alert without buttons.
    public init(title: String? = nil, message: String? = nil) {
        self.title = title
        self.message = message
    }

    /// Returns the alert with another title.
    public func title(_ title: String?) -> AlertBuilder {
        var copy = self
        copy.title = title
        return copy
    }

    /// Returns the alert with another message.
    public func message(_ message: String?) -> AlertBuilder {
        var copy = self
        copy.message = message
        return copy
    }

    /// Returns the alert in another style.
    public func style(_ style: Style) -> AlertBuilder {
        var copy = self
        copy.style = style
        return copy
    }

    /// Returns the alert with one more button.
    public func button(_ title: String, role: Role = .default) -> AlertBuilder {
        var copy = self
        copy.buttons.append(Button(title: title, role: role))
        return copy
    }

    /// Returns the alert with more buttons, all of them ordinary: `.buttonTitles("Yes", "No")`.
    public func buttonTitles(_ titles: String...) -> AlertBuilder {
        titles.reduce(self) { $0.button($1) }
    }

    /// Returns the alert with one more text field. ``ask(on:anchor:animated:answer:)`` hands over its text.
    public func textField(_ placeholder: String? = nil, isSecure: Bool = false) -> AlertBuilder {
        var copy = self
        copy.textFields.append(TextField(placeholder: placeholder, isSecure: isSecure))
        return copy
    }

    /// Returns the alert with a text field for a name and a secure one for a password.
    public func login(name: String? = nil, password: String? = nil) -> AlertBuilder {
        textField(name).textField(password, isSecure: true)
    }
}
