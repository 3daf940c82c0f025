internal import HomingBase

/// Chapter about the right to register this machine: a login in a browser, here or anywhere.
extension PairingSession {
    mutating func prepareLogin() -> [Effect] {
        guard choices.isInteractive else {
            return stop(
                .init(
                    .login, "no token given, and no terminal on which to log in",
                    hint: "add --token-file FILE with a long-lived access token"))
        }
        step = .preparing
        return [.listen(pkce: hasPKCE)]
    }

    mutating func logIn(_ login: LoginAttempt) -> [Effect] {
        guard case .preparing = step else { return [] }
        step = .loggingIn(login)
        let page = login.page(at: url)
        return [
            .say(
                """
                Log in to Home Assistant with a browser, on this machine or another one:

                  \(page)

                On another machine the browser ends on an error page (127.0.0.1). That is expected: copy the
                address of that page and paste it here.
                """), .open(page: page), .ask("Waiting for your login, or for that address: "),
        ]
    }

    /// The browser came back to this machine.
    mutating func calledBack(_ target: String) -> [Effect] {
        guard case .loggingIn(let login) = step else { return [.answerBrowser(accepted: false)] }
        switch login.read(target: target) {
        case .code(let code):
            return [.answerBrowser(accepted: true), .say("")] + exchange(code, login)
        case .wrongState:
            return [
                .answerBrowser(accepted: false),
                .say("\nRefused the answer to another login."),
                .ask("Waiting for your login: "),
            ]
        case .refused(let reason):
            return [.answerBrowser(accepted: false), .say("")] + refused(reason)
        case .token, .unrelated: return [.answerBrowser(accepted: false)]
        }
    }

    /// Answer to a token at a question for something else.
    static let tokenAdvice = Effect.say(
        "That is a token. To use a token, press Ctrl-C, and type the same command with --token-file FILE."
    )

    mutating func pasted(_ text: String, _ login: LoginAttempt) -> [Effect] {
        if text.isEmpty {
            return [
                .say("No login yet. Open the page above, or paste the address of the error page."),
                .ask("Waiting for your login: "),
            ]
        }
        switch login.read(pasted: text) {
        case .code(let code): return exchange(code, login)
        case .wrongState:
            return [
                .say("That address belongs to another login. Open the page above once more."),
                .ask("Address of the error page: "),
            ]
        case .refused(let reason): return refused(reason)
        case .token:
            return [Self.tokenAdvice, .ask("Address of the error page: ")]
        case .unrelated:
            return [
                .say("Not the right address. The address must start with: \(login.redirectURI)"),
                .ask("Address of the error page: "),
            ]
        }
    }

    private mutating func exchange(_ code: String, _ login: LoginAttempt) -> [Effect] {
        step = .exchanging
        return [.exchange(code: code, url: url, login: login)]
    }

    private mutating func refused(_ reason: String) -> [Effect] {
        let isOwnNo = reason == "access_denied"
        return failed(
            .init(
                .login,
                isOwnNo
                    ? "the login was refused"
                    : "the login failed (\(SafeText.line(reason, limit: 64)))"))
    }

    mutating func loggedIn(_ trouble: PairingTrouble?) -> [Effect] {
        guard case .exchanging = step else { return [] }
        guard let trouble else { return [.say("Logged in.")] + name() }
        return failed(trouble)
    }

    /// A code serves once, so another attempt is another login.
    private mutating func failed(_ trouble: PairingTrouble) -> [Effect] {
        step = .loginFailed
        return Self.effects(showing: trouble) + [
            .ask("Press Enter to log in again, or type another address: ")
        ]
    }
}
