"""What programs and packages used of `pkg_resources`, on importlib.metadata.

Requirements and versions are read by `packaging`, or by the copy that setuptools brings.
"""

from __future__ import annotations

import importlib
import io
import os
import re
import sys
from collections.abc import Iterator
from importlib import metadata
from typing import Any


def _packaging(module: str) -> Any:
    for name in (f"packaging.{module}", f"setuptools._vendor.packaging.{module}"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise ImportError("pkg_resources needs the package 'packaging': pip install packaging")


class ResolutionError(Exception):
    """A requirement that what is installed does not meet."""

    @property
    def req(self) -> Any:
        """The requirement."""
        return self.args[-1]


class DistributionNotFound(ResolutionError):
    """It is not installed."""

    def __str__(self) -> str:
        return f"The '{self.args[0]}' distribution was not found and is required"


class VersionConflict(ResolutionError):
    """Another version is installed."""

    @property
    def dist(self) -> Any:
        """What is installed."""
        return self.args[0]

    def __str__(self) -> str:
        return f"{self.args[0]} is installed but {self.args[1]} is required"


class ContextualVersionConflict(VersionConflict):
    """Another version is installed than a package requires."""


class UnknownExtra(ResolutionError):
    """A package has no such extra."""


RequirementParseError = ValueError


def parse_version(text: str) -> Any:
    """A version that compares as versions do."""
    return _packaging("version").Version(text)


class Requirement:
    """`name>=1.0`: its parts, and whether a version or distribution meets it."""

    def __init__(self, text: str) -> None:
        self._parsed = _packaging("requirements").Requirement(text)
        self.project_name = self.name = self._parsed.name
        self.key = self.name.lower()
        self.specs = [(s.operator, s.version) for s in self._parsed.specifier]
        self.extras = tuple(self._parsed.extras)
        self.specifier, self.marker = self._parsed.specifier, self._parsed.marker

    @staticmethod
    def parse(text: str) -> Requirement:
        """Read one requirement."""
        return Requirement(text)

    def __contains__(self, item: Any) -> bool:
        version = item.version if isinstance(item, Distribution) else str(item)
        return bool(self.specifier.contains(version, prereleases=True))

    def __str__(self) -> str:
        return str(self._parsed)

    __repr__ = __str__


def parse_requirements(lines: Any) -> Iterator[Requirement]:
    """The requirements in a text or in lines, without comments."""
    for line in lines.splitlines() if isinstance(lines, str) else lines:
        text = re.split(r"(?:^|\s)#", line)[0].strip()
        if text:
            yield Requirement(text)


class Distribution:
    """An installed package."""

    def __init__(self, found: metadata.Distribution) -> None:
        self._found = found
        self.project_name = found.metadata["Name"]
        self.key = self.project_name.lower()
        self.version = found.version
        self.location = str(found.locate_file(""))

    @property
    def parsed_version(self) -> Any:
        """Its version, for comparing."""
        return parse_version(self.version)

    def requires(self, extras: tuple[str, ...] = ()) -> list[Requirement]:
        """What it requires here."""
        found = [Requirement(text) for text in self._found.requires or []]
        environments = [{"extra": extra} for extra in ("", *extras)]
        return [r for r in found if r.marker is None or any(map(r.marker.evaluate, environments))]

    def as_requirement(self) -> Requirement:
        """The requirement of this very version."""
        return Requirement(f"{self.project_name}=={self.version}")

    def has_metadata(self, name: str) -> bool:
        """Whether there is such a file of metadata."""
        return self._found.read_text(name) is not None

    def get_metadata(self, name: str) -> str:
        """The text of a file of metadata."""
        text = self._found.read_text(name)
        if text is None:
            raise FileNotFoundError(name)
        return text

    def __str__(self) -> str:
        return f"{self.project_name} {self.version}"

    __repr__ = __str__


def get_distribution(dist: Any) -> Distribution:
    """The installed package that a name or requirement names; it must meet it."""
    if isinstance(dist, Distribution):
        return dist
    wanted = dist if isinstance(dist, Requirement) else Requirement(dist)
    try:
        found = Distribution(metadata.distribution(wanted.name))
    except metadata.PackageNotFoundError:
        raise DistributionNotFound(wanted, None) from None
    if found not in wanted:
        raise VersionConflict(found, wanted)
    return found


def require(*requirements: Any) -> list[Distribution]:
    """The installed packages that meet the requirements and those of each; an error otherwise."""
    needed: list[Any] = []
    for item in requirements:
        needed += [item] if isinstance(item, str | Requirement) else list(item)
    found: dict[str, Distribution] = {}
    while needed:
        item = needed.pop(0)
        wanted = item if isinstance(item, Requirement) else Requirement(item)
        if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
            one = get_distribution(wanted)
            if one.key not in found:
                found[one.key] = one
                needed += one.requires(wanted.extras)
    return list(found.values())


class WorkingSet:
    """The installed packages."""

    def __iter__(self) -> Iterator[Distribution]:
        return map(Distribution, metadata.distributions())

    @property
    def by_key(self) -> dict[str, Distribution]:
        """They by name, in small letters."""
        return {found.key: found for found in reversed(list(self))}

    def find(self, req: Requirement) -> Distribution | None:
        """The one that a requirement names, or None; VersionConflict if it does not meet it."""
        try:
            return get_distribution(req)
        except DistributionNotFound:
            return None

    def require(self, *requirements: Any) -> list[Distribution]:
        """As the function `require`."""
        return require(*requirements)

    def resolve(self, requirements: Any, *args: Any, **kwargs: Any) -> list[Distribution]:
        """As the function `require`."""
        return require(*requirements)


working_set = WorkingSet()


class EntryPoint:
    """Something that a package offers under a name."""

    def __init__(self, found: metadata.EntryPoint) -> None:
        self._found = found
        self.name, self.module_name = found.name, found.module

    def load(self, *args: Any, **kwargs: Any) -> Any:
        """The object."""
        return self._found.load()

    resolve = load


def iter_entry_points(group: str, name: str | None = None) -> Iterator[EntryPoint]:
    """What the installed packages offer in a group."""
    for found in metadata.entry_points(group=group):
        if name in (None, found.name):
            yield EntryPoint(found)


def _path(package_or_requirement: Any, resource_name: str) -> str:
    name = getattr(package_or_requirement, "name", package_or_requirement)
    module: Any = sys.modules.get(name) or importlib.import_module(name)
    return os.path.join(os.path.dirname(module.__file__), *resource_name.split("/"))


def resource_filename(package_or_requirement: Any, resource_name: str) -> str:
    """The path of a package's file."""
    return _path(package_or_requirement, resource_name)


def resource_string(package_or_requirement: Any, resource_name: str) -> bytes:
    """The bytes of a package's file."""
    with open(_path(package_or_requirement, resource_name), "rb") as file:
        return file.read()


def resource_stream(package_or_requirement: Any, resource_name: str) -> io.BytesIO:
    """A package's file, open for reading."""
    return io.BytesIO(resource_string(package_or_requirement, resource_name))


def resource_exists(package_or_requirement: Any, resource_name: str) -> bool:
    """Whether a package has such a file."""
    return os.path.exists(_path(package_or_requirement, resource_name))


def resource_isdir(package_or_requirement: Any, resource_name: str) -> bool:
    """Whether a package has such a folder."""
    return os.path.isdir(_path(package_or_requirement, resource_name))


def resource_listdir(package_or_requirement: Any, resource_name: str) -> list[str]:
    """The names in a package's folder."""
    return os.listdir(_path(package_or_requirement, resource_name))


def declare_namespace(packageName: str) -> None:
    """Let a package lie in several folders of the path."""
    import pkgutil

    module = sys.modules[packageName]
    module.__path__ = pkgutil.extend_path(module.__path__, packageName)
