internal import HomingBase

/// The conversation of `homing setup`: which question comes next, and what an answer leads to.
///
/// A wrong answer leads back to its own question, never to the beginning. Where nobody answers, it
/// ends with what stood in the way.
///
/// Long: one conversation, whose chapters have a file each.
public struct PairingSession: Sendable {
    /// Event that happened.
    public enum Event: Sendable {
        case begin
        /// Home Assistants that announce themselves on the local network; `nil` where nothing on this machine
        /// can search.
        case found([DiscoveredInstance]?)
        /// A line that was typed; `nil` at the end of input.
        case line(String?)
        /// A look at the address found whether logins take PKCE.
        case inspected(hasPKCE: Result<Bool, PairingTrouble>)
        /// The loopback port listens for this login's answer.
        case listening(LoginAttempt)
        /// Lack of a port.
        case cannotListen(PairingTrouble)
        /// A browser asked the loopback port for this target.
        case callback(String)
        case loggedIn(PairingTrouble?)
        case registered(Result<String, PairingTrouble>)
        case serviceStarted(PairingTrouble?)
        /// Outcome of one receipt, asked for on the route that the daemon will take.
        case tested(PairingTrouble?)
        /// The questions about the location are known.
        case inspectedLocation(LocationOffer)
        /// An answer about the location was kept, with words for people, or could not be kept.
        case keptAnswer(Result<String, PairingTrouble>)
        /// A person or the system ends it.
        case interrupted
    }

    /// Action that is to be done.
    public enum Effect: Equatable, Sendable {
        case say(String)
        /// Ask for a line: `.line` follows.
        case ask(String)
        case discover
        case inspect(url: String)
        /// Prepare a login: `.listening` follows.
        case listen(pkce: Bool)
        /// Open it in a browser, if there is one.
        case open(page: String)
        /// Page that the browser is shown at the end of its way.
        case answerBrowser(accepted: Bool)
        /// Swap the code for a token: `.loggedIn` follows.
        case exchange(code: String, url: String, login: LoginAttempt)
        case register(Order)
        case startService
        case test
        /// Have the daemon learn that the present network is at home, or is not, as a person said.
        case judgeNetwork(isHome: Bool)
        /// Find the questions about the location: `.inspectedLocation` follows.
        case inspectLocation
        /// Keep the network as a place in that zone: `.keptAnswer` follows.
        case keepPlace(zone: String, LocationOffer.Network)
        /// Switch the search for a receiver off: `.keptAnswer` follows.
        case disableGPS
        /// Switch GeoClue on: `.keptAnswer` follows.
        case enableGeoClue
        case end(PairingEnding)
    }

    /// A registration to make.
    public struct Order: Equatable, Sendable {
        public var url: String
        public var deviceName: String
        public var isHome: Bool
        /// Replace the registration there is.
        public var again: Bool
        /// Become another device.
        public var isNew: Bool
        /// Take the device of another name that has this machine's identity.
        public var takesDevice = false
        /// Keep the name of the device that is taken, as nobody typed a name.
        public var keepsDeviceName = false
        public var allowsPlainHTTP: Bool
    }

    /// Asks for a yes or a no once more.
    static let askAgain: [Effect] = [.ask("Please answer y or n: ")]

    enum Step: Equatable, Sendable {
        case start
        case replacing
        case looking
        case address
        case plainHTTP(String)
        case anotherDevice(String)
        case inspecting(String)
        case inspectionFailed(String)
        case preparing
        case loggingIn(LoginAttempt)
        case exchanging
        case loginFailed
        case naming
        case homing
        case registering
        case registrationFailed(PairingTrouble)
        case deviceKnown
        case offeringService
        case startingService
        case testing
        case testFailed
        /// The value: whether nothing is sent from a network that is not home.
        case homeAfterAll(isSilent: Bool)
        case registrationLost
        case inspectingLocation
        case locating(LocationQuestions)
        case ended
    }

