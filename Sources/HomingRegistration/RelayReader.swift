public import HomeAssistantAPI
public import HomingConfiguration
internal import HomingCrypto
internal import HomingRuntime

/// The relay for notifications: the one that `[push]` names, or else the one that was joined.
public enum RelayChoice: Equatable, Sendable {
    /// Absence of a wanted relay.
    case none
    case relay(PushRelay)
    /// A relay is wanted, and its token cannot be had; the reason.
    case unusable(String)

    /// Reads the token's file, or systemd's credential `homing.push_token` where no file is named.
    ///
    /// - Parameter joined: the relay that was joined, or why that cannot be known.
    public static func read(
        _ settings: Configuration.Push, credentials: HomeCredentials,
        joined: Result<RelayMembership?, RelayStore.Failure> = .success(nil)
    ) -> RelayChoice {
        guard let url = settings.url else {
            switch joined {
            case .success(let membership): return membership.map { .relay($0.relay) } ?? .none
            case .failure(let failure): return .unusable("\(failure)")
            }
        }
        guard let path = settings.tokenFile ?? credentials.path(of: "homing.push_token") else {
            let name = credentials.name(of: "homing.push_token")
            return .unusable("there is neither token_file nor the credential \(name)")
        }
        do throws(SystemError) {
            let words = try SecretFile.words(path, limit: 4096)
            guard words.count == 1, words[0].isVisibleASCII else {
                return .unusable("\(path) does not hold a token, one word, and nothing else")
            }
            return .relay(PushRelay(url: url, token: words[0]))
        } catch {
            return .unusable("\(error)")
        }
    }

    /// The relay, if there is one to tell.
    public var relay: PushRelay? {
        if case .relay(let relay) = self { relay } else { nil }
    }

    /// The reason why there is no relay although a relay is wanted.
    public var problem: String? {
        if case .unusable(let problem) = self { problem } else { nil }
    }
}

extension PushRelay {
    private static let key = Array("homing push relay".utf8)

    /// Mark that tells another relay from this one, and from which neither can be read.
    public var fingerprint: String {
        Fingerprint.make(of: Array("\(url)\n\(token)".utf8), key: Self.key)
    }
}
