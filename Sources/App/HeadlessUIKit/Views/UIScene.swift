public import Foundation

/// One instance of an app's interface, which enters the background and comes back on its own.
///
/// Follows [UIScene](https://developer.apple.com/documentation/uikit/uiscene). UIKit makes scenes; here a test makes its
/// own, and ``HeadlessSystem`` does to it what iOS does.
@MainActor
open class UIScene: NSObject {
    /// Posted when the scene has entered the background, with the scene as its object:
    /// [didEnterBackgroundNotification](https://developer.apple.com/documentation/uikit/uiscene/didenterbackgroundnotification).
    public nonisolated static let didEnterBackgroundNotification =
        Notification.Name("UISceneDidEnterBackgroundNotification")
    /// Posted shortly before the scene leaves the background, with the scene as its object:
    /// [willEnterForegroundNotification](https://developer.apple.com/documentation/uikit/uiscene/willenterforegroundnotification).
    public nonisolated static let willEnterForegroundNotification =
        Notification.Name("UISceneWillEnterForegroundNotification")
    /// Posted when the system has removed the scene, with the scene as its object:
    /// [didDisconnectNotification](https://developer.apple.com/documentation/uikit/uiscene/diddisconnectnotification).
    public nonisolated static let didDisconnectNotification = Notification.Name("UISceneDidDisconnectNotification")

    /// Whether the scene is in front.
    ///
    /// Follows [UIScene.ActivationState](https://developer.apple.com/documentation/uikit/uiscene/activationstate-swift.enum).
    public enum ActivationState: Int, Sendable {
        /// Not connected to the app.
        case unattached = -1
        /// In front, and the user's touches come here.
        case foregroundActive = 0
        /// In front, and they go elsewhere.
        case foregroundInactive = 1
        /// Not in front.
        case background = 2
    }

    /// Whether the scene is in front.
    ///
    /// Follows [activationState](https://developer.apple.com/documentation/uikit/uiscene/activationstate-swift.property).
    open internal(set) var activationState = ActivationState.foregroundActive

    /// Creates a scene in the foreground.
    public override init() {
        super.init()
    }
}

/// A scene with windows.
///
/// Follows [UIWindowScene](https://developer.apple.com/documentation/uikit/uiwindowscene).
@MainActor
open class UIWindowScene: UIScene {}
