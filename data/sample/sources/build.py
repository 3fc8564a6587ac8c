#!/usr/bin/env python3
"""Build the DOCX and PDF policies of the sample library from their Markdown sources.

What it does
    Reads sources/policies/*.md (YAML front matter and a small part of
    Markdown: headings of level 2 and 3, paragraphs, one level of numbered and
    bulleted lists, tables, bold, italic, code) and writes
    policies/<name>.docx or policies/<name>.pdf, as the key `format` in the
    front matter says. Anything else in a source is an error, not a guess.
    A paragraph that starts with "Table <n>:" is the caption of the table
    after it.

What it needs
    Python 3.10 or later, four packages from PyPI, and the DejaVu fonts:

        python3 -m venv venv
        venv/bin/pip install python-docx reportlab PyYAML markdown-it-py
        apt-get install -y --no-install-recommends fonts-dejavu-core fonts-dejavu-extra

    The committed files were made with python-docx 1.2.0, reportlab 5.1.0,
    markdown-it-py 4.3.0, PyYAML 6.0.3 and DejaVu 2.37 (Debian 12). With other
    versions the content stays the same, but single bytes may differ.

How to run it
    venv/bin/python build.py            write the files into ../policies
    venv/bin/python build.py --check    build in memory and compare with the
                                        files in ../policies; exit status 1
                                        if one is missing or differs
    venv/bin/python build.py --out DIR  write somewhere else

    If the DejaVu fonts are not in /usr/share/fonts/truetype/dejavu, name
    their folder in the environment variable DEJAVU_DIR.

Deterministic
    No clock, no random number and no path goes into the output. All time
    stamps are the date of the policy at 09:00 UTC, entries in the DOCX
    archives are sorted and dated alike. Two runs give byte-identical files.
"""

from __future__ import annotations

import argparse
import copy
import datetime as dt
import io
import os
import re
import sys
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape

import yaml
from markdown_it import MarkdownIt

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "policies"
TARGET = HERE.parent / "policies"
FONT_DIR = Path(os.environ.get("DEJAVU_DIR", "/usr/share/fonts/truetype/dejavu"))

ORGANISATION = "Lichtveld Netbeheer"
INK = "1F3A4D"  # headings, rules, table heads
SHADE = "E6EDF1"  # labels of the control table
LINE = "9FB2BE"  # table borders
INDENT = 480  # of list items in DOCX, in twentieths of a point
CONTROL_SHARES = [0.16, 0.36, 0.15, 0.33]  # columns of the document control table

REQUIRED = ("title", "identifier", "format", "version", "status", "date",
            "review_date", "owner", "classification", "tags", "language")


# ---------------------------------------------------------------- the sources

@dataclass
class Run:
    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False


@dataclass
class Block:
    """kind: heading, paragraph, caption, number, bullet or table"""
    kind: str
    runs: list[Run] = field(default_factory=list)
    level: int = 0  # of a heading
    number: int = 0  # of a numbered paragraph
    rows: list[list[list[Run]]] = field(default_factory=list)  # of a table


def plain(runs: list[Run]) -> str:
    return "".join(run.text for run in runs)


def inline(token) -> list[Run]:
    runs: list[Run] = []
    bold = italic = False
    for child in token.children:
        if child.type == "text":
            if child.content:
                runs.append(Run(child.content, bold, italic))
        elif child.type == "softbreak":
            runs.append(Run(" ", bold, italic))
        elif child.type == "code_inline":
            runs.append(Run(child.content, bold, italic, code=True))
        elif child.type in ("strong_open", "strong_close"):
            bold = child.type == "strong_open"
        elif child.type in ("em_open", "em_close"):
            italic = child.type == "em_open"
        else:
            raise ValueError(f"inline element not supported: {child.type}")
    return runs


