extension FieldNumber {
    /// Reads a decimal number, `-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?`, whose grammar has been checked.
    ///
    /// The result of a large integer may have the bytes of `text`.
    package init(decimal text: UnsafeRawBufferPointer) {
        // Nearly every number is a short integer.
        let isNegative = text[0] == UInt8(ascii: "-")
        let digits = text.dropFirst(isNegative ? 1 : 0)
        if digits.count <= 18, digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) {
            let magnitude = digits.reduce(0) { $0 * 10 + Int64($1 &- UInt8(ascii: "0")) }
            self = .integer(isNegative ? -magnitude : magnitude)
            return
        }
        let decimal = Decimal(digits)
        if let magnitude = decimal.magnitude, let integer = Self.integer(magnitude, isNegative) {
            self = integer
            return
        }
        // Swift parses every such text, so `nan` never occurs.
        let double = Double(String(decoding: text, as: UTF8.self)) ?? .nan
        guard let wholeCount = decimal.wholeCount, double.isFinite else {
            self.init(double)
            return
        }
        let whole = UnsafeRawBufferPointer(rebasing: text[..<(wholeCount + (isNegative ? 1 : 0))])
        self = Self(double).isShortest(whole) ? .double(double) : .digits(whole)
    }

    private static func integer(_ magnitude: UInt64, _ isNegative: Bool) -> FieldNumber? {
        switch (isNegative, magnitude) {
        case (false, ...UInt64(Int64.max)): .integer(Int64(magnitude))
        case (false, _): .unsigned(magnitude)
        case (true, ...UInt64(Int64.max)): .integer(-Int64(magnitude))
        case (true, Int64.min.magnitude): .integer(.min)
        case (true, _): nil
        }
    }

    /// Whether this is a double beyond 64 bits whose shortest form, without an exponent, has these digits.
    private func isShortest(_ digits: UnsafeRawBufferPointer) -> Bool {
        guard case .double(let value) = self else { return false }
        return value.wholeDigits.elementsEqual(digits)
    }
}

/// The parts of a decimal number without its sign.
private struct Decimal {
    /// The number, if it is an integer of 64 bits.
    private(set) var magnitude: UInt64?
    /// The number of digits before the fraction, if the number has neither an exponent nor a fraction other than 0.
    private(set) var wholeCount: Int?

    init(_ text: Slice<UnsafeRawBufferPointer>) {
        let mantissa = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        let exponent = Self.exponent(text[mantissa.endIndex...].dropFirst())
        // The number is significant × 10^(zeros + exponent − fractionCount), unless significant overflows.
        var (significant, zeros): (UInt64?, Int) = (0, 0)
        var fractionCount = 0
        let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.endIndex
        for index in mantissa.indices where index != point {
            if index > point { fractionCount += 1 }
            zeros += 1
            let digit = UInt64(mantissa[index] - UInt8(ascii: "0"))
            guard digit != 0 else { continue }
            significant = significant.flatMap { Self.shift($0, by: zeros) }.flatMap {
                let (sum, overflow) = $0.addingReportingOverflow(digit)
                return overflow ? nil : sum
            }
            zeros = 0
        }
        if significant == 0 {
            magnitude = 0
        } else {
            let scale = zeros + exponent - fractionCount
            magnitude = scale < 0 ? nil : significant.flatMap { Self.shift($0, by: scale) }
        }
        let fraction = mantissa[point...].dropFirst()
        if mantissa.endIndex == text.endIndex, fraction.allSatisfy({ $0 == UInt8(ascii: "0") }) {
            wholeCount = point - text.startIndex
        }
    }

    /// `value` × 10^`power`; `nil` if it has more than 64 bits.
    private static func shift(_ value: UInt64, by power: Int) -> UInt64? {
        guard value != 0 else { return 0 }
        guard power < 20 else { return nil }
        var result = value
        for _ in 0..<power {
            let (product, overflow) = result.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            result = product
        }
        return result
    }

    /// The exponent, bounded: more would not change whether the number is an integer of 64 bits, because a text has at most
    /// a megabyte of zeros.
    private static func exponent(_ text: Slice<UnsafeRawBufferPointer>) -> Int {
        let isNegative = text.first == UInt8(ascii: "-")
        let magnitude = text.lazy.filter { $0 &- UInt8(ascii: "0") < 10 }
            .reduce(0) { min($0 * 10 + Int($1 - UInt8(ascii: "0")), 1 << 32) }
        return isNegative ? -magnitude : magnitude
    }
}

extension Double {
    /// The digits of the shortest form of a double beyond 64 bits, after a `-` if it is negative, filled up with zeros.
    var wholeDigits: [UInt8] {
        // The description has an exponent at this size: `-1.5e+20`.
        let text = Array(description.utf8)
        let mantissa = text.prefix { $0 != UInt8(ascii: "e") }
        let exponent = Int(String(decoding: text[mantissa.endIndex...].dropFirst(), as: UTF8.self)) ?? 0
        let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.endIndex
        let digits = mantissa.filter { $0 != UInt8(ascii: ".") }
        let zeroCount = max(0, point + exponent - digits.count)
        return digits + Array(repeating: UInt8(ascii: "0"), count: zeroCount)
    }
}
