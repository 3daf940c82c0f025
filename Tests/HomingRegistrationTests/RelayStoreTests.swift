import HomeAssistantAPI
import HomingJSON
import HomingRegistration
import HomingRuntime
import HomingTestKit
import Testing

/// The membership in a relay, as its file keeps it.
@Suite struct RelayStoreTests {
    private static let key = String(repeating: "0a", count: 32)
    private static let old = #"""
        {"version":1,"url":"https://relay.example","push_url":"https://relay.example/v1/push",
        "token":"hr1.t","secret_key":"\#(key)","parcel_keys":{"1":"\#(key)"},"maximum":150,
        "name":"Club"}
        """#

    private static var front: RelayFront {
        RelayFront(
            url: "http://ha.local:8765", pushURL: "http://ha.local:8765/v1/push", token: "hr1.f",
            parcelKeys: ["3": key], verifyKey: key, toldAt: 1_800_000_000.5)
    }

    private func written(_ text: String, in folder: TemporaryFolder) throws -> RelayStore {
        let store = RelayStore(directory: folder.path)
        try AtomicFile.write(Array(text.utf8), to: store.path)
        return store
    }

    @Test(
        "The file of an earlier version is read as it was, and Home Assistant is told of its relay")
    func old() throws {
        let folder = try TemporaryFolder()
        let membership = try #require(try written(Self.old, in: folder).load())
        #expect(membership.version == 1 && membership.front == nil && membership.name == "Club")
        #expect(membership.relay.url == "https://relay.example/v1/push")
        #expect(membership.relay.token == "hr1.t" && membership.joinedURL == membership.url)
    }

    @Test(
        "A front is kept, and is what Home Assistant is told of; an earlier version refuses the file"
    )
    func front() throws {
        let folder = try TemporaryFolder()
        let store = try written(Self.old, in: folder)
        var membership = try #require(try store.load())
        membership.front = Self.front
        try store.save(membership)
        #expect(try store.load() == membership && membership.version == 2)
        #expect(membership.relay.url == Self.front.pushURL)
        #expect(membership.relay.token == "hr1.f" && membership.joinedURL == Self.front.url)
        let file = try #require(JSONValue(json: AtomicFile.read(store.path)))
        #expect(file["version"]?.whole == 2)
        #expect(
            file["front"]?.members.keys.sorted() == [
                "parcel_keys", "push_url", "token", "told_at", "url", "verify_key",
            ])
        membership.front = nil
        #expect(membership.version == 1)
    }

    @Test("A front whose key is none, or a file of a later version, is not worked with")
    func damaged() throws {
        let folder = try TemporaryFolder()
        var membership = try #require(try written(Self.old, in: folder).load())
        membership.front = RelayFront(
            url: "http://x", pushURL: "http://x/v1/push", token: "t", parcelKeys: [:],
            verifyKey: "short")
        let store = RelayStore(directory: folder.path)
        try store.save(membership)
        #expect(throws: RelayStore.Failure.self) { try store.load() }
        let later = Self.old.replacing(#""version":1"#, with: #""version":3"#)
        #expect(throws: RelayStore.Failure.self) { try written(later, in: folder).load() }
    }

    @Test("Nothing that describes it holds a token, a key or an address")
    func untold() throws {
        let words = String(reflecting: Self.front) + "\(Self.front)"
        #expect(!words.contains("hr1") && !words.contains(Self.key) && !words.contains("ha.local"))
        #expect(Mirror(reflecting: Self.front).children.isEmpty)
    }
}
