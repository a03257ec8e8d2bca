/// An alert or an action sheet, as a value: what it says, and what can be answered.
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
/// Where UIKit would raise, this does something sensible: of several cancel buttons the first is one and the others are
/// ordinary, an alert without buttons has one to close it, and an action sheet without an anchor on an iPad stands in the
/// middle of the screen, without an arrow.
public struct AlertBuilder: Sendable, Hashable {
    /// How an alert is shown.
    public enum Style: Sendable, Hashable {
        /// In the middle of the screen.
        case alert
        /// At the edge of the screen, on an iPad beside its anchor.
        case actionSheet
    }

    /// What a button means, and so how it looks.
    public enum Role: Sendable, Hashable {
        /// An ordinary button.
        case `default`
        /// Leaves everything as it is. A tap outside of an action sheet is the same as this button.
        case cancel
        /// Changes or deletes data.
        case destructive
    }

    /// A button.
    public struct Button: Sendable, Hashable {
        /// The text on the button.
        public var title: String
        /// What the button means.
        public var role: Role
    }

    /// The text on the button of an alert that was given none.
    public static let closeTitle = "OK"

    /// The text on top.
    public private(set) var title: String?
    /// The text below the title.
    public private(set) var message: String?
    /// How it is shown.
    public private(set) var style = Style.alert
    /// The buttons, in the order given. UIKit may show them in another.
    public private(set) var buttons: [Button] = []

    /// Creates an alert without buttons.
    public init(title: String? = nil, message: String? = nil) {
        self.title = title
        self.message = message
    }

    /// The same alert with another title.
    public func title(_ title: String?) -> AlertBuilder {
        var copy = self
        copy.title = title
        return copy
    }

    /// The same alert with another message.
    public func message(_ message: String?) -> AlertBuilder {
        var copy = self
        copy.message = message
        return copy
    }

    /// The same alert in another style.
    public func style(_ style: Style) -> AlertBuilder {
        var copy = self
        copy.style = style
        return copy
    }

    /// The same alert with one more button.
    public func button(_ title: String, role: Role = .default) -> AlertBuilder {
        var copy = self
        copy.buttons.append(Button(title: title, role: role))
        return copy
    }
}
