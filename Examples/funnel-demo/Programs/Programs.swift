import FunnelCommandSupport
import Foundation

/// The commands that the demo runs, from the folder of its own executable.
struct Programs: Sendable {
    let consumer: Program
    let report: Program
    let collector: Program

    /// Finds the commands beside an executable.
    ///
    /// - Throws: `CommandFailure` if one is missing.
    static func beside(_ executable: URL?) throws(CommandFailure) -> Programs {
        guard let folder = executable?.resolvingSymlinksInPath().deletingLastPathComponent() else {
            throw CommandFailure(.software, "the path of this program is unknown, so the others cannot be found")
        }
        return Programs(
            consumer: try Program(name: "funnel-consumer", folder: folder),
            report: try Program(name: "funnel-report", folder: folder),
            collector: try Program(name: "event-collector", folder: folder)
        )
    }
}
