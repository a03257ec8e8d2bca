import EventTracking
import FlowEvents
import Foundation
import GRDB

extension DeviceQueue {
    /// Saves the remaining waits for the sink.
    func save(_ retry: RetrySnapshot, at now: Timestamp) throws(DeviceQueueError) {
        try transaction { database in
            try database.execute(
                sql: "UPDATE state SET failures = ?, saved_at = ?, backoff = ?, sink_wait = ?",
                arguments: [
                    retry.failures, now.milliseconds, retry.backoff.wholeMilliseconds,
                    retry.sinkWait.wholeMilliseconds,
                ]
            )
        }
    }

    /// Returns the remaining waits for the sink.
    ///
    /// If the device's clock was changed meanwhile, a wait may end early, but never becomes longer.
    func loadRetry(at now: Timestamp) throws(DeviceQueueError) -> RetrySnapshot {
        try reading { database in
            let sql = "SELECT failures, saved_at, backoff, sink_wait FROM state"
            guard let row = try Row.fetchOne(database, sql: sql) else { return RetrySnapshot() }
            let passed = max(0, now.milliseconds - (row[1] as Int64))
            func left(_ wait: Int64) -> Duration { .milliseconds(max(0, wait - passed)) }
            return RetrySnapshot(failures: row[0], backoff: left(row[2]), sinkWait: left(row[3]))
        }
    }

    /// The install id; `nil` while the file cannot be read.
    var installID: String? {
        do throws(DeviceQueueError) {
            return try reading { try DeviceIdentity.load(from: $0) }.installID
        } catch {
            return nil
        }
    }

    /// Whether tracking is off.
    var hasOptedOut: Bool { hasOptedOutInMemory || folder.exists(folder.optOutMarker) }

    /// Whether the user has agreed to tracking.
    var hasConsented: Bool { hasConsentedInMemory || folder.exists(folder.consentMarker) }

    /// Keeps that the user has agreed, also for later launches and other processes.
    private func saveConsent() throws(DeviceQueueError) {
        guard !hasConsented else { return }
        // A queue in memory has no later launch.
        if isInMemory { return hasConsentedInMemory = true }
        let made = folder.make()
        let code = made == 0 ? folder.makeFile(folder.consentMarker) : made
        guard code == 0 else {
            throw .unavailable(path: folder.consentMarker, detail: String(cString: strerror(code)))
        }
    }

    /// Switches tracking off or on. Both delete all events, counts and damaged files, and make a new install id.
    ///
    /// - Throws: an error if the disk cannot be written. Tracking stays off in this run.
    func setOptedOut(_ optsOut: Bool) throws(DeviceQueueError) {
        let marker = folder.optOutMarker
        // A call that failed halfway is done again.
        let isDone = optsOut ? folder.exists(marker) && (hasPurged || folder.numbers().isEmpty) : !hasOptedOut
        guard !isDone else {
            if !optsOut { try saveConsent() }
            return
        }
        hasOptedOutInMemory = true
        hasPurged = false
        if optsOut {
            let made = folder.make()
            let code = made == 0 ? folder.makeFile(marker) : made
            guard code == 0 else { throw .unavailable(path: marker, detail: String(cString: strerror(code))) }
            hasConsentedInMemory = false
            _ = folder.remove(folder.consentMarker)
        }
        try purge()
        hasPurged = optsOut
        guard !optsOut else { return }
        try saveConsent()
        let code = folder.remove(marker)
        guard code == 0 else { throw .unavailable(path: marker, detail: String(cString: strerror(code))) }
        hasOptedOutInMemory = false
    }

    /// Deletes all events, counts and damaged files, and makes a new install id, if the install is one of `erased`.
    func beginInstall(ifIn erased: Set<String>) throws(DeviceQueueError) {
        if erased.contains(try reading { try DeviceIdentity.load(from: $0) }.installID) { try purge() }
    }

    private func purge() throws(DeviceQueueError) {
        let installID = newInstallID()
        try transaction { database in
            for table in ["event", "run_offset", "flight", "loss", "quarantine", "state"] {
                try database.execute(sql: "DELETE FROM \(table)")
            }
            try database.execute(sql: "INSERT INTO state(only, install_id) VALUES (1, ?)", arguments: [installID])
        }
        // The write-ahead log and damaged files may still contain deleted events.
        try emptyLog()
        folder.deleteFiles(before: folder.numbers().last ?? 0)
    }
}
