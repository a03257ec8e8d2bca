import ArgumentParser
import EventFiles
import FlowEvents
import Foundation
import FunnelCommandStores
import FunnelCommandSupport
import FunnelCommandTopics
import FunnelConsumer
import FunnelConsumerConfiguration
import FunnelReports
import FunnelServiceSupport
import FunnelStore
import FunnelStoreSQLite
import Funnels
import Logging
import RDKafka
import YAMLNodes

/// `funnel-report preview`: counts funnels over a topic or over files, without a store.
struct PreviewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Counts a funnels file over a topic or over files, and prints the report, without a store.",
        discussion: """
            It reads a topic from its first record to its end as seen at the start, or files of one event a line: plain, \
            gzip or Zstandard, - for standard input. It joins no group, commits nothing, and writes nothing but a temporary \
            store, which it removes. Files are one partition in which no event is late, and no day is final. With --against \
            it prints each step of the funnels that a store has too, before and after.
            """
    )

    @Argument(help: ArgumentHelp("The funnels to print. Default: all of the file.", valueName: "funnel"))
    var names: [String] = []

    @Option(help: ArgumentHelp("The funnels file; or FUNNELS_PATH. Default: config/funnels.yaml.", valueName: "path"))
    var funnels: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Files of one event a line, in place of a topic; - for standard input.",
            valueName: "path"
        )
    )
    var events: [String] = []

    @Option(
        help: ArgumentHelp("The configuration file. Default: config/consumer.yaml, if it exists.", valueName: "path")
    )
    var config: String?

    @OptionGroup var kafka: TopicOptions

    @Option(
        help: ArgumentHelp(
            "Compares with the figures of this store: sqlite:PATH or postgres://….",
            valueName: "url"
        ),
        transform: { try StoreURL($0) }
    )
    var against: StoreURL?

    @Flag(help: "With --against: exits with 1 if a figure of a funnel that both have is different.")
    var failOnChange = false

    @Option(help: ArgumentHelp("The folder of the temporary store. Default: TMPDIR or /tmp.", valueName: "path"))
    var scratchDirectory: String?

    @OptionGroup var shape: ReportShape

    func validate() throws {
        if failOnChange, against == nil { throw ValidationError("--fail-on-change is for --against URL.") }
        if against != nil, shape.by != nil || shape.compare || shape.times || shape.breakdownColumn {
            throw ValidationError(
                "--against prints the steps before and after: leave out --by, --compare, --times and --breakdown-column."
            )
        }
        if !events.isEmpty, kafka.bootstrapServers != nil || kafka.topic != nil {
            throw ValidationError("--events counts files: leave out --bootstrap-servers and --topic.")
        }
    }

    func run() throws {
        FreedMemory.shareAmongThreads()
        try FailureReport.funnelReport.reporting {
            let settings = try settings()
            let definitions = try settings.readFunnels()
            // Before anything is read, because it can take minutes.
            let selected = try select(from: definitions)
            let before = try against?.openReader()
            let count = try counted(settings, definitions.filter { selected.contains($0.name) })
            defer { count.remove() }
            let reader = try count.reader()
            guard let before else { return try shape.print(selected, from: reader) }
            let review = try review(selected, before, reader)
            try StandardOutput.write(review.render(shape.format, style: .standardOutput))
            if failOnChange, review.hasChanges {
                count.remove()
                throw ExitCode(1)
            }
        }
    }

    private func settings() throws(ConfigurationError) -> ConsumerSettings {
        let flags = ConsumerLayer(bootstrapServers: kafka.bootstrapServers, topic: kafka.topic, funnels: funnels)
        var environment = ProcessInfo.processInfo.environment
        // It counts into no store but its own.
        environment["STORE_URL"] = nil
        return try ConsumerSettings(layers: [
            flags, ConsumerLayer(environment: environment),
            ConsumerFile.read(path: config, remedy: "name an existing file with --config, or leave it out"),
        ])
    }

    private func select(from definitions: [Funnel]) throws(UnknownFunnels) -> [String] {
        let known = definitions.map(\.name)
        do {
            return try FunnelSelection.select(names, from: known)
        } catch {
            throw UnknownFunnels(names: error.names, known: known, in: .file)
        }
    }

    private func counted(_ settings: ConsumerSettings, _ definitions: [Funnel]) throws -> SQLiteScratchStore {
        var logger = Logger.command("funnel-report")
        if ProcessInfo.processInfo.environment["LOG_LEVEL"] == nil { logger.logLevel = .warning }
        var scratch = ScratchLocation.temporary
        if let scratchDirectory { scratch.directory = scratchDirectory }
        scratch.isRemovedBySignals = true
        let source: FunnelPreview.Source =
            events.isEmpty
            ? .topic(settings.topic, try settings.kafkaConfiguration(logger)) : .files(events)
        let preview = FunnelPreview(
            source,
            funnels: definitions,
            allowedLateness: settings.allowedLateness,
            cacheBytes: settings.stateCacheMebibytes << 20,
            scratch: scratch,
            logger: logger
        )
        var display = RateDisplay()
        var badLines = BadLines()
        defer { StandardError.write(display.end() + badLines.ending) }
        return try preview.count {
            if let text = display.text($0) { StandardError.write(text) }
        } onBadLine: {
            if let text = badLines.text($0) { StandardError.write(display.end() + text) }
        }
    }

    /// Compares the funnels that both have over the same days: those of the preview, or the store's where the preview has
    /// none of those asked for.
    private func review(
        _ names: [String],
        _ before: any FunnelReading,
        _ after: any FunnelReading
    ) throws -> ReportReview {
        var request = shape.request(names)
        request.limits = BreakdownLimits(valueCount: .max)
        let known = before.funnels.map(\.name)
        let (old, report) = try before.withSnapshot { store in
            try after.withSnapshot { preview in
                var report = try FunnelReport.make(from: preview, funnels: after.funnels, request)
                var old = FunnelReport(funnels: [], quality: try store.quality())
                func ofStore(_ request: ReportRequest) throws -> FunnelResult {
                    try FunnelReport.make(from: store, funnels: before.funnels, request).funnels[0]
                }
                func ofPreview(_ request: ReportRequest) throws -> FunnelResult {
                    try FunnelReport.make(from: preview, funnels: after.funnels, request).funnels[0]
                }
                for (index, result) in report.funnels.enumerated() where known.contains(result.funnel.name) {
                    var request = request
                    request.funnels = [result.funnel.name]
                    request = request.over(result.hasNoDays ? try ofStore(request) : result)
                    old.funnels.append(try ofStore(request))
                    if result.hasNoDays { report.funnels[index] = try ofPreview(request) }
                }
                return (old, report)
            }
        }
        let file = Set(after.funnels.map(\.name))
        return ReportReview(
            before: old,
            after: report,
            removed: self.names.isEmpty ? known.filter { !file.contains($0) } : []
        )
    }
}

