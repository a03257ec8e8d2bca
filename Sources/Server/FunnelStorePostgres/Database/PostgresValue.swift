/// A parameter of a statement, in PostgreSQL's binary form.
///
/// The form is that of the types' `send` functions. Numbers are in network byte order. An
/// [array](https://github.com/postgres/postgres/blob/REL_15_STABLE/src/backend/utils/adt/arrayfuncs.c) is the number of
/// dimensions, a flag for nulls, the elements' type, their number, the lower bound, and each element after its length.
struct PostgresValue {
    /// The OID of a type in `pg_type`, which is the same in every database.
    enum ValueType: UInt32 {
        case bool = 16
        case bytea = 17
        case int8 = 20
        case int4 = 23
        case text = 25
        case boolArray = 1000
        case byteaArray = 1001
        case int4Array = 1007
        case int8Array = 1016
        case textArray = 1009
    }

    let type: ValueType
    /// `nil` is NULL.
    let bytes: [UInt8]?

    static func int8(_ value: Int64) -> PostgresValue {
        PostgresValue(type: .int8, bytes: bigEndian(value))
    }

    static func int4(_ value: Int32) -> PostgresValue {
        PostgresValue(type: .int4, bytes: bigEndian(value))
    }

    static func bool(_ value: Bool) -> PostgresValue {
        PostgresValue(type: .bool, bytes: [value ? 1 : 0])
    }

    static func bytea(_ value: [UInt8]) -> PostgresValue {
        PostgresValue(type: .bytea, bytes: value)
    }

    static func text(_ value: String) -> PostgresValue {
        PostgresValue(type: .text, bytes: Array(value.utf8))
    }

    static func int8s(_ values: [Int64?]) -> PostgresValue {
        array(.int8Array, of: .int8, values.count, hasNulls: values.contains(nil), size: 8) { result in
            for value in values {
                guard let value else {
                    result.appendBigEndian(Int32(-1))
                    continue
                }
                result.appendBigEndian(Int32(8))
                result.appendBigEndian(value)
            }
        }
    }

    static func int4s(_ values: [Int32]) -> PostgresValue {
        array(.int4Array, of: .int4, values.count, size: 4) { result in
            for value in values {
                result.appendBigEndian(Int32(4))
                result.appendBigEndian(value)
            }
        }
    }

    static func optionalText(_ value: String?) -> PostgresValue {
        PostgresValue(type: .text, bytes: value.map { Array($0.utf8) })
    }

    static func bools(_ values: [Bool]) -> PostgresValue {
        array(.boolArray, of: .bool, values.count, size: 1) { result in
            for value in values {
                result.appendBigEndian(Int32(1))
                result.append(value ? 1 : 0)
            }
        }
    }

    static func byteas(_ values: some Collection<[UInt8]>) -> PostgresValue {
        let size = values.reduce(0) { $0 + $1.count } / max(values.count, 1) + 1
        return array(.byteaArray, of: .bytea, values.count, size: size) { result in
            for value in values { result.appendElement(value) }
        }
    }

    static func texts(_ values: [String]) -> PostgresValue {
        array(.textArray, of: .text, values.count, size: 64) { result in
            for value in values { result.appendElement(Array(value.utf8)) }
        }
    }

    private static func array(
        _ type: ValueType,
        of element: ValueType,
        _ count: Int,
        hasNulls: Bool = false,
        size: Int,
        _ append: (inout [UInt8]) -> Void
    ) -> PostgresValue {
        var result: [UInt8] = []
        result.reserveCapacity(20 + count * (4 + size))
        result.appendBigEndian(Int32(count == 0 ? 0 : 1))
        result.appendBigEndian(Int32(hasNulls ? 1 : 0))
        result.appendBigEndian(Int32(element.rawValue))
        if count > 0 {
            result.appendBigEndian(Int32(count))
            result.appendBigEndian(Int32(1))
        }
        append(&result)
        return PostgresValue(type: type, bytes: result)
    }

    private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        var result: [UInt8] = []
        result.appendBigEndian(value)
        return result
    }
}

extension [UInt8] {
    fileprivate mutating func appendBigEndian(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func appendElement(_ value: [UInt8]) {
        appendBigEndian(Int32(value.count))
        append(contentsOf: value)
    }
}