    let choices: PairingChoices
    let situation: PairingSituation
    var step = Step.start
    /// Text that was typed before the question.
    private var early: String?
    var instances: [DiscoveredInstance] = []
    var url = ""
    var hasPKCE = false
    var allowsPlainHTTP: Bool
    /// Whether a person typed the address, and can type another address.
    var isAddressTyped = false
    /// The address of another home, at which a person wants another device.
    var newDeviceAt: String?
    /// The address at which the known device is this machine, as a person said.
    var takenDeviceAt: String?
    var deviceName: String
    /// Whether a person typed the name, or the command gave the name.
    var isNameGiven: Bool
    var isHome = false
    /// Whether a person said that the present network is at home.
    var isHomeSaid = false
    /// Whether a person or the command said that the present network is not at home.
    var isHomeDenied = false
    /// Whether a daemon runs, as far as is known.
    var isServed: Bool
    /// Whether this setup registered the machine.
    var hasRegistered = false
    var isIncomplete = false
    /// Whether nobody answers any more.
    var isInputOver = false
    /// Whether setup ends as soon as the request that is under way has ended.
    var isInterrupted = false
    /// Whether Home Assistant may have registered the machine without an answer.
    var mayBeRegistered = false

    public init(choices: PairingChoices, situation: PairingSituation) {
        self.choices = choices
        self.situation = situation
        isServed = situation.isDaemonRunning
        allowsPlainHTTP = choices.allowsPlainHTTP
        // The name of a registration that another machine made is that machine's.
        let known = situation.isMoved ? nil : situation.registeredAs
        isNameGiven = choices.deviceName != nil
        deviceName = choices.deviceName ?? known ?? situation.machineName
    }

    /// Whether a question that has a usual answer is put at all.
    var asks: Bool { choices.isInteractive && !choices.acceptsDefaults }

    public mutating func handle(_ event: Event) -> [Effect] {
        if case .ended = step { return [] }
        if isInterrupted { return finishInterrupted(event) ?? [] }
        let effects = respond(to: event)
        guard isInputOver, effects.contains(where: \.isQuestion) else { return effects }
        return effects.filter { !$0.isQuestion } + inputEnded()
    }

    private mutating func respond(to event: Event) -> [Effect] {
        switch event {
        case .begin: return begin()
        case .found(let found):
            let asked = choose(found.map { DiscoveredInstance.distinct($0) })
            guard let typed = early else { return asked }
            early = nil
            return asked + answer(typed)
        case .line(nil): return inputEnded()
        case .line(let line?): return answer(line.trimmed)
        case .inspected(let result): return inspected(result)
        case .listening(let login): return logIn(login)
        case .cannotListen(let trouble): return stop(trouble)
        case .callback(let target): return calledBack(target)
        case .loggedIn(let trouble): return loggedIn(trouble)
        case .registered(let result): return registered(result)
        case .serviceStarted(let trouble): return serviceStarted(trouble)
        case .tested(let trouble): return tested(trouble)
        case .inspectedLocation(let offer): return inspectedLocation(offer)
        case .keptAnswer(let result): return keptAnswer(result)
        case .interrupted: return interrupted()
        }
    }

    private mutating func begin() -> [Effect] {
        guard let name = situation.registeredAs else { return seekAddress() }
        guard asks else {
            if let trouble = troubleOfOtherAddress { return stop(trouble) }
            guard choices.acceptsDefaults else {
                return stop(
                    .init(
                        .machine, "already registered as \(name)",
                        hint: "use --yes to replace that registration; the queue is kept"))
            }
            return seekAddress()
        }
        step = .replacing
        return [
            .say(
                "\(situation.isHomeNamed ? "The home \(situation.home)" : "This machine") "
                    + "is registered already, as \(name)\(place(situation.registeredURL)). "
                    + "To add a home: homing setup --home NAME"),
            .ask(
                choices.isNew
                    ? "Register this machine as another device\(place(choices.url))? The queue is kept. [y/N] "
                    : "Register this machine again\(place(choices.url))? Its identity and its queue are kept. "
                        + "\(consequenceOfNo)[y/N] "
            ),
        ]
    }

    private func place(_ url: String?) -> String { url.map { " at \($0)" } ?? "" }

