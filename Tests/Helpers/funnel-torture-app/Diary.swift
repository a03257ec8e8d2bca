import EventTracking
import Foundation
import FunnelTortureSupport

/// Writes the run's journal. Each line is on the disk before the app continues.
struct Diary {
    /// The name of the run.
    let run = UUID().uuidString
    private let descriptor: Int32
    private let disk: PhoneDisk
    private var through = 0
    private var dropped = 0

    init(_ options: Options, _ disk: PhoneDisk) throws {
        self.disk = disk
        descriptor = open("\(options.journal)/\(run)", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        let journal = Journal(run: run, phone: options.phone, isSteady: !options.followsWallClock)
        guard descriptor >= 0, write(journal.head) else { throw POSIXError(.EIO) }
    }

    /// Notes that the tracker has stored all events up to this number, except those that it dropped.
    mutating func stored(through number: Int, _ statistics: TrackerStatistics) {
        guard number > through else { return }
        // An event counts as tracked once it is on the disk, even if the queue drops it later.
        let lost = statistics.dropped[.notStored] ?? 0
        _ = write(Journal.Stored(numbers: through + 1...number, dropped: lost - dropped).line)
        (through, dropped) = (number, lost)
    }

    /// Notes that all events are delivered.
    func finish() {
        _ = write(Journal.end)
    }

    private func write(_ line: String) -> Bool {
        disk.elsewhere { Console.write(line, to: descriptor) && fsync(descriptor) == 0 }
    }
}
