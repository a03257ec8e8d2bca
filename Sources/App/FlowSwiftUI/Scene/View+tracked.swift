import FlowAnalytics
import Foundation
import UIPlatform

extension View {
    /// Tracks the screens in this view. Write it once, around the root view of each scene, and around the root view of each
    /// hosting controller that an app of UIKit makes.
    ///
    /// - Parameter analytics: the app's analytics.
    public func tracked(by analytics: AppAnalytics) -> some View {
        modifier(TrackedScene(analytics: analytics))
    }
}

private struct TrackedScene: ViewModifier {
    let analytics: AppAnalytics
    @State private var box = SceneBox()

    func body(content: Content) -> some View {
        let scene = box.scene(of: analytics)
        content
            .environment(\.trackedScene, SceneContext(scene: scene, paywalls: analytics.paywalls))
            .background { WindowReader(scene: scene) }
    }
}

/// Keeps the screens of a scene as long as its root view lives.
@MainActor
final class SceneBox {
    private var scene: SceneScreens?

    func scene(of analytics: AppAnalytics) -> SceneScreens {
        if let scene { return scene }
        let scene = SceneScreens(analytics.screens)
        self.scene = scene
        return scene
    }
}

/// Tells the screens of a scene in which window they are. It draws nothing.
private struct WindowReader: UIViewRepresentable {
    let scene: SceneScreens

    func makeUIView(context: Context) -> WindowView {
        let view = WindowView(frame: .zero)
        view.isHidden = true
        view.isUserInteractionEnabled = false
        view.scene = scene
        return view
    }

    func updateUIView(_ view: WindowView, context: Context) {
        view.scene = scene
    }
}

private final class WindowView: UIView {
    weak var scene: SceneScreens?

    override func didMoveToWindow() {
        super.didMoveToWindow()
        if let window { scene?.window = window }
    }
}
