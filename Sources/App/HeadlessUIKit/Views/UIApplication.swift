public import Foundation

/// An app, as far as it enters the background and comes back.
///
/// Follows [UIApplication](https://developer.apple.com/documentation/uikit/uiapplication). UIKit makes the one app that
/// there is; here each test may make its own, and ``HeadlessSystem`` does to it what iOS does to an app.
@MainActor
open class UIApplication: NSObject {
    /// Whether the app is in front.
    public enum State: Int, Sendable {
        /// In front, and the user's touches come here.
        case active
        /// In front, and they go elsewhere.
        case inactive
        /// Not in front.
        case background
    }

    /// The app.
    public static let shared = UIApplication()

    /// Posted when the app has entered the background, with the app as its object:
    /// [didEnterBackgroundNotification](https://developer.apple.com/documentation/uikit/uiapplication/didenterbackgroundnotification).
    public nonisolated static let didEnterBackgroundNotification =
        Notification.Name("UIApplicationDidEnterBackgroundNotification")

    /// Posted shortly before the app leaves the background, with the app as its object:
    /// [willEnterForegroundNotification](https://developer.apple.com/documentation/uikit/uiapplication/willenterforegroundnotification).
    public nonisolated static let willEnterForegroundNotification =
        Notification.Name("UIApplicationWillEnterForegroundNotification")

    /// Posted when the app has come to the front, with the app as its object:
    /// [didBecomeActiveNotification](https://developer.apple.com/documentation/uikit/uiapplication/didbecomeactivenotification).
    public nonisolated static let didBecomeActiveNotification =
        Notification.Name("UIApplicationDidBecomeActiveNotification")

    /// Whether the app is in front.
    open internal(set) var applicationState = State.active

    var backgroundTasks: [UIBackgroundTaskIdentifier: @MainActor @Sendable () -> Void] = [:]
    private var lastTask = 0

    /// Creates an app that is in front.
    public override init() {
        super.init()
    }

    /// Asks for time after the app has entered the background:
    /// [beginBackgroundTask(withName:expirationHandler:)](https://developer.apple.com/documentation/uikit/uiapplication/beginbackgroundtask(withname:expirationhandler:)).
    ///
    /// - Parameters:
    ///   - taskName: a name for debuggers, which has no effect here.
    ///   - handler: called when the time is over. It has to end the task.
    open func beginBackgroundTask(
        withName taskName: String?,
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        lastTask += 1
        let identifier = UIBackgroundTaskIdentifier(rawValue: lastTask)
        backgroundTasks[identifier] = handler ?? {}
        return identifier
    }

    /// Ends a task; the system may suspend the app when none is left.
    open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        backgroundTasks[identifier] = nil
    }
}

/// Names a background task, as [UIBackgroundTaskIdentifier](https://developer.apple.com/documentation/uikit/uibackgroundtaskidentifier).
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    /// No task.
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)

    /// The number of the task.
    public let rawValue: Int

    /// Creates an identifier.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }
}
