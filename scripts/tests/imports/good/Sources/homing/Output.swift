import Glibc

/// print(text) and stderr in a comment are words.
func show(_ text: String) {
    Terminal.print(text)
    Terminal.print(json: text)
    _ = isatty(STDOUT_FILENO)
}
