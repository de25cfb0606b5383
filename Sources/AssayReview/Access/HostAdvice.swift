/// The page for a browser that opened the server at an address the server does not accept, such as
/// the end of a tunnel with another port.
///
/// It has no link, no style and no data, and repeats only a port number of the request.
struct HostAdvice: Sendable, Hashable {
  /// The server's port.
  let port: Int
  /// The host as in the request.
  let host: String?

  /// The port of the request if its host is this computer's; `nil` if the name itself is unknown.
  var tunnelPort: Int? {
    guard let host = host?.lowercased() else { return nil }
    for name in ["127.0.0.1", "localhost", "[::1]"] {
      if host == name { return 80 }
      guard host.hasPrefix(name + ":") else { continue }
      let text = host.dropFirst(name.count + 1)
      guard text.count <= 5, text.allSatisfy({ $0.isASCII && $0.isNumber }), let port = Int(text)
      else { return nil }
      return (1...65_535).contains(port) ? port : nil
    }
    return nil
  }

  /// The page.
  var html: String {
    let (title, paragraphs, command): (String, [String], String)
    if let other = tunnelPort {
      title = "This tunnel uses another port"
      paragraphs = [
        "assay runs on port \(port), but this page was opened on port \(other). The server accepts only "
          + "its own port, so that other websites cannot use it.",
        "Open the tunnel with the same port at both ends, then open the printed link as it is:",
      ]
      command = "ssh -L \(port):127.0.0.1:\(port) HOST"
      return page(
        title, paragraphs, command,
        "If port \(port) is in use on your computer, stop the server, start it again with another port "
          + "(<code>--port NUMBER</code>) or with <code>--allow-host 127.0.0.1:\(other)</code>, and open the "
          + "printed link with port \(other).")
    }
    title = "Unknown host name"
    paragraphs = [
      "The server accepts only its own names, so that other websites cannot use it.",
      "Open the link exactly as printed, or start the server with the name that you want to use:",
    ]
    command = "assay review … --allow-host NAME"
    return page(
      title, paragraphs, command,
      "<code>assay open</code> has the same option. NAME is the part of the address between "
        + "<code>//</code> and the next <code>/</code>.")
  }

  private func page(
    _ title: String, _ paragraphs: [String], _ command: String, _ last: String
  ) -> String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(title) · assay</title>
    </head>
    <body>
    <main>
    <h1>\(title)</h1>
    \(paragraphs.map { "<p>\($0)</p>" }.joined(separator: "\n"))
    <pre>\(command)</pre>
    <p>\(last)</p>
    </main>
    </body>
    </html>

    """
  }
}
