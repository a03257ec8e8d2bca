import FlowAnalytics

extension View {
    /// Tells the path of a navigation stack. Write it on the `NavigationStack`.
    ///
    /// SwiftUI uses a destination again when the end of the path is exchanged, and then calls no `onAppear`. The path also
    /// tells going on from going back. It is only observed: the stack keeps the app's own binding.
    ///
    /// - Parameter path: the values of the stack's path.
    public func trackedPath<Path: Collection & Equatable>(_ path: Path) -> some View {
        modifier(TrackedPath(path: path, depth: path.count))
    }

    /// Tells the path of a navigation stack, of values of any type.
    ///
    /// - Parameter path: the stack's path.
    public func trackedPath(_ path: NavigationPath) -> some View {
        modifier(TrackedPath(path: path, depth: path.count))
    }
}

private struct TrackedPath<Path: Equatable>: ViewModifier {
    let path: Path
    let depth: Int
    @State private var box = ViewBox()
    @Environment(\.trackedScene) private var context
    @Environment(\.screenPosition) private var position

    func body(content: Content) -> some View {
        content
            .environment(\.screenPosition, box.stackPosition(in: context, at: position))
            .onChange(of: path, initial: true) { _, _ in box.move(to: depth, in: context) }
    }
}

extension ViewBox {
    /// The position of the views in a stack.
    func stackPosition(in context: SceneContext?, at position: ScreenPosition) -> ScreenPosition {
        guard let scene = context?.scene else { return position }
        var position = position
        position.stack = token(in: scene)
        return position
    }

    /// The path of the stack is known for the first time, or has changed.
    func move(to depth: Int, in context: SceneContext?) {
        guard let scene = context?.scene else { return }
        let token = token(in: scene)
        scene.change { $0.moved(token, to: depth) }
    }
}
