/// State is private, or a value that others read; settings may be changed.
final class Desk {
    struct Draft { var text = "" }
    private final class Entry { var at = 0 }

    private var entries: [Entry] = []
    fileprivate var last: String?
    let drafts: [Draft] = []
    var settings = Draft()
    var count: Int { entries.count }
    var isEmpty: Bool {
        get { entries.isEmpty }
        set { if newValue { entries = [] } }
    }
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