def blocks(markdown: str) -> list[Block]:
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    result: list[Block] = []
    list_kind = ""  # "number" or "bullet" while inside a list
    number = level = 0
    in_table = False
    rows: list[list[list[Run]]] = []
    for token in tokens:
        kind = token.type
        if kind == "heading_open":
            level = int(token.tag[1])
            if level not in (2, 3):
                raise ValueError(f"heading of level {level}: only 2 and 3 are used")
        elif kind == "heading_close":
            level = 0
        elif kind in ("ordered_list_open", "bullet_list_open"):
            if list_kind:
                raise ValueError("nested lists are not supported")
            list_kind = "number" if kind.startswith("ordered") else "bullet"
            number = int(token.attrGet("start") or 1) - 1
        elif kind in ("ordered_list_close", "bullet_list_close"):
            list_kind = ""
        elif kind == "list_item_open":
            number += 1
        elif kind == "table_open":
            in_table, rows = True, []
        elif kind == "table_close":
            in_table = False
            result.append(Block("table", rows=rows))
        elif kind == "tr_open":
            rows.append([])
        elif kind == "inline":
            runs = inline(token)
            if in_table:
                rows[-1].append(runs)
            elif level:
                result.append(Block("heading", runs, level=level))
            elif list_kind:
                result.append(Block(list_kind, runs, number=number))
            elif re.match(r"Table \d+:", plain(runs)):
                result.append(Block("caption", runs))
            else:
                result.append(Block("paragraph", runs))
        elif kind in ("paragraph_open", "paragraph_close", "list_item_close", "thead_open",
                      "thead_close", "tbody_open", "tbody_close", "tr_close", "th_open",
                      "th_close", "td_open", "td_close"):
            pass
        else:
            raise ValueError(f"block element not supported: {kind}")
    return result


@dataclass
class Policy:
    name: str
    meta: dict
    body: list[Block]

    @property
    def moment(self) -> dt.datetime:
        return dt.datetime.combine(self.meta["date"], dt.time(9), dt.timezone.utc)

    @property
    def subject(self) -> str:
        return f"{self.meta['identifier']}, version {self.meta['version']}, {self.meta['status']}"

    @property
    def keywords(self) -> str:
        return ", ".join(self.meta["tags"])

    @property
    def control(self) -> list[list[list[Run]]]:
        """The rows of the document control table: label, value, label, value."""
        meta = self.meta
        rows = [
            ("Identifier", meta["identifier"], "Owner", meta["owner"]),
            ("Version", meta["version"], "Date", meta["date"].isoformat()),
            ("Status", meta["status"], "Review date", meta["review_date"].isoformat()),
            ("Classification", meta["classification"], "Tags", self.keywords),
        ]
        return [[[Run(text)] for text in row] for row in rows]


def read(path: Path) -> Policy:
    match = re.match(r"---\n(.*?)\n---\n(.*)\Z", path.read_text(encoding="utf-8"), re.S)
    if not match:
        raise ValueError(f"{path.name}: no front matter")
    meta = yaml.safe_load(match.group(1))
    missing = [key for key in REQUIRED if key not in meta]
    if missing:
        raise ValueError(f"{path.name}: front matter lacks {', '.join(missing)}")
    try:
        body = blocks(match.group(2))
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from error
    return Policy(path.stem, meta, body)


def column_shares(rows: list[list[list[Run]]]) -> list[float]:
    """Shares of the table width: never less than the longest word of the
    column needs, the rest by the amount of text, dampened."""
    columns = list(zip(*rows))
    floor = [max(len(word) for cell in column for word in plain(cell).split() or [""]) + 3
             for column in columns]
    amount = [sum(len(plain(cell)) for cell in column) ** 0.7 for column in columns]
    width = 105  # characters of 9 points on a line, roughly
    spare = max(width - sum(floor), 0)
    sizes = [low + spare * part / sum(amount) for low, part in zip(floor, amount)]
    return [size / sum(sizes) for size in sizes]


# ----------------------------------------------------------------------- DOCX

