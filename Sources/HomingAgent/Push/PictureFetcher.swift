internal import HomingBase
internal import HomingHTTP
internal import HomingNotifications
internal import HomingRuntime

/// Fetches the pictures of notifications into files that the notification server can read: bounded
/// in size and time, a picture by its first bytes, and with the token only from Home Assistant
/// itself.
@LoopActor final class PictureFetcher {
    /// Seconds a picture may take.
    private static let patience: Seconds = 8
    /// Pictures that may be on their way at a time; more notifications go without.
    static let limit = 8

    private var gate: TokenGate?
    private var client: HTTPClient?
    private var underWay = 0
    private let folder: PictureFolder
    private let log: HomeLog

    /// - Parameter folder: of the daemon's own files.
    init(folder: String, log: HomeLog) {
        self.folder = PictureFolder("\(folder)/pictures")
        self.log = log
    }

    /// The token's keeper and the client from now on.
    func use(_ gate: TokenGate?, _ client: HTTPClient) {
        self.gate = gate
        self.client = client
    }

    /// Returns the file's path; `nil` without a picture, which the journal tells.
    func fetch(_ link: Link) async -> String? {
        guard let gate, underWay < Self.limit else { return none() }
        underWay += 1
        defer { underWay -= 1 }
        // Now: the home may be gone when the token's endpoint has proved itself.
        let bases = gate.openBases
        let access = Self.mayNeedToken(link) ? await gate.access() : nil
        guard let client, let request = Self.request(link, bases, access) else {
            return none()
        }
        return file(await client.response(to: request))
    }

    private func none() -> String? {
        log.info("did not fetch a notification's picture: no route, or too many at once")
        return nil
    }

    /// Home Assistant's own pages do; `/local/` and the rest of the web do not.
    private static func mayNeedToken(_ link: Link) -> Bool {
        switch link {
        case .web(let url): url.holds("/api/")
        case .homeAssistant(let path): path.hasPrefix("/api/")
        }
    }

    /// The token goes to Home Assistant itself alone, and only while it may. A page of another server
    /// is asked for only where that is not this machine.
    ///
    /// - Parameter bases: of Home Assistant, the one in use first.
    private static func request(
        _ link: Link, _ bases: [String], _ access: TokenGate.Access?
    ) -> HTTPRequest? {
        var request = HTTPRequest(url: "", timeout: patience)
        switch link {
        case .web(let url):
            request.url = url
            request.mayReachThisMachine = bases.contains { url.hasPrefix("\($0)/") }
        case .homeAssistant:
            // What needs the token is not asked for without it.
            let base = mayNeedToken(link) ? access?.base : bases.first
            guard let base else { return nil }
            request.url = link.address(base: base)
        }
        if let access, link.isForTheToken(base: access.base) {
            request.bearerToken = access.token
        }
        return request
    }

    private func file(_ result: Result<HTTPResponse, HTTPFailure>) -> String? {
        switch result {
        case .failure(let failure):
            log.info("a notification's picture cannot be fetched: \(failure)")
        case .success(let response) where response.status != 200:
            log.info("a notification's picture cannot be fetched: status \(response.status)")
        case .success(let response):
            return folder.store(response.body)
        }
        return nil
    }

    /// Forgets them all.
    func shutdown() { folder.clear() }
}
