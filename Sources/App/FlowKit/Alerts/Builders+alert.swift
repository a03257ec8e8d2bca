import Foundation
public import UIPlatform

/// A button of an alert, with its action.
public struct AlertAction {
    /// The text on the button.
    public var title: String
    /// The meaning of the button.
    public var role: AlertBuilder.Role
    /// Called once when the user taps the button, after the alert has disappeared.
    public var action: @MainActor () -> Void

    /// Creates a button.
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
    ///   - title: the title.
    ///   - message: the message below the title.
    ///   - button: the title of the button, in the user's language.
    ///   - dismiss: called once when the user taps the button.
    public static func alert(
        title: String?,
        message: String?,
        button: String = AlertBuilder.closeTitle,
        dismiss: (() -> Void)? = nil
    ) -> UIAlertController {
        alert(title: title, message: message, actions: [AlertAction(button, role: .cancel, action: { dismiss?() })])
    }

    /// An alert that shows an error: `Builders.alert(for: error, dismiss: flow.dismiss) |> flow.present`.
    ///
    /// - Parameters:
    ///   - error: its `localizedDescription` is the message.
    ///   - title: the title.
    ///   - button: the title of the button, in the user's language.
    ///   - dismiss: called once when the user taps the button, for example to leave the failed screen.
    public static func alert(
        for error: any Error,
        title: String? = nil,
        button: String = AlertBuilder.closeTitle,
        dismiss: (() -> Void)? = nil
    ) -> UIAlertController {
        alert(title: title, message: error.localizedDescription, button: button, dismiss: dismiss)
    }

    /// An alert with two buttons.
    ///
    /// - Parameters:
    ///   - title: the title.
    ///   - message: the message below the title.
    ///   - primary: the action that the alert proposes.
    ///   - secondary: the other action.
    public static func alert(
        title: String?,
        message: String?,
        primary: AlertAction,
        secondary: AlertAction
    ) -> UIAlertController {
        alert(title: title, message: message, actions: [primary, secondary])
    }

    /// An alert with two of UIKit's buttons.
    ///
    /// - Parameters:
    ///   - title: the title.
    ///   - message: the message below the title.
    ///   - primaryAction: the action that the alert proposes.
    ///   - secondaryAction: the other action.
    public static func alert(
        title: String?,
        message: String?,
        primaryAction: UIAlertAction,
        secondaryAction: UIAlertAction
    ) -> UIAlertController {
        let alert = UIAlertController(title: title, message: message, preferredStyle: .alert)
        alert.addAction(primaryAction)
        alert.addAction(secondaryAction)
        return alert
    }

    private static func alert(title: String?, message: String?, actions: [AlertAction]) -> UIAlertController {
        var builder = AlertBuilder(title: title, message: message)
        for action in actions { builder = builder.button(action.title, role: action.role) }
        return builder.build { index in
            if let index { actions[index].action() }
        }
    }
}
