import UIPlatform

/// What is in front of a tree of controllers, compared with the current screen: what ``ScreenPlace`` finds, without the
/// way to it.
enum FrontScreen {
    /// The current screen.
    case current
    /// Another one.
    case other(UIViewController)
    /// Nothing: a container is empty.
    case none

    /// Finds the screen in front of the tree that the controller belongs to.
    @MainActor
    init(near controller: UIViewController, types: ScreenTypes, footprint: Footprint) {
        self.init(from: controller.treeBase, types: types, footprint: footprint)
    }

    // Recursive, for a parameter needs no counting of references where a variable that moves up the tree does.
    @MainActor
    private init(from controller: UIViewController, types: ScreenTypes, footprint: Footprint) {
        if let next = types.presented(by: controller) {
            self.init(from: next, types: types, footprint: footprint)
        } else if footprint.isScreen(controller) {
            self = .current
        } else {
            switch types.content(of: controller) {
            case .screen: self = .other(controller)
            case .shown(let next): self.init(from: next, types: types, footprint: footprint)
            case .nothing: self = .none
            }
        }
    }
}
