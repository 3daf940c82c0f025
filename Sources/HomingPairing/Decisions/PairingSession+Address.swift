internal import HomingBase

/// Chapter about the address of Home Assistant.
extension PairingSession {
    mutating func seekAddress() -> [Effect] {
        if let given = choices.url { return useAddress(given) }
        if choices.acceptsDefaults, let known = situation.registeredURL { return useAddress(known) }
        guard choices.isInteractive else {
            return stop(
                .init(
                    .address, "no address given",
                    hint: "this is not a terminal: add --url http://homeassistant.local:8123")
            )
        }
        step = .looking
        return [.say("Looking for Home Assistant on this network …"), .discover]
    }

    mutating func choose(_ found: [DiscoveredInstance]?) -> [Effect] {
        guard case .looking = step else { return [] }
        step = .address
        guard let found else {
            return [
                .say(
                    "Cannot search this network: neither avahi-daemon nor systemd-resolved searches it. "
                        + "Type the address. If you want a search, install avahi-daemon and libnss-mdns."
                ),
                .ask(question),
            ]
        }
        instances = found
        switch (found.count, choices.acceptsDefaults) {
        case (0, _):
            return [.say("No Home Assistant found on this network."), .ask(question)]
        // One that answers for itself may be anybody's: with a person there, the person says so.
        case (1, true): return useAddress(found[0].url)
        default: return [.say(list), .ask(question)]
        }
    }

    private var list: String {
        instances.enumerated().map { "  \($0.offset + 1). \($0.element.name), \($0.element.url)" }
            .joined(separator: "\n")
    }

    private var question: String {
        if let known = situation.registeredURL {
            let number = instances.isEmpty ? "" : "a number, or "
            let owner = situation.isHomeNamed ? "the home \(situation.home)" : "this machine"
            return "Press Enter for \(known), where \(owner) is registered, or type \(number)"
                + "another address: "
        }
        return switch instances.count {
        case 0: "Address of Home Assistant, such as http://homeassistant.local:8123: "
        case 1: "Press Enter to take it, or type another address: "
        default: "Number, or another address: "
        }
    }

    /// The address that Enter takes.
    private var usualURL: String? {
        situation.registeredURL ?? (instances.count == 1 ? instances[0].url : nil)
    }

    mutating func address(_ text: String) -> [Effect] {
        isAddressTyped = true
        if text.isEmpty {
            guard let usualURL else { return [.ask("Please type an address: ")] }
            return useAddress(usualURL)
        }
        if LoginAttempt.isToken(text) {
            return [Self.tokenAdvice, .ask("Address of Home Assistant: ")]
        }
        if let number = Int(text) {
            guard number > 0, number <= instances.count else {
                let question =
                    instances.isEmpty
                    ? "Address of Home Assistant: " : "Number, or another address: "
                return [.ask("There is no number \(number). \(question)")]
            }
            return useAddress(instances[number - 1].url)
        }
        return useAddress(text)
    }

    /// An address that was typed, chosen or given.
    mutating func useAddress(_ text: String) -> [Effect] {
        guard let base = PairingAddress.base(text), let address = WebAddress(base) else {
            let trouble = PairingTrouble(
                .address, WebAddress.complaint(about: text),
                hint: "give the address like http://homeassistant.local:8123")
            return retryAddress(trouble)
        }
        guard address.isTLS || address.isPrivate || allowsPlainHTTP else {
            return warnOfPlainHTTP(base, host: address.host)
        }
        return inspect(base)
    }

    /// Inspects the address. Asks or refuses first if another home has the address.
    mutating func inspect(_ base: String) -> [Effect] {
        let others = situation.otherHomes.filter {
            $0.hinders(base, from: situation.registeredURL)
        }
        if !isNew(at: base), let other = others.first {
            guard asks else {
                return retryAddress(
                    PairingTrouble(.address, other.refusal, hint: RegisteredHome.hint))
            }
            step = .anotherDevice(base)
            return [
                .say("Careful: \(other.refusal)."),
                .ask(
                    situation.registeredAs == nil
                        ? "Register another device there? [y/N] "
                        : "Become a new device there? The queue is kept, the identity changes. [y/N] "
                ),
            ]
        }
        step = .inspecting(base)
        return progress("Trying \(base)") + [.inspect(url: base)]
    }

    private mutating func warnOfPlainHTTP(_ base: String, host: String) -> [Effect] {
        let trouble = PairingTrouble(
            .address,
            "your login would travel unencrypted to \(host), which is no local name or address",
            hint: "use its https address, or --allow-plain-http if you know the network")
        guard asks else { return retryAddress(trouble) }
        step = .plainHTTP(base)
        // A network can complete such a name to a public name.
        let isShort = !host.holds(".") && !host.holds(":")
        let advice =
            isShort
            ? " If Home Assistant is on this network, answer n, and type \(host).local or the IP address of Home Assistant."
            : " If Home Assistant has an https address, answer n, and type: https://\(host)"
        return [
            .say("Careful: \(trouble.message).\(advice)"),
            .ask("Continue anyway? [y/N] "),
        ]
    }

    /// The answer to "Careful": with a yes, which `agree` notes, the address is inspected.
    mutating func confirm(
        _ text: String, _ base: String, _ agree: (inout PairingSession) -> Void
    ) -> [Effect] {
        guard let answer = Self.yes(text, usual: false) else { return Self.askAgain }
        guard answer else {
            step = .address
            return [.ask("Another address: ")]
        }
        agree(&self)
        return inspect(base)
    }

    /// Whether the machine registers at that address as another device than for its other homes.
    func isNew(at base: String) -> Bool { choices.isNew || newDeviceAt == base }

    mutating func inspected(_ result: Result<Bool, PairingTrouble>) -> [Effect] {
        guard case .inspecting(let base) = step else { return [] }
        switch result {
        case .success(let hasPKCE):
            url = base
            self.hasPKCE = hasPKCE
            if choices.hasToken { return name() }
            return prepareLogin()
        case .failure(let trouble):
            guard asks || isAddressTyped else { return stop(trouble) }
            step = .inspectionFailed(base)
            return Self.effects(showing: trouble) + [
                .ask("Press Enter to try again, or type another address: ")
            ]
        }
    }

    private mutating func retryAddress(_ trouble: PairingTrouble) -> [Effect] {
        guard asks || isAddressTyped else { return stop(trouble) }
        step = .address
        return Self.effects(showing: trouble) + [.ask("Address of Home Assistant: ")]
    }
}
