import FlowAnalytics
import HeadlessSwiftUI
import HeadlessUIKit
import Testing

@testable import FlowSwiftUI

/// An app whose views run in a window, as in a release of SwiftUI.
@MainActor
final class HostedApp {
    let scene: TestScene
    private(set) var host: HeadlessHost?

    /// - Parameter animates: whether what goes stays for a turn of the main actor.
    init(_ root: some View, in release: HeadlessRelease = HeadlessRelease(), animates: Bool = false) {
        let controller = UIHostingController(rootView: Text(""))
        scene = TestScene(root: controller)
        host = HeadlessHost(root.tracked(by: scene.analytics), in: controller, release: release)
        host?.animates = animates
    }

    var lines: [String] { scene.log.lines }

    /// The user does something, and sees what comes of it.
    func act(_ action: (HeadlessHost) -> Void) async {
        guard let host else { return }
        await scene.turn()
        action(host)
        await scene.turn()
        host.finishAnimations()
        await scene.turn()
    }

    /// The user taps one after the other.
    func tap(_ titles: String...) async {
        for title in titles { await act { $0.tap(title) } }
    }

    /// The scene goes.
    func close() async {
        await scene.turn()
        host = nil
        await scene.turn()
    }
}

/// How SwiftUI may behave.
struct Behavior: Sendable, CustomTestStringConvertible {
    var release: HeadlessRelease
    var animates: Bool

    static let all = [false, true].flatMap { doubles in
        [false, true].flatMap { appearsFirst in
            [false, true].map { animates in
                let release = HeadlessRelease(doublesAppearances: doubles, appearsFirst: appearsFirst)
                return Behavior(release: release, animates: animates)
            }
        }
    }

    var testDescription: String {
        "\(release.doublesAppearances ? "twice" : "once"), \(release.appearsFirst ? "appears" : "disappears") first"
            + (animates ? ", animated" : "")
    }
}
