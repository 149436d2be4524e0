"""Opens every page of the site in headless Chromium, on a wide and on a narrow screen, and checks what readers see.

Links and anchors within the site lead somewhere, images are shown, nothing is wider than the narrow screen unless it
scrolls in its own box, the console has no errors, and the search finds a verb. Needs Debian's packages chromium,
chromium-driver and python3-selenium; without them, or without the site, the exit code is 77.

Usage: check_site.py FOLDER [SCREENSHOTS]

FOLDER is the site (build/release/reference/html). SCREENSHOTS gets NAME_wide.png and NAME_narrow.png for each page.
"""

import base64
import pathlib
import shutil
import sys
import urllib.parse

try:
    from selenium import webdriver
    from selenium.common.exceptions import TimeoutException
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    webdriver = None

SCREENS = {"wide": (1280, 900), "narrow": (390, 800)}
TALLEST = 60000  # pixels of a screenshot: where longer pages are cut
VERB = "exact_sum"

LOOK = """
const done = arguments[0];
const box = document.getElementById("doc-content") || document.documentElement;
const frame = document.documentElement;
Promise.allSettled([...document.images].map(image => image.decode())).then(() => done({
  links: [...document.links].map(link => link.href),
  anchors: [...document.querySelectorAll("[id], [name]")].flatMap(node => [node.id, node.getAttribute("name")]),
  images: document.images.length,
  missing: [...document.images].filter(image => !image.naturalWidth).map(image => image.src),
  beyond: Math.max(box.scrollWidth - box.clientWidth, frame.scrollWidth - window.innerWidth),
  height: box.scrollHeight + frame.scrollHeight - box.clientHeight + 100,
}));
"""


def start():
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--hide-scrollbars", "--disable-gpu"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options)


def resize(browser, width, height):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 768})


def photograph(browser, width, height, path):
    resize(browser, width, min(height, TALLEST))
    picture = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    path.write_bytes(base64.b64decode(picture["data"]))


def search(browser, page):
    """What is wrong with the search for a verb."""
    resize(browser, *SCREENS["wide"])
    browser.get(page.as_uri())
    browser.find_element("id", "MSearchField").send_keys(VERB)
    browser.switch_to.frame("MSearchResults")
    try:
        WebDriverWait(browser, 10).until(lambda _: any(
            one.is_displayed() and one.text == VERB for one in browser.find_elements("css selector", ".SRSymbol")))
    except TimeoutException:
        yield f"the search does not find {VERB}"


def main():
    if webdriver is None or not shutil.which("chromium") or not shutil.which("chromedriver"):
        print("needs the packages chromium, chromium-driver and python3-selenium", file=sys.stderr)
        sys.exit(77)
    site = pathlib.Path(sys.argv[1]).resolve()
    if not (site / "index.html").is_file():
        print(f"{site} has no index.html: make the target reference first", file=sys.stderr)
        sys.exit(77)
    pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    wrong, links, anchors, images, outside = [], {}, {}, 0, set()
    browser = start()
    for path in sorted(site.glob("*.html")):
        for screen, (width, height) in SCREENS.items():
            resize(browser, width, height)
            browser.get(path.as_uri())
            seen = browser.execute_async_script(LOOK)
            anchors.setdefault(path.name, set()).update(seen["anchors"])
            links.setdefault(path.name, set()).update(seen["links"])
            images += seen["images"]
            wrong += [f"{path.name}, {screen}: no image {one}" for one in seen["missing"]]
            wrong += [f"{path.name}, {screen}: console: {one['message']}" for one in browser.get_log("browser")]
            if seen["beyond"] > 0:
                wrong.append(f"{path.name}, {screen}: {seen['beyond']} pixels wider than the screen")
            if pictures:
                photograph(browser, width, seen["height"], pictures / f"{path.stem}_{screen}.png")
    count = 0
    for page, found in links.items():
        for link in found:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme != "file":
                outside.update([link] if parts.scheme.startswith("http") else [])
                continue
            count += 1
            target, anchor = pathlib.Path(urllib.parse.unquote(parts.path)), urllib.parse.unquote(parts.fragment)
            if not target.is_file() or (anchor and anchor not in anchors.get(target.name, {anchor})):
                wrong.append(f"{page}: dead link {link}")
    wrong += search(browser, site / "index.html")
    browser.quit()
    print(*wrong, f"{len(links)} pages on {len(SCREENS)} screens: {count} links, {images} images, "
          f"{len(outside)} links to elsewhere; {len(wrong)} wrong", sep="\n")
    sys.exit(bool(wrong) or not links)


main()
