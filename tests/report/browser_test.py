"""The report in a real browser: it opens from a file, loads nothing else, and does what it offers.

    browser_test.py SUNDER

Where Chromium, its driver or Selenium is absent it ends with 77, which CTest takes for skipped, or with 1 if
SUNDER_REQUIRE_BROWSER is set, as scripts/test does.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest


def absent(reason):
    if os.environ.get("SUNDER_REQUIRE_BROWSER"):
        sys.exit(f"no browser test: {reason}")
    print(f"skipped: {reason}")
    sys.exit(77)


try:
    import numpy as np
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError as error:
    absent(error)

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
if not BROWSER or not DRIVER:
    absent("chromium or chromedriver is not installed")

HOSTILE = "<img src=x onerror=window.intruder=1>.npy"
GREY = [150, 150, 150]


def sunder(folder, *arguments):
    subprocess.run([SUNDER, *arguments], cwd=folder, check=True)


def open_browser():
    options = Options()
    options.binary_location = BROWSER
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service(DRIVER), options=options)


class ReportInBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        sunder(cls.folder, "generate", "-q", "--shape", "24,20,16", "--rank", "2", "--density", "0.05",
               "--missing", "0.05", "-o", "D")
        shutil.copy(cls.folder / "D/T.npy", cls.folder / HOSTILE)
        sunder(cls.folder, "decompose", "-q", HOSTILE, "--rank", "2", "--method", "rtd-als",
               "--truth", "D/truth", "-o", "R")
        cls.summary = json.loads((cls.folder / "R/summary.json").read_text())
        cls.tensor = np.load(cls.folder / HOSTILE)
        cls.browser = open_browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.temporary.cleanup()

    def setUp(self):
        self.resize(1280)
        self.browser.get_log("performance")
        self.browser.get((self.folder / "R/report.html").as_uri())

    def resize(self, width):
        self.browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500})

    def run_script(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def errors(self):
        return [line for line in self.browser.get_log("browser") if line["level"] == "SEVERE"]

    def requests(self):
        events = [json.loads(line["message"])["message"] for line in self.browser.get_log("performance")]
        urls = [event["params"]["request"]["url"] for event in events
                if event["method"] == "Network.requestWillBeSent"]
        return [url for url in urls if not url.startswith("data:")]

    def charts(self):
        return self.run_script("""return [...document.querySelectorAll(".chart canvas")].map((canvas) =>
            ({label: canvas.getAttribute("aria-label"),
              sets: Chart.getChart(canvas).data.datasets.map((set) => ({label: set.label,
                  data: set.data.map((point) => [point.x, Number.isNaN(point.y) ? null : point.y])}))}))""")

    def chart(self, label):
        return next(chart for chart in self.charts() if chart["label"].startswith(label))

    def pixel(self, panel, row, column):
        return self.run_script("""const canvas = document.querySelectorAll("canvas.picture")[arguments[0]];
            return [...canvas.getContext("2d").getImageData(arguments[2], arguments[1], 1, 1).data].slice(0, 3)""",
                               panel, row, column)

    def test_opens_in_peace(self):
        self.assertEqual(self.errors(), [])
        self.assertEqual(len(self.requests()), 1)
        self.assertIsNone(self.run_script("return window.intruder ?? null"))
        self.assertEqual(self.browser.find_element(By.TAG_NAME, "h1").text, HOSTILE)
        for kind in ("curves", "table", "images"):
            self.assertTrue(self.browser.find_elements(By.CSS_SELECTOR, f"figure.{kind} > div"), kind)

    def test_foreign_scripts_do_not_run(self):
        self.run_script("""const script = document.createElement("script");
            script.textContent = "window.intruder = 1"; document.body.append(script);""")
        self.assertIsNone(self.run_script("return window.intruder ?? null"))
        self.assertTrue(any("Content Security Policy" in line["message"] for line in self.errors()))

    def test_convergence_is_the_trace(self):
        trace = self.summary["trace"]
        sets = self.chart("Change of L")["sets"]
        self.assertGreater(len(trace), 3)
        for curve, field in zip(sets, ("change", "kept_residual", "threshold", "sparse_fraction")):
            self.assertEqual([point[0] for point in curve["data"]], list(range(1, len(trace) + 1)))
            for (_, y), record in zip(curve["data"], trace):
                if record[field] and record[field] > 0:
                    self.assertAlmostEqual(y / record[field], 1, places=4)
                else:
                    self.assertIsNone(y)

    def test_convergence_along_passes(self):
        select = self.browser.find_element(By.CSS_SELECTOR, ".plot select")
        select.send_keys(Keys.ARROW_DOWN)
        passes = [point[0] for point in self.chart("Change of L")["sets"][0]["data"]]
        self.assertEqual(passes, [record["pass"] for record in self.summary["trace"]])

    def test_components_are_chosen_by_key(self):
        figure = next(one for one in self.browser.find_elements(By.CSS_SELECTOR, "figure.curves")
                      if "component " in one.text and "one curve per mode" in one.text)
        for component in range(2):
            for mode in range(3):
                shown = self.chart(f"Factor of component {component} in mode {mode}")
                factor = np.load(self.folder / f"R/factors_{mode}.npy")[:, component]
                y = [point[1] for point in shown["sets"][0]["data"]]
                np.testing.assert_allclose(y, factor, rtol=1e-5, atol=1e-9)
            figure.find_element(By.TAG_NAME, "select").send_keys(Keys.ARROW_DOWN)

    def test_slider_moves_the_slices(self):
        slider = self.browser.find_element(By.CSS_SELECTOR, "input[type=range]")
        view = self.run_script("return document.querySelector('.slider output').textContent")
        self.assertEqual(view, "index 7 of 15 in mode 2")
        canvases = self.browser.find_elements(By.CSS_SELECTOR, ".slider + .panels canvas.picture")
        self.assertEqual(len(canvases), 3)
        pictures = lambda: [self.run_script("return arguments[0].toDataURL()", one) for one in canvases]
        before = pictures()
        slider.send_keys(Keys.ARROW_RIGHT)
        after = pictures()
        for old, new in zip(before, after):
            self.assertNotEqual(old, new)
        self.assertEqual(slider.get_attribute("aria-valuetext"), "index 8 of 15 in mode 2")
        slider.send_keys(Keys.ARROW_LEFT)
        self.assertEqual(pictures(), before)

    def test_pixels_are_entries(self):
        part = self.tensor[:, :, 7]
        for row, column in np.argwhere(np.isnan(part)):
            self.assertEqual(self.pixel(0, int(row), int(column)), GREY)
            self.assertEqual(self.pixel(2, int(row), int(column)), GREY)
            self.assertNotEqual(self.pixel(1, int(row), int(column)), GREY)
        self.assertTrue(np.isnan(part).any())
        row, column = np.unravel_index(np.nanargmax(part), part.shape)
        red, _, blue = self.pixel(0, int(row), int(column))
        self.assertGreater(red, blue)
        row, column = np.unravel_index(np.nanargmin(part), part.shape)
        red, _, blue = self.pixel(0, int(row), int(column))
        self.assertLess(red, blue)

    def test_every_mode_has_slices(self):
        select = self.browser.find_element(By.CSS_SELECTOR, "figure.images select")
        select.send_keys(Keys.ARROW_UP)
        self.assertIn("in mode 1", self.browser.find_element(By.CSS_SELECTOR, ".slider output").text)
        canvas = self.browser.find_element(By.CSS_SELECTOR, "canvas.picture")
        self.assertEqual((canvas.get_attribute("width"), canvas.get_attribute("height")), ("16", "24"))

    def test_tables_are_sorted(self):
        figure = next(one for one in self.browser.find_elements(By.CSS_SELECTOR, "figure.table")
                      if "cosine" in one.text)
        first = lambda: figure.find_element(By.CSS_SELECTOR, "tbody th").text
        button = figure.find_element(By.CSS_SELECTOR, "thead button")
        button.send_keys(Keys.ENTER)
        self.assertEqual(first(), "0")
        button.send_keys(Keys.ENTER)
        self.assertEqual(first(), "1")
        self.assertEqual(figure.find_element(By.CSS_SELECTOR, "thead th").get_attribute("aria-sort"),
                         "descending")

    def test_narrow_screens_do_not_scroll_sideways(self):
        for width in (320, 390, 1280):
            self.resize(width)
            self.browser.refresh()
            self.run_script("document.querySelector('details').open = true")
            self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), width)

    def test_kinds_for_other_pages(self):
        """What this page does not use itself: bands, whiskers, pictures over others."""
        self.errors()
        result = self.run_script("""
            const section = (kind, data) => {
              const figure = document.createElement("figure");
              figure.append(document.createElement("script"));
              figure.firstChild.type = "application/json";
              document.querySelector("main").append(figure);
              sunder.kinds[kind](figure, data);
              return figure;
            };
            const plot = (spread) => ({title: "", description: "", marks: [], spread,
              x: [{label: "n", log: true}], y: {label: "error", log: true},
              curves: [{name: "a", x: [[1, 10]], y: [1, 2], low: [0.5, 1], high: [2, 4]},
                       {name: "b", x: [[1, 10]], y: [3, 0]}]});
            const band = section("curves", {choices: [], plots: [plot("band")]});
            const whiskers = section("curves", {choices: [], plots: [plot("whiskers")]});
            const axis = (label, count) => ({label, extent: count, indices: [...Array(count).keys()]});
            const stack = (name, palette, codes, over) => ({name, palette, low: 0, high: 1, over,
              codes: btoa(String.fromCharCode(...codes))});
            const images = section("images", {choice: "", first: 0, unit: "", views: [{name: "", note: "",
              frames: axis("frame", 2), rows: axis("row", 1), columns: axis("column", 2),
              stacks: [stack("video", "grey", [0, 254, 254, 0]), stack("mask", "heat", [0, 254, 0, 0], 0)]}]});
            const overlay = images.querySelectorAll("canvas.picture")[1].getContext("2d");
            const chart = (figure) => Chart.getChart(figure.querySelector("canvas"));
            return {band: chart(band).data.datasets.length, whiskers: chart(whiskers).data.datasets.length,
                    legend: chart(band).legend.legendItems.map((item) => item.text),
                    pixels: [...overlay.getImageData(0, 0, 2, 1).data]};""")
        self.assertEqual(result["band"], 4)
        self.assertEqual(result["whiskers"], 2)
        self.assertEqual(result["legend"], ["a", "b"])
        self.assertEqual(result["pixels"], [0, 0, 0, 255, 74, 12, 60, 255])
        self.assertEqual(self.errors(), [])

    def open_on_a_phone(self, name):
        """Opens a page without errors, in a window that need not scroll sideways; then widens the window."""
        self.resize(390)  # before the page opens: charts follow a later change in their own time
        self.browser.get((self.folder / name / "report.html").as_uri())
        self.assertEqual(self.errors(), [])
        self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), 390)
        self.resize(1200)

    def test_pages_of_other_commands(self):
        """They open in peace too, fit a phone, and show what their files say."""
        sunder(self.folder, "compare", "-q", "D/T.npy", "--rank", "2", "--methods",
               "robust-cp,altproj-flat", "-o", "C")
        sunder(self.folder, "reproduce", "-q", "fig1", "--quick", "--n", "20", "--runs", "1", "-o", "F")
        for name in ("C", "F"):
            with self.subTest(page=name):
                self.open_on_a_phone(name)
                if name == "C":
                    rows = json.loads((self.folder / "C/comparison.json").read_text())["rows"]
                    self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "tbody tr")),
                                     len(rows))
                if name == "F":
                    self.assertEqual(len(self.charts()), 8)

    def test_page_of_a_video(self):
        """It shows the activity of its summary, and the slider changes the picture."""
        if subprocess.run([SUNDER, "man", "video"], capture_output=True, check=False).returncode != 0:
            self.skipTest("this build leaves out video (SUNDER_VIDEO=OFF)")
        sunder(self.folder, "generate", "-q", "--model", "scene", "--shape", "40,50,30", "-o", "S")
        sunder(self.folder, "video", "-q", "S/T.npy", "-o", "V")
        self.open_on_a_phone("V")
        summary = json.loads((self.folder / "V/summary.json").read_text())
        shown = self.run_script(
            "return Object.values(Chart.instances)[0].data.datasets[0].data.map(p => p.y)")
        for seen, wanted in zip(shown, summary["activity"]["object_share"], strict=True):
            self.assertAlmostEqual(seen, wanted, places=5)
        picture = "return document.querySelector('canvas.picture').toDataURL()"
        before = self.run_script(picture)
        self.browser.find_element(By.CSS_SELECTOR, "input[type=range]").send_keys(Keys.HOME)
        self.assertNotEqual(self.run_script(picture), before)


if __name__ == "__main__":
    SUNDER = sys.argv.pop(1)
    unittest.main(verbosity=2)
