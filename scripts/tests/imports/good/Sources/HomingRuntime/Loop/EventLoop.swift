public import HomingBase

public func spawn(_ body: @escaping () async -> Void) { Task(executorPreference: loop, operation: body) }
