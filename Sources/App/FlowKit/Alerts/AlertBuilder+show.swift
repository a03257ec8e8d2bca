public import UIPlatform

@MainActor
extension AlertBuilder {
    /// Shows the alert.
    ///
    /// - Parameters:
    ///   - flow: what presents it. A flow over a stack or a container presents it over that, for an alert is never pushed
    ///     nor embedded.
    ///   - anchor: the view that an action sheet points at on an iPad; without it the sheet stands in the middle of the
    ///     flow's current screen.
    ///   - animated: whether the transition is to be seen.
    ///   - choice: called exactly once, after the alert has gone, with the index of the button in the order given. `nil`
    ///     where no button was chosen: the flow refused the alert, or something else took it away, such as a tap beside a
    ///     popover, a dismissal by the app, or the button of an alert that was given none.
    public func show(
        on flow: Flow,
        anchor: UIView? = nil,
        animated: Bool = true,
        choice: @escaping @MainActor (Int?) -> Void
    ) {
        let answer = AlertAnswer(choice)
        let alert = build(answer)
        if let view = anchor ?? flow.currentViewController()?.viewIfLoaded {
            alert.anchor(to: view, hasArrow: anchor != nil)
        }
        flow.present(alert, animated: animated) { [weak alert] in
            if alert?.presentingViewController == nil { answer(nil) }
        }
    }

    /// Makes the alert without showing it: `builder.build(choice: answer) |> flow.present`.
    ///
    /// - Parameter choice: as in ``show(on:anchor:animated:choice:)``. An alert that is never shown answers `nil` when it
    ///   is thrown away.
    public func build(choice: @escaping @MainActor (Int?) -> Void) -> UIAlertController {
        build(AlertAnswer(choice))
    }

    private func build(_ answer: AlertAnswer) -> UIAlertController {
        let alert = UIAlertController(
            title: title,
            message: message,
            preferredStyle: style == .alert ? .alert : .actionSheet
        )
        let firstCancel = buttons.firstIndex { $0.role == .cancel }
        for (index, button) in buttons.enumerated() {
            let role = button.role == .cancel && index != firstCancel ? .default : button.role
            alert.addAction(UIAlertAction(title: button.title, style: role.actionStyle) { _ in answer(index) })
        }
        if buttons.isEmpty {
            alert.addAction(UIAlertAction(title: Self.closeTitle, style: .cancel) { _ in answer(nil) })
        }
        return alert
    }
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
