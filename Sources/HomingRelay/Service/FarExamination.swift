public import HomingRuntime

/// Looks at the far relay of a front, for `homing-relay check`.
@LoopActor public enum FarExamination {
    /// Returns why nothing can be forwarded to the far relay, for people; `nil` if it answers, or if the
    /// relay is no front.
    public static func problem(_ forward: RelayConfiguration.Forward) async -> String? {
        guard let url = forward.url else { return nil }
        let relay = FarRelay(url, caFile: forward.caFile)
        defer { relay.shutdown() }
        return await relay.problem()
    }
}
