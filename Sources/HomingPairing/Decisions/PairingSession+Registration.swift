internal import HomingBase

/// The device in Home Assistant, the network at home, the service, and the proof that it works.
extension PairingSession {
    /// Whether the machine reports to another Home Assistant already.
    private var hasOtherHome: Bool { !situation.otherHomes.isEmpty }

    mutating func name() -> [Effect] {
        guard asks, choices.deviceName == nil else { return named("") }
        step = .naming
        return [.ask("The device's name in Home Assistant [\(deviceName)]: ")]
    }

    mutating func named(_ text: String) -> [Effect] {
        if LoginAttempt.isToken(text) { return [Self.tokenAdvice] + name() }
        let given = text.isEmpty ? deviceName : text
        if asks, choices.deviceName == nil, let problem = DeviceName.problem(with: given) {
            let trouble = PairingTrouble(.refused, problem, hint: DeviceName.advice)
            return Self.effects(showing: trouble) + name()
        }
        deviceName = given
        isNameGiven = isNameGiven || !text.isEmpty
        guard let network = situation.network else {
            let note =
                "Cannot record this network as home: NetworkManager does not name the network. "
                + "A local name or address of Home Assistant counts as home."
            let isHome = choices.isHome ?? !hasOtherHome
            isHomeSaid = choices.isHome == true
            return (choices.isHome == true ? [.say(note)] : []) + settleHome(isHome)
        }
        if let given = choices.isHome {
            (isHomeSaid, isHomeDenied) = (given, !given)
            return settleHome(given)
        }
        if situation.isNetworkRecorded { return settleHome(true) }
        guard asks else {
            guard hasOtherHome else { return settleHome(true) }
            let note =
                "\(network) is not recorded as a home network of this home: --home-network does that."
            return [.say(note)] + settleHome(false)
        }
        step = .homing
        return [
            .ask(
                "Is this network (\(network)) your home network? At home Homing connects to Home Assistant "
                    + "directly, and this machine is home. "
                    + (isPlain
                        ? "With n, Homing does not use this http:// address on this network. "
                        : "")
                    + (hasOtherHome ? "[y/N] " : "[Y/n] "))
        ]
    }

    mutating func home(_ text: String) -> [Effect] {
        guard let answer = Self.yes(text, usual: !hasOtherHome) else { return Self.askAgain }
        (isHomeSaid, isHomeDenied) = (answer, !answer)
        return settleHome(answer)
    }

    private mutating func settleHome(_ answer: Bool) -> [Effect] {
        isHome = answer
        return register()
    }

    private mutating func register() -> [Effect] {
        step = .registering
        mayBeRegistered = true
        let isNew = isNew(at: url)
        let takesDevice = !isNew && (choices.takesDevice || takenDeviceAt == url)
        return progress("Registering this machine") + [
            .register(
                Order(
                    url: url, deviceName: deviceName, isHome: isHome,
                    again: situation.registeredAs != nil, isNew: isNew,
                    takesDevice: takesDevice, keepsDeviceName: takesDevice && !isNameGiven,
                    allowsPlainHTTP: allowsPlainHTTP))
        ]
    }

    mutating func registered(_ result: Result<String, PairingTrouble>) -> [Effect] {
        guard case .registering = step else { return [] }
        switch result {
        case .success(let words):
            hasRegistered = true
            return [.say(words)] + offerService()
        case .failure(let trouble):
            noteFailure(trouble)
            // No question leads to another token than that of the file.
            let isTokenRefused = choices.hasToken && trouble.kind == .login
            let isFinal = [.machine, .otherDaemon].contains(trouble.kind) || isTokenRefused
            guard asks, !isFinal else { return stop(trouble) }
            if trouble.kind == .knownDevice {
                step = .deviceKnown
                return [
                    .say("\(trouble.message)."),
                    .ask(
                        "Is that device this machine? With y, this machine takes the device, and another machine "
                            + "that uses the device loses its registration. With n, this machine becomes a "
                            + "device of its own. If another machine is a copy of this machine, first type "
                            + "there: sudo homing register --new. Then answer y. [y/n] "
                    ),
                ]
            }
            let ask =
                choices.hasToken
                ? "Press Enter to try again, or type another address: "
                : "Press Enter to try again, \"login\" to log in as another user, "
                    + "or type another address: "
            return Self.effects(showing: trouble) + [.ask(ask)]
        }
    }

