/// Memory that notifications take.
extension PushMessage {
    /// Bytes of all its texts, about what it takes in memory.
    public var size: Int {
        var texts = [message, data] + categoryActions + problems
        texts += [title, subtitle, tag, group, channel, category].compactMap { $0 }
        texts += links.keys
        var size = texts.reduce(0) { $0 + $1.utf8.count }
        let pages = [image, icon, opens].compactMap { $0 } + links.values
        size += pages.reduce(0) { $0 + $1.size }
        return size + actions.reduce(0) { $0 + $1.size }
    }

    /// The actions, without the addresses that find no room; `room` is negative then.
    static func within(_ room: inout Int, _ actions: [PushAction]) -> [PushAction] {
        actions.map { action in
            var action = action
            if !reserveRoom(action.opens?.size ?? 0, from: &room) { action.opens = nil }
            return action
        }
    }

    /// The links by the ids of their actions, as far as there is room. A negative `room` says that
    /// the first link was too large.
    static func links(_ offered: [String: String], _ room: inout Int) -> [String: Link] {
        var links: [String: Link] = [:]
        for (id, text) in offered.sorted(by: { $0.key < $1.key }).prefix(linkLimit) {
            guard id.utf8.count <= ActionPolicy.idLimit, let link = Link(text),
                reserveRoom(link.size, from: &room)
            else { continue }
            links[id] = link
        }
        return links
    }

    private static func reserveRoom(_ size: Int, from room: inout Int) -> Bool {
        guard size > 0 else { return true }
        guard room >= size else {
            room = -1
            return false
        }
        room -= size
        return true
    }
}

extension Link {
    /// Bytes of its text.
    var size: Int {
        switch self {
        case .web(let text), .homeAssistant(let text): text.utf8.count
        }
    }
}

extension PushAction {
    /// Bytes of its texts.
    var size: Int {
        let texts: [String] = [id, title] + [text?.button, text?.placeholder].compactMap { $0 }
        return texts.reduce(opens?.size ?? 0) { $0 + $1.utf8.count }
    }
}

extension PushCategory {
    /// Bytes of its texts.
    var size: Int { actions.reduce(id.utf8.count) { $0 + $1.size } }
}

extension Sequence<PushMessage> {
    /// Bytes of the texts of all of them.
    public var size: Int { reduce(0) { $0 + $1.size } }
}
