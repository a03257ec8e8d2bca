import Foundation

/// Reads commands of `funnel-torture` for the phone from standard input.
struct Remote: Sendable {
    let clock: PhoneClock
    let disk: PhoneDisk

    /// Reads on its own thread. The end of the input ends the process.
    func listen() {
        Thread.detachNewThread { [self] in
            var rest = Data()
            // Not with `readLine()`: while it waits, it keeps the lock of standard input, and `exit` of glibc 2.41 waits for that.
            while case let input = FileHandle.standardInput.availableData, !input.isEmpty {
                var lines = (rest + input).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                rest = lines.removeLast()
                for line in lines { obey(String(decoding: line, as: UTF8.self)) }
            }
            exit(0)
        }
    }

    private func obey(_ line: String) {
        let words = line.split(separator: " ")
        switch words.first {
        case "clock": clock.move(by: words.last.flatMap { Int64($0) } ?? 0)
        case "full": disk.setFull(true)
        case "free": disk.setFull(false)
        default: break
        }
    }
}
