import Testing

@testable import HomingPairing

/// A QR code on a terminal.
@Suite struct CodePictureTests {
    /// A code of that size: dark where the sum of column and row is even.
    private static func picture(side: Int) -> CodePicture {
        CodePicture(side: side) { ($0 + $1).isMultiple(of: 2) }
    }

    @Test("A character shows two modules, and light modules surround the code")
    func drawn() {
        let picture = Self.picture(side: 3)
        #expect(picture.columns == 7)
        #expect(
            picture.rows == [
                "███████",
                "██▄▀▄██",
                "██▄█▄██",
                "███████",
            ])
    }

    @Test("All rows have the same length, for each size that a code can have")
    func lengths() {
        for side in stride(from: 21, through: 177, by: 4) {
            let picture = Self.picture(side: side)
            #expect(picture.rows.allSatisfy { $0.count == picture.columns }, "\(side)")
            #expect(picture.rows.count == (side + 5) / 2, "\(side)")
        }
    }

    @Test("A terminal shows the whole code and a line below, or not the code")
    func fits() {
        let picture = Self.picture(side: 21)
        let (columns, rows) = (picture.columns, picture.rows.count)
        #expect(picture.fits(columns: columns, rows: rows + 1))
        #expect(!picture.fits(columns: columns - 1, rows: rows + 1))
        #expect(!picture.fits(columns: columns, rows: rows))
        #expect(picture.needs.hasPrefix("A terminal of \(columns) columns and \(rows + 1) rows"))
    }
}
