import FlowEvents

/// A list of texts as JSON text, the form in which a store keeps the values of a breakdown of several parts: `["home","year"]`.
///
/// Equal lists have equal bytes, because they are values' keys.
struct JSONTextList: JSONWritable {
    private let texts: [String]

    static func encode(_ texts: [String]) -> [UInt8] { [UInt8](json: JSONTextList(texts: texts)) }

    var sizeWithoutEscapes: Int { texts.reduce(2) { $0 + $1.utf8.count + 3 } }

    func write(to json: inout JSONWriter) {
        json.append(UInt8(ascii: "["))
        for (index, text) in texts.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json.appendString(text)
        }
        json.append(UInt8(ascii: "]"))
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
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
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
