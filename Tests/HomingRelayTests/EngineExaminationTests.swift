import HomingValkey
import Testing

@testable import HomingRelay

/// Engines that a relay takes.
@Suite("The examination of an engine")
struct EngineExaminationTests {
    private let node = EngineAddress(host: "a.example", port: 6379)

    private func found(
        _ info: String, _ changes: [String: String] = [:]
    ) -> EngineExamination {
        let good = [
            "appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction",
            "maxmemory": "1000", "no-appendfsync-on-rewrite": "no",
        ]
        let pairs = good.merging(changes) { $1 }.flatMap { [$0.key, $0.value] }
        return EngineExamination(
            node, info: .text(Array(info.utf8)),
            settings: .array(pairs.map { .text(Array($0.utf8)) }))
    }

    @Test("takes Redis from 7.0 on, and Valkey, and knows which tell when a disk has something")
    func versions() {
        let redis = found("# Server\r\nredis_version:7.0.15\r\nredis_mode:standalone\r\n")
        #expect(redis.version == "Redis 7.0.15" && redis.problems.isEmpty && !redis.tellsDisk)
        let valkey = found("redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.1.1\r\n")
        #expect(valkey.version == "Valkey 8.1.1" && valkey.problems.isEmpty && valkey.tellsDisk)
        #expect(found("redis_version:10.0.1").tellsDisk)
        #expect(found("redis_version:6.2.7").problems.first?.contains("needs Redis 7.0") == true)
        #expect(found("redis_version:x").problems.first?.contains("+info") == true)
    }

    @Test("says which setting loses messages, and how it must be")
    func settings() {
        let (old, new) = ("redis_version:7.0.15", "redis_version:7.2.4")
        #expect(found(old, ["appendfsync": "everysec"]).problems.count == 1)
        #expect(found(new, ["appendfsync": "everysec"]).problems.isEmpty)
        #expect(found(new, ["appendfsync": "no"]).problems.first?.contains("everysec") == true)
        for version in [old, new] {
            let rewrite = found(version, ["no-appendfsync-on-rewrite": "yes"]).problems
            #expect(rewrite.first?.contains("set no-appendfsync-on-rewrite no") == true)
            let problems = found(version, ["appendonly": "no", "maxmemory-policy": "allkeys-lru"])
                .problems
            #expect(
                problems.count == 2
                    && problems[0].contains("a.example:6379 has appendonly no: set appendonly yes"))
            #expect(problems[1].contains("set maxmemory-policy noeviction"))
        }
        #expect(found(new).isBounded && !found(new, ["maxmemory": "0"]).isBounded)
        let silent = EngineExamination(
            node, info: .text(Array(new.utf8)), settings: .error("NOPERM"))
        #expect(silent.problems.first?.contains("+config|get") == true)
    }

    @Test("waits for as many disks and replicas as are asked for, and the engine can tell of")
    func proofs() {
        let none = EngineSettings(seeds: [node])
        let two = EngineSettings(seeds: [node], replicas: 2)
        #expect(none.proof(tellsDisk: false) == .answer)
        #expect(none.proof(tellsDisk: true) == .disk(replicas: 0))
        #expect(two.proof(tellsDisk: false) == .replicas(2))
        #expect(two.proof(tellsDisk: true) == .disk(replicas: 2))
        #expect(
            Pipeline.Proof.disk(replicas: 2).command(milliseconds: 9)?.words
                == ["WAITAOF", "1", "2", "9"].map { Array($0.utf8) })
        let secret = EngineSettings(seeds: [node], user: "u", password: "wombat")
        #expect(!"\(secret)\(secret.login(.answer))".contains("wombat"))
    }
}
