"""What to do about errors that old programs meet on a new Python or NumPy, by their text."""

from __future__ import annotations

import re

_PYTHON_2 = (
    "this is Python 2, and mxtorch needs Python 3: convert the source once, with "
    "`2to3 -w FILE` (part of Python until 3.12) or `pip install fissix` and `fissix -w FILE`"
)

_LISTS = "in Python 2 this was a list: write list(...) around it, or convert the source with 2to3"
_DIVISION = "in Python 2 `/` of two integers was an integer: write `//` if the number comes from it"
_BYTES = (
    "in Python 2 text and bytes were one: open files with 'rb' or 'wb' for bytes (pickles, images) "
    "and without b for text, or convert with .encode() and .decode()"
)

# (class of the error, pattern of its text, what to say)
_HINTS: tuple[tuple[type[BaseException], str, str], ...] = (
    (
        SyntaxError,
        (
            r"Missing parentheses in call to|multiple exception types must be parenthesized|"
            r"leading zeros in decimal integer|invalid decimal literal|inconsistent use of tabs|"
            r"invalid hexadecimal literal|Did you mean print\(|parameters cannot be parenthesized"
        ),
        _PYTHON_2,
    ),
    (
        NameError,
        (
            r"name '(xrange|raw_input|unicode|basestring|long|unichr|reduce|file|execfile|reload|"
            r"cmp|apply|buffer|intern|coerce)' is not defined"
        ),
        _PYTHON_2,
    ),
    (
        AttributeError,
        (
            r"'(dict|OrderedDict|defaultdict|Counter|mappingproxy)' object has no attribute "
            r"'(iteritems|iterkeys|itervalues|has_key|viewitems|viewkeys|viewvalues)'|"
            r"'str' object has no attribute 'decode'|has no attribute '(next|func_name|im_func)'"
        ),
        _PYTHON_2,
    ),
    (
        ModuleNotFoundError,
        (
            r"No module named '(urllib2|urlparse|ConfigParser|Queue|cPickle|StringIO|cStringIO|"
            r"commands|Tkinter|tkMessageBox|tkFileDialog|exceptions|sets|md5|sha|dummy_thread|"
            r"anydbm|dumbdbm|cookielib|Cookie|xmlrpclib|BaseHTTPServer|SimpleHTTPServer)'"
        ),
        _PYTHON_2,
    ),
    (
        TypeError,
        (
            r"'(dict_keys|dict_values|dict_items|map|zip|filter)' object is not subscriptable|"
            r"object of type '(map|zip|filter)' has no len\(\)|"
            r"unsupported operand type\(s\) for \+: '(dict_keys|dict_items|range|map)' and|"
            r"'<' not supported between instances of 'dict'|"
            r"'range' object does not support item (assignment|deletion)"
        ),
        _LISTS,
    ),
    (
        AttributeError,
        (
            r"'(range|dict_keys|dict_values|dict_items|map|zip|filter)' object has no attribute "
            r"'(append|count|extend|index|insert|pop|remove|reverse|sort)'"
        ),
        _LISTS,
    ),
    (
        TypeError,
        r"'cmp' is an invalid keyword argument|got an unexpected keyword argument 'cmp'",
        "Python 3 sorts by keys: write key=functools.cmp_to_key(function)",
    ),
    (
        TypeError,
        (
            r"a bytes-like object is required, not 'str'|write\(\) argument must be str, not bytes|"
            r"can't concat str to bytes|can only concatenate str \(not \"bytes\"\) to str|"
            r"cannot use a (string|bytes) pattern on a (string|bytes)-like object"
        ),
        _BYTES,
    ),
    (
        UnicodeDecodeError,
        r"'ascii' codec can't decode byte",
        "a pickle that Python 2 wrote is read by pickle.load(file, encoding='latin1')",
    ),
    (UnicodeDecodeError, r"'utf-8' codec can't decode byte 0x80 in position 0", _BYTES),
    (
        RuntimeError,
        r"^generator raised StopIteration",
        (
            "since Python 3.7 a generator ends by `return`: write that instead of `raise "
            "StopIteration`, and catch it around next(...)"
        ),
    ),
    (
        TypeError,
        (
            r"'float' object cannot be interpreted as an integer|"
            r"slice indices must be integers|can't multiply sequence by non-int of type 'float'|"
            r"expected a sequence of integers or a single integer, got '-?\d+\.\d+'|"
            r"indices must be integers( or slices)?, not float|whole numbers?, got .*\d\.\d"
        ),
        _DIVISION,
    ),
    (IndexError, r"^only integers, slices", _DIVISION),
    (
        OverflowError,
        r"Python integer -?\d+ out of bounds for u?int\d+",
        "NumPy 1 wrapped the number around; write np.array(number).astype(dtype) for that",
    ),
    (
        ValueError,
        r"Unable to avoid copy while creating an array",
        "NumPy 1 copied if it had to with copy=False; write np.asarray(x, dtype) for that",
    ),
    (
        TypeError,
        r"only (0-dimensional arrays|length-1 arrays) can be converted to Python scalars",
        "NumPy 1 took the element of an array of size 1; write float(x.item()) for that",
    ),
    (
        ValueError,
        r"setting an array element with a sequence\. The requested array has an inhomogeneous",
        "NumPy before 1.24 made an array of objects; write np.array(x, dtype=object) for that",
    ),
    (
        AttributeError,
        (
            r"'numpy\.\w+' object has no attribute '(itemset|newbyteorder|ptp|tostring)'|"
            r"`(itemset|newbyteorder|ptp)` was removed"
        ),
        "NumPy 2 has no such method; write a[i] = x, a.view(dtype), np.ptp(a) or a.tobytes()",
    ),
    (
        AttributeError,
        (
            r"'(Element|xml\.etree\.ElementTree\.Element)' object has no attribute "
            r"'(getchildren|getiterator)'"
        ),
        "Python 3.9 removed it; write list(element), or element.iter()",
    ),
    (
        AttributeError,
        r"'array.array' object has no attribute '(tostring|fromstring)'",
        "Python 3.9 removed it; write tobytes or frombytes",
    ),
    (ValueError, r"[Ii]nvalid mode: '\w*U", "Python 3.11 removed the mode U; write 'r'"),
    (
        TypeError,
        r"(loads?|JSONDecoder\.__init__)\(\) got an unexpected keyword argument 'encoding'",
        "Python 3.9 removed encoding= of json; leave it out",
    ),
    (
        TypeError,
        r"got an unexpected keyword argument 'loop'",
        "Python 3.10 removed loop= of asyncio; leave it out",
    ),
    (
        re.error,
        r"global flags not at the start",
        "Python 3.11 wants flags such as (?i) at the start of the expression",
    ),
    (
        TypeError,
        r"reshape\(\) got an unexpected keyword argument 'newshape'",
        "NumPy 2.4 removed newshape=; write the shape by position",
    ),
    (
        TypeError,
        r"(percentile|quantile)\(\) got an unexpected keyword argument 'interpolation'",
        "NumPy 2.4 removed interpolation=; write method=",
    ),
    (
        TypeError,
        r"histogram\w*\(\) got an unexpected keyword argument 'normed'",
        "NumPy 1.24 removed normed=; write density=",
    ),
    (
        TypeError,
        r"arrays to stack must be passed as a \"sequence\" type",
        "NumPy before 1.24 took generators; write a list: np.vstack([f(x) for x in y])",
    ),
    (
        ValueError,
        r"[Bb]inary mode of fromstring is removed",
        "write np.frombuffer(data, dtype); the array that it gives cannot be written",
    ),
    (AttributeError, r"unexpected keyword argument 'normed'", "write density= (Matplotlib 3.1)"),
    (AttributeError, r"unexpected keyword argument 'axisbg'", "write facecolor= (Matplotlib 2.2)"),
    (
        TypeError,
        r"use\(\) got an unexpected keyword argument 'warn'",
        "leave it out (Matplotlib 3.3)",
    ),
    (
        TypeError,
        r"gca\(\) got an unexpected keyword argument 'projection'",
        "write figure.add_subplot(projection=...) (Matplotlib 3.6)",
    ),
    (
        TypeError,
        r"load\(\) missing 1 required positional argument: 'Loader'",
        "PyYAML 6 wants yaml.load(file, Loader=yaml.SafeLoader), or yaml.safe_load(file)",
    ),
    (
        OSError,
        r"'?seaborn(-[\w-]+)?'? is not a valid package style",
        "Matplotlib 3.8 renamed its seaborn styles: write 'seaborn-v0_8-…' in that place",
    ),
)


def hint(error: BaseException) -> str | None:
    """What to do about an error, if it is one of those."""
    text = str(error.msg) if isinstance(error, SyntaxError) else str(error)
    if isinstance(error, SyntaxError) and _is_python_2(error):
        return _PYTHON_2
    for kind, pattern, advice in _HINTS:
        if isinstance(error, kind) and re.search(pattern, text):
            return advice
    return None


def _is_python_2(error: SyntaxError) -> bool:
    """What Python 3, or 3.10, only calls invalid syntax: `exec "x"`, `<>`, `def f((a, b))`."""
    line = (error.text or "").strip()
    return bool(
        re.match(
            r"(exec|print)\s+[^(=]|print\s*>>|except\s+[\w.]+\s*,\s*\w+\s*:|raise\s+\w+\s*,|"
            r"def\s+\w+\s*\((\s*\w+\s*,)*\s*\(",
            line,
        )
        or re.search(r"<>|`[^`]+`|\bur['\"]|\b\d+L\b", line)
    )
