internal import HomeAssistantAPI
internal import HomingCrypto
internal import HomingDelivery
internal import HomingHTTP
internal import HomingLocation
internal import HomingRoutes
internal import HomingRuntime

/// Carries the courier's requests to a webhook and sorts the answers by what they prove.
@LoopActor final class WebhookTransport: Transport {
    let http: HTTPClient
    let envelope: WebhookEnvelope
    private let deviceID: String
    private let outboxID: String
    /// Takes what it can; the rest goes by HTTP.
    private let socket: SocketCarrier
    private var fullHeads = FullHeads()
    /// Whether the request before was answered over the socket.
    private var wasBySocket = false
    private var underWay: Transfer?
    private(set) var path: ConnectionPath?
    private var zoneFormat = ZoneFormat()
    /// Tells the answer to the request under way from that to a cancelled one.
    private var generation = 0

    /// Throws if the registration has a secret that is no key: nothing would be sealed.
    init(_ parts: TransportParts) throws(SecretKeyError) {
        http = parts.http
        outboxID = parts.outboxID
        socket = parts.socket
        deviceID = parts.registration.deviceID
        let key = try parts.registration.secret.map { text throws(SecretKeyError) in
            try SecretKey(hexadecimal: text)
        }
        envelope = WebhookEnvelope(sealer: key.map { SecretBox(key: $0) })
    }

    func sendRequest(
        _ request: Request, _ endpoint: Endpoint, completion: @escaping @LoopActor (Answer) -> Void
    ) {
        generation += 1
        let mine = generation
        let nonce = URLBase64.text(of: RandomToken.bytes(8))
        guard let command = command(for: request, nonce: nonce),
            let body = try? envelope.body(for: command)
        else {
            let answer = Self.answer(toUnsayable: request)
            spawn { [weak self] in
                if self?.generation == mine { completion(answer) }
            }
            return
        }
        send(body, endpoint) { [weak self] result in
            guard let self, self.generation == mine else { return }
            self.path = (try? result.get())?.path
            completion(self.answer(to: request, nonce: nonce, result))
        }
    }

    /// Judges a request that cannot be said, nor taken, like a refusal: by receipt.
    private static func answer(toUnsayable request: Request) -> Answer {
        if case .registerSensor = request { .sensorUnknownHere } else { .refused(status: 400) }
    }

    func use(_ format: ZoneFormat) { zoneFormat = format }

    func dropConnections() { http.closeIdleConnections() }

    func cancel() {
        generation += 1
        underWay?.cancel()
        underWay = nil
    }

    // MARK: By the socket that is open anyway, or by HTTP

    /// Sends it by HTTP too if the socket ended first, as libcurl sends again what met a connection
    /// that was dead.
    private func send(
        _ body: [UInt8], _ endpoint: Endpoint,
        completion: @escaping @LoopActor (Result<WebhookAnswer, HTTPFailure>) -> Void
    ) {
        let mine = generation
        let isTaken = socket.send(body, to: endpoint) { [weak self] outcome in
            guard let self, self.generation == mine else { return }
            guard case .answered(let status, let reply, let isFirst, let path) = outcome else {
                return self.sendByHTTP(body, endpoint, completion: completion)
            }
            let isNew = isFirst || !self.wasBySocket
            self.wasBySocket = true
            completion(
                .success(
                    WebhookAnswer(
                        status: status, body: reply, onNewConnection: isNew, path: path)))
        }
        if !isTaken { sendByHTTP(body, endpoint, completion: completion) }
    }

    private func sendByHTTP(
        _ body: [UInt8], _ endpoint: Endpoint,
        completion: @escaping @LoopActor (Result<WebhookAnswer, HTTPFailure>) -> Void
    ) {
        let isFull = fullHeads.isWanted(by: endpoint)
        let message = HTTPRequest(
            url: endpoint.webhookURL, method: .post, body: body,
            contentType: isFull ? "application/json" : nil, namesProgram: isFull)
        let mine = generation
        underWay = http.send(message) { [weak self] result in
            // One that was called off says so after the next one has begun.
            guard let self, self.generation == mine else { return }
            self.underWay = nil
            let wasBySocket = self.wasBySocket
            self.wasBySocket = false
            let answer = result.map { response in
                var answer = WebhookAnswer(response)
                // A warm connection is another one than the socket that was used meanwhile.
                if wasBySocket { answer.onNewConnection = true }
                return answer
            }
            if !isFull, case .success(let first) = answer,
                self.fullHeads.isRefusal(first, by: endpoint)
            {
                return self.sendByHTTP(body, endpoint) { [weak self] result in
                    if case .success(let second) = result {
                        self?.fullHeads.noteSecondAnswer(second, by: endpoint)
                    }
                    completion(result.map { $0.following(first) })
                }
            }
            completion(answer)
        }
    }

    // MARK: What is said

