/// Result of one check.
public struct Finding: Equatable, Codable, Sendable {
    public enum Outcome: String, Codable, Sendable {
        case well
        case wrong
        /// Check that could not be done, or means nothing here.
        case skipped
    }

    public var check: Check
    /// Subject of the check, where a check looks at several: an endpoint, say.
    public var subject: String?
    /// The home that the finding is about, where there are several; `nil` for the machine.
    public internal(set) var home: String?
    public var outcome: Outcome
    /// The code of the warnable that is raised.
    public var warnable: String?
    /// Result in a few words.
    public var detail: String
    /// Advice in place of the warnable's own; `nil` where that advice fits.
    public internal(set) var hint: String?
    /// Words of the detail and the subject that are nobody else's business.
    public var privacies: [Privacy]

    /// A word that a report for strangers must not hold.
    public struct Privacy: Equatable, Codable, Sendable {
        public enum Kind: String, Codable, Sendable {
            case host
            case network
            case place
            case device
            case user
            case home
        }

        public var kind: Kind
        public var text: String

        public init(_ kind: Kind, _ text: String) {
            self.kind = kind
            self.text = text
        }
    }

    private init(
        _ check: Check, _ outcome: Outcome, _ warnable: Warnable?, _ detail: String,
        _ privacies: [Privacy]
    ) {
        self.check = check
        self.outcome = outcome
        self.warnable = warnable?.code
        self.detail = detail
        self.privacies = privacies.filter { !$0.text.isEmpty }
    }

    public static func well(
        _ check: Check, _ detail: String, _ privacies: [Privacy] = []
    ) -> Finding {
        Finding(check, .well, nil, detail, privacies)
    }

    public static func wrong(
        _ check: Check, _ warnable: Warnable, _ detail: String, _ privacies: [Privacy] = [],
        hint: String? = nil
    ) -> Finding {
        var finding = Finding(check, .wrong, warnable, detail, privacies)
        finding.hint = hint
        return finding
    }

    public static func skipped(
        _ check: Check, _ detail: String, _ privacies: [Privacy] = []
    ) -> Finding {
        Finding(check, .skipped, nil, detail, privacies)
    }

    /// The same about one of several.
    public func of(_ subject: String?) -> Finding {
        var finding = self
        finding.subject = subject
        return finding
    }

    /// The same about one of several homes, which the subject names.
    public func of(home: String) -> Finding {
        of(subject.map { "\(home), \($0)" } ?? home).caused(in: home)
    }

    /// The same, explained by what is wrong in this home or on the machine.
    public func caused(in home: String) -> Finding {
        var finding = self
        finding.home = home
        finding.privacies.append(Privacy(.home, home))
        return finding
    }

    /// Warnable that the code stands for.
    public var problem: Warnable? { warnable.flatMap(Warnable.init(code:)) }
}
