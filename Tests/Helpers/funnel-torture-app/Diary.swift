import EventTracking
import Foundation
import FunnelTortureSupport

/// Writes the run's journal: each line is on the disk before the next thing happens.
struct Diary {
    /// The run's name.
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

    /// The tracker says that everything up to this number is on the disk, but for what it has dropped.
    mutating func stored(through number: Int, _ statistics: TrackerStatistics) {
        guard number > through else { return }
        // What an event needs to be tracked is room on the disk; what is dropped from there was tracked.
        let lost = statistics.dropped[.notStored] ?? 0
        _ = write(Journal.Stored(numbers: through + 1...number, dropped: lost - dropped).line)
        (through, dropped) = (number, lost)
    }

    /// Everything is delivered.
    func finish() {
        _ = write(Journal.end)
    }

    private func write(_ line: String) -> Bool {
        disk.elsewhere { Console.write(line, to: descriptor) && fsync(descriptor) == 0 }
    }
}
