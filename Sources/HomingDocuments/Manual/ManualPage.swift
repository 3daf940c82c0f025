/// A manual page as a value: chapters of blocks, which `Roff` writes in the language of man(7).
struct ManualPage {
    /// A piece of a label: what is typed as it stands, or what stands for something else.
    enum Span: Equatable {
        case plain(String)
        case literal(String)
        case value(String)
    }

    /// Part of a chapter. Texts are unwrapped; empty lines in them separate paragraphs.
    enum Block: Equatable {
        case heading([Span])
        case text(String)
        case line([Span])
        case entry([Span], String)
        case example(String)
    }

    /// A heading in capitals and what stands under it.
    struct Chapter: Equatable {
        let title: String
        let blocks: [Block]

        init(_ title: String, _ blocks: [Block]) {
            self.title = title
            self.blocks = blocks
        }
    }

    let name: String
    /// 1, 5 or 8.
    let section: Int
    /// Line without a full stop.
    let summary: String
    /// Those without a block are left out.
    let chapters: [Chapter]

    /// A chapter of references to pages, in bold and plain as man-pages(7) has it.
    static func seeAlso(_ pages: [(name: String, section: Int)]) -> Chapter {
        let references = pages.map { [Span.literal($0.name), .plain("(\($0.section))")] }
        return Chapter("SEE ALSO", [.line(Array(references.joined(separator: [Span.plain(", ")])))])
    }
}
