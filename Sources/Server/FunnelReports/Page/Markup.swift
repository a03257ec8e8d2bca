import FlowEvents

/// A piece of HTML. Only literals are markup; every text that is interpolated is escaped.
///
/// ```swift
/// let value = "<script>"
/// let cell: Markup = "<td>\(value)</td>"  // <td>&lt;script&gt;</td>
/// ```
///
/// A library for templates would escape as well, but its templates are files that are found at run time.
package struct Markup: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The HTML.
    package private(set) var html: String

    /// Creates markup from a literal.
    package init(stringLiteral value: String) {
        html = value
    }

    /// Creates markup from a literal with interpolated pieces and texts.
    package init(stringInterpolation: StringInterpolation) {
        html = stringInterpolation.html
    }

    /// Takes HTML that was made of markup before, for example by another module.
    package init(markup html: String) {
        self.html = html
    }

    /// Joins pieces.
    package init(_ pieces: [Markup]) {
        html = pieces.map(\.html).joined()
    }

    /// Appends a piece.
    package static func += (lhs: inout Markup, rhs: Markup) {
        lhs.html += rhs.html
    }

    /// Escapes the texts, and takes pieces of markup as they are.
    package struct StringInterpolation: StringInterpolationProtocol {
        var html = ""

        /// Creates an empty interpolation.
        package init(literalCapacity: Int, interpolationCount: Int) {
            html.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        /// Appends a literal as it is.
        package mutating func appendLiteral(_ literal: String) {
            html += literal
        }

        /// Appends a piece of HTML as it is.
        package mutating func appendInterpolation(_ markup: Markup) {
            html += markup.html
        }

        /// Appends pieces of HTML as they are.
        package mutating func appendInterpolation(_ pieces: [Markup]) {
            for piece in pieces { html += piece.html }
        }

        /// Appends a number.
        package mutating func appendInterpolation(_ number: Int) {
            html += String(number)
        }

        /// Appends a text as what a reader sees of it, in an element or in an attribute in quotation marks.
        package mutating func appendInterpolation(_ text: String) {
            for scalar in text.unicodeScalars {
                switch scalar {
                case "&": html += "&amp;"
                case "<": html += "&lt;"
                case ">": html += "&gt;"
                case "\"": html += "&quot;"
                case "'": html += "&#39;"
                default: html.unicodeScalars.append(scalar)
                }
            }
        }
    }
}

extension Markup {
    /// A text that comes from an event or a funnels file. Characters that hide text or turn the writing direction are
    /// shown by their numbers, and its direction does not reach beyond it.
    package static func foreign(_ text: String) -> Markup {
        text.isEmpty ? "<i>(empty)</i>" : "<bdi>\(TerminalText.visible(text))</bdi>"
    }
}
