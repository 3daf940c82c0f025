extension EventLoop {
    /// Runs the loop for as long as the work takes: for a command that does one thing. Not from
    /// within the loop.
    public func wait<T: Sendable>(_ work: @escaping @Sendable @LoopActor () async -> T) -> T {
        nonisolated(unsafe) var result: T?
        spawn {
            result = await work()
            EventLoop.main.quit()
        }
        while true {
            run()
            if let result { return result }
        }
    }
}
