"""mx.contrib.text: vocabularies, word vectors, counting."""

from __future__ import annotations

from tests.snippets import snippets

_SETUP = """
import collections, os, tempfile
text = mx.contrib.text
folder = tempfile.mkdtemp()
def write(content):
    path = os.path.join(folder, 'vectors.txt')
    with open(path, 'w') as file:
        file.write(content)
    return path
"""

CASES = snippets(
    r"""
## count
out.append(dict(text.utils.count_tokens_from_str(' Life is great ! \n life is good . \n')))
counts = text.utils.count_tokens_from_str('*A*is*good*!*\n*a*is*.*\n', r'\*', r'\n', to_lower=True)
out.append(dict(counts))
out.append(text.utils.count_tokens_from_str('a a b', counter_to_update=counts) is counts)
out.append(dict(counts))

## vocabulary
counter = collections.Counter({'a': 2, 'b': 3, 'c': 2, 'd': 1, '<unk>': 5})
for kwargs in ({}, {'most_freq_count': 2}, {'min_freq': 2}, {'most_freq_count': 0},
               {'most_freq_count': -1}, {'most_freq_count': 2, 'reserved_tokens': ['b', 'p']},
               {'unknown_token': '<u>', 'reserved_tokens': ['<pad>', 'b']}):
    v = text.vocab.Vocabulary(counter, **kwargs)
    out += [len(v), v.idx_to_token, v.token_to_idx, v.reserved_tokens, v.unknown_token]
    out += [v.to_indices('a'), v.to_indices(['a', 'zz', 'b']), v.to_tokens(0)]
v = text.vocab.Vocabulary(counter)
out += [v.to_tokens([0, 1, 2]), v.to_tokens(-1), sorted(vars(v))]
out.append(text.vocab.Vocabulary().idx_to_token)

## vocabulary/min-freq
text.vocab.Vocabulary(collections.Counter('aab'), min_freq=0)

## vocabulary/reserved-unknown
text.vocab.Vocabulary(collections.Counter('aab'), reserved_tokens=['<unk>'])

## vocabulary/reserved-twice
text.vocab.Vocabulary(collections.Counter('aab'), reserved_tokens=['a', 'a'])

## vocabulary/no-counter
text.vocab.Vocabulary(['a'])

## vocabulary/index-too-high
text.vocab.Vocabulary(collections.Counter('aab')).to_tokens([1, 9])

## vocabulary/index-no-number
text.vocab.Vocabulary(collections.Counter('aab')).to_tokens('a')

## vocabulary/index-numpy
text.vocab.Vocabulary(collections.Counter('aab')).to_tokens(onp.int64(1))

## embedding/custom
path = write('a 0.1 0.2 0.3\nb 1 2 3\n<unk> 9 9 9\n')
e = text.embedding.CustomEmbedding(path)
out += [e.vec_len, e.idx_to_token, e.token_to_idx, e.idx_to_vec, len(e), e.unknown_token]
out += [e.get_vecs_by_tokens('a'), e.get_vecs_by_tokens(['a', 'B', 'zz'])]
out += [e.get_vecs_by_tokens(['A', 'b'], lower_case_backup=True)]
e.update_token_vectors('a', nd.array([7, 8, 9]))
e.update_token_vectors(['b', '<unk>'], nd.array([[7, 8, 9], [4, 5, 6]]))
out.append(e.idx_to_vec)
e.update_token_vectors(['a'], nd.array([[1, 1, 1]]))
e.update_token_vectors('b', nd.array([[2, 1, 1]]))
out += [e.idx_to_vec, e.to_indices(['a', 'q']), sorted(vars(e))]

## embedding/unknown-and-delimiter
path = write('a|1|2\nb|3|4\n')
e = text.embedding.CustomEmbedding(path, elem_delim='|', init_unknown_vec=nd.ones,
                                   unknown_token='<u>')
out += [e.idx_to_vec, e.idx_to_token]
v = text.vocab.Vocabulary(collections.Counter(['a', 'a', 'q']))
f = text.embedding.CustomEmbedding(path, '|', vocabulary=v)
out += [f.idx_to_token, f.idx_to_vec, f.token_to_idx]
c = text.embedding.CompositeEmbedding(v, [f, e])
out += [c.vec_len, c.idx_to_vec, c.idx_to_token, c.get_vecs_by_tokens('q')]
c = text.embedding.CompositeEmbedding(v, e)
out += [c.vec_len, c.idx_to_vec]

## embedding/header-and-duplicates
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter('always')
    e = text.embedding.CustomEmbedding(write('3 3\na 1 2 3\nb 1 2 3\na 5 5 5\n'))
out += [e.idx_to_token, e.idx_to_vec, sum(w.category is UserWarning for w in caught)]

## embedding/lengths-differ
text.embedding.CustomEmbedding(write('a 1 2 3\nb 1 2\n'))

## embedding/empty-line
text.embedding.CustomEmbedding(write('a 1 2 3\n\n'))

## embedding/no-file
text.embedding.CustomEmbedding('/nowhere/x.txt')

## embedding/update-unknown
text.embedding.CustomEmbedding(write('a 1 2\n')).update_token_vectors('zz', nd.array([1, 2]))

## embedding/update-list-as-vector
e = text.embedding.CustomEmbedding(write('a 1 2\nb 3 4\n'))
e.update_token_vectors(['a', 'b'], nd.array([1, 2]))

## embedding/update-no-array
text.embedding.CustomEmbedding(write('a 1 2\n')).update_token_vectors('a', [1, 2])

## embedding/update-length
text.embedding.CustomEmbedding(write('a 1 2\n')).update_token_vectors('a', nd.array([1, 2, 3]))

## embedding/composite-no-vocabulary
text.embedding.CompositeEmbedding(['a'], text.embedding.CustomEmbedding(write('a 1 2\n')))

## embedding/composite-no-embedding
text.embedding.CompositeEmbedding(text.vocab.Vocabulary(), [1])

## embedding/names
names = text.embedding.get_pretrained_file_names()
out += [{k: len(v) for k, v in names.items() if k in ('glove', 'fasttext')}]
out += [text.embedding.get_pretrained_file_names('glove')]
out += [text.embedding.get_pretrained_file_names('fasttext')[::40]]
E = text.embedding
out += [E.GloVe.pretrained_archive_name_sha1, E.GloVe.pretrained_file_name_sha1]
out += [sorted(E.FastText.pretrained_archive_name_sha1.items())[::20]]
out += [sorted(E.FastText.pretrained_file_name_sha1.items())[::20]]
out += [E.GloVe._get_download_file_name(n) for n in E.GloVe.pretrained_file_name_sha1]
out += [E.FastText._get_download_file_name('wiki.simple.vec')]

## embedding/names-unknown
text.embedding.get_pretrained_file_names('nope')

## embedding/file-unknown
text.embedding.create('glove', pretrained_file_name='nope')

## embedding/create-unknown
text.embedding.create('nope')
""",
    before=_SETUP,
)
