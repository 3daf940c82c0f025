import Glibc
import HomingHTTP
import HomingRuntime
import HomingTestKit
import Testing

extension HTTPTests {
    @Suite("Answers") struct AnswerTests {
        init() { LoopThread.start() }

        @Test("a post sends the headers that are needed, and no other")
        @LoopActor func postHeaders() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let body = Array(#"{"type":"get_zones"}"#.utf8)
            let url = try TestServer.url("echo")
            let answer = try await client.response(to: .post(url, body)).get()
            let port = try TestServer.fact("plain")
            let expected = [
                "POST /echo HTTP/1.1", "Host: 127.0.0.1:\(port)", "User-Agent: Homing/1.2.3",
                "Content-Type: application/json", "Content-Length: 20", "",
                #"{"type":"get_zones"}"#,
            ]
            #expect(answer.text == expected.joined(separator: "\r\n"))
            #expect(answer.status == 200)
            #expect(answer.retryAfter == nil)
        }

        @Test("a post may leave the type of its body out")
        @LoopActor func untyped() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let url = try TestServer.url("echo")
            let request = HTTPRequest(
                url: url, method: .post, body: [0x7b, 0x7d], contentType: nil)
            // Each by itself, whatever came before on the same handle.
            for type in [nil, "application/json", nil] as [String?] {
                var typed = request
                typed.contentType = type
                let answer = try await client.response(to: typed).get()
                let line = type.map { "Content-Type: \($0)\r\n" } ?? ""
                #expect(
                    answer.text.hasSuffix(
                        "User-Agent: Homing/1.2.3\r\n\(line)Content-Length: 2\r\n\r\n{}"))
            }
        }

        @Test("a request may leave the program's name out")
        @LoopActor func nameless() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            var request = HTTPRequest.post(try TestServer.url("echo"), [0x7b, 0x7d])
            for isNamed in [false, true, false] {
                request.namesProgram = isNamed
                let answer = try await client.response(to: request).get()
                #expect(answer.text.contains("User-Agent: Homing/1.2.3\r\n") == isNamed)
                #expect(answer.text.contains("User-Agent") == isNamed)
            }
        }

        @Test("a get after a post has neither its body nor its headers")
        @LoopActor func getAfterPost() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let url = try TestServer.url("echo")
            _ = try await client.response(to: .post(url, [1, 2, 3])).get()
            let request = HTTPRequest(url: url, bearerToken: "t0ken")
            let answer = try await client.response(to: request).get()
            #expect(answer.text.hasPrefix("GET /echo HTTP/1.1\r\n"))
            #expect(answer.text.contains("\r\nAuthorization: Bearer t0ken\r\n"))
            #expect(!answer.text.contains("Content-"))
            let plain = try await client.response(to: HTTPRequest(url: url)).get()
            #expect(!plain.text.contains("t0ken"))
        }

        @Test("a body in chunks may have a trailer; one that breaks off is no answer")
        @LoopActor func trailer() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let url = try TestServer.url("trailer")
            let answer = try await client.response(to: HTTPRequest(url: url)).get()
            #expect(answer.status == 200 && answer.text == "{}")
            let cut = HTTPRequest(url: try TestServer.url("cuttrailer"))
            guard case .failure(let failure) = await client.response(to: cut) else {
                Issue.record("it was taken for an answer")
                return
            }
            #expect(failure.kind == .connectionLost)
        }

        @Test("an empty post says so")
        @LoopActor func emptyPost() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let answer = try await client.response(to: .post(TestServer.url("echo"), [])).get()
            #expect(answer.text.contains("\r\nContent-Length: 0\r\n"))
            #expect(answer.text.hasSuffix("\r\n\r\n"))
        }

        @Test("a body of zeros and all other bytes arrives as it is")
        @LoopActor func binaryBody() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let body = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let answer = try await client.response(to: .post(TestServer.url("echo"), body)).get()
            #expect(Array(answer.body.suffix(body.count)) == body)
        }

        @Test("a redirect is an answer, not an order")
        @LoopActor func redirect() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let answer = try await client.response(to: .post(TestServer.url("redirect"), [])).get()
            #expect(answer.status == 302)
            #expect(answer.body.isEmpty)
        }

        @Test("Retry-After is understood as seconds and as a date")
        @LoopActor func retryAfter() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let seconds = try await client.response(to: .post(TestServer.url("seconds"), [])).get()
            #expect(seconds.status == 503)
            #expect(seconds.retryAfter == 7)
            let date = try await client.response(to: .post(TestServer.url("date"), [])).get()
            #expect(date.status == 429)
            #expect(try (115...121).contains(#require(date.retryAfter)))
        }

        @Test("A date in Retry-After counts by the server's clock, and says nothing without it")
        @LoopActor func otherClock() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            for (behaviour, seconds) in [("otherclock", 120), ("undated", nil as Double?)] {
                let url = try TestServer.url(behaviour)
                let answer = try await client.response(to: .post(url, [])).get()
                #expect(answer.status == 429)
                #expect(answer.retryAfter == seconds)
            }
        }

        @Test("cookies are forgotten")
        @LoopActor func cookies() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            _ = try await client.response(to: .post(TestServer.url("cookie"), [])).get()
            let answer = try await client.response(to: .post(TestServer.url("echo"), [])).get()
            #expect(!answer.text.contains("Cookie"))
        }

        @Test("proxies of the environment are not asked")
        @LoopActor func noProxy() async throws {
            setenv("http_proxy", try TestServer.url("", "refused"), 1)
            setenv("ALL_PROXY", try TestServer.url("", "refused"), 1)
            defer {
                unsetenv("http_proxy")
                unsetenv("ALL_PROXY")
            }
            let client = makeClient()
            defer { client.shutdown() }
            #expect(
                try await client.response(to: .post(TestServer.url("x"), [])).get().status == 200)
        }

        @Test("a body of exactly the limit is taken")
        @LoopActor func limit() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let answer = try await client.response(to: .post(TestServer.url("limit"), [])).get()
            #expect(answer.body.count == HTTPClient.bodyLimit)
        }
    }
}
