import ArgumentParser
import FlowEvents
import FunnelFile
import FunnelStore
import Funnels

/// Measures a commit with one new event of an install that already has many.
struct HotInstall: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hot",
        abstract: "Measures commits with one new event of an install that has much evidence."
    )

    @Option(help: ArgumentHelp("The funnels file.", valueName: "path"))
    var funnels = "Benchmarks/light-funnels.yaml"

    @Option(help: "The number of commits to measure at each size.")
    var commits = 20

    func run() throws {
        let funnels = try FunnelsFile.read(path: funnels)
        for size in [100, 1000, 10_000, 50_000, 99_900, 150_000] {
            var collector = FunnelCollector(funnels: funnels)
            var counter = FunnelCounter(funnels: funnels)
            var time: Int64 = 1_772_409_600_000
            var number: UInt64 = 0
            var row = 0
            func insert() {
                // One event every ten seconds.
                time += 10_000
                number += 1
                Self.withView(number, at: time) { collector.insert($0, partition: 0) }
            }
            func count() throws {
                var batch = counter.batch(of: collector.takeInterval())
                // The cache has the row.
                try batch.count { _ in [] }
                if let write = batch.writes.first { row = write.state.count }
                counter.confirm(batch)
            }
            for _ in 0..<size { insert() }
            try count()
            var times: [Duration] = []
            for _ in 0..<commits {
                insert()
                times.append(try ContinuousClock().measure { try count() })
            }
            let median = times.sorted()[times.count / 2].inSeconds * 1_000_000
            print(#"{"name":"hot","evidence":\#(size),"row_bytes":\#(row),"count_us":\#(Int(median))}"#)
        }
    }

    private static func withView(_ number: UInt64, at time: Int64, _ body: (EventFields) -> Void) {
        var random = SplitMix(state: number)
        let hex = String(random.next() | 1 << 63, radix: 16)
        let id = Array("\(hex.prefix(8))-\(hex.suffix(4))-7000-8000-00000000\(hex.prefix(4))".utf8)
        let screen = Array((number % 2 == 0 ? "home" : "paywall").utf8)
        let texts = [Array("app://com.example.shop".utf8), Array("screen_view".utf8), Array("install".utf8)]
        id.withUnsafeBytes { id in
            screen.withUnsafeBytes { screen in
                texts[0].withUnsafeBytes { source in
                    texts[1].withUnsafeBytes { type in
                        texts[2].withUnsafeBytes { install in
                            // The example funnels compare these two fields.
                            let values: [FieldValue] = [.string(screen), .string(screen)]
                            values.withUnsafeBufferPointer { values in
                                body(
                                    EventFields(
                                        id: id,
                                        source: source,
                                        type: type,
                                        time: Timestamp(milliseconds: time),
                                        installID: install,
                                        sessionID: install,
                                        sequence: Int64(number),
                                        values: values
                                    )
                                )
                            }
                        }
                    }
                }
            }
        }
    }
}
