internal import HomeAssistantAPI
internal import HomingConfiguration
internal import HomingCrypto
internal import HomingHTTP
internal import HomingHealth
internal import HomingPush
internal import HomingRegistration
internal import HomingRelayProtocol
internal import HomingRuntime

/// A home's end of the relay that the home joined. Keeps the membership and the ids of what came,
/// and runs the link while the home has a registration. Has the front told, if there is one.
@LoopActor final class RelayStage {
    /// A thing that the home is told.
    enum Event {
        /// The state is another one now.
        case changed
        /// Home Assistant's POST, and the seconds since it came to the relay.
        case push(RelayedPost, age: Seconds)
        case notice(RelayNotice)
        /// Home Assistant is to be told another token.
        case renewed
        /// The relay does not take the token, and is to be asked for another one: `rejoined` follows.
        case tokenRefused
    }

    private let store: RelayStore
    private let seenFile: RelaySeenFile
    private let warnings: Warnings
    private let clock: any Clockwork
    private let seed: UInt64
    private let report: @LoopActor (Event) -> Void
    private var settings: Configuration.Push
    /// The relay that was joined, or why that cannot be known.
    private var joined: Result<RelayMembership?, RelayStore.Failure>
    private var client: HTTPClient?
    private var isWanted = false
    private var link: RelayLink?
    /// `nil` without a front.
    private var announcer: FrontAnnouncer?
    /// Whether the relay that was joined was found to be a front now.
    private var isFront = false
    /// The address and the key pair of a join that failed. A relay lets the last user of a code repeat
    /// the join with the same key.
    private var tried: (url: String, pair: KeyPair)?
    private var channel = RelayAttention.Channel.offline
    private var openings = 0
    private var looks = RelayAttention.Looks.usual
    private var isHome = false
    private var isAsleep = false
    /// Number of commands by the relay that the configuration does not permit.
    private var refusedCommands = 0
    private var refusalLines = RefusalLines()
    /// Messages whose content was refused. The link counts its own refusals.
    private var refusedContents = 0
    /// Messages that are no notifications: a later Home Assistant posts more than these.
    private var others = 0
    /// The pace of asking the relay for another token, where the relay does not take the present one.
    private var rejoining = UpkeepPace()
    private var test: RelayTest?
    private var revoked: (@LoopActor (Bool) -> Void)?

    /// - Parameters:
    ///   - folder: the state folder of the home.
    ///   - seed: for the jitter.
    init(
        folder: String, warnings: Warnings, settings: Configuration.Push, seed: UInt64,
        clock: any Clockwork, report: @escaping @LoopActor (Event) -> Void
    ) {
        store = RelayStore(directory: folder)
        seenFile = RelaySeenFile(path: "\(folder)/relay-seen.json")
        self.warnings = warnings
        self.settings = settings
        self.clock = clock
        self.seed = seed
        self.report = report
        joined = Result { [store] () throws(RelayStore.Failure) in try store.load() }
    }

    var membership: RelayMembership? { try? joined.get() }

    /// Whether the file of the relay is there, and cannot be read.
    var isUnreadable: Bool { if case .failure = joined { true } else { false } }

    /// The relay that Home Assistant is to be told of.
    func choice(_ credentials: HomeCredentials) -> RelayChoice {
        RelayChoice.read(settings, credentials: credentials, joined: joined)
    }

    /// The state at this moment, for people.
    var state: RelayState {
        RelayState(
            membership: membership, configured: settings.url, mode: settings.relay,
            session: link?.session, isLooking: link?.wish == .look,
            counts: link?.counts ?? RelayLink.Counts(), refusedContents: refusedContents,
            others: others, refusedCommands: refusedCommands, frontProblem: announcer?.problem,
            isAsleep: isAsleep)
    }

    // MARK: Surroundings

    /// Works with this client from now on, where the home has a registration.
    func adopt(hasRegistration: Bool, over client: HTTPClient) {
        let isNew = client !== self.client || hasRegistration != isWanted
        isWanted = hasRegistration
        self.client = client
        if isNew { renew() }
        review()
    }

    /// Other settings from now on.
    func apply(_ settings: Configuration.Push) {
        let old = self.settings
        self.settings = settings
        if (old.url == nil) != (settings.url == nil) { return renew() }
        if old.relay != settings.relay { link?.handleAttentionEvent(.mode(settings.relay)) }
        review()
    }

    /// Home Assistant's channel is so now.
    ///
    /// - Parameter openings: how often it was opened.
    func channelIs(_ new: RelayAttention.Channel, openings count: Int) {
        let isOpened = count > openings
        openings = count
        let isChanged = new != channel
        channel = new
        // First: a connection that is held goes on.
        if isOpened { link?.handleAttentionEvent(.opened) }
        if isChanged { link?.handleAttentionEvent(.channel(new)) }
        if isChanged { review() }
    }

