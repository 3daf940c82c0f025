import Glibc

func show(_ text: String) {
    print(text)
    fputs(text, stderr)
    write(STDOUT_FILENO, text, text.utf8.count)
    Glibc.write(2, text, text.utf8.count)
    Terminal.printFile(text)
    Console.writeFile(text)
}
