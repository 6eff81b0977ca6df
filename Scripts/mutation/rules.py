"""The rules that make mutants of the lines of a file: each returns parts of a line with their replacement.

The rules read lines as swift-format leaves them, with the text of comments and strings taken out. A change that does not
compile is left out later, by the compiler.
"""

import re

OPENING, CLOSING = "([{", ")]}"


def masked(lines):
    """The lines with each comment and each character of a string as `_`, so that offsets stay."""
    result, isText = [], False
    for line in lines:
        if isText or '"""' in line:
            isText ^= line.count('"""') % 2 == 1
            result.append("_" * len(line))
            continue
        line = re.sub(r'"(?:[^"\\]|\\.)*"', lambda match: "_" * len(match[0]), line)
        result.append(re.sub(r"//.*", lambda match: "_" * len(match[0]), line))
    return result


def parts(text, start, end, separator):
    """The ranges of a text between separators that stand outside of brackets."""
    depth, first = 0, start
    for index in range(start, end):
        depth += (text[index] in OPENING) - (text[index] in CLOSING)
        if depth == 0 and text.startswith(separator, index):
            yield first, index
            first = index + len(separator)
    yield first, end


def balanced(text):
    """Whether a text has as many opening as closing brackets of each kind."""
    return all(text.count(one) == text.count(other) for one, other in zip(OPENING, CLOSING))


def negated(line):
    """Conditions of `if`, `guard`, `while` and of a choice with `?`, negated."""
    match = re.search(r"\b(?:if|guard|while) (?=\S)", line)
    if match:
        end = re.search(r"(?: else)? \{|,$", line[match.end():])
        if end:
            for first, last in parts(line, match.end(), match.end() + end.start(), ", "):
                if not re.match(r"(?:let|var|case|#|await let)\b", line[first:last]):
                    yield first, last, "!(%s)"
    match = re.search(r"(?:(?<![=!<>])= |return |\()([^?]+?) \? .+ : ", line)
    if match and balanced(match[1]) and " = " not in match[1]:
        yield match.start(1), match.end(1), "!(%s)"
    for match in re.finditer(r" (==|!=) ", line):
        yield match.start(1), match.end(1), {"==": "!=", "!=": "=="}[match[1]]


def moved(line):
    """Comparisons, moved by one."""
    for match in re.finditer(r" (<=?|>=?) ", line):
        yield match.start(1), match.end(1), {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}[match[1]]


def joined(line):
    """`&&` and `||`, exchanged."""
    for match in re.finditer(r" (&&|\|\|) ", line):
        yield match.start(1), match.end(1), {"&&": "||", "||": "&&"}[match[1]]


def answered(line):
    """Results `true` and `false` of a return or a case, exchanged."""
    for match in re.finditer(r"(?:return|: return|:|\{) (true|false)(?= \}|$)", line):
        yield match.start(1), match.end(1), {"true": "false", "false": "true"}[match[1]]


def left_out(lines, number):
    """A statement of one line, left out."""
    line = lines[number]
    match = re.match(r"\s+((?:try\??|await|_ =)? ?(?:await )?[a-zA-Z_][\w.!?\[\]]*(?:\(.*\)| [-+&|]?= .+| \{.*\}))$", line)
    if not match or re.match(r"(?:let|var|if|else|guard|while|for|return|case|default|switch|defer|func|throw|get|set)\b", match[1]):
        return
    before, after = lines[number - 1].rstrip(), lines[number + 1].lstrip()
    continues = re.search(r"(?:[,(\[=?:]|&&|\|\||->|[-+*/<>])$", before) or re.match(r"(?:[.?:)\]]|&&|\|\||[-+*/<>=])", after)
    if balanced(match[1]) and not continues:
        yield match.start(1), match.end(1), "_ = ()"


def swapped(lines, number):
    """The answers of two cases that follow each other, swapped: the second line takes the answer of the first."""
    pattern = r"\s+(?:case (?!.*\blet\b)[^:]+|default): (.+)$"
    one, other = re.match(pattern, lines[number]), re.match(pattern, lines[number + 1])
    if one and other and one[1] != other[1]:
        yield one.start(1), one.end(1), other.start(1), other.end(1)


def changes(lines):
    """All changes that the rules make to the lines of a file: the number of the first line, the rule, the new lines."""
    code = masked(lines)
    for number in range(1, len(lines) - 1):
        line = lines[number]
        for rule in (negated, moved, joined, answered):
            for first, last, text in rule(code[number]):
                new = text.replace("%s", line[first:last]) if "%s" in text else text
                yield number, rule.__name__, [line[:first] + new + line[last:]]
        for first, last, text in left_out(code, number):
            yield number, "left out", [line[:first] + text + line[last:]]
        for first, last, start, end in swapped(code, number):
            other = lines[number + 1]
            yield number, "swapped", [
                line[:first] + other[start:end] + line[last:], other[:start] + line[first:last] + other[end:]]
