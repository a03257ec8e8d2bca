import FunnelCommandSupport
import Foundation

/// The real commands, from the folder that this one is in.
struct Programs: Sendable {
    let consumer: Program
    let report: Program
    /// Only where the events go through it.
    let collector: Program?

    /// - Throws: `CommandFailure` where one is missing.
    static func beside(_ executable: URL?, for route: EventRoute) throws(CommandFailure) -> Programs {
        guard let folder = executable?.resolvingSymlinksInPath().deletingLastPathComponent() else {
            throw CommandFailure(.software, "cannot tell where this program lies, and so not where its siblings do")
        }
        return Programs(
            consumer: try Program(name: "funnel-consumer", folder: folder),
            report: try Program(name: "funnel-report", folder: folder),
            collector: route == .http ? try Program(name: "event-collector", folder: folder) : nil
        )
    }
}
