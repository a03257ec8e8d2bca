import Foundation

/// Does to an app what iOS does to it. UIKit has no such type; it is for tests.
@MainActor
public struct HeadlessSystem {
    private enum Subject {
        case application(UIApplication)
        case scene(UIScene)
    }
    private let subject: Subject

    /// Creates the system around an app without scenes.
    public init(of application: UIApplication) {
        subject = .application(application)
    }

    /// Creates the system around one scene.
    public init(of scene: UIScene) {
        subject = .scene(scene)
    }

    /// Whether the system may suspend the app: it is in the background, and no background task is running.
    public var canSuspend: Bool {
        guard case .application(let application) = subject else { return false }
        return application.applicationState == .background && application.backgroundTasks.isEmpty
    }

    /// Sends the app or the scene to the background.
    public func enterBackground() {
        switch subject {
        case .application(let application):
            application.applicationState = .background
            post(UIApplication.didEnterBackgroundNotification, of: application)
        case .scene(let scene):
            scene.activationState = .background
            post(UIScene.didEnterBackgroundNotification, of: scene)
        }
    }

    /// Brings the app or the scene back.
    public func enterForeground() {
        switch subject {
        case .application(let application):
            post(UIApplication.willEnterForegroundNotification, of: application)
            application.applicationState = .active
            post(UIApplication.didBecomeActiveNotification, of: application)
        case .scene(let scene):
            post(UIScene.willEnterForegroundNotification, of: scene)
            scene.activationState = .foregroundActive
        }
    }

    /// Removes the scene, as when the user closes its window. An app without scenes has nothing to remove.
    public func disconnect() {
        guard case .scene(let scene) = subject else { return }
        scene.activationState = .unattached
        post(UIScene.didDisconnectNotification, of: scene)
    }

    /// Calls the expiration handler of every background task. iOS kills an app whose tasks do not end then.
    public func endBackgroundTime() {
        guard case .application(let application) = subject else { return }
        for handler in application.backgroundTasks.values { handler() }
    }

    private func post(_ name: Notification.Name, of object: AnyObject) {
        NotificationCenter.default.post(name: name, object: object)
    }
}
