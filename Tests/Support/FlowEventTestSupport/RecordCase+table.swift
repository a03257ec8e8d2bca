import FlowEvents

extension RecordCase {
    /// Valid and invalid values for every rule of the contract.
    package static var table: [RecordCase] {
        wholeValues + attributes + dataFields + sequences + strings + texts + ignored + deep
    }

    private static var wholeValues: [RecordCase] {
        let bom: [UInt8] = [0xEF, 0xBB, 0xBF]
        let padding = String(repeating: " ", count: EventRules.maximumSize - json().utf8.count)
        var cases = [
            RecordCase(json()), RecordCase(" \t\r\n" + json() + "\n"), RecordCase(json() + padding),
            RecordCase(json() + padding + " ", .tooLarge, names: "1048577"),
            RecordCase(String(repeating: "x", count: 2 * EventRules.maximumSize), .tooLarge),
            RecordCase("", .notJSON, names: "empty"), RecordCase(" ", .notJSON),
            RecordCase("hello", .notJSON, names: "byte 0"),
            RecordCase(bom + Array(json().utf8), .notJSON), RecordCase(bom, .notJSON),
            RecordCase(Array(json().utf8) + [0], .notJSON), RecordCase(json() + json(), .notJSON),
            RecordCase(json() + "\u{C}", .notJSON), RecordCase(json() + "//", .notJSON),
            RecordCase("{'a':1}", .notJSON),
            RecordCase(#"{"a":1,}"#, .notJSON), RecordCase("[1,]", .notJSON), RecordCase("{,}", .notJSON),
            RecordCase(#"{"a"}"#, .notJSON), RecordCase("{1:2}", .notJSON), RecordCase("[}", .notJSON),
            RecordCase("{", .notJSON),
            RecordCase("null", .notCloudEvents), RecordCase("17", .notCloudEvents),
            RecordCase(#""x""#, .notCloudEvents),
            RecordCase("true", .notCloudEvents), RecordCase("[]", .notCloudEvents), RecordCase("{}", .notCloudEvents),
            RecordCase("[\(json())]", .notCloudEvents),
            RecordCase(#"{"id":"1"}"#, .notCloudEvents, names: "specversion"),
        ]
        cases += [
            "nul", "nulll", "tru", "truer", "False", "NaN", "Infinity", "-", "+1", "01", "-01", "1.", ".5", "1e",
            "1e+", "0x1",
        ].map { RecordCase($0, .notJSON) }
        cases += ["0", "-0", "1.5e10", "1E-2", "1e400", "-1e400", "1e-400", String(repeating: "9", count: 5000)]
            .map { RecordCase($0, .notCloudEvents) }
        return cases
    }

    private static var attributes: [RecordCase] {
        var cases = [#""1""#, #""1.0.0""#, #""0.3""#, "1.0", "null", "{}", #""""#, nil]
            .map { RecordCase(json(["specversion": $0]), .notCloudEvents, names: "specversion") }
        for name in ["id", "source", "type", "time", "data"] {
            cases += [nil, "null"].map { RecordCase(json([name: $0]), .missingField, names: "\(name): ") }
        }
        for name in ["id", "source", "type"] {
            cases += [#""""#, "17", "true", "[]", "{}", #""\ud800""#]
                .map { RecordCase(json([name: $0]), .invalidField, names: "\(name): ") }
        }
        cases += [
            "17", "true", "{}", #""""#, #""2026-11-20""#, #""2026-11-20T10:15:60Z""#, #""2023-02-29T00:00:00Z""#,
        ].map { RecordCase(json(["time": $0]), .invalidField, names: "time: ") }
        cases += [
            #""2026-11-20t10:15:30z""#, #""2026-11-20T10:15:30.123456789+05:30""#, #""\u0032026-11-20T10:15:30Z""#,
        ]
        .map { RecordCase(json(["time": $0])) }
        cases += ["17", "true", "[]", #""x""#, #""""#]
            .map { RecordCase(json(["data": $0]), .invalidField, names: "data: ") }
        for name in ["partitionkey", "datacontenttype", "subject", "x"] {
            cases += ["17", "null", "{}", #""\ud800""#].map { RecordCase(json([name: $0])) }
        }
        return cases
    }

    private static var dataFields: [RecordCase] {
        var cases = [nil, "null"]
            .map { RecordCase(json(data: ["install_id": $0]), .missingField, names: "data.install_id: ") }
        cases += [#""""#, "17", "false", "[]", #""\udc00""#]
            .map { RecordCase(json(data: ["install_id": $0]), .invalidField, names: "data.install_id: ") }
        for name in [
            "session_id", "user_id", "screen", "previous_screen", "transition", "presentation_id", "paywall_source",
        ] {
            cases += [#""""#, "null", #""x""#, #""\u0000""#].map { RecordCase(json(data: [name: $0])) }
            cases += ["3", "true", "[]", "{}", "1e400", #""\ud800""#]
                .map { RecordCase(json(data: [name: $0]), .invalidField, names: "data.\(name): ") }
        }
        cases += ["null", "{}", #"{"a":[{}],"b":null,"c":"\ud800","d":1e400,"\udfff":1}"#]
            .map { RecordCase(json(data: ["properties": $0])) }
        cases += ["17", #""""#, "[]", "true"]
            .map { RecordCase(json(data: ["properties": $0]), .invalidField, names: "data.properties: ") }
        return cases
    }

    private static var sequences: [RecordCase] {
        var cases = [
            "0", "-0", "-0.0", "17", "17.0", "1e2", "1E+2", "170e-1", "9007199254740991", "9007199254740991.0", "null",
        ].map { RecordCase(json(data: ["sequence": $0])) }
        cases += [
            "0.5", "-1", "9007199254740992", "1e400", "-1e400", "123456789012345678901234567890", #""17""#, "true",
            "[]", "{}", #""""#, "1e-1", "18446744073709551615", "-9223372036854775808",
        ].map { RecordCase(json(data: ["sequence": $0]), .invalidField, names: "data.sequence: ") }
        return cases
    }

    private static var strings: [RecordCase] {
        let invalidUTF8: [[UInt8]] = [
            [0x80], [0xFF], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xF0, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98],
            [0xE2, 0x28, 0xA1],
        ]
        var cases = invalidUTF8.map { RecordCase(Array(#"{"x":""#.utf8) + $0 + Array(#""}"#.utf8), .notJSON) }
        cases += [#"\x"#, #"\u12"#, #"\u12G4"#, #"\"#, "\n", "\0", "\u{1F}", #"\U0041"#]
            .map { RecordCase(json(["x": "\"\($0)\""]), .notJSON) }
        cases += [
            #"\u0000"#, #"\"\\\/\b\f\n\r\t"#, #"\uD83D\ude00"#, "\u{7F}", "é😀\u{FFFF}", #"\ud800\ud800"#,
            #"\udc00x"#,
        ].map { RecordCase(json(["x": "\"\($0)\""])) }
        cases.append(RecordCase(json(["x": "1"]).replacing(#""id""#, with: #""\u0069d""#)))
        return cases
    }

    /// The bound for the texts of the contract: 1,024 bytes without their escapes.
    private static var texts: [RecordCase] {
        let longest = [
            String(repeating: "x", count: 1024), String(repeating: "é", count: 512),
            String(repeating: #"\u0041"#, count: 1024), String(repeating: "x", count: 1020) + #"\ud83d\ude00"#,
        ]
        let fraction = String(repeating: "1", count: 1003)
        var cases = [
            RecordCase(json(["time": "\"2026-11-20T10:15:30.\(fraction)Z\""])),
            RecordCase(
                json(["time": "\"2026-11-20T10:15:30.1\(fraction)Z\""]),
                .invalidField,
                names: "time: expected at"
            ),
        ]
        for (longest, longer) in longest.map({ ("\"\($0)\"", "\"\($0)x\"") }) {
            for name in ["id", "source", "type"] {
                cases.append(RecordCase(json([name: longest])))
                cases.append(RecordCase(json([name: longer]), .invalidField, names: "\(name): expected at most 1024"))
            }
            for name in [
                "install_id", "session_id", "user_id", "screen", "previous_screen", "transition", "presentation_id",
                "paywall_source",
            ] {
                cases.append(RecordCase(json(data: [name: longest])))
                cases.append(RecordCase(json(data: [name: longer]), .invalidField, names: "data.\(name): expected"))
            }
            for name in ["partitionkey", "subject", "x"] { cases.append(RecordCase(json([name: longer]))) }
            cases.append(RecordCase(json(data: ["x": longer])))
            cases.append(RecordCase(json(data: ["properties": "{\"x\":\(longer),\(longer):1}"])))
        }
        return cases
    }

    private static var ignored: [RecordCase] {
        ["1e400", "-1e999999999", String(repeating: "7", count: 400), "18446744073709551616", "1e-999", "[1e400,[{}]]"]
            .flatMap { [RecordCase(json(["x": $0])), RecordCase(json(data: ["x": $0]))] }
    }

    private static var deep: [RecordCase] {
        [1, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025, 100_000].flatMap { depth in
            let open = String(repeating: "[", count: depth)
            let close = String(repeating: "]", count: depth)
            let objects = String(repeating: #"{"":"#, count: depth) + "1" + String(repeating: "}", count: depth)
            return [
                RecordCase(json(["x": open + close])), RecordCase(json(data: ["x": objects])),
                RecordCase(json(["x": open + "0" + close.dropLast() + "}"]), .notJSON),
                RecordCase(json(["x": open + close + "]"]), .notJSON), RecordCase(open, .notJSON),
            ]
        }
    }
}
