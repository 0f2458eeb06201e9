"""The examples of docs/reference/python.md, one after the other."""

import os
import pathlib
import re
import unittest

PAGE = pathlib.Path(os.environ["TGC_ROOT"], "docs/reference/python.md")


class Page(unittest.TestCase):
    def test_examples(self):
        text, names = PAGE.read_text(encoding="utf-8"), {}
        blocks = list(re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S))
        self.assertGreater(len(blocks), 3)
        for block in blocks:
            lines = text.count("\n", 0, block.start(1))
            exec(compile("\n" * lines + block.group(1), str(PAGE), "exec"), names)
