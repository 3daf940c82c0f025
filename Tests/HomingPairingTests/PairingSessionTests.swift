import HomingBase
import HomingPairing
import Testing

/// A conversation as a list of what happens, and what is shown at the end of each.
struct PairingSessionTests {
    private static let login = LoginAttempt(port: 4711, state: "right")
    private static let code = "0123456789abcdef0123456789abcdef"
    private static let home = "http://homeassistant.local:8123"
    private static let unreachable = PairingTrouble(
        .unreachable, "cannot reach it", hint: "check host")

    private static func choices(
        interactive: Bool = true, _ change: (inout PairingChoices) -> Void = { _ in }
    ) -> PairingChoices {
        var choices = PairingChoices()
        choices.isInteractive = interactive
        change(&choices)
        return choices
    }

    private static func situation(
        registeredAs: String? = nil, network: String? = "HomeNet", daemon: Bool = false,
        manager: Bool = true
    ) -> PairingSituation {
        PairingSituation(
            home: "home", registeredAs: registeredAs, machineName: "van", network: network,
            isDaemonRunning: daemon, hasServiceManager: manager)
    }

    /// The effects of the last event.
    private static func run(
        _ session: inout PairingSession, _ events: [PairingSession.Event]
    ) -> [PairingSession.Effect] {
        events.reduce([]) { _, event in session.handle(event) }
    }

    private static func ending(_ effects: [PairingSession.Effect]) -> PairingEnding? {
        effects.compactMap { if case .end(let ending) = $0 { ending } else { nil } }.first
    }

    private static func question(_ effects: [PairingSession.Effect]) -> String? {
        effects.compactMap { if case .ask(let question) = $0 { question } else { nil } }.last
    }

    private static func inspected(_ effects: [PairingSession.Effect]) -> String? {
        effects.compactMap { if case .inspect(let url) = $0 { url } else { nil } }.first
    }

    private static func order(_ effects: [PairingSession.Effect]) -> PairingSession.Order? {
        effects.compactMap { if case .register(let order) = $0 { order } else { nil } }.first
    }

    private static func begun(
        _ choices: PairingChoices = choices { $0.url = home },
        _ situation: PairingSituation = situation()
    ) -> PairingSession {
        var session = PairingSession(choices: choices, situation: situation)
        _ = session.handle(.begin)
        return session
    }

    private static func loggingIn(
        _ choices: PairingChoices = choices { $0.url = home },
        _ situation: PairingSituation = situation()
    ) -> PairingSession {
        var session = begun(choices, situation)
        _ = run(
            &session, [.inspected(hasPKCE: .success(false)), .listening(login)])
        return session
    }

    /// Effects of the start, of a test, and of the search for what may show the location, for a person.
    private static let starting: [PairingSession.Effect] = [
        .say("Starting Homing …"), .startService,
    ]
    private static let confirmed = PairingSession.Effect.say("Test message sent and confirmed.")
    private static let testing: [PairingSession.Effect] = [.say("Sending a test message …"), .test]
    private static let inspecting: [PairingSession.Effect] = [
        .say("Looking for sources of the location …"), .inspectLocation,
    ]

    private static func registering(
        _ choices: PairingChoices = choices { $0.url = home },
        _ situation: PairingSituation = situation()
    ) -> PairingSession {
        var session = loggingIn(choices, situation)
        _ = run(&session, [.line(code), .loggedIn(nil), .line(""), .line("y")])
        return session
    }

