/// A list of texts as JSON text, the form in which a store keeps the values of a breakdown of several parts: `["home","year"]`.
///
/// Equal lists have equal bytes, because they are values' keys: only what JSON demands is escaped. It is on the hot path and
/// its bytes must not change, which no encoder promises.
enum JSONTextList {
    static func encode(_ texts: some Sequence<[UInt8]>) -> [UInt8] {
        var json: [UInt8] = [UInt8(ascii: "[")]
        for text in texts {
            if json.count > 1 { json.append(UInt8(ascii: ",")) }
            json.append(UInt8(ascii: "\""))
            text.withUnsafeBytes { append($0, to: &json) }
            json.append(UInt8(ascii: "\""))
        }
        json.append(UInt8(ascii: "]"))
        return json
    }

    /// Appends the characters of a string in JSON, without its quotes.
    private static func append(_ text: UnsafeRawBufferPointer, to json: inout [UInt8]) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): json += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): json += Array("\\n".utf8)
            case UInt8(ascii: "\r"): json += Array("\\r".utf8)
            case UInt8(ascii: "\t"): json += Array("\\t".utf8)
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                json += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: json.append(byte)
            }
        }
    }

    /// Returns the texts of a list that ``encode(_:)`` has written. Other bytes give some texts.
    static func decode(_ json: [UInt8]) -> [[UInt8]] {
        var texts: [[UInt8]] = []
        var index = 1
        while index < json.count, json[index] != UInt8(ascii: "]") {
            if json[index] == UInt8(ascii: ",") { index += 1 }
            index += 1
            var text: [UInt8] = []
            while index < json.count, json[index] != UInt8(ascii: "\"") {
                text.append(character(in: json, &index))
            }
            index += 1
            texts.append(text)
        }
        return texts
    }

    private static func character(in json: [UInt8], _ index: inout Int) -> UInt8 {
        defer { index += 1 }
        guard json[index] == UInt8(ascii: "\\"), index + 1 < json.count else { return json[index] }
        index += 1
        switch json[index] {
        case UInt8(ascii: "n"): return UInt8(ascii: "\n")
        case UInt8(ascii: "r"): return UInt8(ascii: "\r")
        case UInt8(ascii: "t"): return UInt8(ascii: "\t")
        case UInt8(ascii: "u"):
            let digits = json[min(index + 3, json.count)..<min(index + 5, json.count)]
            index += 4
            return UInt8(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
        case let byte: return byte
        }
    }
}
