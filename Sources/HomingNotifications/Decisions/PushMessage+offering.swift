/// The actions of a notification's category.
extension PushMessage {
    /// With the actions of its category, if it brings none of its own. It remembers which are the
    /// category's: an answer may come when another daemon runs, which does not know it yet.
    public func offering(_ category: PushCategory?) -> PushMessage {
        guard let category else { return self }
        var message = self
        if actions.isEmpty { message.actions = Self.linked(category.actions, links) }
        let ids = Set(category.actions.map(\.id))
        message.categoryActions = message.actions.map(\.id).filter(ids.contains)
        return message
    }

    static func linked(_ actions: [PushAction], _ links: [String: Link]) -> [PushAction] {
        actions.map { action in
            var action = action
            action.opens = action.opens ?? links[action.id]
            return action
        }
    }
}
