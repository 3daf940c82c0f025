public import HomeAssistantAPI
internal import HomingBase

/// The actions that a notification offers by naming their category.
public struct PushCategory: Equatable, Sendable {
    public let id: String
    public let actions: [PushAction]

    /// Maximum number of actions, as in the older scheme.
    static let actionLimit = 4

    /// Those that can be used, and in words what is wrong with the rest.
    public static func examine(
        _ offers: [NotificationCategory]
    ) -> (categories: [PushCategory], problems: [String]) {
        var categories: [PushCategory] = []
        var problems: [String] = []
        var room = Bound.categories
        for (index, offer) in offers.enumerated() {
            let given = offer.id ?? offer.name
            let title = given.map { PushText.clean($0, limit: ActionPolicy.titleLimit) }
            let name = "category \(title ?? "\(index + 1)")"
            // In small letters, which Home Assistant makes of it.
            guard let id = PushText.identifier(offer.id?.lowercased(), limit: ActionPolicy.idLimit)
            else {
                problems.append("\(name) has no usable identifier")
                continue
            }
            if categories.contains(where: { $0.id == id }) {
                problems.append("\(name) is there twice")
                continue
            }
            let examined = ActionPolicy.examine(offer.actions)
            problems += examined.problems.map { "\(name): \($0)" }
            guard (1...actionLimit).contains(examined.actions.count) else {
                problems.append("\(name) has \(examined.actions.count) actions, not 1 to 4")
                continue
            }
            let category = PushCategory(id: id, actions: examined.actions)
            room -= category.size
            guard room >= 0 else {
                problems.append("\(name) and those after it are too large together")
                break
            }
            categories.append(category)
        }
        return (categories, Array(problems.prefix(Bound.remarks)))
    }
}
