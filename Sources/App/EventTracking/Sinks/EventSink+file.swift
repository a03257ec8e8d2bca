extension EventSink {
    /// Appends events to a file, one JSON document a line (NDJSON), readable by the owner only.
    ///
    /// - A batch is delivered when `fsync` says that it is on the disk.
    /// - A batch that could not be written whole is taken away again. A line that an earlier process left half written gets its newline, so
    ///   that it spoils no other line.
    /// - A full disk, and other conditions that pass, are outcomes to retry, with the name of the error as the code; a
    ///   path that cannot be opened is a rejection.
    ///
    /// The file is opened with the first batch; input and output happen on a thread of their own. Nobody else may append
    /// to it at the same time; one sink may serve any number of trackers.
    ///
    /// - Parameter path: the file; its folder has to exist.
    public static func file(path: String) -> EventSink {
        let file = EventFile(path: path)
        return EventSink(
            send: { batch in await file.append(batch) },
            shutdown: { await file.close() }
        )
    }
}

private actor EventFile {
    private let path: String
    private let executor = BlockingExecutor(label: "flow-funnels.event-file")
    private var file: SystemFile?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(path: String) {
        self.path = path
    }

    func append(_ batch: [EncodedEvent]) -> [EventOutcome] {
        let outcome: EventOutcome
        do {
            try write(batch)
            outcome = .delivered
        } catch {
            let failure = SinkFailure(code: error.isTransient ? "file_busy" : "file_not_writable", detail: "\(error)")
            outcome = error.isTransient ? .retry(failure) : .rejected(failure)
        }
        return Array(repeating: outcome, count: batch.count)
    }

    func close() {
        file = nil
    }

    private func write(_ batch: [EncodedEvent]) throws(SystemError) {
        let file = try openFile()
        var lines: [UInt8] = []
        lines.reserveCapacity(batch.reduce(0) { $0 + $1.value.count + 1 })
        for event in batch {
            lines += event.value
            lines.append(UInt8(ascii: "\n"))
        }
        let size = try file.size()
        do {
            try file.write(lines)
            try file.synchronize()
        } catch {
            // What is there of the batch would stand twice after the retry, its last line cut. Where it cannot be taken
            // away, opening the file anew at least ends that line.
            do { try file.truncate(to: size) } catch { self.file = nil }
            throw error
        }
    }

    private func openFile() throws(SystemError) -> SystemFile {
        if let file { return file }
        let opened = try SystemFile(path: path, for: .appending)
        let size = try opened.size()
        if size > 0, try opened.read(1, at: size - 1) != [UInt8(ascii: "\n")] {
            try opened.write([UInt8(ascii: "\n")])
        }
        file = opened
        return opened
    }
}
