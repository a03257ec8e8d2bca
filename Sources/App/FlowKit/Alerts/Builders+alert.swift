import Foundation
public import UIPlatform

/// A button with what it does.
public struct AlertAction {
    /// The text on the button.
    public var title: String
    /// What the button means.
    public var role: AlertBuilder.Role
    /// Called once when the button was chosen, after the alert has gone.
    public var action: @MainActor () -> Void

    /// Creates a button with what it does.
    public init(_ title: String, role: AlertBuilder.Role = .default, action: @escaping @MainActor () -> Void = {}) {
        self.title = title
        self.role = role
        self.action = action
    }
}

@MainActor
extension Builders {
    /// An alert with a message and a button that closes it.
    ///
    /// - Parameters:
    ///   - title: the text on top.
    ///   - message: the text below it.
    ///   - button: the text on the button; the app translates it.
    ///   - dismiss: called once when the button was chosen.
    public static func alert(
        title: String?,
        message: String?,
        button: String = AlertBuilder.closeTitle,
        dismiss: @escaping @MainActor () -> Void = {}
    ) -> UIAlertController {
        alert(title: title, message: message, actions: [AlertAction(button, role: .cancel, action: dismiss)])
    }

    /// An alert that shows what went wrong: `Builders.alert(for: error, dismiss: flow.dismiss) |> flow.present`.
    ///
    /// - Parameters:
    ///   - error: a `LocalizedError` says its own text.
    ///   - title: the text on top.
    ///   - button: the text on the button; the app translates it.
    ///   - dismiss: called once when the button was chosen, such as to leave the screen that has failed.
    public static func alert(
        for error: any Error,
        title: String? = nil,
        button: String = AlertBuilder.closeTitle,
        dismiss: @escaping @MainActor () -> Void = {}
    ) -> UIAlertController {
        alert(title: title, message: error.localizedDescription, button: button, dismiss: dismiss)
    }

    /// An alert with two ways to go on.
    ///
    /// - Parameters:
    ///   - title: the text on top.
    ///   - message: the text below it.
    ///   - primary: what the alert proposes.
    ///   - secondary: the other way.
    public static func alert(
        title: String?,
        message: String?,
        primary: AlertAction,
        secondary: AlertAction
    ) -> UIAlertController {
        alert(title: title, message: message, actions: [primary, secondary])
    }

    private static func alert(title: String?, message: String?, actions: [AlertAction]) -> UIAlertController {
        var builder = AlertBuilder(title: title, message: message)
        for action in actions { builder = builder.button(action.title, role: action.role) }
        return builder.build { index in
            if let index { actions[index].action() }
        }
    }
}