def build_docx(policy: Policy) -> bytes:
    from docx import Document
    from docx.enum.table import WD_TABLE_ALIGNMENT
    from docx.enum.text import WD_TAB_ALIGNMENT
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn
    from docx.shared import Cm, Pt, RGBColor, Twips

    document = Document()
    ink = RGBColor.from_string(INK)
    text_width = Cm(21.0 - 2 * 2.3)

    def element(tag: str, **attributes: str):
        made = OxmlElement(tag)
        for key, value in attributes.items():
            made.set(qn(f"w:{key}"), value)
        return made

    # -- page
    section = document.sections[0]
    section.page_width, section.page_height = Cm(21.0), Cm(29.7)
    section.left_margin = section.right_margin = Cm(2.3)
    section.top_margin, section.bottom_margin = Cm(2.6), Cm(2.3)
    section.header_distance = section.footer_distance = Cm(1.2)

    # -- styles
    def style(name: str, size: float, before: float = 0, after: float = 0, *, bold=None,
              italic=None, colour=None, line: float = 1.0, keep_next: bool | None = None):
        made = document.styles[name]
        made.font.name, made.font.size = "Arial", Pt(size)
        made.font.bold, made.font.italic = bold, italic
        if colour is not None:
            made.font.color.rgb = colour
        fonts = made.element.rPr.rFonts
        for key in list(fonts.attrib):  # theme fonts would win over the name
            if key.lower().endswith("theme"):
                del fonts.attrib[key]
        fonts.set(qn("w:cs"), "Arial")
        fonts.set(qn("w:eastAsia"), "Arial")
        form = made.paragraph_format
        form.space_before, form.space_after = Pt(before), Pt(after)
        form.line_spacing, form.keep_with_next = line, keep_next
        form.widow_control = True
        return made

    style("Normal", 10, 0, 6, line=1.12)
    style("Title", 20, 0, 10, bold=True, colour=ink)
    style("Heading 1", 14, 14, 5, bold=True, colour=ink, keep_next=True)
    style("Heading 2", 11, 9, 4, bold=True, colour=ink, keep_next=True)
    style("List Number", 10, 0, 5, line=1.12)
    style("List Bullet", 10, 0, 3, line=1.12)
    style("Caption", 9, 8, 4, bold=True, colour=ink, keep_next=True)
    style("Header", 8, colour=ink)
    style("Footer", 8, colour=ink)
    title_borders = document.styles["Title"].element.pPr.find(qn("w:pBdr"))
    if title_borders is not None:
        document.styles["Title"].element.pPr.remove(title_borders)
    for name in ("List Number", "List Bullet"):
        form = document.styles[name].paragraph_format
        form.left_indent, form.first_line_indent = Twips(INDENT), Twips(-INDENT)
        for tight in document.styles[name].element.pPr.findall(qn("w:contextualSpacing")):
            tight.set(qn("w:val"), "0")  # we want the space between items
    for lang in document.styles.element.iter(qn("w:lang")):
        lang.set(qn("w:val"), "en-GB")

    # -- properties
    props = document.core_properties
    props.title, props.author = policy.meta["title"], policy.meta["owner"]
    props.subject, props.keywords = policy.subject, policy.keywords
    props.category, props.content_status = "Policy", policy.meta["status"]
    props.identifier, props.version = policy.meta["identifier"], policy.meta["version"]
    props.language, props.comments = "en-GB", ""
    props.last_modified_by, props.revision = policy.meta["owner"], 1
    props.created = props.modified = policy.moment.replace(tzinfo=None)

    # -- numbered lists: one numbering per list that starts at 1
    numbering = document.part.numbering_part.element

    def abstract_of(name: str) -> int:
        wanted = document.styles[name].element.pPr.numPr.numId.val
        return next(num for num in numbering.num_lst if num.numId == wanted).abstractNumId.val

    for name in ("List Number", "List Bullet"):  # the indent of the level must match the style's
        level = numbering.find(f"w:abstractNum[@w:abstractNumId='{abstract_of(name)}']/w:lvl",
                               numbering.nsmap)
        for stop in level.iter(qn("w:tab")):
            stop.set(qn("w:pos"), str(INDENT))
        for indent in level.iter(qn("w:ind")):
            indent.set(qn("w:left"), str(INDENT))
            indent.set(qn("w:hanging"), str(INDENT))
    abstract = abstract_of("List Number")
    current = None

    def numbered(paragraph, number: int) -> None:
        nonlocal current
        if number == 1 or current is None:
            num = numbering.add_num(abstract)
            num.add_lvlOverride(ilvl=0).add_startOverride(number)
            current = num.numId
        props_ = paragraph._p.get_or_add_pPr().get_or_add_numPr()
        props_.get_or_add_ilvl().val = 0
        props_.get_or_add_numId().val = current

    def write(paragraph, runs: list[Run], *, bold: bool = False, size: float | None = None,
              colour=None) -> None:
        for run in runs:
            made = paragraph.add_run(run.text)
            made.bold = True if run.bold or bold else None
            made.italic = True if run.italic else None
            if run.code:
                made.font.name = "Courier New"
            if size:
                made.font.size = Pt(size)
            if colour is not None:
                made.font.color.rgb = colour

    def shade(cell, colour: str) -> None:
        cell._tc.get_or_add_tcPr().append(element("w:shd", val="clear", color="auto", fill=colour))

    def table(rows: list[list[list[Run]]], shares: list[float], *, head: bool) -> None:
        made = document.add_table(rows=len(rows), cols=len(rows[0]), style="Table Grid")
        made.alignment, made.autofit = WD_TABLE_ALIGNMENT.CENTER, False
        borders = element("w:tblBorders")
        for side in ("top", "left", "bottom", "right", "insideH", "insideV"):
            borders.append(element(f"w:{side}", val="single", sz="4", space="0", color=LINE))
        margins = element("w:tblCellMar")
        for side, twips in (("top", "40"), ("left", "85"), ("bottom", "40"), ("right", "85")):
            margins.append(element(f"w:{side}", w=twips, type="dxa"))
        look = made._tbl.tblPr.find(qn("w:tblLook"))
        for extra in (borders, margins):  # the schema wants both before tblLook
            if look is None:
                made._tbl.tblPr.append(extra)
            else:
                look.addprevious(extra)
        layout = made._tbl.tblPr.find(qn("w:tblLayout"))
        if layout is not None:  # ... and tblLayout between them
            margins.addprevious(layout)
        for column, share in zip(made.columns, shares):
            column.width = int(text_width * share)
        for index, (row, cells) in enumerate(zip(made.rows, rows)):
            row_props = row._tr.get_or_add_trPr()
            row_props.append(element("w:cantSplit"))
            is_head = head and index == 0
            if is_head:
                row_props.append(element("w:tblHeader"))
            for position, (cell, runs, share) in enumerate(zip(row.cells, cells, shares)):
                cell.width = int(text_width * share)
                paragraph = cell.paragraphs[0]
                paragraph.paragraph_format.space_after = Pt(0)
                paragraph.paragraph_format.line_spacing = 1.0
                # keep short tables on one page: all rows but the last pull the next one along
                paragraph.paragraph_format.keep_with_next = index < len(rows) - 1
                label = not head and position % 2 == 0
                write(paragraph, runs, bold=is_head or label or position == 0, size=9,
                      colour=RGBColor(255, 255, 255) if is_head else None)
                if is_head:
                    shade(cell, INK)
                elif label:
                    shade(cell, SHADE)

    def field_code(paragraph, code: str) -> None:
        for kind, text in (("begin", ""), ("", code), ("separate", ""), ("text", "1"), ("end", "")):
            run = paragraph.add_run()
            if kind == "":
                instruction = element("w:instrText")
                instruction.text = f" {text} "
                run._r.append(instruction)
            elif kind == "text":
                run.text = text
            else:
                run._r.append(element("w:fldChar", fldCharType=kind))

    def tabbed(paragraph) -> None:
        stops = paragraph.paragraph_format.tab_stops
        stops.add_tab_stop(text_width, WD_TAB_ALIGNMENT.RIGHT)

    for name in ("Header", "Footer"):  # the template's own stops are for another page size
        old = document.styles[name].element.pPr.find(qn("w:tabs"))
        if old is not None:
            document.styles[name].element.pPr.remove(old)
    header = section.header.paragraphs[0]
    tabbed(header)
    header.add_run(f"{ORGANISATION} · {policy.meta['title']}\tVersion {policy.meta['version']}, "
                   f"{policy.meta['date'].isoformat()}")
    footer = section.footer.paragraphs[0]
    tabbed(footer)
    footer.add_run(f"{policy.meta['identifier']} · {policy.meta['classification']}\tPage ")
    field_code(footer, "PAGE")
    footer.add_run(" of ")
    field_code(footer, "NUMPAGES")

    # -- the text
    document.add_paragraph(policy.meta["title"], style="Title")
    table(policy.control, CONTROL_SHARES, head=False)
    previous = "table"
    for block in policy.body:
        if block.kind == "heading":
            write(document.add_heading("", level=block.level - 1), block.runs)
        elif block.kind == "table":
            table(block.rows, column_shares(block.rows), head=True)
        else:
            name = {"paragraph": "Normal", "caption": "Caption", "number": "List Number",
                    "bullet": "List Bullet"}[block.kind]
            paragraph = document.add_paragraph(style=name)
            write(paragraph, block.runs)
            if block.kind == "number":
                numbered(paragraph, block.number)
            if previous == "table":
                paragraph.paragraph_format.space_before = Pt(9)
        previous = block.kind

    buffer = io.BytesIO()
    document.save(buffer)
    return repack(buffer.getvalue(), policy.moment)


