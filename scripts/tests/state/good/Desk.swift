/// State is private, or a value that others read.
final class Desk {
    struct Draft { var text = "" }
    private final class Entry { var at = 0 }

    private var entries: [Entry] = []
    fileprivate var last: String?
    let drafts: [Draft] = []
    private(set) var shown = Draft()
    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }
    var text: String
    {
        var text = ""
        for entry in entries { text += "\(entry.at)" }
        return text
    }

    func work() {
        var sum = 0
        for entry in entries { sum += entry.at }
    }
}

struct Value {
    var text = ""
}

protocol Shown: AnyObject {
    var title: String { get set }
}

private var cache = 0

enum Words {
    private static var known: [String] = []
    static var count: Int { known.count }
}
