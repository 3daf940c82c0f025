import HomingRuntime
import Testing

/// The repository these tests are compiled from.
enum Repository {
    static let root = {
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    }()
}

/// A page of docs/, and the code it shows.
struct Page {
    struct Block {
        /// Under which it stands.
        let heading: String
        let language: String
        let text: String
    }

    let text: String
    let blocks: [Block]

    init(_ name: String) throws {
        text = try #require(HostFiles().text("\(Repository.root)/docs/\(name)"))
        var (heading, blocks) = ("", [Block]())
        var open: (language: String, text: String)?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let (language, text) = open {
                    blocks.append(Block(heading: heading, language: language, text: text))
                    open = nil
                } else {
                    open = (String(line.dropFirst(3)), "")
                }
            } else if open != nil {
                open?.text += "\(line)\n"
            } else if line.hasPrefix("#") {
                heading = String(line.drop { $0 == "#" || $0 == " " })
            }
        }
        self.blocks = blocks
    }

    /// The blocks in a language.
    func code(in language: String) -> [String] {
        blocks.filter { $0.language == language }.map(\.text)
    }

    /// The first block under a heading.
    func code(under heading: String) throws -> String {
        try #require(blocks.first { $0.heading == heading }).text
    }
}
