"""A profile of what runs, by torch's profiler."""

from __future__ import annotations

import torch


class Profiler:
    """`set_state('run')` begins a profile, `set_state('stop')` ends it; `dump` writes it."""

    filename, profile, is_on = "profile.json", None, False

    @classmethod
    def set_config(cls, filename):
        """Where `dump` writes a trace, which a browser shows (chrome://tracing)."""
        cls.filename = filename

    @classmethod
    def set_state(cls, state="stop"):
        if state == "run" and not cls.is_on:
            cls.profile, cls.is_on = torch.profiler.profile(), True
            cls.profile.start()
        elif state == "stop" and cls.is_on:
            cls.profile.stop()
            cls.is_on = False

    @classmethod
    def dump(cls):
        """End the profile and write it."""
        cls.set_state("stop")
        if cls.profile is not None:
            cls.profile.export_chrome_trace(cls.filename)

    @classmethod
    def dumps(cls):
        """A table of the operators and their times."""
        if cls.is_on or cls.profile is None:
            return ""
        return cls.profile.key_averages().table(sort_by="self_cpu_time_total")
