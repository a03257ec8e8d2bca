import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport

/// The records that one producer publishes, chunk by chunk: a pure function of the seed.
///
/// They are events of a few days in random order, and some much older ones. A fifth of them are sent again. Some are in
/// another partition than the other events of their install, and a few records are not events. Some installs ask to be erased,
/// each of them more than once.
struct Traffic: Sendable {
    /// The number of days that the events of a chunk span; chunks overlap.
    static let days: Int64 = 3
    /// The consumers' `allowed_lateness`: the events of a chunk are never late, the older ones may be.
    static let allowedLateness = "84h"
    static let allowedLatenessMilliseconds: Int64 = 84 * 3_600_000
    /// The number of days that all chunks span.
    private static let span: Int64 = 30 * 86_400_000
    private static let hour: UInt64 = 3_600_000

    private var random: RandomFunnels
    private let name: String
    private let size: Int
    private let installs: Int
    private let step: Int64
    private var count = 0
    private var past: [(event: Event, value: [UInt8])] = []

    /// - Parameters:
    ///   - name: The name of the producer. It makes the ids of its events unique.
    ///   - chunks: The number of chunks.
    ///   - size: The number of events in a chunk.
    ///   - installs: The number of installs in all chunks.
    init(seed: UInt64, name: String, chunks: Int, size: Int, installs: Int) {
        random = RandomFunnels(seed: seed)
        self.name = name
        self.size = size
        self.installs = installs
        step = Self.span / Int64(max(1, chunks))
    }

    /// The next chunk.
    ///
    /// - Parameter partitions: The number of partitions that the installs are spread over now.
    mutating func nextChunk(partitions: Int) throws -> [ChaosRecord] {
        count += 1
        var records: [ChaosRecord] = []
        for event in random.events(count: size, installs: installs, days: Self.days) {
            var event = event
            event.time = Timestamp(milliseconds: event.time.milliseconds + Int64(count) * step - delay())
            // A UUID is unique; the other ids are unique within this chunk.
            if event.id.utf8.count < 36 { event.id += "-\(name)\(count)" }
            let value = try event.encoded()
            records.append(record(event, value, partitions))
            past.append((event, value))
            if Self.isForgetful(event.installID), random.generator.chance(5) {
                let request = erasureRequest(of: event)
                records.append(record(request, try request.encoded(), partitions))
            }
            if random.generator.chance(20) {
                let (event, value) = random.generator.pick(past)
                records.append(record(event, value, partitions))
            }
            if random.generator.chance(2) {
                let partition = Int32(random.generator.next() % UInt64(partitions))
                records.append(
                    ChaosRecord(event: nil, value: random.generator.pick(Self.invalidValues), partition: partition)
                )
            }
        }
        past.removeFirst(max(0, past.count - 20 * size))
        return records.shuffled(using: &random.generator)
    }

    private mutating func record(_ event: Event, _ value: [UInt8], _ partitions: Int) -> ChaosRecord {
        // Any hash works if an install keeps its partition.
        var place = event.installID.utf8.reduce(7) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
        if random.generator.chance(8) { place += 1 }
        return ChaosRecord(event: event, value: value, partition: Int32(place % partitions))
    }

    // Few enough that the funnels of the others stay full.
    private static func isForgetful(_ installID: String) -> Bool {
        installID.utf8.reduce(3) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % 10 == 0
    }

    private mutating func erasureRequest(of event: Event) -> Event {
        Event(
            id: "erase-\(event.id)",
            source: event.source,
            type: ErasureRequest.eventType,
            time: Timestamp(milliseconds: event.time.milliseconds - delay()),
            installID: event.installID
        )
    }

    private mutating func delay() -> Int64 {
        random.generator.chance(4) ? Int64(random.generator.next() % (96 * Self.hour)) : 0
    }

    /// Returns a record that is not an event.
    static let invalidValues: [[UInt8]] =
        [
            "", "no event", "{}", "[1", #"{"specversion":"1.0"}"#,
            #"{"specversion":"1.0","id":"1","source":"app://a","type":"t","time":"yesterday","data":{"install_id":"i"}}"#,
            #"{"specversion":"1.0","id":"1","source":"app://a","type":"t","time":"2026-03-01T00:00:00Z","data":{}}"#,
            #"{"specversion":"1.0","id":"1","source":"app://a","type":"t","time":"9000-01-01T00:00:00Z","#
                + #""data":{"install_id":"i"}}"#,
        ].map { Array($0.utf8) } + [[0xFF, 0x00]]
}
