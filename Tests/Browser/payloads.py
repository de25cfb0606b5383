"""Sixty texts that would do harm if text became markup, code, a terminal command or a formula.

`PAYLOADS` is a list of (name, text). A page is safe if `window.harmed` remains undefined, no element
of the marker class appears, and the text is shown literally.
"""

HTML = [
    "<script>window.harmed=1</script>",
    "</script><script>window.harmed=1</script>",
    "<img src=x onerror=window.harmed=1>",
    "<img src=x onerror=\"window.harmed=1\">",
    "\"><img src=x onerror=window.harmed=1>",
    "'><img src=x onerror=window.harmed=1>",
    "<svg onload=window.harmed=1>",
    "<svg><script>window.harmed=1</script></svg>",
    "<svg><animate onbegin=window.harmed=1 attributeName=x dur=1s>",
    "<svg><a xlink:href=\"javascript:window.harmed=1\"><text x=20 y=20>x</text></a></svg>",
    "<math><mtext></mtext><mglyph><style><img src=x onerror=window.harmed=1></style></mglyph></math>",
    "<body onload=window.harmed=1>",
    "<iframe src=\"javascript:parent.harmed=1\"></iframe>",
    "<iframe srcdoc=\"<script>parent.harmed=1</script>\"></iframe>",
    "<a href=\"javascript:window.harmed=1\" class=harm>x</a>",
    "<details open ontoggle=window.harmed=1>",
    "<input autofocus onfocus=window.harmed=1>",
    "<video><source onerror=window.harmed=1></video>",
    "<object data=\"javascript:window.harmed=1\"></object>",
    "<embed src=\"data:text/html,<script>window.harmed=1</script>\">",
    "<base href=\"https://example.invalid/\">",
    "<meta http-equiv=refresh content=\"0;url=https://example.invalid/\">",
    "<link rel=stylesheet href=\"https://example.invalid/x.css\">",
    "<style>body{display:none}</style>",
    "<form action=\"https://example.invalid/\"><button class=harm>x</button></form>",
    "<b class=harm>bold</b>",
    "<!--<img src=\"--><img src=x onerror=window.harmed=1>\">",
    "<![CDATA[<script>window.harmed=1</script>]]>",
    "<template><script>window.harmed=1</script></template>",
    "<noscript><p title=\"</noscript><img src=x onerror=window.harmed=1>\">",
    "<plaintext>",
    "</title><script>window.harmed=1</script>",
    "</textarea><script>window.harmed=1</script>",
    "\" onmouseover=\"window.harmed=1\" x=\"",
    "' onfocus='window.harmed=1' autofocus='",
    "` onmouseover=window.harmed=1 `",
    "&lt;script&gt;window.harmed=1&lt;/script&gt;",
    "&#60;script&#62;window.harmed=1&#60;/script&#62;",
    "\\u003cscript\\u003ewindow.harmed=1\\u003c/script\\u003e",
]
TEMPLATES = [
    "{{constructor.constructor('window.harmed=1')()}}",
    "{{{window.harmed=1}}}",
    "{{#each this}}<b class=harm>x</b>{{/each}}",
    "${window.harmed=1}",
    "#{window.harmed=1}",
    "<%= window.harmed=1 %>",
    "javascript:window.harmed=1",
    "__proto__",
    "constructor",
]
TERMINAL = [
    "\x1b[2J\x1b[H cleared",
    "\x1b]0;title\x07",
    "\x1b]8;;https://example.invalid/\x1b\\link\x1b]8;;\x1b\\",
    "over\rwritten",
    "\x9b31mred",
    "back\b\b\bspace",
]
FORMULAS = [
    "=HYPERLINK(\"https://example.invalid/\",\"x\")",
    "+1+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(1)",
    "\t=1+1",
    "\u202eexe.gpj\u202c \u2066x\u2069 \ufeff",
]

PAYLOADS = [("%s %d" % (kind, number), text)
            for kind, texts in (("html", HTML), ("template", TEMPLATES), ("terminal", TERMINAL),
                                ("formula", FORMULAS))
            for number, text in enumerate(texts, start=1)]
assert len({text for _, text in PAYLOADS}) == 60
