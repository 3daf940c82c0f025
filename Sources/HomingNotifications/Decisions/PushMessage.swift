public import HomeAssistantAPI
public import HomingBase

/// A notification to be shown, every part of it bounded and cleaned: whatever Home Assistant sent,
/// this is harmless to show.
public struct PushMessage: Equatable, Codable, Sendable {
    /// Importance of a notification.
    public enum Urgency: Int, Codable, Sendable {
        case low = 0
        case normal = 1
        /// Stays until it is dismissed, on most desktops.
        case critical = 2
    }

    /// Progress of something that the notification tells of.
    public enum Progress: Equatable, Codable, Sendable {
        /// Percent, 0…100.
        case percent(Int)
        case indeterminate
    }

    /// Sound of a notification.
    public enum Sound: Equatable, Codable, Sendable {
        case standard
        case silent
    }

    /// Sender by whose word the message is shown.
    public enum Sender: String, Codable, Sendable {
        /// Its answers are events there.
        case homeAssistant
        /// This machine's daemon: Home Assistant is told nothing of it.
        case homing
        /// Somebody at this machine who may not do everything with the daemon.
        case person
    }

    public let message: String
    public let title: String?
    public let subtitle: String?
    /// A later notification with the same tag takes its place. The tags of two homes never agree.
    public private(set) var tag: String?
    /// The tag as Home Assistant knows it.
    public private(set) var sentTag: String?
    /// The name of the home that sent the notification; `nil` if no home did.
    public private(set) var home: String?
    /// The id of that home, which stays when the home gets another name.
    public private(set) var homeID: String?
    /// The home as the title names it; `nil` where there is one home.
    private var origin: String?
    /// Seconds for which it was under way when it came; `nil` if nobody knows, or it is not worth a word.
    public private(set) var age: Seconds?
    public let group: String?
    public let channel: String?
    public let urgency: Urgency
    public let sound: Sound
    /// Seconds after which it goes by itself.
    public let timeout: Seconds?
    /// Stays until it is dismissed.
    public let isPersistent: Bool
    /// Stays after it was answered or clicked, and takes further answers.
    public let isSticky: Bool
    /// A replacement is shown without sound.
    public let isAlertedOnce: Bool
    public let progress: Progress?
    public private(set) var image: Link?
    public private(set) var icon: Link?
    /// Link that a click on the notification opens.
    public let opens: Link?
    public internal(set) var actions: [PushAction]
    /// Links of actions that name no link themselves, by their ids; a category's actions too.
    let links: [String: Link]
    public let category: String?
    /// The ids of those actions that are its category's.
    public internal(set) var categoryActions: [String] = []
    /// Home Assistant wants to be told that it was shown.
    public let wantsReceipt: Bool
    /// The notification's own data, a JSON object that goes back with each answer; `{}` if it was
    /// larger than `dataLimit`.
    public let data: String
    public private(set) var sender: Sender
    /// Whether somebody at this machine typed the notification as one of Home Assistant's; `nil` if not.
    private var isTyped: Bool?
    /// Author of the notification, for people. A person at this machine may speak for Home Assistant.
    public var author: Sender { isTyped == true ? .person : sender }
    /// Faults of the notification as sent, in words, without the content.
    public let problems: [String]

    static let lineLimit = 512
    static let messageLimit = 4096
    static let tagLimit = 255
    static let linkLimit = 16
    /// Bytes of all addresses that its actions open, beyond which the rest is left out.
    static let addressesLimit = 8 << 10
    /// Bytes of `data`: half of what Home Assistant's recorder takes of an event.
    public static let dataLimit = 16 << 10
    /// A day.
    static let longestTimeout: Seconds = 86_400
    /// Seconds from which on an age is told.
    static let oldAge: Seconds = 300