    func command(for request: Request, nonce: String) -> WebhookRequest? {
        switch request {
        case .configuration: .getConfig
        case .zones: .getZones
        case .receipt: .receipt(nonce: nonce, deviceID: deviceID)
        case .shortReceipt(let names):
            .shortReceipt(nonce: nonce, tracker: names.tracker, witness: names.witness)
        case .location(let entry): locationUpdate(entry).map { .updateLocation($0) }
        case .event(let entry): eventCommand(entry)
        case .sensors(let entries):
            .updateSensorStates(
                entries.compactMap {
                    Self.sensor($0).flatMap { SensorRegistration.update(from: $0) }
                })
        case .registerSensor(let entry):
            Self.sensor(entry).flatMap {
                SensorRegistration.isWhole($0) ? .registerSensor($0) : nil
            }
        case .track(let entries):
            .track(
                TrackEvent(
                    deviceID: deviceID, outboxID: outboxID,
                    positions: entries.compactMap(Self.trackPosition)))
        }
    }

    /// The registration of a sensor, in JSON.
    private static func sensor(_ entry: OutboxEntry) -> String? {
        if case .sensor(let sensor) = entry.message { sensor.item } else { nil }
    }

    private func eventCommand(_ entry: OutboxEntry) -> WebhookRequest? {
        guard case .event(let event) = entry.message else { return nil }
        return .fireEvent(type: event.type, data: event.data)
    }

    private func locationUpdate(_ entry: OutboxEntry) -> LocationUpdate? {
        guard case .location(let message) = entry.message else { return nil }
        switch message.place {
        case .zone(let name, _): return zoneFormat.update(name, battery: message.battery)
        case .fix(let fix):
            let place = fix.coordinate.rounded
            return LocationUpdate(
                latitude: place.latitude, longitude: place.longitude, accuracy: fix.accuracy,
                battery: message.battery, speed: fix.speed,
                altitude: fix.altitude, course: fix.course, verticalAccuracy: fix.verticalAccuracy)
        }
    }

    nonisolated private static func trackPosition(_ entry: OutboxEntry) -> TrackEvent.Position? {
        guard case .location(let message) = entry.message else { return nil }
        switch message.place {
        case .zone(let name, let time):
            return TrackEvent.Position(sequence: entry.id.number, time: time, zone: name)
        case .fix(let fix):
            let place = fix.coordinate.rounded
            return TrackEvent.Position(
                sequence: entry.id.number, time: fix.time, latitude: place.latitude,
                longitude: place.longitude, accuracy: fix.accuracy, altitude: fix.altitude,
                speed: fix.speed, course: fix.course,
                source: fix.source == .gpsd ? nil : fix.source.name)
        }
    }

    func answer(
        to request: Request, nonce: String, _ result: Result<WebhookAnswer, HTTPFailure>
    ) -> Answer {
        switch result {
        case .failure(let failure): return .failed(Self.problem(failure))
        case .success(let response):
            let reply = envelope.contents(of: response.body)
            var body = Self.sort(reply, status: response.status)
            var read: Answer?
            if case .opened(let content) = reply, body == .opened {
                read = ReplyReader.read(
                    content, request: request, nonce: nonce,
                    onNewConnection: response.onNewConnection)
                if read == nil { body = .other }
            }
            switch ReplyVerdict.of(
                status: response.status, body: body, retryAfter: response.retryAfter,
                expecting: request.expectation, onNewConnection: response.onNewConnection)
            {
            case .answer(let answer): return answer
            case .opened: return read ?? .failed(.foreign("an answer of another shape"))
            }
        }
    }

    static func sort(_ reply: WebhookReply, status: Int) -> ReplyBody {
        switch reply {
        // An error's words travel in the clear; a registration without a secret reads nothing else.
        case .opened where status >= 400: .plainObject
        case .empty: .empty
        case .emptyObject: .emptyObject
        case .plainObject: .plainObject
        case .opened: .opened
        case .unreadable, .other: .other
        }
    }

    static func problem(_ failure: HTTPFailure) -> EndpointProblem {
        switch failure.kind {
        case .tls: .tls(failure.description)
        case .tooLarge, .protocolError: .foreign(failure.description)
        default: .network(failure.description)
        }
    }
}

/// Answer of a webhook, by whichever carrier.
struct WebhookAnswer {
    /// HTTP's.
    let status: Int
    let body: [UInt8]
    var retryAfter: Seconds?
    /// Whether the connection is another one than that of the request before.
    var onNewConnection: Bool
    /// The ends of the connection.
    var path: ConnectionPath?
}

extension WebhookAnswer {
    init(_ response: HTTPResponse) {
        self.init(
            status: response.status, body: response.body, retryAfter: response.retryAfter,
            onNewConnection: !response.isReused, path: response.path)
    }

    /// The answer to the same message, sent once more after this answer: it comes over a new connection
    /// where either of them does.
    func following(_ first: WebhookAnswer) -> WebhookAnswer {
        var answer = self
        answer.onNewConnection = onNewConnection || first.onNewConnection
        return answer
    }
}
