import CRDKafka

/// Headers as arguments of `rd_kafka_produceva`, in memory that stays where it is.
final class HeaderArguments {
    let arguments: [rd_kafka_vu_t]
    private let memory: UnsafeMutableRawBufferPointer

    init(_ headers: [KafkaHeader]) {
        // Each name with its terminating zero, then the value.
        let size = headers.reduce(0) { $0 + $1.name.utf8.count + 1 + ($1.value?.count ?? 0) }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        var end = 0
        func place(_ bytes: some Collection<UInt8>) -> UnsafeMutableRawBufferPointer {
            let place = UnsafeMutableRawBufferPointer(rebasing: memory[end..<end + bytes.count])
            place.copyBytes(from: bytes)
            end += bytes.count
            return place
        }
        arguments = headers.map { header in
            var argument = rd_kafka_vu_t()
            argument.vtype = RD_KAFKA_VTYPE_HEADER
            argument.u.header.name = UnsafePointer(
                place(Array(header.name.utf8) + [0]).baseAddress?.assumingMemoryBound(to: CChar.self)
            )
            if let value = header.value {
                // An empty value is no null; the address of nothing is any address.
                argument.u.header.val = UnsafeRawPointer(place(value).baseAddress ?? memory.baseAddress)
                argument.u.header.size = value.count
            }
            return argument
        }
        self.memory = memory
    }

    deinit {
        memory.deallocate()
    }
}
