internal import HomingBase

/// The deadlines of all connections: a queue for each stage.
///
/// All members of a queue may wait equally long, so the first member is late first. Entering,
/// leaving and finding a late member take constant time.
struct Patrol {
    private struct Post {
        var stage: ServerStage?
        var since: Seconds = 0
        var before = -1
        var after = -1
    }

    private struct Queue {
        var first = -1
        var last = -1
    }

    private let limits: ServerLimits
    private var posts: [Post] = []
    private var free: [Int] = []
    private var queues = [Queue](repeating: Queue(), count: ServerStage.allCases.count)

    init(limits: ServerLimits) { self.limits = limits }

    /// The number of a new member, valid until `remove`. The member waits for nothing yet.
    mutating func add() -> Int {
        if let number = free.popLast() { return number }
        posts.append(Post())
        return posts.count - 1
    }

    mutating func remove(_ number: Int) {
        leave(number)
        free.append(number)
    }

    /// The stage in which a member waits; `nil` if the member waits for nothing.
    func stage(of number: Int) -> ServerStage? { posts[number].stage }

    /// Starts a member's wait in a stage, and ends its former wait.
    ///
    /// - Parameter now: never less than before.
    mutating func enter(_ number: Int, _ stage: ServerStage, at now: Seconds) {
        leave(number)
        let last = queues[stage.rawValue].last
        posts[number] = Post(stage: stage, since: now, before: last)
        if last >= 0 { posts[last].after = number } else { queues[stage.rawValue].first = number }
        queues[stage.rawValue].last = number
    }

    /// Ends a member's wait.
    mutating func leave(_ number: Int) {
        let post = posts[number]
        guard let stage = post.stage else { return }
        if post.before >= 0 {
            posts[post.before].after = post.after
        } else {
            queues[stage.rawValue].first = post.after
        }
        if post.after >= 0 {
            posts[post.after].before = post.before
        } else {
            queues[stage.rawValue].last = post.before
        }
        posts[number] = Post()
    }

    /// The uptime at which the next member is late; `nil` while no member waits.
    var next: Seconds? {
        var next: Seconds?
        for stage in ServerStage.allCases {
            let first = queues[stage.rawValue].first
            guard first >= 0 else { continue }
            let deadline = posts[first].since + limits.time(of: stage)
            next = next.map { min($0, deadline) } ?? deadline
        }
        return next
    }

    /// Takes a late member out of its queue; `nil` if no member is late.
    mutating func late(at now: Seconds) -> (number: Int, stage: ServerStage)? {
        for stage in ServerStage.allCases {
            let first = queues[stage.rawValue].first
            guard first >= 0, posts[first].since + limits.time(of: stage) <= now else { continue }
            leave(first)
            return (first, stage)
        }
        return nil
    }
}
