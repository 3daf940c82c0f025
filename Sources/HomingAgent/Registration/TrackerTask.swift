internal import HomeAssistantAPI
internal import HomingControl
internal import HomingCrypto
internal import HomingDelivery
internal import HomingJSON
internal import HomingRuntime

/// Finds out why Home Assistant does not show the device tracker, and has it return.
@LoopActor final class TrackerTask {
    private unowned let home: Home

    init(_ home: Home) { self.home = home }

    func askTrackerQuestion(_ question: TrackerRepair.Question) {
        switch question {
        case .look:
            home.run { [weak self] in await self?.look() }
        case .reload(let configEntry):
            home.log.notice(
                "the device tracker was deleted in Home Assistant: reloading the device's entry there"
            )
            home.run { [weak self] in await self?.reload(configEntry) }
        }
    }

    private func look() async {
        guard let asked = home.keeper.registration else {
            return home.delivery.trackerLearned(.found(nil))
        }
        let entry = await entry(asked)
        guard home.keeper.same(as: asked) != nil else { return }
        let found = entry.map { entry -> TrackerRepair.Found in
            switch entry {
            case .present: .present
            case .deleted(let configEntry): .deleted(configEntry: configEntry)
            }
        }
        home.delivery.trackerLearned(.found(found))
    }

    /// The tracker's entry in Home Assistant's registry; `nil` without an answer.
    private func entry(_ registration: Registration) async -> TrackerEntry? {
        let nonce = RandomToken.hex(bytes: 8)
        let question = TrackerEntry.question(
            nonce: nonce, deviceID: registration.deviceID, deviceName: registration.deviceName)
        guard let facts = try? await home.sendDirectCommand(.getConfig),
            let configuration = try? facts.content.decoded(as: ConfigurationReply.self),
            let answer = try? await home.sendDirectCommand(question),
            let reply = try? answer.content.decoded(as: TrackerEntryReply.self),
            reply.nonce == nonce
        else { return nil }
        return TrackerEntry(configuration, reply, deviceID: registration.deviceID)
    }

    /// Home Assistant does this with the rights of the user who registered.
    private func reload(_ configEntry: String) async {
        guard let asked = home.keeper.registration else { return }
        let call = ServiceCall(
            domain: "homeassistant", service: "reload_config_entry",
            data: ["entry_id": .string(configEntry)])
        var outcome = TrackerRepair.Outcome.asked
        do throws(ControlError) { _ = try await home.sendDirectCommand(.callService(call)) } catch {
            switch error.exitCode {
            case .temporary: outcome = .asked
            case .refused: outcome = .refused
            default: outcome = .notReached
            }
        }
        guard home.keeper.same(as: asked) != nil else { return }
        home.log.info(outcome.text)
        home.delivery.trackerLearned(.reloaded(outcome))
    }
}

extension TrackerRepair.Outcome {
    /// Text for the log.
    fileprivate var text: String {
        switch self {
        case .asked: "Home Assistant was asked to reload the device's entry"
        case .refused: "Home Assistant refused to reload the device's entry"
        case .notReached: "the request to reload the device's entry did not reach Home Assistant"
        }
    }
}
