"""The HTML reports: links lead to lines, filters and folds work, nothing is fetched."""

import re
import shutil

import pytest

from mxtorch.cli.main import main
from mxtorch.report.html import Link, Page

PROGRAM = """\
import mxnet as mx
from mxnet import nd

a = 1
b = 2
c = 3
d = 4
e = 5
f = '<b>&amp;</b>'
g = 7
h = 8
i = 9
x = nd.ones((2,))
store = mx.kv.create('dist_async')
"""


@pytest.fixture
def page(tmp_path):
    source = tmp_path / "src"
    source.mkdir()
    for name in ("one.py", "two.py"):
        (source / name).write_text(PROGRAM)
    (source / "old.py").write_text("import mxnet\nprint 'x'\n")
    with pytest.raises(SystemExit):
        main(["port", str(source), "-o", str(tmp_path / "out"), "--html", str(tmp_path / "p.html")])
    return tmp_path / "p.html"


def test_links_lead_to_lines(page):
    text = page.read_text()
    targets = re.findall(r'href="#([^"]+)"', text)
    assert {"file-1", "file-2", "file-1-L14", "file-2-L14"} <= set(targets)
    assert set(targets) <= set(re.findall(r'id="([^"]+)"', text))
    assert "http" not in text
    assert ">old.py<" in text


def test_what_stays_is_folded_and_escaped(page):
    text = page.read_text()
    assert "lines as before" in text
    assert "<b>&amp;" not in text.replace("&lt;b&gt;", "")
    assert "store = mx.kv.create" in text  # unchanged, but a note is there
    assert 'class="n noted" title="MXT003' in text


def test_changed_words_are_marked():
    page = Page("t")
    page.diff("a", "x = nd.ones(3)\n", "x = torch.ones(3)\n")
    assert "x = <b>nd</b>.ones(3)" in page.render()
    assert "x = <b>torch</b>.ones(3)" in page.render()


def test_cells_are_escaped():
    page = Page("<t>")
    page.table(("a", "#b"), [(Link("<x>", "y"), 1)])
    assert '<a href="#y">&lt;x&gt;</a>' in page.render()
    assert "<title>&lt;t&gt;</title>" in page.render()


def test_in_a_browser(page):
    """Links, filters and both colour schemes, from disk."""
    api = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no chromium here")
    with api.sync_playwright() as player:
        browser = player.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            tab = browser.new_context(color_scheme=scheme).new_page()
            errors = []
            tab.on("pageerror", lambda error, found=errors: found.append(error))
            tab.goto(page.as_uri())
            back = tab.evaluate("getComputedStyle(document.body).backgroundColor")
            assert (back == "rgb(255, 255, 255)") == (scheme == "light")
            shown = tab.locator("tr[data-status]:visible")
            every = shown.count()
            tab.locator('input[data-status="to do"]').uncheck()
            assert 0 <= shown.count() < every
            tab.locator('input[data-status="to do"]').check()
            tab.fill("input[type=search]", "two.py")
            assert 0 < shown.count() < every
            tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = false)")
            tab.locator('a[href="#file-2-L14"]').click()
            assert tab.locator("#file-2").get_attribute("open") is not None
            assert tab.locator("#file-2-L14").is_visible()
            assert errors == []
        browser.close()
