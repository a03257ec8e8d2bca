import CFlowQRencode

/// A link as a QR code for a terminal, so that nobody types a key on a phone.
struct QRCode {
    /// The lines of the code, two rows of squares each. It is dark on light, whatever the terminal's colors are.
    let text: String

    /// Makes the code of a text.
    ///
    /// - Returns: `nil` if the text is too long for a code.
    init?(_ text: String) {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        // Unsafe, because the library returns a C array of this many bytes. The lowest bit of each is the color of its square.
        let squares = UnsafeBufferPointer(start: code.pointee.data, count: width * width)
        func isDark(_ row: Int, _ column: Int) -> Bool {
            (0..<width).contains(row) && (0..<width).contains(column) && squares[row * width + column] & 1 == 1
        }
        // Readers want a light margin of four squares.
        let range = -4..<(width + 4)
        self.text = stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            let line = range.map { column in
                switch (isDark(row, column), isDark(row + 1, column)) {
                case (true, true): " "
                case (true, false): "▄"
                case (false, true): "▀"
                case (false, false): "█"
                }
            }
            return "\u{1B}[97;40m" + line.joined() + "\u{1B}[0m"
        }.joined(separator: "\n")
    }
}
