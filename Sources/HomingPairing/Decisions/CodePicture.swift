/// A QR code as rows of characters for a terminal: a character holds two modules, one above the other.
public struct CodePicture: Equatable, Sendable {
    /// Light modules on each side of the code. The standard asks for four; cameras find a code with two.
    private static let margin = 2

    /// The rows, from the top, all of the same length. Light modules are filled characters.
    public let rows: [String]
    /// Characters of a row.
    public let columns: Int

    /// - Parameters:
    ///   - side: modules of a side of the code.
    ///   - isDark: whether the module is dark, by its column and row.
    init(side: Int, isDark: (_ column: Int, _ row: Int) -> Bool) {
        let whole = -Self.margin..<side + Self.margin
        func isLight(_ column: Int, _ row: Int) -> Bool {
            let isInside = 0..<side ~= column && 0..<side ~= row
            return !isInside || !isDark(column, row)
        }
        columns = whole.count
        rows = stride(from: whole.lowerBound, to: whole.upperBound, by: 2).map { row in
            String(
                whole.map { column in
                    switch (isLight(column, row), isLight(column, row + 1)) {
                    case (true, true): "█"
                    case (true, false): "▀"
                    case (false, true): "▄"
                    case (false, false): " "
                    }
                })
        }
    }

    /// Whether a terminal of that size shows the whole code, and a line of text below the code.
    public func fits(columns: Int, rows: Int) -> Bool {
        self.columns <= columns && self.rows.count < rows
    }

    /// The size of a terminal that shows the code, for people.
    public var needs: String {
        "A terminal of \(columns) columns and \(rows.count + 1) rows shows this page as a QR code "
            + "for a phone."
    }
}
