import Foundation

/// Reads commands of `funnel-torture` for the phone from standard input.
struct Remote: Sendable {
    let clock: PhoneClock
    let disk: PhoneDisk

    /// Reads on its own thread. The end of the input ends the process.
    func listen() {
        Thread.detachNewThread { [self] in
            while let line = readLine() {
                let words = line.split(separator: " ")
                switch words.first {
                case "clock": clock.move(by: words.last.flatMap { Int64($0) } ?? 0)
                case "full": disk.setFull(true)
                case "free": disk.setFull(false)
                default: break
                }
            }
            exit(0)
        }
    }
}
