"""The commands of a console block: what a copy of it holds, without prompts and output."""

import html
import re
import shlex

PROMPT = "$ "
HERE = re.compile(r"(?<!<)<<-?\s*(['\"]?)(\w+)\1")
BLOCK = re.compile(r'(?s)<div class="language-console highlight">(?P<pre>.*?</pre>)')
BETWEEN = re.compile(r'(<span class="w">[^<]*</span>|\n)')
OTHER = re.compile(r'class="(?:go|w)"|</code>')
TAG = re.compile(r"<[^>]*>")


def is_whole(command):
    first, *rest = command.split("\n")
    here = HERE.search(first)
    if here:
        return here.group(2) in rest
    try:
        shlex.split(command, comments=True)
    except ValueError:  # a quote is open, or a backslash is the last character
        return False
    return not command.endswith("\\")


def commands(block):
    found, whole = [], True
    for line in block.splitlines():
        if not whole:
            found[-1] += "\n" + line
        elif line.startswith(PROMPT):
            found.append(line.removeprefix(PROMPT))
        else:
            continue
        whole = is_whole(found[-1])
    return found


def in_words(pre):
    """The HTML of a block with its words in one piece each: without that, a line would break at each hyphen of a flag."""

    def one(part):
        alone = part.strip() and part.count("<span") == part.count("</span>") and not OTHER.search(part)
        return f'<span class="word">{part}</span>' if alone else part

    head, body = pre.split("<code>")
    return head + "<code>" + "".join(one(part) for part in BETWEEN.split(body))


def finished(page):
    """The HTML of a page where each console block breaks between words, and names what its button copies."""

    def named(block):
        text = "\n".join(commands(html.unescape(TAG.sub("", block["pre"]))))
        copied = f' data-copy="{html.escape(text)}"'.replace("\n", "&#10;") if text else ""
        return f'<div class="language-console highlight"{copied}>{in_words(block["pre"])}'

    return BLOCK.sub(named, page)
