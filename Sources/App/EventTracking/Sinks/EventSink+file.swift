extension EventSink {
    /// Appends events to a file, one JSON document a line (NDJSON), readable by the owner only.
    ///
    /// - A batch is delivered when `fsync` has written it to the disk.
    /// - If a batch cannot be written completely, the sink removes its part. An incomplete line of an earlier process gets
    ///   a newline, so that the next line stays valid.
    /// - Errors that can pass, such as a full disk, lead to a retry with the code `file_busy`. Other errors, such as a
    ///   path that cannot be opened, reject the batch with the code `file_not_writable`.
    ///
    /// The sink opens the file for the first batch. A separate thread does the I/O. Any number of trackers may use one
    /// sink, but no other sink or process may write to the file.
    ///
    /// - Parameter path: the path of the file. Its folder must exist.
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
            // Removes the part that was written, which the retry would write again. If that fails, opening the file again
            // at least ends the incomplete line.
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
