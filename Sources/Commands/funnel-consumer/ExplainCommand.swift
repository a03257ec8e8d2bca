import ArgumentParser
import FlowEvents
import FunnelCommandStores
import FunnelCommandSupport
import FunnelConsumer
import FunnelConsumerConfiguration
import FunnelStore
import Funnels
import Logging

/// `funnel-consumer explain`: prints the funnels in words.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Prints each funnel of the funnels file in words, and what a rebuild would change in the store.",
        discussion: """
            It checks the configuration and the funnels file as the consumer does, needs no broker, and writes nothing. \
            Where there is a store, it compares the funnels file with the funnels that the store counts.
            """
    )

    @OptionGroup var files: FileOptions

    func run() throws {
        try FailureReport.funnelConsumer.reporting {
            let settings = try files.settings()
            let silent = Logger(label: "explain") { _ in SwiftLogNoOpLogHandler() }
            let funnels = try settings.consumerOptions(silent).funnels
            let changes = try settings.store.storedFunnels().map { FunnelChanges(from: $0, to: funnels) }
            let parts = funnels.map(\.paragraph) + [Self.text(of: changes, in: settings.store)]
            try StandardOutput.write(parts.joined(separator: "\n\n") + "\n")
        }
    }

    private static func text(of changes: FunnelChanges?, in store: StoreURL) -> String {
        guard let changes else { return "There is no store at \(store) yet." }
        guard !changes.isEmpty else { return "The store \(store) counts these funnels: nothing to rebuild." }
        return TerminalText.visible("The store \(store) counts other funnels: \(changes)")
            + "\nTo count as the file says: \(TerminalText.visible(changes.rebuildCommand))"
    }
}

extension Funnel {
    /// The name, the description and the explanation as lines for a terminal.
    fileprivate var paragraph: String {
        let heading = description.map { "\(name): \($0)" } ?? name
        let lines = explanation.split(separator: "\n").map { "  " + TerminalText.visible(String($0)) }
        return ([TerminalText.visible(heading)] + lines).joined(separator: "\n")
    }
}

extension StoreURL {
    /// The funnels that the store counts; `nil` where there is no store.
    ///
    /// - Throws: `StoreError` where the store cannot be read.
    fileprivate func storedFunnels() throws(StoreError) -> [Funnel]? {
        do {
            return try openReader().funnels
        } catch  where error.code == .missing {
            return nil
        }
    }
}
