import EventFiles
import FlowEvents
import FunnelServiceSupport
import FunnelStore
import Funnels

/// Counts the lines of files into a store: one partition in which no event is late.
final class FileCount {
    private let store: any FunnelStore
    private var intake: RecordIntake
    private var commitThread: CommitThread
    private var schedule: CommitSchedule
    private var progress = FileProgress()
    private let clock = ContinuousClock()

    /// Names the partition that all files are, and its topic in the store's identity.
    private static let partition: Int32 = 0
    private static let name = "files"

    init(into store: any FunnelStore, _ options: FunnelConsumerOptions) throws {
        self.store = store
        intake = RecordIntake(funnels: options.funnels, allowedLateness: .max)
        schedule = CommitSchedule(
            interval: options.commitInterval,
            byteLimits: CommitSchedule.byteLimits(
                cacheBytes: options.bounds.cacheBytes,
                inBatches: store is any BatchedStore
            ),
            now: clock.now
        )
        _ = try store.open(StoreIdentity(clusterID: Self.name, topic: Self.name, funnels: options.funnels))
        // Without the number of partitions no evidence is removed: the next line may be of any day.
        commitThread = CommitThread(
            Committer(
                store: store,
                funnels: options.funnels,
                bounds: options.bounds,
                timeZones: try store.timeZones(of: options.funnels),
                partitionCount: nil,
                isNew: true
            )
        )
        intake.assign(Self.partition, stored: nil, firstOffset: 0)
        intake.begin(Self.partition, at: 0)
    }

    /// The bytes of files together; `nil` where one of them is a pipe.
    ///
    /// - Throws: `EventFileError` where one cannot be opened.
    static func size(of paths: [String]) throws(EventFileError) -> Int64? {
        var size: Int64? = 0
        for path in paths {
            let own = try LineReader.size(ofFileAt: path)
            size = size.flatMap { size in own.map { size + $0 } }
        }
        return size
    }

    /// Counts the lines of a file.
    func read(
        _ path: String,
        onProgress: (FileProgress) throws -> Void,
        onBadLine: (FunnelPreview.BadLine) -> Void
    ) throws {
        // A longer line is cut one byte beyond the limit, and so too large.
        let reader = try LineReader(path: path, limit: EventRules.maximumSize)
        var isOpen = true
        while isOpen {
            isOpen = try reader.readLines { line in
                let violation = intake.take(
                    line.bytes,
                    timestamp: nil,
                    partition: Self.partition,
                    offset: Int64(progress.lineCount)
                )
                progress.lineCount += 1
                if let violation {
                    onBadLine(
                        FunnelPreview.BadLine(file: reader.name, line: line.number, violation: violation.description)
                    )
                }
            }
            try commitIfFull()
            try onProgress(progress.adding(reader.position))
        }
        progress.byteCount += reader.position
    }

    /// Commits the rest.
    func end() throws {
        intake.setEnd(of: Self.partition, at: Int64(progress.lineCount))
        intake.confirmEnds()
        try finishCommit()
        try commit()
        try finishCommit()
    }

    private func commitIfFull() throws {
        if let outcome = commitThread.poll() { try finish(outcome) }
        guard schedule.isFull(intake.pending) else { return }
        try finishCommit()
        try commit()
    }

    private func commit() throws {
        schedule.recordStart(now: clock.now, intake.pending)
        let advances = intake.takeAdvances(now: .current)
        commitThread.begin(intake.takeInterval(), advances, after: {}, onEnd: {})
    }

    private func finishCommit() throws {
        if let outcome = commitThread.wait() { try finish(outcome) }
    }

    private func finish(_ outcome: CommitThread.Outcome) throws {
        schedule.recordEnd(now: clock.now)
        guard try outcome.get() == nil else {
            throw StoreError.unavailable("another process has written to the temporary store: preview again")
        }
    }
}

/// How far files are read.
struct FileProgress {
    /// The lines that were read, empty ones left out.
    var lineCount = 0
    /// The bytes that were read.
    var byteCount: Int64 = 0

    func adding(_ bytes: Int64) -> FileProgress {
        var progress = self
        progress.byteCount += bytes
        return progress
    }

    func share(of size: Int64) -> Double {
        size > 0 ? min(1, Double(byteCount) / Double(size)) : 1
    }
}
