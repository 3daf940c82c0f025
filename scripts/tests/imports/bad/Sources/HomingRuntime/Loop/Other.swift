internal import CSystemd
internal import FoundationNetworking

@MainActor func breaches() async {
    Task { await breaches() }
    Task<Void, Never>(priority: .high) {}
    Task.detached {}
    try await Task.sleep(for: .seconds(1))
    DispatchQueue.main.async {}
    print("a library may not")
    localtime_r(&seconds, &parts)
    let zone = g_time_zone_new_local()
    let text = "\(words[")"])"; print(text)
    pthread_create(&thread, nil, start, nil)
}
