"""What the build of the site decides: copies, links that move, levels of the menu, links to edit, pictures. Needs no package."""

import pathlib
import re
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import checks
import consoles
import pages
import pictures

CONSOLE = '<div class="language-console highlight"><pre><span></span><code>{}</code></pre>'


class Copies(unittest.TestCase):
    def test_a_copy_has_the_commands_alone(self):
        for what, block, commands in (
            ("a prompt begins a command", "$ a b\n$ c\n", ["a b", "c"]),
            ("what has no prompt is output", "$ a\nout\n$ b\n", ["a", "b"]),
            ("a backslash goes on", "$ a \\\n    b\nout\n", ["a \\\n    b"]),
            ("an open quote goes on", "$ a '{\n}'\nout\n", ["a '{\n}'"]),
            ("an escaped quote is none", "$ a \\'\nout\n", ["a \\'"]),
            ("nor is one in a comment", "$ a   # don't\nout\n", ["a   # don't"]),
            ("a quote in quotes is none", "$ a \"'\" b\nout\n", ["a \"'\" b"]),
            ("a here-document ends at its word", "$ a <<'Y'\nx\n$ y\nY\n$ b\n", ["a <<'Y'\nx\n$ y\nY", "b"]),
            ("a here-string is no document", "$ a <<<b\nout\n", ["a <<<b"]),
            ("output alone", "out\n", []),
        ):
            with self.subTest(what):
                self.assertEqual(consoles.commands(block), commands)

    def test_the_button_of_a_block_copies_them(self):
        page = consoles.finished(CONSOLE.format('<span class="gp">$ </span>a<span class="s2">&quot;b&quot;</span>\n<span class="go">out</span>\n<span class="gp">$ </span>c\n'))
        self.assertEqual(checks.Page(page).copies, ['a"b"\nc'])

    def test_a_flag_is_one_word_and_output_none(self):
        block = '<span class="gp">$ </span>a<span class="w"> </span>--b-c<span class="o">=</span>d\n<span class="go">out --put</span>\n'
        self.assertEqual(re.findall(r'<span class="word">(.*?)</span>(?=<span class="w">|\n)', consoles.finished(CONSOLE.format(block))),
                         ['<span class="gp">$ </span>a', '--b-c<span class="o">=</span>d'])

    def test_other_blocks_are_copied_as_they_are(self):
        page = '<div class="language-yaml highlight"><pre><code>$ a</code></pre>'
        self.assertEqual(consoles.finished(page), page)


class Links(unittest.TestCase):
    def test_a_link_follows_a_page_that_the_site_has_elsewhere(self):
        for page, text, there in (
            ("docs/start/install.md", "[r](../../README.md#install)", "[r](../../overview.md#install)"),
            ("docs/start/install.md", "[v](verify.md)", "[v](verify.md)"),
            ("README.md", "[i](docs/start/install.md#x)", "[i](docs/start/install.md#x)"),
            ("site/start.md", "[i](../docs/start/install.md)", "[i](docs/start/install.md)"),
            ("site/start.md", "[g](https://github.com)", "[g](https://github.com)"),
            ("docs/adr/README.md", "[0](0034-build-the-site-with-zensical.md)", "[0](0034-build-the-site-with-zensical.md)"),
        ):
            with self.subTest(page + text):
                self.assertEqual(pages.moved(text, pathlib.Path(page)), there)


class Menu(unittest.TestCase):
    def test_a_level_of_more_than_seven_entries_is_a_fault(self):
        seven = [{str(n): f"{n}.md"} for n in range(7)]
        self.assertEqual(list(pages.too_long([{"a": seven}, *seven[1:]], "first")), [])
        self.assertEqual(len(list(pages.too_long([{"a": [*seven, {"8": "8.md"}]}], "first"))), 1)
        self.assertEqual(len(list(pages.too_long([*seven, {"8": "8.md"}], "first"))), 1)


class Home(unittest.TestCase):
    def test_pages_can_be_edited_where_the_project_lives(self):
        self.assertEqual(pages.of_home(pages.home.Home()), {})
        self.assertEqual(pages.of_home(pages.home.Home(repository="https://github.com/o/n", site="https://o.github.io/n")),
                         {"site_url": "https://o.github.io/n/", "repo_url": "https://github.com/o/n", "edit_uri": "edit/main/"})

    def test_a_link_to_edit_leads_to_a_file(self):
        edit = "https://github.com/o/n/edit/main/"
        for link, place, faults in (
            (f'<a href="{edit}README.md" rel="edit">', edit, 0),
            (f'<a href="{edit}overview.md" rel="edit">', edit, 1),
            ("", edit, 1),
            ("", "", 0),
            (f'<a href="{edit}README.md" rel="edit">', "", 1),
        ):
            with self.subTest(link + place):
                self.assertEqual(len(list(checks.of_edits(checks.Page(link), place, pages.ROOT))), faults)


class Pages(unittest.TestCase):
    def test_faults_of_a_page_are_found(self):
        for page, fault in (
            ('<img src="a.svg" alt="a run">', None),
            ('<img src="a.svg">', "no words"),
            ('<img src="a.svg" alt="">', "no words"),
            ('<script src="https://cdn.example/a.js"></script>', "another host"),
            ('<script src="a.js"></script>', None),
            ('<link rel="canonical" href="https://o.github.io/n/">', None),
            ('<div class="language-console highlight">', "no command"),
            ('<div class="language-console highlight" data-copy="$ a">', "with a prompt"),
            ('<div class="language-console highlight" data-copy="a">', None),
        ):
            with self.subTest(page):
                found = list(checks.of_page(checks.Page(page)))
                self.assertEqual([f for f in found if fault and fault in f], found)
                self.assertEqual(bool(found), bool(fault))


class Pictures(unittest.TestCase):
    def test_a_picture_without_words_is_a_fault(self):
        with self.assertRaisesRegex(pictures.Wrong, "accDescr"):
            pictures.said("flowchart TD\n  accTitle: A\n", "accDescr")

    def test_each_picture_of_a_page_has_words(self):
        drawn = [source for page in pages.pages() for source in pictures.FENCE.findall((pages.ROOT / page).read_text())]
        self.assertGreaterEqual(len(drawn), 4)
        for source in drawn:
            self.assertGreater(len(pictures.said(source, "accDescr")), len(pictures.said(source, "accTitle")))


if __name__ == "__main__":
    unittest.main()
