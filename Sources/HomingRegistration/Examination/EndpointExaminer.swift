public import HomeAssistantAPI
public import HomingCrypto
public import HomingHTTP
public import HomingHealth
internal import HomingJSON
public import HomingLocation
public import HomingRuntime

/// Looks at one endpoint of Home Assistant from its name to what Home Assistant holds for us: asks for a
/// receipt and for its facts, as the courier does, and says of each stage how it went.
@LoopActor public struct EndpointExaminer {
    private let http: HTTPClient
    private let registration: Registration
    private let position: Fix?
    private let clock: any Clockwork
    private let envelope: WebhookEnvelope

    /// Throws if the registration has a secret that is no key.
    public init(
        http: HTTPClient, registration: Registration, position: Fix?, clock: any Clockwork
    ) throws(SecretKeyError) {
        self.http = http
        self.registration = registration
        self.position = position
        self.clock = clock
        let key = try registration.secret.map { text throws(SecretKeyError) in
            try SecretKey(hexadecimal: text)
        }
        envelope = WebhookEnvelope(sealer: key.map { SecretBox(key: $0) })
    }

    /// Returns the findings about this endpoint.
    ///
    /// - Parameters:
    ///   - url: the webhook at this endpoint.
    ///   - base: Home Assistant's own address, for an endpoint that leads to all of it.
    public func examine(_ title: String, url: String, base: String?) async -> [Finding] {
        let host = WebAddress(url)?.host ?? "?"
        let stages = EndpointStages(host: host, isTLS: WebAddress(url)?.isTLS ?? false)
        let nonce = RandomToken.hex(bytes: 8)
        let request = WebhookRequest.receipt(nonce: nonce, deviceID: registration.deviceID)
        var findings: [Finding]
        switch await send(request, url) {
        case .failure(let failure): findings = stages.failed(failure)
        case .success(let response):
            findings = stages.connected
            let reply = envelope.contents(of: response.body)
            if response.status == 200, let receipt = receipt(reply, nonce) {
                findings += stages.proved(isSealed: registration.secret != nil)
                findings += await facts(url)
                let entry = receipt.trackerState == nil ? await trackerEntry(url) : nil
                findings += stages.tracker(receipt, entry: entry, ours: position)
            } else {
                let lacksMobileApp = reply == .empty ? await isMobileAppMissing(base) : false
                findings += stages.unproved(
                    status: response.status, reply, lacksMobileApp: lacksMobileApp)
            }
        }
        return findings.map { $0.of(title) }
    }

    /// Returns whether Home Assistant knows the registration; `nil` without an answer of Home Assistant.
    ///
    /// - Parameter patience: seconds to wait for the answer.
    public func isKnown(at url: String, within patience: Seconds) async -> Bool? {
        let nonce = RandomToken.hex(bytes: 8)
        let request = WebhookRequest.receipt(nonce: nonce, deviceID: registration.deviceID)
        guard case .success(let response) = await send(request, url, within: patience) else {
            return nil
        }
        let reply = envelope.contents(of: response.body)
        if response.status == 200, receipt(reply, nonce) != nil { return true }
        return response.status == 410 || response.status == 200 && reply == .empty ? false : nil
    }

    private func send(
        _ request: WebhookRequest, _ url: String, within patience: Seconds = 15
    ) async -> Result<HTTPResponse, HTTPFailure> {
        // Numbers in these requests are finite: the body can be written.
        guard let body = try? envelope.body(for: request) else { fatalError("a body of constants") }
        return await http.response(
            to: HTTPRequest(url: url, method: .post, body: body, timeout: patience))
    }

    /// An old reply played back would echo another nonce.
    private func receipt(_ reply: WebhookReply, _ nonce: String) -> ReceiptReply? {
        guard case .opened(let content) = reply,
            let receipt = try? content.decoded(as: ReceiptReply.self),
            receipt.nonce == nonce
        else { return nil }
        return receipt
    }

    /// Version, components and clock, from a Home Assistant that has proved to be ours.
    private func facts(_ url: String) async -> [Finding] {
        var findings: [Finding] = []
        if let reply: ConfigurationReply = await requestReply(.getConfig, url) {
            findings += EndpointStages.facts(
                version: reply.version, mobileApp: reply.components.contains("mobile_app"),
                tracker: reply.trackerLoaded)
        }
        struct Clock: Decodable { var t: Double }
        let before = clock.now().unixTime
        let template = WebhookRequest.renderTemplate(["t": Template("{{ now().timestamp() }}")])
        if let theirs: Clock = await requestReply(template, url) {
            let after = clock.now().unixTime
            findings.append(EndpointStages.clock(theirs: theirs.t, between: before, and: after))
        }
        return findings
    }

    /// Reads our tracker's entry in the registry; `nil` if Home Assistant does not say.
    private func trackerEntry(_ url: String) async -> TrackerEntry? {
        let nonce = RandomToken.hex(bytes: 8)
        let question = TrackerEntry.question(
            nonce: nonce, deviceID: registration.deviceID, deviceName: registration.deviceName)
        guard let configuration: ConfigurationReply = await requestReply(.getConfig, url),
            let reply: TrackerEntryReply = await requestReply(question, url), reply.nonce == nonce
        else { return nil }
        return TrackerEntry(configuration, reply, deviceID: registration.deviceID)
    }

    private func requestReply<Reply: Decodable>(
        _ request: WebhookRequest, _ url: String
    ) async -> Reply? {
        guard case .success(let response) = await send(request, url),
            case .opened(let content) = envelope.contents(of: response.body)
        else { return nil }
        return try? content.decoded(as: Reply.self)
    }

    /// Examines a path that only mobile_app has, and that takes nothing but POST.
    private func isMobileAppMissing(_ base: String?) async -> Bool {
        guard let base else { return false }
        let request = HTTPRequest(url: "\(base)/api/mobile_app/registrations")
        guard case .success(let response) = await http.response(to: request) else { return false }
        return response.status == 404
    }
}