    func setLooks(_ looks: RelayAttention.Looks) {
        guard looks != self.looks else { return }
        self.looks = looks
        link?.handleAttentionEvent(.looks(looks))
    }

    /// The process is awake anyway.
    func useOccasion() {
        link?.handleAttentionEvent(.occasion)
        announcer?.handleFrontEvent(.occasion)
    }

    /// Whether secrets may go over plain HTTP on this network from now on.
    func setHome(_ isHome: Bool) {
        guard isHome != self.isHome else { return }
        self.isHome = isHome
        announcer?.networkIs(isHome)
    }

    func networkChanged() {
        guard !isAsleep else { return }
        link?.networkChanged()
        announcer?.handleFrontEvent(.networkChanged)
    }

    func sleep() {
        isAsleep = true
        link?.handleAttentionEvent(.sleep)
        announcer?.handleFrontEvent(.sleep)
    }

    func resume() {
        isAsleep = false
        link?.handleAttentionEvent(.woke)
        announcer?.handleFrontEvent(.woke)
    }

    func shutdown() {
        link?.shutdown()
        announcer?.shutdown()
        (link, announcer) = (nil, nil)
        endRevoking(false)
    }

    // MARK: The link

    /// Another link, or none.
    ///
    /// - Parameter former: of the same mailbox, whose parcel keys messages may still wait under.
    private func renew(after former: RelayMembership? = nil) {
        shutdown()
        isFront = false
        guard isWanted, settings.url == nil, let client, let membership,
            var mailbox = RelayLink.Mailbox(membership)
        else { return report(.changed) }
        mailbox.formerOpener = former.flatMap { RelayLink.Mailbox($0) }?.opener
        var attention = RelayAttention(settings.relay, channel: channel, at: clock.now())
        attention.handle(.looks(looks), at: clock.now())
        if isAsleep { attention.handle(.sleep, at: clock.now()) }
        let (file, owner) = (seenFile, mailbox)
        let link = RelayLink(
            mailbox, over: client, attention: attention, seed: seed, seen: file.load(of: owner),
            clock: clock, keep: { file.store($0, of: owner) }
        ) { [weak self] in self?.handleLinkEvent($0) }
        self.link = link
        link.start()
        if let front = membership.front { announcer = newAnnouncer(front, client) }
        report(.changed)
    }

    private func newAnnouncer(_ front: RelayFront, _ client: HTTPClient) -> FrontAnnouncer {
        let announcer = FrontAnnouncer(
            front, over: client, clock: clock, membership: { [weak self] in self?.membership },
            learn: { [weak self] in self?.learn($0, from: "front") ?? false },
            changed: { [weak self] in
                self?.review()
                self?.report(.changed)
            })
        if isAsleep { announcer.handleFrontEvent(.sleep) }
        announcer.networkIs(isHome)
        return announcer
    }

    private func handleLinkEvent(_ event: RelayLink.Event) {
        switch event {
        case .push(let body, let age):
            let post = RelayedPost(body)
            if let mark = RelayTest.mark(in: post) {
                test?.received(mark, at: clock.now())
            } else {
                report(.push(post, age: age))
            }
        case .notice(let notice): report(.notice(notice))
        case .refused(let words): note(words)
        case .renewed(let grant): renewed(grant)
        case .tokenRefused: if rejoining.begin(at: clock.now()) { report(.tokenRefused) }
        case .revoked: endRevoking(true)
        case .changed: review()
        }
        report(.changed)
    }

    /// The relay has another token for this machine: its keys are being replaced.
    private func renewed(_ grant: Grant) {
        // Nobody needs the token that follows a revocation.
        guard revoked == nil, var membership else { return }
        guard grant.token.text != membership.token else { return }
        membership.adoptGrant(grant)
        membership.front?.toldAt = nil
        guard learn(membership, from: "relay") else { return }
        announcer?.handleFrontEvent(.changed)
    }

    /// Keeps other tokens and keys of the present membership, and works with them; whether they are on
    /// the disk.
    private func learn(_ new: RelayMembership, from giver: String) -> Bool {
        guard new != membership else { return true }
        do throws(SystemError) { try store.save(new) } catch {
            warnings.log.warning("what the \(giver) gave cannot be stored: \(error)")
            return false
        }
        let former = membership
        joined = .success(new)
        if let mailbox = RelayLink.Mailbox(new) { link?.use(mailbox) }
        let isToken = new.token != former?.token || new.front?.token != former?.front?.token
        if isToken { warnings.log.notice("the \(giver) gave a new token") }
        if new.relay != former?.relay { report(.renewed) }
        return true
    }