    /// The answer whether the known device is this machine. Neither answer is the usual one: a wrong yes takes
    /// another machine's registration, a wrong no makes a second device.
    mutating func chooseDevice(_ text: String) -> [Effect] {
        guard !text.isEmpty, let isOwn = Self.yes(text, usual: false) else {
            return Self.askAgain
        }
        if isOwn { takenDeviceAt = url } else { newDeviceAt = url }
        return register()
    }

    mutating func registerAgain(_ text: String, _ trouble: PairingTrouble) -> [Effect] {
        if !choices.hasToken, text == "login" || (text.isEmpty && trouble.kind == .login) {
            return prepareLogin()
        }
        return text.isEmpty ? register() : address(text)
    }

    mutating func offerService() -> [Effect] {
        if isServed || choices.startsService == false { return test() }
        guard situation.hasServiceManager else {
            return [.say("systemd does not run here: start homingd yourself.")] + test()
        }
        guard asks, choices.startsService == nil else { return startService() }
        step = .offeringService
        return [.ask(situation.serviceStart.question)]
    }

    mutating func service(_ text: String) -> [Effect] {
        guard let answer = Self.yes(text, usual: true) else { return Self.askAgain }
        return answer ? startService() : test()
    }

    private mutating func startService() -> [Effect] {
        step = .startingService
        return progress("Starting Homing") + [.startService]
    }

    mutating func serviceStarted(_ trouble: PairingTrouble?) -> [Effect] {
        guard case .startingService = step else { return [] }
        guard let trouble else {
            isServed = true
            return [.say(situation.serviceStart.text)] + test()
        }
        isIncomplete = true
        return Self.effects(showing: trouble) + test()
    }

    private mutating func test() -> [Effect] {
        step = .testing
        return progress("Sending a test message") + [.test]
    }

    mutating func tested(_ trouble: PairingTrouble?) -> [Effect] {
        guard case .testing = step else { return [] }
        guard let trouble else {
            return [.say("Test message sent and confirmed.")] + judgement + askLocation()
        }
        guard asks else {
            step = .ended
            return Self.effects(showing: trouble) + [.end(.incomplete)]
        }
        if trouble.kind == .lostRegistration, !hasRegistered {
            step = .registrationLost
            return [
                .say("\(trouble.message)."),
                .ask(
                    "Somebody deleted the device there, or another daemon or a copy of this machine took the "
                        + "device. Register this machine again? [Y/n] "),
            ]
        }
        if isHomeDenied, isServed, let network = situation.network {
            step = .homeAfterAll(isSilent: trouble.kind == .noEndpoint)
            return Self.effects(showing: trouble) + [
                .ask(
                    "You said that \(network) is not home. "
                        + "Is \(network) your home network after all? [y/N] "
                )
            ]
        }
        step = .testFailed
        return Self.effects(showing: trouble) + [.ask("Try again? [Y/n] ")]
    }

    mutating func replaceLost(_ text: String) -> [Effect] {
        guard let answer = Self.yes(text, usual: true) else { return Self.askAgain }
        return answer ? seekAddress() : endAfterTest()
    }

    mutating func homeAfterAll(_ text: String, isSilent: Bool) -> [Effect] {
        guard let answer = Self.yes(text, usual: false) else { return Self.askAgain }
        guard answer else {
            guard isSilent else {
                step = .testFailed
                return [.ask("Try again? [Y/n] ")]
            }
            return [.say(Self.silenceAdvice)] + endAfterTest()
        }
        (isHome, isHomeSaid, isHomeDenied) = (true, true, false)
        return [.judgeNetwork(isHome: true)] + test()
    }

    /// A person's word about the network, for the daemon.
    private var judgement: [Effect] {
        if isHomeSaid { return [.judgeNetwork(isHome: true)] }
        let isTakenBack = choices.isHome == false && situation.isNetworkRecorded
        return isTakenBack ? [.judgeNetwork(isHome: false)] : []
    }

    mutating func testAgain(_ text: String) -> [Effect] {
        guard let answer = Self.yes(text, usual: true) else { return Self.askAgain }
        return answer ? test() : endAfterTest()
    }

    private mutating func endAfterTest() -> [Effect] {
        step = .ended
        return [.say("To look again later: homing doctor"), .end(.incomplete)]
    }

    /// Whether Home Assistant's address is plain HTTP, and so used on a home network alone.
    private var isPlain: Bool {
        !situation.usesPlainHTTPAway
            && WebAddress(url).map { !$0.isTLS && !$0.isLoopback } ?? false
    }

    private static let silenceAdvice =
        "Homing sends nothing from this network. If this network is home, type: homing network home"
}
