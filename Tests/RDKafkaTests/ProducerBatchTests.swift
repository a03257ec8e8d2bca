import Testing
@testable import RDKafka

@Suite struct ProducerBatchTests {
    private func records(_ batch: ProducerBatch) -> [String] {
        batch.entries.map { entry in
            func text(_ start: Int, _ count: Int) -> String {
                count < 0 ? "null" : String(decoding: batch.bytes.contents[start..<start + count], as: UTF8.self)
            }
            let value = text(entry.start + max(0, entry.keyCount), entry.valueCount)
            return "\(text(entry.start, entry.keyCount))=\(value)"
        }
    }

    @Test func `keys and values follow each other without gaps`() {
        var batch = ProducerBatch()
        batch.append(key: "naïve", value: Array("1".utf8))
        batch.append(key: nil, value: Array("2".utf8))
        batch.append(key: Array("k".utf8), value: nil)
        batch.append(key: "", value: [])
        #expect(records(batch) == ["naïve=1", "null=2", "k=null", "="])
        #expect(batch.count == 4 && batch.byteCount == 9)
    }

    @Test func `appending to a copy does not change the original`() {
        var batch = ProducerBatch()
        batch.append(key: "a", value: Array("1".utf8))
        var copy = batch
        copy.append(key: "b", value: Array("2".utf8))
        batch.append(key: "c", value: Array("3".utf8))
        #expect(records(batch) == ["a=1", "c=3"] && records(copy) == ["a=1", "b=2"])
    }

    @Test func `a batch grows with its records`() {
        var batch = ProducerBatch()
        for number in 0..<1000 { batch.append(key: "k", value: Array("\(number)".utf8)) }
        #expect(records(batch) == (0..<1000).map { "k=\($0)" })
    }

    @Test func `consecutive records with equal headers share one set of headers`() {
        var batch = ProducerBatch()
        for name in ["a", "a", "b", "a"] { batch.append(key: "k", value: [], headers: [KafkaHeader(name, "1")]) }
        batch.append(key: "k", value: [])
        #expect(batch.entries.map(\.headers) == [0, 0, 1, 2, -1])
    }
}
