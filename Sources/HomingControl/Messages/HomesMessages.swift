internal import HomingBase

/// The homes of this machine, the first home first.
public struct HomesReport: Codable, Equatable, Sendable {
    public struct Home: Codable, Equatable, Sendable {
        public var name: String
        /// The device's name in Home Assistant; `nil` without a registration.
        public var deviceName: String?
        /// The address of its Home Assistant; not secret.
        public var url: String?
        /// Messages of all kinds in the queue.
        public var queued: Int
        /// Messages of these that were sent, and wait for their receipt alone; `nil` from an older daemon.
        public var unconfirmed: Int?

        public init(
            name: String, deviceName: String?, url: String?, queued: Int, unconfirmed: Int? = nil
        ) {
            self.name = name
            self.deviceName = deviceName
            self.url = url
            self.queued = queued
            self.unconfirmed = unconfirmed
        }
    }

    /// A home that cannot be opened.
    public struct Failure: Codable, Equatable, Sendable {
        public var name: String
        /// Reason why the home cannot be opened, in a sentence.
        public var reason: String

        public init(name: String, reason: String) {
            self.name = name
            self.reason = reason
        }
    }

    public var homes: [Home]
    public var failed: [Failure]
    /// The home for which the keys of `agent.conf` hold that hold for one home alone.
    public var first: String?

    public init(homes: [Home], failed: [Failure] = [], first: String? = nil) {
        self.first = first
        self.homes = homes
        self.failed = failed
    }
}

extension HomesReport {
    /// The same of the home of that name alone; of all where no name is given.
    public func about(_ name: String?) -> HomesReport {
        HomesReport(
            homes: homes.filter { [nil, $0.name].contains(name) },
            failed: failed.filter { [nil, $0.name].contains(name) }, first: first)
    }
}

extension String {
    /// The same hint, with the home after each command: `homing`, and the words behind it.
    ///
    /// - Parameter home: by default the home that the command line means.
    public func namingHome(_ home: String? = nil) -> String {
        guard let home = home ?? ControlClient.namedHome, !holds(" --home ") else { return self }
        let start = ": homing "
        let parts = pieces(between: start)
        return parts.dropFirst().reduce(into: String(parts[0])) { text, part in
            let words = part.prefix { "a"..."z" ~= $0 || $0 == "-" || $0 == " " }
            let command = words[..<(words.firstPlace(of: " -")?.lowerBound ?? words.endIndex)]
            let name = command.last == " " ? "--home \(home) " : " --home \(home)"
            text += start + command + name + part[command.endIndex...]
        }
    }
}

extension ControlError {
    /// A command about one home names no home, where there are several.
    public static func severalHomes(_ names: [String]) -> ControlError {
        ControlError(
            .usage, "the command is about one home; known: \(listed(names, "and"))",
            hint: "name the home: --home NAME. To add a home: homing setup --home NAME")
    }

    /// Makes the error for a home that does not exist.
    public static func unknownHome(_ name: String, known: [String]) -> ControlError {
        ControlError(
            .usage, "there is no home called \(quoted(name)); known: \(listed(known, "and"))",
            hint: Suggestion.question(for: name, among: known) ?? RegisteredHome.hintOfAdding)
    }

    /// Makes the error for a name that no home may have.
    public static func noHomeName(_ name: String) -> ControlError {
        let isOption = name.hasPrefix("--")
        return ControlError(
            .usage, "no home can be called \(quoted(name))",
            hint: isOption
                ? "--home names a home. If this network is home, type --home-network"
                : "a name has 1 to 32 of a-z, 0-9 and \"-\", and no \"-\" first")
    }
}
