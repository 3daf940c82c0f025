public import HomeAssistantAPI
public import HomingBase
public import HomingControl
internal import HomingCrypto
public import HomingHTTP
internal import HomingHealth
internal import HomingRuntime

/// A requested registration, checked against the present registration; performed by the daemon, or by
/// the command itself where no daemon runs.
public struct RegistrationPlan: Sendable {
    let asked: ControlCommand.Register
    let url: String
    /// Authorization that opens Home Assistant, and is kept.
    let authorization: Registration.Authorization
    let existing: Registration?
    /// The id of a home that is a device of its own.
    let home: String?
    /// The identity of a copy of an image; `nil` for the machine id.
    private let copyIdentity: String?
    /// Whether the registration there is belongs to another machine, which keeps it.
    private let leavesExisting: Bool

    /// Checks what was asked.
    ///
    /// - Parameters:
    ///   - home: the id of a home that is not the first: this machine is another device for each of these.
    ///     Home Assistant forgets a registration when a device registers again, and two addresses may lead
    ///     to one Home Assistant.
    ///   - copyIdentity: this machine's own identity, where its disk is a copy of an image (`CopyIdentity`).
    public static func make(
        _ params: ControlCommand.Register, existing: Registration?, home: String?,
        copyIdentity: String? = nil
    ) throws(ControlError) -> RegistrationPlan {
        try check(
            isNew: params.new, takesDevice: params.takesDevice == true,
            deviceName: params.deviceName)
        let isCopy = existing?.standing == .copied
        // Its token would be revoked, and its place taken: a person says which machine this is.
        if case .moved? = existing?.standing, !params.new {
            throw ControlError(
                .refused, Warnable.anotherMachine.text, hint: Warnable.anotherMachine.hint)
        }
        if let existing, !params.again, !params.new, !isCopy {
            throw alreadyRegistered(as: existing.deviceName)
        }
        guard let url = params.url ?? existing?.instanceURL else { throw noAddress }
        let leavesExisting = params.new || isCopy
        if leavesExisting || existing == nil, let id = params.deviceID,
            !MachineFingerprint.isFingerprint(id)
        {
            throw ControlError(.usage, "a device's identity has 32 lowercase hexadecimal digits")
        }
        return RegistrationPlan(
            asked: params, url: url,
            authorization: try authorization(
                params, existing, url, leavesExisting: leavesExisting),
            existing: existing, home: home, copyIdentity: copyIdentity,
            leavesExisting: leavesExisting)
    }

    /// Throws where a request cannot succeed beside the present registration: before a person answers questions.
    /// A registration of another machine is left to `make`.
    public static func check(
        _ params: ControlCommand.Register, beside present: RegistrationReport?
    ) throws(ControlError) {
        guard let url = params.url ?? present?.instanceURL else { throw noAddress }
        do throws(RegistrationFailure) {
            _ = try Registrar.base(of: url, allowPlainHTTP: params.allowPlainHTTP)
        } catch {
            throw ControlError(error.exitCode, error.message, hint: error.hint)
        }
        guard let present, !params.again, !params.new, [nil, .own].contains(present.standing)
        else { return }
        throw alreadyRegistered(as: present.deviceName)
    }

    private static let noAddress = ControlError(
        .usage, "no address given", hint: "add --url http://homeassistant.local:8123")

    private static func alreadyRegistered(as name: String) -> ControlError {
        ControlError(
            .usage, "already registered as \(name)",
            hint:
                "use --again to replace that registration, or --new to become another device; the queue is kept"
        )
    }

    /// Throws where a request contradicts itself, whatever registration there is.
    public static func check(
        isNew: Bool, takesDevice: Bool, deviceName: String?
    ) throws(ControlError) {
        guard !(isNew && takesDevice) else {
            throw ControlError(.usage, "--new and --take-over exclude each other")
        }
        if let deviceName { try checkDeviceName(deviceName) }
    }

    /// Throws where the name breaks the rules of `DeviceName`.
    public static func checkDeviceName(_ name: String) throws(ControlError) {
        guard let problem = DeviceName.problem(with: name) else { return }
        throw ControlError(.usage, problem, hint: DeviceName.advice)
    }

    /// Returns the token of the request, else the stored token. The stored token goes only to the
    /// address that it was given for: a client of the control socket must not learn the token.
    private static func authorization(
        _ params: ControlCommand.Register, _ existing: Registration?, _ url: String,
        leavesExisting: Bool
    ) throws(ControlError) -> Registration.Authorization {
        if let given = params.authorization { return given }
        guard let existing, let stored = existing.authorization else {
            throw ControlError(.usage, "no token given", hint: "add --token-file FILE")
        }
        guard let base = Registrar.baseURL(url), base == Registrar.baseURL(existing.instanceURL)
        else {
            throw ControlError(
                .usage, "no token given for this address",
                hint: "the stored token is for the former address only: add "
                    + "--token-file FILE, or log in by: homing setup")
        }
        guard leavesExisting else { return stored }
        // The other machine uses it: it is not this machine's to revoke.
        var shared = stored
        shared.isOwn = nil
        return shared
    }

