"""mx.registry: a program's own registries."""

from __future__ import annotations

from tests.snippets import snippets

_SETUP = """
class Base:
    def __init__(self, a=1):
        self.a = a
class Foo(Base):
    pass
R = mx.registry
register = R.get_register_func(Base, 'thing')
alias = R.get_alias_func(Base, 'thing')
create = R.get_create_func(Base, 'thing')
register(Foo)
"""

CASES = snippets(
    """
## create
out += [create('FOO', a=5).a, create('["foo", {"a": 3}]').a, create({'thing': 'foo', 'a': 4}).a]
out += [create('{"thing": "foo", "a": 6}').a, create(thing='foo', a=9).a, create('foo', 7).a]
x = Foo()
out += [create(x) is x, register.__name__, alias.__name__, create.__name__]

## names
register(Foo, 'bar')
out.append(alias('x', 'Y')(Foo) is Foo)
out += [sorted(R.get_registry(Base)), R.get_registry(int), R.get_registry(Base)['y'].__name__]
out += [R.get_registry(Base) is R.get_registry(Base)]
out += ['xavier' in R.get_registry(mx.init.Initializer)]
out += ['acc' in R.get_registry(mx.metric.EvalMetric)]

## twice [warns]
register(Foo)
register(type('Foo', (Base,), {}))

## not-a-subclass
register(int)

## not-a-class
register(3)

## unknown
create('zz')

## instance-and-arguments
create(Foo(), 2)

## nothing
create()

## number
create(3)

## class
create(Foo)
""",
    before=_SETUP,
)