    @Test("from the first question to the proof, every answer taken")
    func wholeWay() throws {
        var session = PairingSession(choices: Self.choices(), situation: Self.situation())
        #expect(session.handle(.begin).last == .discover)
        let found = try #require(
            DiscoveredInstance(
                DiscoveredService(
                    name: "Home", texts: ["internal_url=\(Self.home)"], address: nil, port: 8123)))
        #expect(Self.question(session.handle(.found([found])))?.contains("Enter") == true)
        #expect(Self.inspected(session.handle(.line(""))) == Self.home)
        let listen = session.handle(.inspected(hasPKCE: .success(true)))
        #expect(listen == [.listen(pkce: true)])
        let page = session.handle(.listening(Self.login))
        #expect(page.contains(.open(page: Self.login.page(at: Self.home))))
        let back = session.handle(.callback("/callback?code=\(Self.code)&state=right"))
        #expect(back.first == .answerBrowser(accepted: true))
        #expect(back.last == .exchange(code: Self.code, url: Self.home, login: Self.login))
        #expect(Self.question(session.handle(.loggedIn(nil)))?.contains("[van]") == true)
        #expect(Self.question(session.handle(.line("bus")))?.contains("HomeNet") == true)
        let order = try #require(Self.order(session.handle(.line("y"))))
        #expect(order.deviceName == "bus" && order.isHome && !order.again)
        #expect(
            Self.question(session.handle(.registered(.success("done"))))?.contains("Start") == true)
        #expect(session.handle(.line("")) == Self.starting)
        #expect(session.handle(.serviceStarted(nil)).last == .test)
        let end = session.handle(.tested(nil))
        #expect(
            end.first == Self.confirmed,
            "the result comes before the questions")
        #expect(
            end.dropFirst().first == .judgeNetwork(isHome: true),
            "a person said that the network is at home")
        #expect(end.last == .inspectLocation)
        #expect(Self.ending(session.handle(.inspectedLocation(LocationOffer()))) == .paired)
    }

    @Test("a name that no device can have is asked for again, and taken for nothing else")
    func badName() throws {
        var session = Self.loggingIn(Self.choices { $0.url = Self.home }, Self.situation())
        _ = Self.run(&session, [.line(Self.code), .loggedIn(nil)])
        for name in ["Vna\u{1B}[D", String(repeating: "v", count: 256)] {
            let effects = session.handle(.line(name))
            #expect(
                effects.count == 2 && Self.question(effects)?.contains("[van]") == true, "\(name)")
        }
        #expect(Self.question(session.handle(.line("Van")))?.contains("HomeNet") == true)
        #expect(Self.order(session.handle(.line("y")))?.deviceName == "Van")
    }

    @Test("a machine that is registered is offered its address, whatever announces itself")
    func knownAddress() throws {
        let found = try #require(
            DiscoveredInstance(
                DiscoveredService(
                    name: "Other", texts: ["internal_url=http://other.local:8123"], address: nil,
                    port: 8123)))
        var situation = Self.situation()
        situation.registeredURL = Self.home
        for instances in [[], [found]] {
            var session = PairingSession(choices: Self.choices(), situation: situation)
            _ = session.handle(.begin)
            let asked = Self.question(session.handle(.found(instances)))
            #expect(asked?.contains("Press Enter for \(Self.home)") == true)
            #expect(Self.inspected(session.handle(.line(""))) == Self.home)
        }
    }

    @Test(
        "an answer that does not fit leads back to its own question",
        arguments: [
            ("no address", "ha ha", "Address of"),
            ("a number without a list", "7", "no number 7. Address"),
            ("the least number there is", "-9223372036854775808", "no number"),
            ("the greatest", "9223372036854775807", "no number"), ("zero", "0", "no number"),
            ("nothing", "", "type an address"),
            ("a user in it", "http://me@ha:8123", "Address of"),
            ("a bracket that is not closed", "http://[::1", "Address of"),
            ("an option", "--new", "Address of"),
        ])
    func wrongAddress(_: String, typed: String, wanted: String) {
        var session = Self.begun(Self.choices())
        _ = session.handle(.found([]))
        #expect(Self.question(session.handle(.line(typed)))?.contains(wanted) == true)
        #expect(Self.inspected(session.handle(.line("homeassistant.local"))) == Self.home)
    }

    @Test("What is said of the start of the service is true for the system's and for a user's own")
    func serviceStart() throws {
        for (start, words, hasLinger) in [
            (ServiceStart.withTheMachine, "when this machine starts", false),
            (.withTheLogin, "when you log in", true),
        ] {
            var situation = Self.situation()
            situation.serviceStart = start
            var session = Self.registering(Self.choices { $0.url = Self.home }, situation)
            let asked = Self.question(session.handle(.registered(.success("done"))))
            #expect(
                asked?.contains("whenever") == true
                    && session.handle(.line("")) == Self.starting)
            let said = session.handle(.serviceStarted(nil)).compactMap {
                if case .say(let text) = $0 { text } else { nil }
            }.joined()
            #expect(said.contains(words) && said.contains("enable-linger") == hasLinger, "\(said)")
        }
    }

    @Test("A machine that cannot search is told from a network without Home Assistant")
    func noSearch() throws {
        let cases: [([DiscoveredInstance]?, String)] = [
            (nil, "avahi-daemon"), ([], "No Home Assistant found"),
        ]
        for (found, said) in cases {
            var session = Self.begun(Self.choices())
            let effects = session.handle(.found(found))
            guard case .say(let text)? = effects.first else {
                Issue.record("\(effects)")
                continue
            }
            #expect(text.contains(said))
            #expect(Self.question(effects)?.contains("Address of Home Assistant") == true)
            #expect(Self.inspected(session.handle(.line("homeassistant.local"))) == Self.home)
        }
    }

    @Test("A new device on a moved disk has this machine's name, not the other machine's")
    func movedName() throws {
        for (isMoved, name) in [(true, "van"), (false, "bus")] {
            var situation = Self.situation(registeredAs: "bus")
            situation.isMoved = isMoved
            var session = Self.begun(
                Self.choices {
                    $0.url = Self.home
                    $0.isNew = true
                    $0.acceptsDefaults = true
                    $0.hasToken = true
                }, situation)
            let effects = session.handle(.inspected(hasPKCE: .success(true)))
            #expect(Self.order(effects)?.deviceName == name, "\(effects)")
        }
    }

    @Test("an address that is typed during the search answers the question after the search")
    func typedEarly() {
        var session = Self.begun(Self.choices())
        #expect(session.handle(.line("homeassistant.local")) == [])
        #expect(Self.inspected(session.handle(.found([]))) == Self.home)
    }

    @Test("an address that does not answer can be tried again or replaced, and the rest is kept")
    func unreachableAddress() {
        var session = Self.begun()
        let asked = session.handle(.inspected(hasPKCE: .failure(Self.unreachable)))
        #expect(asked.first == .say("cannot reach it\n  → check host"))
        #expect(Self.inspected(session.handle(.line(""))) == Self.home)
        _ = session.handle(.inspected(hasPKCE: .failure(Self.unreachable)))
        #expect(Self.inspected(session.handle(.line("https://ha.example"))) == "https://ha.example")
    }

    @Test("a public host over plain HTTP is asked about, or refused where nobody answers")
    func plainHTTP() {
        var session = Self.begun(Self.choices { $0.url = "http://ha.example:8123" })
        #expect(Self.question(session.handle(.line("perhaps"))) == "Please answer y or n: ")
        #expect(Self.question(session.handle(.line("n"))) == "Another address: ")
        _ = session.handle(.line("http://ha.example:8123"))
        #expect(Self.inspected(session.handle(.line("y"))) == "http://ha.example:8123")

        var script = PairingSession(
            choices: Self.choices(interactive: false) { $0.url = "http://ha.example" },
            situation: Self.situation())
        guard case .stopped(let trouble)? = Self.ending(script.handle(.begin)) else {
            return #expect(Bool(false), "it goes on")
        }
        #expect(trouble.message.contains("unencrypted") && trouble.hint?.contains("https") == true)
    }

    @Test(
        "what is no answer to this login is refused, and the right one is still taken",
        arguments: [
            ("/callback?code=" + code + "&state=wrong", "another login"), ("/favicon.ico", ""),
            ("/callback?code=" + code, "another login"), ("/callback?state=right", ""),
        ])
    func wrongCallback(target: String, said: String) {
        var session = Self.loggingIn()
        let effects = session.handle(.callback(target))
        #expect(effects.first == .answerBrowser(accepted: false))
        let words = effects.contains {
            if case .say(let text) = $0 { text.contains(said) } else { false }
        }
        #expect(said.isEmpty || words)
        #expect(!effects.contains { if case .exchange = $0 { true } else { false } })
        let right = session.handle(.callback("/callback?state=right&code=\(Self.code)"))
        #expect(right.last == .exchange(code: Self.code, url: Self.home, login: Self.login))
    }

    @Test("a pasted address or code is taken, another login's and other text are not")
    func pasting() {
        var session = Self.loggingIn()
        #expect(Self.question(session.handle(.line("what?")))?.contains("Address") == true)
        let wrong = "http://127.0.0.1:4711/callback?code=\(Self.code)&state=wrong"
        #expect(Self.question(session.handle(.line(wrong)))?.contains("Address") == true)
        let right = " http://127.0.0.1:4711/callback?code=\(Self.code)&state=right \n"
        #expect(
            session.handle(.line(right))
                == [.exchange(code: Self.code, url: Self.home, login: Self.login)])
        var other = Self.loggingIn()
        #expect(
            other.handle(.line(Self.code))
                == [.exchange(code: Self.code, url: Self.home, login: Self.login)])
    }

    @Test("a login that is refused can be done again, as another login")
    func refusedLogin() {
        var session = Self.loggingIn()
        let effects = session.handle(.callback("/callback?state=right&error=access_denied"))
        #expect(effects.contains(.say("the login was refused")))
        #expect(session.handle(.line("")) == [.listen(pkce: false)])
        _ = session.handle(.listening(Self.login))
        _ = session.handle(.line(Self.code))
        _ = session.handle(.loggedIn(PairingTrouble(.login, "not taken")))
        #expect(Self.inspected(session.handle(.line("10.0.0.2"))) == "http://10.0.0.2:8123")
    }

    @Test("a second answer of the browser, after the first was taken, changes nothing")
    func lateCallback() {
        var session = Self.loggingIn()
        _ = session.handle(.line(Self.code))
        #expect(
            session.handle(.callback("/callback?code=\(Self.code)&state=right"))
                == [.answerBrowser(accepted: false)])
    }

    @Test("a pasted token is told from the login's code, and the login still waits")
    func pastedToken() {
        var session = Self.loggingIn()
        let token = "eyJ\(String(repeating: "a", count: 80)).eyJpc3MiOiJ4In0.c2lnbmF0dXJl"
        let effects = session.handle(.line(token))
        #expect(!effects.contains { if case .exchange = $0 { true } else { false } })
        #expect(
            effects.contains {
                if case .say(let text) = $0 { text.contains("--token-file") } else { false }
            })
        #expect(session.handle(.line("Bearer \(token)")).first == effects.first)
        #expect(
            session.handle(.line(Self.code)).contains {
                if case .exchange(Self.code, _, _) = $0 { true } else { false }
            })
    }

    @Test("a failed registration is tried again, by somebody else, or elsewhere")
    func registrationFails() {
        var session = Self.registering()
        let missing = PairingTrouble(.refused, "mobile_app is not loaded")
        _ = session.handle(.registered(.failure(missing)))
        #expect(Self.order(session.handle(.line(""))) != nil)
        _ = session.handle(.registered(.failure(missing)))
        #expect(session.handle(.line("login")) == [.listen(pkce: false)])
        var refused = Self.registering()
        _ = refused.handle(.registered(.failure(PairingTrouble(.login, "401"))))
        #expect(refused.handle(.line("")) == [.listen(pkce: false)])
        var stuck = Self.registering()
        let machine = PairingTrouble(.machine, "read-only")
        #expect(Self.ending(stuck.handle(.registered(.failure(machine)))) == .stopped(machine))
        // No other address helps beside another daemon, and nothing was sent.
        var beside = Self.registering()
        let other = PairingTrouble(.otherDaemon, "the system's daemon runs")
        _ = beside.handle(.interrupted)
        let effects = beside.handle(.registered(.failure(other)))
        #expect(effects.contains(.say("Setup ended. Nothing was registered.")))
        var asked = Self.registering()
        #expect(Self.ending(asked.handle(.registered(.failure(other)))) == .stopped(other))
    }

    @Test("a kept registration that Home Assistant does not know is registered again, by a yes")
    func lostRegistration() {
        for (answer, isAgain) in [("", true), ("n", false)] {
            var situation = Self.situation(registeredAs: "van", daemon: true)
            situation.registeredURL = Self.home
            var session = Self.begun(Self.choices(), situation)
            #expect(session.handle(.line("n")).contains(.test))
            let lost = PairingTrouble(.lostRegistration, "unknown", hint: "run: homing setup")
            let asked = session.handle(.tested(lost))
            #expect(Self.question(asked)?.hasSuffix("Register this machine again? [Y/n] ") == true)
            #expect(!asked.contains { "\($0)".contains("run: homing setup") })
            let effects = session.handle(.line(answer))
            #expect((Self.ending(effects) == nil) == isAgain)
        }
    }

    @Test(
        "a registration that fails is asked about, but not with --yes or with a refused token of a file"
    )
    func registrationFailsWithoutQuestion() {
        let refused = PairingTrouble(.login, "401")
        let missing = PairingTrouble(.refused, "mobile_app is not loaded")
        for (acceptsDefaults, trouble, isAsked) in [
            (false, missing, true), (false, refused, false), (true, missing, false),
            (true, refused, false),
        ] {
            let choices = Self.choices {
                $0.url = Self.home
                $0.hasToken = true
                $0.isHome = true
                $0.acceptsDefaults = acceptsDefaults
            }
            var session = Self.begun(choices)
            var effects = session.handle(.inspected(hasPKCE: .success(true)))
            if !acceptsDefaults { effects = session.handle(.line("")) }
            #expect(Self.order(effects) != nil)
            let end = session.handle(.registered(.failure(trouble)))
            #expect((Self.question(end) != nil) == isAsked)
            #expect((Self.ending(end) == .stopped(trouble)) != isAsked)
        }
    }

    @Test("an address that fails with --yes is the end, also on a terminal")
    func addressFailsWithoutQuestion() {
        for address in [Self.home, "http://a b"] {
            let choices = Self.choices {
                $0.url = address
                $0.hasToken = true
                $0.acceptsDefaults = true
            }
            var session = PairingSession(choices: choices, situation: Self.situation())
            let effects =
                session.handle(.begin)
                + session.handle(.inspected(hasPKCE: .failure(Self.unreachable)))
            #expect(Self.question(effects) == nil && Self.ending(effects) != nil, "\(address)")
        }
        let choices = Self.choices {
            $0.hasToken = true
            $0.acceptsDefaults = true
        }
        var typing = Self.begun(choices)
        _ = typing.handle(.found([]))
        #expect(Self.question(typing.handle(.line("http://a b"))) != nil, "a person typed it")
        _ = typing.handle(.line(Self.home))
        let failed = typing.handle(.inspected(hasPKCE: .failure(Self.unreachable)))
        #expect(Self.question(failed)?.contains("type another address") == true)
    }

    @Test("a device that another machine may have is taken or left, as a person says")
    func deviceIsKnown() {
        let known = PairingTrouble(.knownDevice, "Home Assistant has it: sbc", hint: "add --new")
        for (answer, isNew) in [("n", true), ("y", false)] {
            var session = Self.registering()
            let asked = session.handle(.registered(.failure(known)))
            #expect(Self.question(asked)?.contains("Is that device this machine?") == true)
            // Enter is no answer: each of the two may take a device from a machine.
            #expect(Self.order(session.handle(.line(""))) == nil)
            let order = Self.order(session.handle(.line(answer)))
            #expect(order?.isNew == isNew)
            #expect(order?.takesDevice == !isNew)
            #expect(order?.keepsDeviceName == !isNew, "nobody typed a name")
        }
        var named = Self.loggingIn(Self.choices { $0.url = Self.home })
        _ = Self.run(
            &named,
            [
                .line(Self.code), .loggedIn(nil), .line("Van"), .line("y"),
                .registered(.failure(known)),
            ])
        #expect(Self.order(named.handle(.line("y")))?.keepsDeviceName == false)
        // What was said of a device holds for its Home Assistant alone.
        var elsewhere = Self.registering()
        _ = Self.run(
            &elsewhere,
            [
                .registered(.failure(known)), .line("y"),
                .registered(.failure(PairingTrouble(.refused, "no"))),
                .line("http://10.0.0.3:8123"),
                .inspected(hasPKCE: .success(false)), .listening(Self.login), .line(Self.code),
                .loggedIn(nil), .line(""),
            ])
        #expect(Self.order(elsewhere.handle(.line("y")))?.takesDevice == false)
        var script = Self.registering(
            Self.choices { ($0.url, $0.acceptsDefaults) = (Self.home, true) })
        #expect(Self.ending(script.handle(.registered(.failure(known)))) == .stopped(known))
    }

    @Test("a service that does not start is told, and the proof is asked for all the same")
    func serviceFails() {
        var session = Self.registering()
        _ = session.handle(.registered(.success("done")))
        #expect(Self.question(session.handle(.line("sure"))) == "Please answer y or n: ")
        _ = session.handle(.line("yes"))
        #expect(session.handle(.serviceStarted(PairingTrouble(.machine, "no"))).last == .test)
        #expect(Self.ending(session.handle(.tested(nil))) == .incomplete)
    }

    @Test("a proof that fails can be asked for again, or left")
    func proofFails() {
        var session = Self.registering(
            Self.choices { $0.url = Self.home }, Self.situation(daemon: true))
        #expect(session.handle(.registered(.success("done"))).last == .test)
        #expect(
            Self.question(session.handle(.tested(Self.unreachable))) == "Try again? [Y/n] ")
        #expect(session.handle(.line("")) == Self.testing)
        _ = session.handle(.tested(Self.unreachable))
        #expect(Self.ending(session.handle(.line("n"))) == .incomplete)
    }

    @Test("a proof that fails because the network is not home leads back to that question")
    func homeAfterAll() {
        let choices = Self.choices { $0.url = Self.home }
        var session = Self.loggingIn(choices, Self.situation(daemon: true))
        let home = Self.run(&session, [.line(Self.code), .loggedIn(nil), .line("")])
        #expect(Self.question(home)?.contains("With n, Homing does not use this http://") == true)
        _ = session.handle(.line("n"))
        _ = session.handle(.registered(.success("done")))
        let asked = session.handle(.tested(Self.unreachable))
        #expect(Self.question(asked)?.contains("your home network after all? [y/N]") == true)
        var other = session
        #expect(session.handle(.line("y")) == [.judgeNetwork(isHome: true)] + Self.testing)
        #expect(
            session.handle(.tested(nil))
                == [Self.confirmed, .judgeNetwork(isHome: true)] + Self.inspecting)
        #expect(Self.question(other.handle(.line(""))) == "Try again? [Y/n] ")
        #expect(other.handle(.line("")) == Self.testing)
        // Where no endpoint may be used, no other test can succeed.
        let silent = PairingTrouble(.noEndpoint, "plain HTTP is used at home only")
        _ = other.handle(.tested(silent))
        let end = other.handle(.line(""))
        #expect(Self.ending(end) == .incomplete)
        #expect(end.contains { "\($0)".contains("Homing sends nothing from this network.") })
    }

    @Test("a lost registration comes before the question about the network")
    func lostAway() {
        let situation = Self.situation(registeredAs: "van", daemon: true)
        var session = Self.begun(Self.choices { $0.isHome = false }, situation)
        _ = session.handle(.line("n"))
        let asked = session.handle(.tested(PairingTrouble(.lostRegistration, "unknown")))
        #expect(Self.question(asked)?.hasSuffix("Register this machine again? [Y/n] ") == true)
    }

    @Test("a network that was listed as home is taken off the list by --no-home-network")
    func homeTakenBack() {
        var situation = Self.situation(daemon: true)
        situation.isNetworkRecorded = true
        let choices = Self.choices {
            $0.url = Self.home
            $0.isHome = false
        }
        var session = Self.loggingIn(choices, situation)
        _ = Self.run(
            &session,
            [.line(Self.code), .loggedIn(nil), .line(""), .registered(.success("done"))])
        #expect(
            session.handle(.tested(nil))
                == [Self.confirmed, .judgeNetwork(isHome: false)] + Self.inspecting)
    }

    @Test("a script with an address and a token is asked nothing")
    func script() throws {
        let choices = Self.choices(interactive: false) {
            $0.url = "10.0.0.2"
            $0.hasToken = true
            $0.isHome = false
            $0.startsService = false
        }
        var session = PairingSession(choices: choices, situation: Self.situation())
        #expect(session.handle(.begin) == [.inspect(url: "http://10.0.0.2:8123")])
        let effects = session.handle(.inspected(hasPKCE: .success(true)))
        let order = try #require(Self.order(effects))
        #expect(!order.isHome && order.deviceName == "van")
        #expect(session.handle(.registered(.success("done"))).last == .test)
        #expect(Self.ending(session.handle(.tested(nil))) == .paired)
    }

    @Test("the present network is no home network of a second home unless somebody says so")
    func secondHome() throws {
        var situation = Self.situation()
        situation.otherHomes = [RegisteredHome("villa", at: "http://10.0.0.9:8123")]
        var session = Self.loggingIn(Self.choices { $0.url = Self.home }, situation)
        let question = Self.run(&session, [.line(Self.code), .loggedIn(nil), .line("")])
        #expect(Self.question(question)?.hasSuffix("[y/N] ") == true)
        var other = session
        #expect(try #require(Self.order(session.handle(.line("")))).isHome == false)
        #expect(try #require(Self.order(other.handle(.line("y")))).isHome)
        for isHome in [nil, true] {
            let choices = Self.choices(interactive: false) {
                $0.url = Self.home
                $0.hasToken = true
                $0.isHome = isHome
            }
            for network in ["HomeNet", nil] {
                situation.network = network
                var script = Self.begun(choices, situation)
                let effects = script.handle(
                    .inspected(hasPKCE: .success(true)))
                #expect(Self.order(effects)?.isHome == (isHome ?? false))
            }
        }
    }

    @Test("the address of another home is asked about before the login")
    func askedAddress() throws {
        var situation = Self.situation()
        situation.otherHomes = [RegisteredHome("villa", at: "\(Self.home)/")]
        var session = PairingSession(
            choices: Self.choices { $0.url = Self.home }, situation: situation)
        let asked = session.handle(.begin)
        #expect(Self.inspected(asked) == nil)
        #expect(
            asked == [
                .say("Careful: the home \"villa\" reports to \(Self.home)/ already."),
                .ask("Register another device there? [y/N] "),
            ])
        #expect(Self.question(session.handle(.line("--new"))) == "Please answer y or n: ")
        var other = session
        #expect(Self.question(other.handle(.line(""))) == "Another address: ")
        let address = "http://192.168.1.9:8123"
        #expect(Self.inspected(other.handle(.line(address))) == address)
        #expect(Self.inspected(session.handle(.line("y"))) == Self.home)
        var taking = Self.begun(
            Self.choices {
                $0.url = Self.home
                $0.takesDevice = true
            }, situation)
        #expect(Self.inspected(taking.handle(.line("y"))) == Self.home)
        var elsewhere = session
        _ = elsewhere.handle(.inspected(hasPKCE: .failure(Self.unreachable)))
        #expect(Self.inspected(elsewhere.handle(.line(address))) == address)
        let toTheEnd: [PairingSession.Event] = [
            .inspected(hasPKCE: .success(false)), .listening(Self.login), .line(Self.code),
            .loggedIn(nil), .line(""),
        ]
        _ = Self.run(&session, toTheEnd)
        #expect(try #require(Self.order(session.handle(.line("")))).isNew)
        _ = Self.run(&taking, toTheEnd)
        let order = try #require(Self.order(taking.handle(.line(""))))
        #expect(order.isNew && !order.takesDevice, "the yes there is a wish for a new device")
        _ = Self.run(&elsewhere, toTheEnd)
        #expect(
            try #require(Self.order(elsewhere.handle(.line("")))).isNew == false,
            "the yes was for the other address")
        situation.registeredAs = "van"
        situation.registeredURL = address
        var registered = PairingSession(
            choices: Self.choices { $0.url = Self.home }, situation: situation)
        _ = registered.handle(.begin)
        #expect(Self.question(registered.handle(.line("y")))?.contains("identity changes") == true)
    }

    @Test("who is not asked is refused the address of another home, unless as a new device")
    func takenAddress() throws {
        var situation = Self.situation()
        situation.otherHomes = [RegisteredHome("villa", at: "\(Self.home)/")]
        let willing = Self.choices {
            $0.url = Self.home
            $0.acceptsDefaults = true
        }
        let script = Self.choices(interactive: false) {
            $0.url = Self.home
            $0.hasToken = true
        }
        for choices in [willing, script] {
            var session = PairingSession(choices: choices, situation: situation)
            let refused = session.handle(.begin)
            #expect(Self.inspected(refused) == nil && Self.question(refused) == nil)
            guard case .stopped(let trouble)? = Self.ending(refused) else {
                Issue.record("it goes on")
                return
            }
            #expect(trouble.kind == .address && trouble.message.contains("villa\" reports to"))
            #expect(trouble.hint == "to be another device there, add --new")
        }

        var new = script
        new.isNew = true
        var fresh = PairingSession(choices: new, situation: situation)
        #expect(Self.inspected(fresh.handle(.begin)) == Self.home)
        let order = Self.order(fresh.handle(.inspected(hasPKCE: .success(true))))
        #expect(order?.isNew == true && order?.again == false)
    }

    @Test("a home that is another device at the address of another home may register again there")
    func sharedAddress() {
        var situation = Self.situation(registeredAs: "van")
        situation.registeredURL = Self.home
        situation.otherHomes = [RegisteredHome("villa", at: Self.home)]
        let choices = Self.choices(interactive: false) {
            $0.url = Self.home
            $0.acceptsDefaults = true
        }
        var session = PairingSession(choices: choices, situation: situation)
        #expect(Self.inspected(session.handle(.begin)) == Self.home)
        for isNew in [false, true] {
            var asked = PairingSession(
                choices: Self.choices { $0.isNew = isNew }, situation: situation)
            let question = Self.question(asked.handle(.begin))
            #expect(question?.contains("identity") == !isNew)
        }
    }

    @Test("a script replaces no registration by that with another Home Assistant unasked")
    func otherAddress() {
        let other = "http://192.168.1.9:8123"
        var situation = Self.situation(registeredAs: "van")
        situation.registeredURL = Self.home
        for (given, willing) in [
            (other, true), (other, false), (Self.home, true), ("homeassistant.local", true),
            (nil, true),
        ] {
            let choices = Self.choices(interactive: false) {
                $0.url = given
                $0.hasToken = true
                $0.acceptsDefaults = willing
            }
            var session = PairingSession(choices: choices, situation: situation)
            let effects = session.handle(.begin)
            guard given == other else {
                #expect(Self.inspected(effects) == Self.home)
                continue
            }
            let trouble = PairingTrouble(
                .address, "this machine reports to \(Self.home) already",
                hint: "if that Home Assistant has moved to \(other), add --home home"
                    + "\(willing ? "" : " --yes"): this registration is replaced. "
                    + "If \(other) is another Home Assistant, add a home: "
                    + "homing setup --home NAME --url \(other)"
            )
            #expect(effects == [.end(.stopped(trouble))])
            situation.isHomeNamed = true
            var named = PairingSession(choices: choices, situation: situation)
            #expect((Self.inspected(named.handle(.begin)) == other) == willing)
            situation.isHomeNamed = false
        }
    }

    @Test("a network that the registration has as home is asked about no more")
    func recordedNetwork() {
        var situation = Self.situation(registeredAs: "van")
        situation.registeredURL = Self.home
        situation.otherHomes = [RegisteredHome("villa", at: "http://10.0.0.9:8123")]
        for isRecorded in [false, true] {
            situation.isNetworkRecorded = isRecorded
            let choices = Self.choices(interactive: false) {
                $0.hasToken = true
                $0.acceptsDefaults = true
            }
            var session = Self.begun(choices, situation)
            let effects = session.handle(.inspected(hasPKCE: .success(true)))
            #expect(Self.order(effects)?.isHome == isRecorded)
            #expect(effects.count == (isRecorded ? 1 : 2), "a note without need")
        }
    }

    @Test("a script that lacks something ends with what it lacks")
    func scriptLacks() {
        for (choices, word) in [
            (Self.choices(interactive: false), "--url"),
            (Self.choices(interactive: false) { $0.url = Self.home }, "--token-file"),
        ] {
            var session = PairingSession(choices: choices, situation: Self.situation())
            let events: [PairingSession.Event] = [
                .begin, .inspected(hasPKCE: .success(false)),
            ]
            let endings = events.compactMap { Self.ending(session.handle($0)) }
            guard case .stopped(let trouble)? = endings.first else {
                #expect(Bool(false), "it goes on without \(word)")
                continue
            }
            #expect(trouble.hint?.contains(word) == true)
        }
    }

    @Test("an earlier registration is replaced only when that is said")
    func replacing() throws {
        let registered = Self.situation(registeredAs: "old")
        var no = PairingSession(choices: Self.choices(), situation: registered)
        _ = no.handle(.begin)
        #expect(Self.question(no.handle(.line("maybe"))) == "Please answer y or n: ")
        let kept = no.handle(.line(""))
        #expect(kept.first == .say("The registration stays as it is."))
        #expect(Self.question(kept) == "Start Homing now, and whenever this machine starts? [Y/n] ")
        #expect(no.handle(.line("")) == Self.starting)
        #expect(no.handle(.serviceStarted(nil)).last == .test)
        #expect(no.handle(.line("n")).isEmpty, "no question stands")
        var failing = no
        #expect(
            Self.question(failing.handle(.tested(Self.unreachable))) == "Try again? [Y/n] ",
            "nobody said that the network is not home")
        #expect(no.handle(.tested(nil)) == [Self.confirmed] + Self.inspecting)
        #expect(
            Self.ending(no.handle(.inspectedLocation(LocationOffer()))) == .paired)
        for choices in [Self.choices(), Self.choices { $0.startsService = false }] {
            var unmanaged = PairingSession(
                choices: choices,
                situation: Self.situation(
                    registeredAs: "old", manager: choices.startsService == false))
            #expect(Self.question(unmanaged.handle(.begin))?.contains("With n") == false)
            guard case .stopped(let trouble)? = Self.ending(unmanaged.handle(.line("n"))) else {
                Issue.record("it goes on")
                continue
            }
            let start = "to start the service: \(registered.startCommand)"
            #expect(trouble.hint == (choices.startsService == false ? start : nil))
        }
        var elsewhere = PairingSession(
            choices: Self.choices { $0.url = "http://10.0.0.9:8123" },
            situation: Self.situation(registeredAs: "old", daemon: true))
        _ = elsewhere.handle(.begin)
        #expect(
            Self.ending(elsewhere.handle(.line("n"))) != nil, "no question about the present home")
        var disk = Self.situation(registeredAs: "old", daemon: true)
        disk.isMoved = true
        var moved = PairingSession(choices: Self.choices(), situation: disk)
        #expect(Self.question(moved.handle(.begin))?.contains("With n") == false)
        #expect(Self.ending(moved.handle(.line("n"))) != nil, "nothing is sent from a moved disk")
        var located = PairingSession(
            choices: Self.choices(), situation: Self.situation(registeredAs: "old", daemon: true))
        #expect(Self.question(located.handle(.begin))?.contains("With n") == true)
        #expect(
            located.handle(.line("n")) == [.say("The registration stays as it is.")] + Self.testing,
            "the registration may be one that Home Assistant no longer has")
        #expect(located.handle(.tested(nil)).last == .inspectLocation)
        var offer = LocationOffer()
        offer.lacksReceiver = true
        #expect(Self.question(located.handle(.inspectedLocation(offer))) != nil)
        #expect(
            located.handle(.line("n"))
                == [.say("Homing reports to Home Assistant."), .end(.paired)])
        var yes = PairingSession(
            choices: Self.choices { $0.url = Self.home }, situation: registered)
        _ = yes.handle(.begin)
        _ = Self.run(
            &yes,
            [
                .line("y"), .inspected(hasPKCE: .success(false)),
                .listening(Self.login), .line(Self.code), .loggedIn(nil), .line(""),
            ])
        let order = try #require(Self.order(yes.handle(.line(""))))
        #expect(order.again && order.deviceName == "old")
        let script = Self.choices(interactive: false) { $0.url = Self.home }
        var refused = PairingSession(choices: script, situation: registered)
        #expect(Self.ending(refused.handle(.begin)) != nil)
    }

    @Test("an empty line is no login, and the question comes again")
    func noLoginYet() {
        var session = Self.loggingIn()
        let effects = session.handle(.line(""))
        #expect(
            effects.first
                == .say(
                    "No login yet. Open the page above, or paste the address of the error page."))
        #expect(Self.question(effects) == "Waiting for your login: ")
        #expect(session.handle(.line(Self.code)).count == 1)
    }

    @Test("the reason of a refused login is one short line")
    func loginReason() {
        var session = Self.loggingIn()
        let forged = "x)%0aLogged in." + String(repeating: "%20y", count: 5000)
        let effects = session.handle(.callback("/callback?state=right&error=\(forged)"))
        let said = effects.compactMap { if case .say(let text) = $0 { text } else { nil } }.joined()
        #expect(said.contains("the login failed (x)"))
        #expect(!said.contains("\n") && said.utf8.count < 120, "\(said)")
    }

    @Test("who gives up is told what stays")
    func givenUp() throws {
        var replaced = PairingSession(
            choices: Self.choices(), situation: Self.situation(registeredAs: "old"))
        _ = replaced.handle(.begin)
        var failed = Self.registering()
        _ = failed.handle(.registered(.failure(Self.unreachable)))
        // The address of another try is bad, but the first try may have registered the machine.
        var elsewhere = failed
        _ = elsewhere.handle(.line("http://a b"))
        var refused = Self.registering()
        _ = refused.handle(.registered(.failure(PairingTrouble(.refused, "no"))))
        var offered = Self.registering()
        _ = offered.handle(.registered(.success("done")))
        var tested = offered
        _ = Self.run(&tested, [.line(""), .serviceStarted(nil)])
        var located = tested
        _ = located.handle(.tested(nil))
        for (begun, words) in [
            (Self.begun(), "Nothing was registered."),
            (Self.loggingIn(), "Nothing was registered."),
            (replaced, "The registration stays as it is."),
            (failed, "registered, type: homing doctor"),
            (elsewhere, "registered, type: homing doctor"),
            (refused, "Nothing was registered."),
            (offered, "To start the service: sudo systemctl"),
            (tested, "The registration stays. To test the connection, type: homing doctor"),
            (located, "questions about the location later, type: homing setup"),
        ] {
            var session = begun
            let effects = session.handle(.interrupted)
            guard case .say(let said)? = effects.first, effects.count == 2,
                case .stopped? = Self.ending(effects)
            else {
                Issue.record("\(effects)")
                continue
            }
            #expect(said.hasPrefix("\nSetup ended. ") && said.contains(words), "\(said)")
        }
    }

    @Test("a request that changes Home Assistant is brought to its end before setup ends")
    func interruptedRequest() throws {
        var exchanging = Self.loggingIn()
        _ = exchanging.handle(.line(Self.code))
        let cases: [(PairingSession, PairingSession.Event, String)] = [
            (exchanging, .loggedIn(nil), "Nothing was registered."),
            (exchanging, .loggedIn(Self.unreachable), "Nothing was registered."),
            (Self.registering(), .registered(.success("done")), "The registration stays."),
            (
                Self.registering(), .registered(.failure(Self.unreachable)),
                "registered, type: homing doctor"
            ),
        ]
        for (begun, event, words) in cases {
            var session = begun
            #expect(Self.ending(session.handle(.interrupted)) == nil, "the request is under way")
            #expect(session.handle(.line("y")).isEmpty)
            let effects = session.handle(event)
            guard case .stopped? = Self.ending(effects) else {
                Issue.record("\(words): it goes on")
                continue
            }
            let said = effects.compactMap { if case .say(let text) = $0 { text } else { nil } }
            #expect(said.last?.contains(words) == true, "\(said)")
        }
    }

    @Test("a name without a dot, which a network can complete, comes with the local names")
    func shortName() throws {
        for (address, advice) in [
            ("http://homeassistant:8123", true), ("http://ha.example.com:8123", false),
            ("http://[2001:db8::1]:8123", false),
        ] {
            var session = PairingSession(
                choices: Self.choices { $0.url = address }, situation: Self.situation())
            guard case .say(let said)? = session.handle(.begin).first else {
                Issue.record("nothing is said")
                continue
            }
            #expect(said.contains("unencrypted"))
            #expect(said.contains("homeassistant.local") == advice, "\(said)")
        }
    }

    @Test("the end of input ends setup at the next question")
    func endOfInput() {
        var replaced = PairingSession(
            choices: Self.choices(), situation: Self.situation(registeredAs: "old"))
        _ = replaced.handle(.begin)
        for (begun, hint) in [
            (Self.loggingIn(), "Nothing was registered."),
            (replaced, "The registration stays as it is."),
        ] {
            var session = begun
            guard case .stopped(let trouble)? = Self.ending(session.handle(.line(nil))) else {
                Issue.record("it goes on")
                continue
            }
            #expect(trouble.hint == hint && session.handle(.line("y")).isEmpty)
        }
        var inspected = Self.begun()
        #expect(inspected.handle(.line(nil)).isEmpty, "no question stands")
        let failed = inspected.handle(.inspected(hasPKCE: .failure(Self.unreachable)))
        #expect(Self.question(failed) == nil && Self.ending(failed) != nil)

        var registered = Self.registering()
        #expect(registered.handle(.line(nil)).isEmpty, "the request is under way")
        let effects = registered.handle(.registered(.success("done")))
        #expect(Self.question(effects) == nil && Self.ending(effects) == .incomplete)
        #expect(effects.contains(.say("done")))

        var served = Self.registering(
            Self.choices { $0.url = Self.home }, Self.situation(daemon: true))
        _ = served.handle(.registered(.success("done")))
        #expect(served.handle(.line(nil)).isEmpty, "the test is under way")
        #expect(Self.ending(served.handle(.tested(Self.unreachable))) == .incomplete)
    }
}
