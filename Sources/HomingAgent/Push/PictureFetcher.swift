internal import Glibc
internal import HomingCore
internal import HomingRuntime
internal import HomingTransport

/// Fetches the pictures of notifications into files that the notification server can read: bounded
/// in size and time, a picture by its first bytes, and with the token only from Home Assistant
/// itself.
@LoopActor final class PictureFetcher {
    /// Seconds a picture may take.
    private static let patience: Seconds = 8
    /// Pictures that may be on their way at a time; more notifications go without.
    private static let limit = 8
    /// Files that are kept for servers that read them late.
    private static let kept = 16

    private var gate: TokenGate?
    private var client: HTTPClient?
    private var underWay = 0
    private var files: [String] = []
    private var number = 0
    private lazy var folder = "\(Folders.runtime())/pictures"

    /// The token's keeper and the client from now on.
    func use(_ gate: TokenGate?, _ client: HTTPClient) {
        self.gate = gate
        self.client = client
    }

    /// - Parameter completion: gets the file's path; `nil` if there is none, which is told in the
    ///   journal.
    func fetch(_ link: Link, completion: @escaping @LoopActor (String?) -> Void) {
        guard let gate, underWay < Self.limit else { return none(completion) }
        underWay += 1
        gate.access { [weak self] access in
            guard let self, let client = self.client, let request = Self.request(link, access)
            else {
                self?.underWay -= 1
                self?.none(completion)
                return
            }
            client.send(request) { result in
                self.underWay -= 1
                completion(self.file(result))
            }
        }
    }

    private func none(_ completion: @LoopActor (String?) -> Void) {
        Log.info("a notification's picture is not fetched: no way, or too many at once")
        completion(nil)
    }

    /// Home Assistant's own pages get the token, and only while it may go there; `/local/` needs
    /// none.
    private static func request(_ link: Link, _ access: TokenGate.Access?) -> HTTPRequest? {
        var request = HTTPRequest(url: "", timeout: patience)
        switch link {
        case .web(let url):
            request.url = url
            if let access, url.hasPrefix("\(access.base)/api/") {
                request.bearerToken = access.token
            }
        case .homeAssistant(let path):
            guard let access else { return nil }
            request.url = access.base + path
            if path.hasPrefix("/api/") { request.bearerToken = access.token }
        }
        return request
    }

    private func file(_ result: Result<HTTPResponse, HTTPFailure>) -> String? {
        switch result {
        case .failure(let failure):
            Log.info("a notification's picture cannot be fetched: \(failure)")
        case .success(let response) where response.status != 200:
            Log.info("a notification's picture cannot be fetched: status \(response.status)")
        case .success(let response):
            guard let kind = Self.kind(response.body) else {
                Log.info("what a notification calls its picture is none")
                return nil
            }
            return store(response.body, kind)
        }
        return nil
    }

    private func store(_ content: [UInt8], _ kind: String) -> String? {
        number += 1
        let path = "\(folder)/\(number).\(kind)"
        do throws(SystemError) {
            try Folders.make(folder)
            try AtomicFile.write(content, to: path)
        } catch {
            Log.warning("a notification's picture cannot be kept: \(error)")
            return nil
        }
        files.append(path)
        if files.count > Self.kept { unlink(files.removeFirst()) }
        return path
    }

    /// By the signature: PNG, JPEG, GIF or WebP; `nil` for anything else.
    nonisolated private static func kind(_ content: [UInt8]) -> String? {
        let riff = Array("RIFF".utf8)
        if content.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "png" }
        if content.starts(with: [0xFF, 0xD8, 0xFF]) { return "jpg" }
        if content.starts(with: Array("GIF8".utf8)) { return "gif" }
        let isWebP = content.starts(with: riff) && content.dropFirst(8).starts(with: "WEBP".utf8)
        return isWebP ? "webp" : nil
    }

    /// Forgets them all.
    func shutdown() {
        for path in files { unlink(path) }
        files = []
    }
}
