internal import HomingBase
internal import HomingRelayProtocol
internal import HomingServer

extension RelayService {
    /// Whether a `Content-Type` is JSON's. Home Assistant names the type alone, which is found soonest.
    static func isJSON(_ type: String?) -> Bool {
        let json = "application/json"
        return type == json || type?.prefix { $0 != ";" }.lowercased().trimmed == json
    }

    /// Takes a request from the server.
    func serveRequest(_ request: ServerRequest) {
        guard let route = RelayRoute(request.path) else {
            return request.answer(.refused(.notFound))
        }
        guard request.method == route.method else {
            return request.answer(.refused(.wrongMethod), allowing: route.method)
        }
        guard route == .mailbox || Self.isJSON(request.field("Content-Type")) else {
            return request.answer(.refused(.wrongType))
        }
        if forwarder != nil, route.isOfMailboxes { return request.answer(.refused(.isFront)) }
        switch route {
        case .push: pushes.servePush(request)
        case .check: pushes.check(request)
        case .sealed: pushes.takeSealed(request)
        case .join: joins.serveJoin(request)
        case .forward:
            if let forwards {
                forwards.serveForward(request)
            } else {
                request.answer(.refused(.notFound))
            }
        case .mailbox: welcome(request)
        }
    }

    /// A device asks for its mailbox.
    private func welcome(_ request: ServerRequest) {
        guard let field = request.field("Authorization") else {
            return request.answer(.refused(.noToken))
        }
        let intake = Intake(limits: configuration.storeLimits)
        let text = PushToken(authorization: field)?.text ?? ""
        do throws(RelayRefusal) {
            let token = try gate.judge { (throttle, uptime) throws(RelayRefusal) in
                try intake.token(
                    text, by: room.ring, from: request.client.group, &throttle, at: uptime)
            }
            proxies.note(token.mailbox, request)
            devices.welcome(request, token)
        } catch {
            request.answer(.refused(error))
        }
    }
}