    /// Registers; the home networks of the registration there is are kept, and its identity unless
    /// another is wanted.
    ///
    /// - Parameters:
    ///   - relay: where Home Assistant shall hand what the WebSocket does not take.
    ///   - machine: by which this machine is known from now on.
    @LoopActor public func performRegistration(
        http: HTTPClient, relay: PushRelay?, machine: MachineTraits = .read()
    ) async throws(ControlError) -> (registration: Registration, hadDevice: Bool) {
        // The machine id may be a copy as well.
        let id =
            leavesExisting
            ? asked.deviceID ?? existing?.machine?.successor ?? RandomToken.hex(bytes: 16)
            : existing?.deviceID ?? asked.deviceID
                ?? copyIdentity.map { MachineDescription.deviceID(of: $0, home: home) }
        // The name of a registration that another machine made is that machine's.
        let known: Registration? =
            switch existing?.standing {
            case .own, .clearing: existing
            case .copied, .moved, nil: nil
            }
        var device = MachineDescription.read(
            name: asked.deviceName ?? known?.deviceName, id: id, home: home)
        do throws(RegistrationFailure) {
            let base = try Registrar.base(of: url, allowPlainHTTP: asked.allowPlainHTTP)
            let token = try await AccessToken.current(authorization, base: base, http: http).get()
            let found = try await checkKnownDevice(device, known, base, token: token, http: http)
            let taken = found.taken
            if let taken { device.name = taken }
            var registration = try await Registrar(http: http, base: base, token: token).register(
                device, relay, allowUnencrypted: asked.allowUnencrypted)
            registration.authorization = authorization
            registration.retired = retired(by: registration)
            registration.homeNetworks = existing?.homeNetworks ?? []
            registration.told = MachineReport(appVersion: homingVersion, device: device)
            registration.toldRelay = relay?.fingerprint
            // Now or before; `nil` where that was not noted.
            registration.nameIsChosen =
                asked.deviceName != nil || taken != nil ? true : known.map(\.nameIsChosen) ?? false
            registration.machine = RegisteredMachine(
                machine, clearing: existing?.standing.endOfOther)
            return (registration, found.isThere && existing == nil)
        } catch {
            throw ControlError(error.exitCode, error.message, hint: error.hint)
        }
    }
}

extension RegistrationPlan {
    /// Tokens of before that are to be revoked: those that Homing made, for the Home Assistant that
    /// is registered with again. Who becomes another device leaves them to the machine it is a copy
    /// of.
    private func retired(by new: Registration) -> [Registration.Authorization]? {
        guard !leavesExisting, let existing, existing.instanceURL == new.instanceURL else {
            return nil
        }
        var retired = existing.retired ?? []
        if let old = existing.authorization, old.isOwn == true, old.token != authorization.token {
            retired.append(old)
        }
        return retired.isEmpty ? nil : retired
    }

    /// Whether a token that Homing made stays behind in another Home Assistant.
    public func leavesToken(_ new: Registration) -> Bool {
        !leavesExisting && existing?.authorization?.isOwn == true
            && existing?.instanceURL != new.instanceURL
    }

    /// Throws if Home Assistant has a device of another name with this machine's identity, and the request does
    /// not take that device. Returns whether the device is there, and the name of a device that is taken, if
    /// neither the request nor an earlier registration has a name.
    @LoopActor private func checkKnownDevice(
        _ device: DeviceDescription, _ known: Registration?, _ base: String, token: String,
        http: HTTPClient
    ) async throws(RegistrationFailure) -> (isThere: Bool, taken: String?) {
        let takes = asked.takesDevice == true
        // A device of its own has an identity that no other machine has. A repeated identity was such an
        // identity a moment ago.
        guard !leavesExisting, !takes || asked.deviceName == nil && known == nil else {
            return (false, nil)
        }
        let reply = await KnownDevice.find(device.id, base: base, token: token, http: http)
        switch reply {
        case .found(let other) where !other.isOwn(device, known):
            guard takes else { throw .knownDevice(name: other.shownName) }
            return (true, DeviceName.problem(with: other.name) == nil ? other.name : nil)
        case .tokenRefused: throw .unauthorized
        case .found: return (true, nil)
        case .unknown: return (false, nil)
        }
    }
}

extension ControlCommand.Register {
    /// Authorization that opens Home Assistant, if the request brings an authorization.
    var authorization: Registration.Authorization? {
        token.map {
            Registration.Authorization(
                kind: clientID == nil ? .longLived : .refresh, token: $0, clientID: clientID,
                isOwn: tokenIsOwn ? true : nil, title: tokenTitle)
        }
    }

    /// The error if another home has this address; `nil` if no other home has this address, or the
    /// home itself is registered there.
    ///
    /// - Parameter present: the address of the home's own registration.
    public func refusal(beside others: [RegisteredHome], present: String?) -> ControlError? {
        guard !new, let url, let other = others.first(where: { $0.hinders(url, from: present) })
        else { return nil }
        return ControlError(.usage, other.refusal, hint: RegisteredHome.hint)
    }
}

extension RegistrationFailure {
    /// Exit code with which `homing register` ends.
    var exitCode: ExitCode {
        switch self {
        case .badURL, .badToken, .plainHTTP: .usage
        case .unreachable: .unavailable
        // A proxy's word that nobody is behind it now.
        case .notHomeAssistant(status: 502...504): .unavailable
        case .unauthorized, .forbidden, .redirected, .mobileAppMissing, .notHomeAssistant, .proxy,
            .noSecret:
            .refused
        case .knownDevice: .knownDevice
        }
    }
}
