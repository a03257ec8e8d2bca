public import UIPlatform

@MainActor
extension AlertBuilder {
    /// Shows the alert.
    ///
    /// - Parameters:
    ///   - flow: the flow that presents the alert. A flow over a stack or a container presents it on top: an alert is never
    ///     pushed or embedded.
    ///   - anchor: the view that an action sheet points at on an iPad. Without it the sheet appears in the middle of the
    ///     flow's current screen.
    ///   - animated: whether to animate the transition.
    ///   - choice: called exactly once, after the alert has disappeared, with the index of the tapped button. The index is
    ///     `nil` if no button was tapped: the flow refused the alert, the app dismissed it, the user tapped beside a
    ///     popover, or the alert had no buttons of its own.
    public func show(
        on flow: Flow,
        anchor: UIView? = nil,
        animated: Bool = true,
        choice: @escaping @MainActor (Int?) -> Void
    ) {
        show(AlertAnswer { button, _ in choice(button) }, on: flow, anchor: anchor, animated: animated)
    }

    /// Shows an alert with text fields.
    ///
    /// ```swift
    /// AlertBuilder(title: "Sign in").login().button("Sign in").button("Cancel", role: .cancel)
    ///     .ask(on: flow) { answer in
    ///         if answer.button == 0 { signIn(name: answer.texts[0], password: answer.texts[1]) }
    ///     }
    /// ```
    ///
    /// - Parameters:
    ///   - flow: the flow that presents the alert.
    ///   - anchor: the view that an action sheet points at on an iPad.
    ///   - animated: whether to animate the transition.
    ///   - answer: called exactly once, after the alert has disappeared.
    public func ask(
        on flow: Flow,
        anchor: UIView? = nil,
        animated: Bool = true,
        answer: @escaping @MainActor (AlertResponse) -> Void
    ) {
        let reply = AlertAnswer { button, texts in answer(AlertResponse(button: button, texts: texts)) }
        show(reply, on: flow, anchor: anchor, animated: animated)
    }

    private func show(_ answer: AlertAnswer, on flow: Flow, anchor: UIView?, animated: Bool) {
        let alert = build(answer)
        if let view = anchor ?? flow.currentViewController()?.viewIfLoaded {
            alert.anchor(to: view, hasArrow: anchor != nil)
        }
        flow.present(alert, animated: animated) { [weak alert] in
            if alert?.presentingViewController == nil { answer(nil, []) }
        }
    }

    /// Makes the alert without showing it: `builder.build(choice: answer) |> flow.present`.
    ///
    /// - Parameter choice: as in ``show(on:anchor:animated:choice:)``. An alert that is never shown answers `nil` when it
    ///   is deallocated.
    public func build(choice: @escaping @MainActor (Int?) -> Void) -> UIAlertController {
        build(AlertAnswer { button, _ in choice(button) })
    }

    private func build(_ answer: AlertAnswer) -> UIAlertController {
        let alert = UIAlertController(
            title: title,
            message: message,
            preferredStyle: style == .alert ? .alert : .actionSheet
        )
        if style == .alert {
            for field in textFields {
                alert.addTextField { textField in
                    textField.placeholder = field.placeholder
                    textField.isSecureTextEntry = field.isSecure
                }
            }
        }
        let firstCancel = buttons.firstIndex { $0.role == .cancel }
        for (index, button) in buttons.enumerated() {
            let role = button.role == .cancel && index != firstCancel ? .default : button.role
            alert.addAction(
                UIAlertAction(title: button.title, style: role.actionStyle) { [weak alert] _ in
                    answer(index, alert?.textFields?.map { $0.text ?? "" } ?? [])
                }
            )
        }
        if buttons.isEmpty {
            alert.addAction(UIAlertAction(title: Self.closeTitle, style: .cancel) { _ in answer(nil, []) })
        }
        return alert
    }
}

/// The user's answer to an alert with text fields.
public struct AlertResponse: Sendable, Hashable {
    /// The index of the tapped button, `nil` if none was tapped.
    public var button: Int?
    /// The texts of the fields; empty if no button was tapped.
    public var texts: [String]
}

extension AlertBuilder.Role {
    fileprivate var actionStyle: UIAlertAction.Style {
        switch self {
        case .default: .default
        case .cancel: .cancel
        case .destructive: .destructive
        }
    }
}

/// Calls the closure for an alert's answer, exactly once.
///
/// The alert's buttons hold it. It answers `nil` when it is deallocated with them: UIKit reports no dismissal that the app
/// asks for, so nothing else says that no button was tapped.
@MainActor
final class AlertAnswer {
    private var body: (@MainActor (Int?, [String]) -> Void)?

    init(_ body: @escaping @MainActor (Int?, [String]) -> Void) {
        self.body = body
    }

    func callAsFunction(_ index: Int?, _ texts: [String]) {
        let body = body
        self.body = nil
        body?(index, texts)
    }

    deinit {
        guard let body else { return }
        // The last reference may be released on any thread, at any moment.
        Task { @MainActor in body(nil, []) }
    }
}