    /// Raises warnings that a person can act on.
    private func review() {
        let session = link?.session
        var failure: String?
        if case .failure(let error) = joined, settings.url == nil { failure = "\(error)" }
        warnings.set(
            .relayUnusable, failure != nil, detail: failure,
            ending: membership == nil ? .withdrawn : .solved)
        let isReached = session?.lastReached != nil && session?.failingSince == nil
        let refusal = refusal
        warnings.set(
            .relayRefused, refusal != nil, detail: refusal,
            ending: isReached && announcer?.problem == nil ? .solved : .withdrawn)
        let isNeeded = channel == .failing || channel == .closed || settings.relay == .hold
        let isFailing = session?.failingSince != nil && session?.isTokenRefused == false
        warnings.set(
            .relayUnreachable, isNeeded && isFailing, detail: session?.problem,
            ending: isReached ? .solved : .withdrawn)
    }

    /// Reason why a token of this machine is not taken; `nil` if no such token is known.
    private var refusal: String? {
        if let session = link?.session, session.isTokenRefused {
            return isFront
                ? "the relay is a front now, which forwards to another relay: it has to be joined again"
                : session.problem
        }
        guard announcer?.isRefused == true else { return nil }
        return announcer?.problem.map { "the front does not take this machine's token: \($0)" }
    }

    /// Something that came by the relay was not taken; why, without its content.
    func noteRefused(_ words: String) {
        refusedContents += 1
        note(words)
    }

    /// A message that is no notification, and no fault: nothing is shown.
    func noteOther() {
        others += 1
        guard others == 1 else { return }
        warnings.log.notice(
            "the relay brings something that is no notification: this Homing passes it over, and counts "
                + "it (homing relay)")
    }

    private func note(_ words: String) {
        guard let line = refusalLines.line(words, at: clock.now()) else { return }
        warnings.log.notice(line)
    }

    /// Counts a command by the relay that the configuration does not permit.
    func noteRefusedCommand() { refusedCommands += 1 }

    // MARK: Changes

    /// The key pair of a failed join at that address.
    func triedPair(at url: String) -> KeyPair? { tried?.url == url ? tried?.pair : nil }

    /// A person tries to join a relay with a key pair.
    func tries(_ pair: KeyPair, at url: String) { tried = (url, pair) }

    /// The relay that was joined is a front now. It is joined by a person alone, who can compare keys.
    func foundFront() {
        isFront = true
        review()
    }

    /// Keeps another membership, and works with it.
    func join(_ membership: RelayMembership) throws(SystemError) {
        try store.save(membership)
        let former = self.membership
        joined = .success(membership)
        tried = nil
        renew(after: former?.secretKey == membership.secretKey ? former : nil)
        review()
    }

    /// Notes the outcome of asking for another token. A relay that does not take that token either is not
    /// asked again at once.
    func rejoined(_ outcome: UpkeepPace.Outcome) {
        rejoining.ended(outcome == .done ? .unanswered : outcome, at: clock.now())
    }

    /// Forgets the relay.
    func leave() throws(SystemError) {
        try store.delete()
        try seenFile.delete()
        joined = .success(nil)
        tried = nil
        renew()
        review()
    }

    /// Has the relay revoke the token; whether that was done within so many seconds.
    func revoke(within seconds: Seconds) async -> Bool {
        guard let link, revoked == nil else { return false }
        var alarm: (any Alarm)?
        let isRevoked = await withCheckedContinuation { continuation in
            revoked = { continuation.resume(returning: $0) }
            alarm = clock.once(after: seconds) { [weak self] in self?.endRevoking(false) }
            link.handleAttentionEvent(.test(seconds))
            link.revoke()
        }
        alarm?.cancel()
        return isRevoked
    }

    private func endRevoking(_ isRevoked: Bool) {
        let then = revoked
        revoked = nil
        then?(isRevoked)
    }

    /// Asks the front for its present token, in place of this one; whether there is another token now.
    func replaceFrontToken(_ token: String) async -> Bool {
        await announcer?.replace(token) ?? false
    }

    // MARK: A test

    /// Holds the relay for a test that begins, for so many seconds at most.
    func begin(_ test: RelayTest, for seconds: Seconds) {
        self.test = test
        link?.handleAttentionEvent(.test(seconds))
    }

    /// The test is over.
    func endTest() {
        test = nil
        link?.handleAttentionEvent(.test(0))
    }

    var isTesting: Bool { test != nil }

    /// Whether messages arrive now.
    var isOpen: Bool { if case .open? = link?.session.state { true } else { false } }
}
