import FunnelConsumer
import FunnelReports
import Funnels

extension FunnelRebuild {
    /// What was done, for people.
    func text(of revision: FunnelRevision) -> String {
        let seconds = (switchDuration / .milliseconds(100)).rounded() / 10
        var lines = ["read \(recordCount) records, wrote \(installCount) installs; consumers waited \(seconds) s"]
        let range = completeFrom.map { "complete from \($0) on: the topic has lost earlier events" } ?? "complete"
        lines += revision.counted.map { "rebuilt \(TerminalText.visible($0.name)), \(range)" }
        lines += revision.removed.map { "removed \(TerminalText.visible($0.name))" }
        return lines.joined(separator: "\n") + "\n"
    }
}
