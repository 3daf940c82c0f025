internal import HomingBase
internal import HomingValkey

/// The examination of a node of the engine, before the relay uses the engine.
struct EngineExamination: Equatable {
    /// `Redis 7.0.15`.
    private(set) var version = ""
    /// Settings that must be changed, a sentence each.
    private(set) var problems: [String] = []
    /// Whether the node has a bound of its memory.
    private(set) var isBounded = true
    /// Whether the node can tell that its disk has something.
    private(set) var tellsDisk = false

    /// - Parameters:
    ///   - info: the answer to `INFO server`.
    ///   - settings: the answer to `CONFIG GET` of `settingNames`.
    init(_ node: EngineAddress, info: Reply, settings: Reply) {
        read(info, of: node)
        guard let pairs = settings.array, pairs.count == Self.settingNames.count * 2 else {
            problems.append(
                "\(node) hides its configuration: allow the relay's user +config|get")
            return
        }
        var values: [String: String] = [:]
        for place in stride(from: 0, to: pairs.count, by: 2) {
            values[pairs[place].string ?? ""] = pairs[place + 1].string ?? ""
        }
        judge(values, of: node)
    }

    static let settingNames = [
        "appendonly", "appendfsync", "no-appendfsync-on-rewrite", "maxmemory-policy", "maxmemory",
    ]

    private mutating func read(_ info: Reply, of node: EngineAddress) {
        var facts: [String: String] = [:]
        for line in (info.string ?? "").split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { facts[String(parts[0])] = String(parts[1]).bounded(40) }
        }
        let compatible = facts["redis_version"] ?? ""
        version = facts["valkey_version"].map { "Valkey \($0)" } ?? "Redis \(compatible)"
        let numbers = compatible.split(separator: ".").prefix(2).compactMap { Int($0) }
        guard numbers.count == 2 else {
            problems.append("\(node) hides its version: allow the relay's user +info")
            return
        }
        tellsDisk = (numbers[0], numbers[1]) >= (7, 2)
        if numbers[0] < 7 {
            problems.append("\(node) is \(version): the relay needs Redis 7.0 or Valkey")
        }
    }

    private mutating func judge(_ values: [String: String], of node: EngineAddress) {
        func require(_ name: String, _ value: String, _ reason: String) {
            guard values[name] != value else { return }
            problems.append(
                "\(node) has \(name) \(values[name] ?? "unknown"): set \(name) \(value), \(reason)")
        }
        require("appendonly", "yes", "or a restart of the engine loses messages")
        if !tellsDisk {
            require(
                "appendfsync", "always", "as \(version) cannot say when a message is on its disk")
        } else if values["appendfsync"] == "no" {
            require("appendfsync", "everysec", "or no message is known to be on the disk")
        }
        require(
            "no-appendfsync-on-rewrite", "no",
            "or messages are not on the disk while the engine rewrites its file")
        require(
            "maxmemory-policy", "noeviction", "or the engine deletes messages when memory is short")
        isBounded = values["maxmemory"] != "0"
    }
}
