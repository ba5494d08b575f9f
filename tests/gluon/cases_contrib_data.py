"""gluon.contrib.data: IntervalSampler, WikiText from an archive that the case makes."""

from tests.cases import C

SAMPLERS = ((13, 3), (13, 3, False), (5, 5), (1, 1), (10, 2))
CASES = [
    C(
        "interval",
        f"""
S = gluon.contrib.data.IntervalSampler
out += [(list(S(*a)), len(S(*a))) for a in {SAMPLERS!r}]
out += [isinstance(S(3, 2), gluon.data.Sampler), gluon.contrib.data.sampler.IntervalSampler is S]
""",
    ),
    C("interval/large", "gluon.contrib.data.IntervalSampler(5, 7)"),
]
TEXT = """
import atexit, os, shutil, tempfile, zipfile
T = gluon.contrib.data.text
root = tempfile.mkdtemp()
atexit.register(shutil.rmtree, root, True)
urls = []

def arrives(url, path=None, sha1_hash=None, **kwargs):
    urls.append((url.split('/')[-3:], sha1_hash))
    name = os.path.join(path, url.split('/')[-1])
    with zipfile.ZipFile(name, 'w') as archive:
        for part in ('train', 'valid', 'test'):
            text = ' = Title = \\n\\n a b c , a \\n x\\ty <unk> a\\n' * 6 + part
            archive.writestr('wikitext/wiki.%s.tokens' % part, text)
    return name
before = T.download, T.check_sha1
T.download, T.check_sha1 = arrives, lambda path, checksum: False
try:
    {}
finally:
    T.download, T.check_sha1 = before
out += [urls, len(data)] + [data[i] for i in (0, 1, -1)]
out += [sorted(data.vocabulary.token_to_idx.items()), sorted(data.frequencies.items())]
out += [sorted(os.listdir(root)), isinstance(data, gluon.data.Dataset)]
"""
CASES += [
    C(label, TEXT.replace("{}", code))
    for label, code in (
        ("wikitext-2", "data = T.WikiText2(root, seq_len=7)"),
        ("wikitext-2/validation", "data = T.WikiText2(root, 'validation', seq_len=5)"),
        ("wikitext-103", "data = T.WikiText103(root, segment='test', seq_len=9)"),
        (
            "wikitext-2/vocabulary",
            "data = T.WikiText2(root, vocab=mx.contrib.text.vocab.Vocabulary(), seq_len=7)",
        ),
        ("wikitext-2/segment", "data = T.WikiText2(root, 'dev')"),
    )
]
