import EventFiles
import FunnelStore
public import FunnelStoreSQLite
public import Funnels
public import Logging
public import RDKafka

/// Counts funnels over a topic or over files, to see what a store with these events would say.
///
/// ```swift
/// let preview = FunnelPreview(.files(["last-week.ndjson.gz"]), funnels: funnels, allowedLateness: lateness, logger: logger)
/// let count = try preview.count()
/// defer { count.remove() }
/// let report = try count.reader().withSnapshot { try FunnelReport.make(from: $0, funnels: funnels) }
/// ```
///
/// The ordinary consumer's code counts, into a scratch store. It joins no group, commits nothing to Kafka, sends no dead
/// letters and takes the memory of a consumer, whatever the number of events.
public struct FunnelPreview: Sendable {
    /// Where the events are.
    public enum Source: Sendable {
        /// A topic, from its first record to its end as seen at the start.
        case topic(String, KafkaConfiguration)
        /// Files of one event a line: plain, gzip or Zstandard; `-` is standard input. They are one partition in which no event
        /// is late, whatever the order of its lines, and no day is final.
        case files([String])
    }

    private let source: Source
    private let funnels: [Funnel]
    private let allowedLateness: Duration
    private let cacheBytes: Int
    private let scratch: ScratchLocation
    private let logger: Logger

    /// Creates a preview.
    ///
    /// - Parameters:
    ///   - source: where the events are.
    ///   - funnels: the funnels to count.
    ///   - allowedLateness: how far behind its partition's watermark an event of a topic may be and still count. For files it
    ///     only bounds how much of an install counts, as in a store (semantics, rule 19).
    ///   - cacheBytes: the memory for installs' states between commits, in bytes.
    ///   - scratch: where the scratch store is made.
    ///   - logger: logs warnings.
    public init(
        _ source: Source,
        funnels: [Funnel],
        allowedLateness: Duration,
        cacheBytes: Int = 512 << 20,
        scratch: ScratchLocation = .temporary,
        logger: Logger
    ) {
        self.source = source
        self.funnels = funnels
        self.allowedLateness = allowedLateness
        self.cacheBytes = cacheBytes
        self.scratch = scratch
        self.logger = logger
    }

    /// How far a preview is.
    public struct Progress: Sendable, Hashable {
        /// The number of records or lines that were read.
        public var recordCount = 0
        /// The share that is read, from 0 to 1; `nil` where the end of standard input is not known.
        public var share: Double?
    }

    /// A line that is no valid event. It counts as a dead letter.
    public struct BadLine: Sendable, Hashable {
        /// The file.
        public var file: String
        /// The number of the line, from 1.
        public var line: Int
        /// The rule that it breaks, and how.
        public var violation: String
    }

    /// Counts. It blocks, so call it on a thread that may block.
    ///
    /// - Parameters:
    ///   - onProgress: called from time to time.
    ///   - onBadLine: called with each line of a file that is no valid event.
    /// - Returns: the counts, until they are removed.
    /// - Throws: `StoreError`, ``FunnelConsumerError``, `KafkaConfigurationError`, an error about a file, and the errors of
    ///   `onProgress`.
    public func count(
        onProgress: (Progress) throws -> Void = { _ in },
        onBadLine: (BadLine) -> Void = { _ in }
    ) throws -> SQLiteScratchStore {
        let scratch = try SQLiteScratchStore(at: scratch)
        do {
            switch source {
            case .topic(let topic, let kafka):
                try count(topic, kafka, into: scratch.store, onProgress)
            case .files(let paths):
                try count(paths, into: scratch.store, onProgress, onBadLine)
            }
            return scratch
        } catch {
            scratch.remove()
            if let error = error as? KafkaError { throw FunnelConsumerError.kafka(error) }
            throw error
        }
    }

    private var options: FunnelConsumerOptions {
        var options = FunnelConsumerOptions(
            kafka: [:],
            topic: "",
            deadLetterTopic: "",
            funnels: funnels,
            allowedLateness: allowedLateness,
            exitsAtEnd: true
        )
        options.cacheBytes = cacheBytes
        return options
    }

    private func count(
        _ topic: String,
        _ kafka: KafkaConfiguration,
        into store: SQLiteFunnelStore,
        _ onProgress: (Progress) throws -> Void
    ) throws {
        var options = options
        options.kafka = kafka
        options.topic = topic
        let rules = CountRules(advice: "preview again")
        let loop = try ConsumerLoop(options: options, store: store, logger: logger, countRules: rules) { false }
        try loop.run { try onProgress(Progress(recordCount: $0, share: loop.readShare)) }
    }

    private func count(
        _ paths: [String],
        into store: SQLiteFunnelStore,
        _ onProgress: (Progress) throws -> Void,
        _ onBadLine: (BadLine) -> Void
    ) throws {
        // Before anything is counted, so that a wrong name does not cost the time of the files before it.
        let size = try FileCount.size(of: paths)
        let count = try FileCount(into: store, options)
        for path in paths {
            try count.read(path) { progress in
                try onProgress(Progress(recordCount: progress.lineCount, share: size.map { progress.share(of: $0) }))
            } onBadLine: {
                onBadLine($0)
            }
        }
        try count.end()
    }
}
