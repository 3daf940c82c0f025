"""The Swift tests that qemu has no means for (`homing_rigs.emulated_tests`), each with the reason."""

TIME = "it measures time, of which qemu takes another"
MANY = "it computes for minutes where qemu runs it"
COUNTERS = "qemu-user hands on four bytes of TCP_INFO, and the counters of bytes come after them"
SPAWN = "qemu-user has vfork be fork, so posix_spawn does not learn that the program cannot be run"

# By target, suites and function.
REASONS = {
    "HomingBaseTests.SearchingTests/cost": TIME,
    "HomingHTTPTests.HTTPTests/ConnectionTests/meter": COUNTERS,
    "HomingHTTPTests.HTTPTests/LoadTests/concurrent": "two hundred TLS connections take qemu more than the ten seconds they have",
    "HomingHTTPTests.HTTPTests/WebSocketTests/smallFrames": TIME,
    "HomingNotificationsTests.HeadlessTests/failures": SPAWN,
    "HomingRelayTests.BurstTests/bound": MANY,
    "HomingRuntimeTests.ChildProcessTests/cannotRun": SPAWN,
    "HomingRuntimeTests.SocketTrafficTests/counted": COUNTERS,
    "HomingSensorsTests.ScriptRunnerTests/noShell": SPAWN,
    "HomingServerTests.ServerTests/EndTests/answered": COUNTERS,
}
