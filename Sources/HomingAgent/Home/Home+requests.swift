internal import HomeAssistantAPI
internal import HomingControl
internal import HomingDelivery
internal import HomingHealth
internal import HomingLocation
internal import HomingMachine
internal import HomingNotifications
internal import HomingPush
internal import HomingRegistration
internal import HomingRoutes
internal import HomingRuntime

/// Requests to a home: of people, by the control socket, and of notifications and their answers.
extension Home {
    // MARK: Rows

    /// Reports where the machine is: by the next good fix, for which the receiver is asked, by the place that
    /// the networks show, or by a look-up.
    func sendFix(for waiter: RowWaiter? = nil) {
        if let waiter { delivery.waitForNextPosition(waiter) }
        askPosition()
    }

    /// The sources are asked where the machine is, and what they say is told, also where it is known.
    func askPosition() {
        places.tellAgain()
        positions.requestFix()
    }

    /// A person says that the present networks are at home, or has them forgotten. On a network at home
    /// Home Assistant is reached directly.
    func judgeNetworks(areHome: Bool) throws(ControlError) {
        guard !keeper.isBusy else { throw .registering }
        if var registration = keeper.registration,
            let network = machine.state.network?.asHomeNetwork?.network,
            registration.homeNetworks.contains(network) != areHome
        {
            registration.homeNetworks.removeAll { $0 == network }
            if areHome { registration.homeNetworks.append(network) }
            do throws(RegistrationError) { try keeper.save(registration) } catch {
                throw ControlError(.failure, "\(error)")
            }
            adopt(registration)
        }
        places.judge(isHome: areHome)
    }

    /// The present networks, and what is known of each.
    var networkReport: NetworkReport {
        var report = NetworkReport(
            places.networks.map { network in
                NetworkReport.Network(
                    name: network.link.title, gateway: network.link.gateway,
                    sharesGateway: network.link.sharesGateway, bssid: network.link.bssid,
                    isHome: network.isHome, travels: network.travels,
                    isDoubted: network.isDoubted, place: network.place)
            })
        report.isAssumedHome = delivery.state.route?.place == .assumedHome
        report.noEndpoint = delivery.state.noEndpointText
        return report
    }

    /// Reports a zone by its name, without the receiver.
    func sendZone(_ name: String, for waiter: RowWaiter) {
        guard let id = positions.appendZone(name) else { return waiter.finish(.noRow) }
        delivery.wait(for: id, waiter)
    }

    /// Reports all sensors, also those that have not changed.
    func sendSensors() { sensors.tellAll() }

    /// Takes an event into the queue, and sends the event at once if that is possible.
    ///
    /// - Parameters:
    ///   - expiresAt: seconds since 1970.
    ///   - title: the text of an answer, which is reported if the event expires.
    /// - Returns: `nil` if the queue cannot be written.
    func fire(_ event: EventMessage, expiresAt: Seconds?, title: String = "") -> EntryID? {
        let id = delivery.fire(event, expiresAt: expiresAt)
        if let id, let expiresAt, !title.isEmpty { answers.watch(id, expiresAt, title) }
        return id
    }

    /// Has the waiter informed when the row is settled. `expires` are seconds from now.
    func wait(for id: EntryID, _ waiter: RowWaiter, expires: Seconds?) {
        delivery.wait(for: id, waiter, expires: expires)
    }

    /// Drops a waiter whose client has gone.
    func forget(_ waiter: RowWaiter?) { delivery.forget(waiter) }

    // MARK: Notifications

    /// Takes the body of Home Assistant's POST to the relay, unless it has come before.
    ///
    /// - Parameter origin: by which carrier it came to this machine.
    func receive(
        _ post: RelayedPost, from origin: PushOrigin = .direct
    ) throws(ControlError) -> ReceiveResult {
        guard let registration = keeper.registration else { throw .notRegistered }
        // Home Assistant names the registration. To answer what another one sent would be wrong.
        guard let sender = post.sender else { throw .noRelayedNotification }
        guard sender == registration.webhookID else {
            throw ControlError(
                .refused, "the notification was sent to another registration than the present one",
                hint:
                    "do nothing: Home Assistant sends later notifications to the present registration"
            )
        }
        guard let payload = post.payload else { throw .noRelayedNotification }
        return ReceiveResult(wasKnown: !push.relay(payload, from: origin))
    }

