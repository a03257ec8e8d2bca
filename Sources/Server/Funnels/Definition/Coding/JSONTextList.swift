import FlowEvents

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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

    /// Returns the texts of a list that ``encode(_:)`` has written. Other bytes are one text.
    static func decode(_ json: [UInt8]) -> [String] {
        (try? JSONDecoder().decode([String].self, from: Data(json))) ?? [String(decoding: json, as: UTF8.self)]
    }
}
