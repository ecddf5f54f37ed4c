"""What others see of a page: preview cards, the 404 page, a sitemap.

html.baseurl in _config.yml is the address that the site is served
from. Cards need it to name their picture, the sitemap needs it to
exist, and the 404 page, served at any depth, to find its style.
"""

from pathlib import Path
from urllib.parse import urlsplit

CARD = "_static/card.png"


def configure(app, config):
    home = config.html_baseurl
    config.ogp_site_url = home
    config.ogp_image = CARD
    config.ogp_site_name = config.html_title
    config.ogp_image_alt = "The graph of e = a·b + c, value by value"
    config.ogp_social_cards = {"enable": False}
    config.ogp_enable_meta_description = False  # exported.py writes it
    config.html_search_scorer = str(Path(__file__).parent / "scorer.js")
    config.notfound_urls_prefix = urlsplit(home).path or "/"
    config.notfound_context = {
        "title": "Page not found",
        "body": "<h1>Page not found</h1><p>The book has no page here. "
        "The menu lists the pages that there are, and the search finds "
        "what is on them.</p>",
    }
    if home:
        config.sitemap_url_scheme = "{link}"
        app.setup_extension("sphinx_sitemap")


# The theme's words for two parts of a page, and words that a screen
# reader can use: a button's name holds its text, a part has a name.
MENDED = {
    '<th class="head"><p></p></th>': '<td class="head"></td>',
    ' role="doc-biblioentry"': "",
    ' role="list" class="citation-list"': ' class="citation-list"',
    'pst-js-only" title="Search" aria-label="Search"': 'pst-js-only"',
    'id="pst-primary-sidebar" class': (
        'id="pst-primary-sidebar" role="region" aria-label="Book" class'
    ),
}


def mend(app, exception):
    """Replace what axe finds wrong in the theme's own templates."""
    if exception or app.builder.format != "html":
        return
    for path in Path(app.outdir).rglob("*.html"):
        text = path.read_text()
        for theirs, ours in MENDED.items():
            text = text.replace(theirs, ours)
        path.write_text(text)


def setup(app):
    app.setup_extension("notfound.extension")
    app.setup_extension("sphinxext.opengraph")
    app.connect("config-inited", configure, priority=400)
    app.connect("build-finished", mend)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