    /// Bounds and cleans each field.
    ///
    /// - Parameters:
    ///   - timeout: seconds.
    ///   - image: a URL, or a path of Home Assistant's; so are `icon` and `opens`.
    ///   - links: what actions open that do not say it themselves, by their ids.
    ///   - data: the notification's own data as a JSON object.
    public init(
        message: String, title: String? = nil, subtitle: String? = nil, tag: String? = nil,
        group: String? = nil, channel: String? = nil, urgency: Urgency = .normal,
        sound: Sound = .standard, timeout: Seconds? = nil, isPersistent: Bool = false,
        isSticky: Bool = false, isAlertedOnce: Bool = false, progress: Progress? = nil,
        image: String? = nil, icon: String? = nil, opens: String? = nil,
        links: [String: String] = [:], actions: [OfferedAction] = [], category: String? = nil,
        wantsReceipt: Bool = false, data: String = "{}", sender: Sender = .homeAssistant
    ) {
        func line(_ text: String?) -> String? {
            let clean = text.map { PushText.clean($0, limit: Self.lineLimit) }
            return clean?.isEmpty == true ? nil : clean
        }
        var problems: [String] = []
        func link(_ text: String?, _ name: String) -> Link? {
            guard let text, !text.isEmpty else { return nil }
            let link = Link(text)
            if link == nil { problems.append("\(name) is neither a web page nor Home Assistant's") }
            return link
        }
        self.message = PushText.clean(message, limit: Self.messageLimit, .paragraphs)
        self.title = line(title)
        self.subtitle = line(subtitle)
        self.tag = PushText.identifier(tag, limit: Self.tagLimit)
        sentTag = self.tag
        self.group = line(group)
        self.channel = line(channel)
        self.urgency = urgency
        self.sound = sound
        self.timeout = timeout.flatMap { $0 > 0 ? min($0, Self.longestTimeout) : nil }
        self.isPersistent = isPersistent || isSticky
        self.isSticky = isSticky
        self.isAlertedOnce = isAlertedOnce
        self.progress = progress.map(Self.bounded)
        self.image = link(image, "image")
        self.icon = link(icon, "icon")
        self.opens = opens == "noAction" ? nil : link(opens, "the click action")
        let examined = ActionPolicy.examine(actions)
        var room = Self.addressesLimit
        let offered = Self.within(&room, examined.actions)
        self.links = Self.links(links, &room)
        if room < 0 { problems.append("its addresses are too long together: some are left out") }
        self.actions = Self.linked(offered, self.links)
        self.category = PushText.identifier(category, limit: Self.tagLimit)
        self.wantsReceipt = wantsReceipt
        self.sender = sender
        self.data = data.utf8.count > Self.dataLimit ? "{}" : data
        if self.data != data { problems.append("its data is too large to be sent back") }
        self.problems = problems + examined.problems
    }

    /// The same by a person's word: it takes the place of no one else's, and has nothing fetched, as a
    /// picture would be with our token.
    public func fromPerson() -> PushMessage {
        var message = self
        message.sender = .person
        message.tag = PushText.identifier(
            tag.map { "homing.person.\($0)" }, limit: Self.tagLimit)
        (message.image, message.icon) = (nil, nil)
        return message
    }

    /// The same, typed at this machine by somebody who may speak for Home Assistant.
    public func typed() -> PushMessage {
        var message = self
        message.isTyped = true
        return message
    }

    /// The same, sent by this home; the title names the home where there are several.
    ///
    /// - Parameter id: the home's id.
    public func from(home: String, id: String, isOneOfSeveral: Bool) -> PushMessage {
        var message = self
        message.home = home
        message.homeID = id
        message.tag = tag.map { Self.tag($0, of: id) }
        message.origin = isOneOfSeveral ? home : nil
        return message
    }

    /// The same with the time that it was under way, if it came late.
    public func aged(_ age: Seconds?) -> PushMessage {
        var message = self
        message.age = age.flatMap { $0 >= Self.oldAge ? $0 : nil }
        return message
    }

    /// The title as people see it, with the home where there are several, and with the age of what came
    /// late: in the line that every desktop shows.
    public var heading: String? {
        let words = [origin, title].compactMap { $0 }.joined(separator: ": ")
        guard let age else { return words.isEmpty ? nil : words }
        let ago = "\(TimeSpan.rough(age)) ago"
        return words.isEmpty ? ago : "\(words) (\(ago))"
    }

    /// Heading, subtitle and message as people read them, one after the other, without empty texts.
    var parts: [String] { [heading, subtitle, message].compactMap { $0 }.filter { !$0.isEmpty } }

    /// The tag under which a home's notification with this tag is shown, by the id of the home.
    public static func tag(_ tag: String, of home: String) -> String { "\(home)/\(tag)" }

    /// The same, shown under a tag that holds the id of its home.
    public func shown(under tag: String?) -> PushMessage {
        var message = self
        message.tag = PushText.identifier(tag, limit: 2 * Self.tagLimit)
        return message
    }

    private static func bounded(_ progress: Progress) -> Progress {
        guard case .percent(let percent) = progress else { return progress }
        return .percent(min(max(percent, 0), 100))
    }
}