extension ReportRequest {
    /// The same request for the days of a result; as it is where the result has no days.
    fileprivate func over(_ result: FunnelResult) -> ReportRequest {
        guard !result.hasNoDays else { return self }
        var request = self
        request.days = .between(result.from, result.to)
        request.isSettledOnly = false
        return request
    }
}

/// A line on a terminal: how far, how fast, and how long still.
struct RateDisplay {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let start = ContinuousClock.now
    private var last: ContinuousClock.Instant?

    /// Returns the line that takes the place of the last one, a few times a second.
    mutating func text(_ progress: FunnelPreview.Progress) -> String? {
        let now = ContinuousClock.now
        guard isTerminal, last.map({ now - $0 > .milliseconds(200) }) ?? true else { return nil }
        last = now
        return "\r" + Self.line(progress, after: start.duration(to: now)) + "\u{1B}[K"
    }

    /// The text that removes the line.
    mutating func end() -> String {
        defer { last = nil }
        return last == nil ? "" : "\r\u{1B}[K"
    }

    static func line(_ progress: FunnelPreview.Progress, after time: Duration) -> String {
        let seconds = time / .seconds(1)
        var parts: [String] = []
        if let share = progress.share { parts.append("\(Int(share * 100)) %") }
        parts.append("\(progress.recordCount) events")
        if seconds > 0 { parts.append("\(Int(Double(progress.recordCount) / seconds)) events/s") }
        if let share = progress.share, share > 0.01, share < 1 {
            parts.append("\(Int((seconds * (1 - share) / share).rounded(.up))) s left")
        }
        return parts.joined(separator: ", ")
    }
}

/// What is said of lines that are no events: the first of them, and how many more there were.
struct BadLines {
    private var count = 0
    private static let shown = 10

    mutating func text(_ line: FunnelPreview.BadLine) -> String? {
        count += 1
        guard count <= Self.shown else { return nil }
        return TerminalText.visible("\(line.file):\(line.line): \(line.violation)") + "\n"
    }

    /// How many more lines there were.
    var ending: String {
        count > Self.shown ? "and \(count - Self.shown) more lines that are no events; all count as dead letters\n" : ""
    }
}
