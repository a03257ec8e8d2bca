/// What a host's views want at one moment.
struct ViewFrame {
    /// A view that wants to know when it appears and disappears.
    struct Appearance {
        let id: ViewID
        var appear: (() -> Void)?
        var disappear: (() -> Void)?
    }

    /// A view that wants to know when a value changes.
    struct Change {
        let id: ViewID
        let value: Any
        /// Calls the action, if the value is another one than that of the change before.
        let tell: (_ last: Change?) -> Void
    }

    /// A sheet or a cover.
    struct Presented {
        let id: ViewID
        let presenter: ViewID
        let canSwipe: Bool
        /// Removes the item.
        let dismiss: () -> Void
        let onDismiss: (() -> Void)?
    }

    /// A navigation stack that the user sees.
    struct Stack {
        let id: ViewID
        let layer: Int
        let depth: Int
        let goBack: () -> Void
    }

    /// Something that the user can tap.
    struct Control {
        let title: String
        let layer: Int
        let action: @MainActor () -> Void
    }

    /// The views that the user sees, and those that others cover.
    var visible: [Appearance] = []
    var covered: [Appearance] = []
    var changes: [Change] = []
    /// In the order of the layers.
    var presented: [Presented] = []
    var stacks: [Stack] = []
    var controls: [Control] = []

    /// The controls that no sheet lies on.
    var reachable: [Control] { controls.filter { $0.layer == presented.count } }
    /// The innermost stack that no sheet lies on.
    var topStack: Stack? { stacks.last { $0.layer == presented.count } }
}
