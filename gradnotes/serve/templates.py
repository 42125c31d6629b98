"""Load the theme's templates for a server, which renders them again and again."""

from __future__ import annotations

import os
from pathlib import Path
from types import CodeType

import jinja2
from jinja2.bccache import Bucket


class CompiledTemplates(jinja2.BytecodeCache):
    """A cache of compiled templates in memory. Compiling is half of the time to reload a changed configuration."""

    def __init__(self) -> None:
        self._code_by_key: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load the code of a template, if a template with this text has been compiled before. jinja2 calls this."""
        bucket.code = self._code_by_key.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store the compiled code of a template. jinja2 calls this."""
        if bucket.code:
            self._code_by_key[bucket.key, bucket.checksum] = bucket.code


class ThemeLoader(jinja2.FileSystemLoader):
    """The loader of a theme. It does not list hidden folders: MkDocs copies none of the 14,000 icons in them."""

    def list_templates(self) -> list[str]:
        """Return the names of the files outside hidden folders."""
        names: set[str] = set()
        for top in self.searchpath:
            for folder, subfolders, files in os.walk(top):
                subfolders[:] = [name for name in subfolders if not name.startswith(".")]
                names.update((Path(folder) / name).relative_to(top).as_posix() for name in files)
        return sorted(names)