    /// Refuses a script that gives another address than the registration's, and names no home.
    private var troubleOfOtherAddress: PairingTrouble? {
        guard !situation.isHomeNamed, let known = situation.registeredURL,
            let address = choices.url.flatMap(PairingAddress.base),
            !RegisteredHome.isSameAddress(known, address)
        else { return nil }
        return PairingTrouble(
            .address, "this machine reports to \(known) already",
            hint: "if that Home Assistant has moved to \(address), add --home \(situation.home)"
                + "\(choices.acceptsDefaults ? "" : " --yes"): this registration is replaced. "
                + "If \(address) is another Home Assistant, add a home: "
                + "homing setup --home NAME --url \(address)")
    }

    /// An answer belongs to the question that was put last. While a request is under way, a line answers
    /// nothing; during the search, a person may type the address.
    private mutating func answer(_ text: String) -> [Effect] {
        switch step {
        case .replacing: return replacing(text)
        case .address: return address(text)
        case .plainHTTP(let url): return confirm(text, url) { $0.allowsPlainHTTP = true }
        case .anotherDevice(let url): return confirm(text, url) { $0.newDeviceAt = url }
        case .inspectionFailed(let url): return text.isEmpty ? inspect(url) : address(text)
        case .loggingIn(let login): return pasted(text, login)
        case .loginFailed: return text.isEmpty ? prepareLogin() : address(text)
        case .naming: return named(text)
        case .homing: return home(text)
        case .registrationFailed(let trouble): return registerAgain(text, trouble)
        case .deviceKnown: return chooseDevice(text)
        case .offeringService: return service(text)
        case .testFailed: return testAgain(text)
        case .homeAfterAll(let isSilent): return homeAfterAll(text, isSilent: isSilent)
        case .registrationLost: return replaceLost(text)
        case .locating(let questions): return answerLocation(text, questions)
        case .looking:
            early = text
            return []
        case .start, .inspecting, .preparing, .exchanging, .registering,
            .startingService, .testing, .inspectingLocation, .ended:
            return []
        }
    }

    /// Whether setup goes on if a person keeps the registration: with the service, if no daemon runs, with a
    /// test, and with the questions about the location.
    private var continuesByNo: Bool {
        let canServe =
            isServed || situation.hasServiceManager && choices.startsService != false
        return canServe && !situation.isMoved
            && (choices.url == nil || situation.keepsRegistration(choices))
    }

    private var consequenceOfNo: String {
        guard continuesByNo else { return "" }
        return isServed
            ? "With n, setup tests the connection, and asks about the location. "
            : "With n, setup asks whether to start Homing. "
    }

    private mutating func replacing(_ text: String) -> [Effect] {
        guard let answer = Self.yes(text, usual: false) else { return Self.askAgain }
        if answer { return seekAddress() }
        guard continuesByNo else {
            return stop(
                .init(
                    .machine, "the registration stays as it is",
                    hint: isServed || !situation.hasServiceManager
                        ? nil : "to start the service: \(situation.startCommand)"))
        }
        // Who gave up at the service or at the questions about the location answers them now.
        isHome = choices.isHome ?? situation.isNetworkRecorded
        isHomeSaid = choices.isHome == true
        isHomeDenied = choices.isHome == false
        return [.say("The registration stays as it is.")] + offerService()
    }

    mutating func stop(_ trouble: PairingTrouble) -> [Effect] {
        step = .ended
        return [.end(.stopped(trouble))]
    }

    /// A yes or a no; the usual answer for an empty line, `nil` for anything else.
    static func yes(_ text: String, usual: Bool) -> Bool? {
        switch text.lowercased() {
        case "": usual
        case "y", "yes": true
        case "n", "no": false
        default: nil
        }
    }

    /// Tells a person about work that can take some seconds.
    func progress(_ work: String) -> [Effect] { asks ? [.say("\(work) …")] : [] }

    static func effects(showing trouble: PairingTrouble) -> [Effect] {
        let hint = trouble.hint.map { "\n  → \($0)" } ?? ""
        return [.say("\(trouble.message)\(hint)")]
    }
}