def repack(data: bytes, moment: dt.datetime) -> bytes:
    """The same archive with sorted entries and one fixed time stamp."""
    source = zipfile.ZipFile(io.BytesIO(data))
    first = "[Content_Types].xml"  # readers expect it at the front
    names = sorted(source.namelist(), key=lambda name: (name != first, name))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        for name in names:
            entry = zipfile.ZipInfo(name, moment.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            target.writestr(entry, source.read(name))
    return buffer.getvalue()


# ------------------------------------------------------------------------ PDF

def build_pdf(policy: Policy) -> bytes:
    # reportlab takes the dates of the document information from here
    os.environ["SOURCE_DATE_EPOCH"] = str(int(policy.moment.timestamp()))

    from reportlab import rl_config
    rl_config.invariant = 1
    from reportlab.lib.colors import HexColor, white
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.lib.units import cm
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.pdfgen.canvas import Canvas
    from reportlab.platypus import (BaseDocTemplate, CondPageBreak, Frame, KeepTogether,
                                    PageTemplate, Paragraph, Spacer, Table, TableStyle)

    for name, file in (("Text", "DejaVuSansCondensed.ttf"),
                       ("Text-Bold", "DejaVuSansCondensed-Bold.ttf"),
                       ("Text-Italic", "DejaVuSansCondensed-Oblique.ttf"),
                       ("Text-BoldItalic", "DejaVuSansCondensed-BoldOblique.ttf"),
                       ("Mono", "DejaVuSansMono.ttf")):
        if not (FONT_DIR / file).exists():
            raise FileNotFoundError(f"{FONT_DIR / file}: install fonts-dejavu-core and "
                                    "fonts-dejavu-extra, or set DEJAVU_DIR")
        pdfmetrics.registerFont(TTFont(name, str(FONT_DIR / file)))
    pdfmetrics.registerFontFamily("Text", "Text", "Text-Bold", "Text-Italic", "Text-BoldItalic")

    ink, line, shade = (HexColor(f"#{colour}") for colour in (INK, LINE, SHADE))
    width, height = A4
    margin = 2.3 * cm
    text_width = width - 2 * margin

    normal = ParagraphStyle("Normal", fontName="Text", fontSize=9.5, leading=12.9, spaceAfter=6,
                            allowWidows=0, allowOrphans=0)
    styles = {
        "title": ParagraphStyle("Title", normal, fontName="Text-Bold", fontSize=20, leading=25,
                                spaceAfter=9, textColor=ink),
        2: ParagraphStyle("Heading1", normal, fontName="Text-Bold", fontSize=13.5, leading=17,
                          spaceBefore=12, spaceAfter=4, textColor=ink, keepWithNext=1),
        3: ParagraphStyle("Heading2", normal, fontName="Text-Bold", fontSize=10.8, leading=14,
                          spaceBefore=7, spaceAfter=3, textColor=ink, keepWithNext=1),
        "paragraph": normal,
        "caption": ParagraphStyle("Caption", normal, fontName="Text-Bold", fontSize=8.8,
                                  leading=12, spaceBefore=6, spaceAfter=4, textColor=ink),
        "number": ParagraphStyle("Number", normal, leftIndent=22, spaceAfter=4.5),
        "bullet": ParagraphStyle("Bullet", normal, leftIndent=22, bulletIndent=8, spaceAfter=3),
        "cell": ParagraphStyle("Cell", normal, fontSize=8.6, leading=11.2, spaceAfter=0),
        "head": ParagraphStyle("Head", normal, fontName="Text-Bold", fontSize=8.6, leading=11.2,
                               spaceAfter=0, textColor=white),
    }

    def markup(runs: list[Run]) -> str:
        parts = []
        for run in runs:
            text = escape(run.text)
            text = f'<font face="Mono">{text}</font>' if run.code else text
            text = f"<i>{text}</i>" if run.italic else text
            parts.append(f"<b>{text}</b>" if run.bold else text)
        return "".join(parts)

    def table(rows: list[list[list[Run]]], shares: list[float], *, head: bool) -> Table:
        cells = []
        for index, row in enumerate(rows):
            is_head = head and index == 0
            labels = range(1) if head else range(0, len(row), 2)
            cells.append([Paragraph(f"<b>{markup(runs)}</b>" if position in labels
                                    else markup(runs), styles["head" if is_head else "cell"])
                          for position, runs in enumerate(row)])
        made = Table(cells, colWidths=[text_width * share for share in shares],
                     repeatRows=1 if head else 0)
        commands = [("GRID", (0, 0), (-1, -1), 0.5, line), ("VALIGN", (0, 0), (-1, -1), "TOP"),
                    ("FONTNAME", (0, 0), (-1, -1), "Text"),  # else Helvetica comes along, unused
                    ("TOPPADDING", (0, 0), (-1, -1), 2), ("BOTTOMPADDING", (0, 0), (-1, -1), 3.5),
                    ("LEFTPADDING", (0, 0), (-1, -1), 5), ("RIGHTPADDING", (0, 0), (-1, -1), 5)]
        if head:
            commands.append(("BACKGROUND", (0, 0), (-1, 0), ink))
        else:
            commands += [("BACKGROUND", (column, 0), (column, -1), shade)
                         for column in range(0, len(rows[0]), 2)]
        made.setStyle(TableStyle(commands))
        return made

    class Pages(Canvas):
        """Keeps the pages back until their number is known, for "Page 1 of 3"."""

        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            self.pages: list[dict] = []

        def showPage(self):
            self.pages.append(copy.copy(self.__dict__))
            self._startPage()

        def save(self):
            pages = self.pages
            for number, state in enumerate(pages, 1):
                self.__dict__.update(state)
                self.furniture(number, len(pages))
                super().showPage()
            super().save()

        def furniture(self, number: int, total: int) -> None:
            meta = policy.meta
            self.setFont("Text", 7.8)
            self.setFillColor(ink)
            self.setStrokeColor(line)
            self.setLineWidth(0.5)
            top, bottom = height - 1.5 * cm, 1.3 * cm
            self.drawString(margin, top, f"{ORGANISATION} · {meta['title']}")
            self.drawRightString(width - margin, top,
                                 f"Version {meta['version']}, {meta['date'].isoformat()}")
            self.line(margin, top - 5, width - margin, top - 5)
            self.drawString(margin, bottom, f"{meta['identifier']} · {meta['classification']}")
            self.drawRightString(width - margin, bottom, f"Page {number} of {total}")

    class Template(BaseDocTemplate):
        """Adds each heading to the outline (the bookmarks)."""

        def afterFlowable(self, flowable):
            depth = {"Heading1": 0, "Heading2": 1}.get(getattr(flowable, "style", normal).name) \
                if isinstance(flowable, Paragraph) else None
            if depth is not None:
                self.marks = getattr(self, "marks", 0) + 1
                key = f"heading-{self.marks}"
                self.canv.bookmarkPage(key)
                self.canv.addOutlineEntry(flowable.getPlainText(), key, depth, closed=False)

    story: list = [Paragraph(escape(policy.meta["title"]), styles["title"]),
                   table(policy.control, CONTROL_SHARES, head=False),
                   Spacer(1, 4)]
    caption = None
    for block in policy.body:
        if block.kind == "heading":
            story.append(CondPageBreak(2.2 * cm))
            story.append(Paragraph(markup(block.runs), styles[block.level]))
        elif block.kind == "table":
            parts = [table(block.rows, column_shares(block.rows), head=True), Spacer(1, 9)]
            story.append(KeepTogether([caption, *parts] if caption else parts))
            caption = None
        elif block.kind == "caption":
            caption = Paragraph(markup(block.runs), styles["caption"])
        else:
            bullet = {"number": f"{block.number}.", "bullet": "•"}.get(block.kind)
            story.append(Paragraph(markup(block.runs), styles[block.kind], bulletText=bullet))
    if caption:
        raise ValueError(f"{policy.name}: a caption without a table")

    for made in (styles["number"], styles["bullet"]):
        made.bulletFontName, made.bulletFontSize = "Text", 9.5

    buffer = io.BytesIO()
    template = Template(buffer, pagesize=A4, title=policy.meta["title"],
                        author=policy.meta["owner"], subject=policy.subject,
                        keywords=policy.keywords, creator=ORGANISATION, lang="en-GB",
                        invariant=1, initialFontName="Text")
    frame = Frame(margin, 2.0 * cm, text_width, height - 4.2 * cm, 0, 0, 0, 0)
    template.addPageTemplates(PageTemplate(frames=[frame]))
    template.build(story, canvasmaker=Pages)
    return buffer.getvalue()


# ----------------------------------------------------------------------- main

def main() -> int:
    parser = argparse.ArgumentParser(description="Build the DOCX and PDF policies.")
    parser.add_argument("--out", type=Path, default=TARGET, help="folder to write to")
    parser.add_argument("--check", action="store_true",
                        help="write nothing; compare with the files that are there")
    options = parser.parse_args()
    builders = {"docx": build_docx, "pdf": build_pdf}
    bad = 0
    if not options.check:
        options.out.mkdir(parents=True, exist_ok=True)
    for path in sorted(SOURCES.glob("*.md")):
        policy = read(path)
        data = builders[policy.meta["format"]](policy)
        target = options.out / f"{policy.name}.{policy.meta['format']}"
        if options.check:
            same = target.exists() and target.read_bytes() == data
            bad += not same
            print(f"{'same' if same else 'DIFFERS'}  {target.name}")
        else:
            target.write_bytes(data)
            print(f"{len(data):7}  {target.name}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