    /// Takes what the relay that was joined has brought.
    func takeRelayed(_ post: RelayedPost, age: Seconds) {
        do throws(ControlError) { _ = try receive(post, from: .relay(age: age)) } catch {
            if post.isOther, let sender = post.sender,
                sender == keeper.registration?.webhookID
            {
                relay.noteOther()
            } else {
                relay.noteRefused("a message: \(error.message)")
            }
        }
    }

    /// Counts a command by the relay that the configuration does not permit.
    func noteRefusedRelayCommand() { relay.noteRefusedCommand() }

    /// Shows that a test of the relay has come.
    func showTest(_ host: String) {
        let message = PushMessage(
            message: "This came by the relay at \(host).", title: "A test of the relay",
            tag: "homing.relay.test", sender: .homing)
        show(message)
    }

    /// Asks Home Assistant for the categories of notifications.
    func refreshCategories() async throws(ControlError) -> RefreshResult {
        guard keeper.registration != nil else { throw .notRegistered }
        return try await push.categories.refresh()
    }

    /// The category of that name, in letters of either case.
    func category(_ name: String) -> PushCategory? { push.categories[name] }

    /// The path of the picture of a notification; `nil` where there is no picture.
    func picture(at link: Link) async -> String? { await push.pictures.fetch(link) }

    /// Warns that an answer to a notification was dropped.
    func warnOfExpired(_ title: String) { warnings.set(.answerExpired, true, detail: title) }

    // MARK: Questions

    /// Continues the conversation with Home Assistant, or begins another.
    func say(
        _ text: String, _ language: String?, isNew: Bool
    ) async throws(ControlError) -> SayResult {
        let input = ConversationInput(
            text: text, language: language,
            conversationID: isNew ? nil : conversation.id(at: clock.now()))
        let refusal = ControlError(
            .refused, "Home Assistant refused the text",
            hint: "is its conversation integration loaded, and the language one it knows?")
        let answer = try await sendDirectCommand(.processConversation(input), refusal: refusal)
        guard let result = SayResult(reply: answer.content) else { throw .strangeReply }
        conversation.answered(result.conversationID, at: clock.now())
        return result
    }

    /// Examines each endpoint, for the doctor.
    func examine(from position: Fix?) async throws(ControlError) -> ExaminationReport {
        try mustBeOwn()
        guard let registration = keeper.registration, let route = delivery.state.route else {
            throw .notRegistered
        }
        upkeep.mark.look()
        let findings = await RouteExaminer.examine(
            route, of: registration, from: position, http: client, clock: clock)
        return ExaminationReport(findings: findings)
    }

    /// Reports what this machine is, under another name if a name is given.
    func describeMachine(as name: String?) async throws(ControlError) -> RegistrationReport {
        if let name { try RegistrationPlan.checkDeviceName(name) }
        return try await upkeep.description.sendDescriptionNow(asked: name)
    }

    /// Asks for a secret, and encrypts from then on.
    func encrypt(overPlainHTTP: Bool) async throws(ControlError) -> EncryptionResult {
        try await upkeep.secret.requestSecret(overPlainHTTP ? .confirmed : .asked)
    }
}

extension ControlError {
    fileprivate static let noRelayedNotification = ControlError(
        .usage, "this is not what Home Assistant hands to a relay",
        hint: "pass the body of its POST on as it is")
}

extension NetworkLink {
    /// The network in people's words.
    var title: String {
        switch medium {
        case .wifi(let ssid, _): "Wi-Fi \(ssid ?? "without a name")"
        case .cable: "cable: \(id)"
        case .other: id
        }
    }
}
