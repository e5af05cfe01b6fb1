"""Downloads, against the real service and its links."""

import concurrent.futures
import hashlib
import io
import os
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

import meadow
from meadow import Meadow
from world import JSON, PROXY, Script, WorldTest, happen

CONTENT = os.urandom(300_000)


class Downloads(WorldTest):
    def setUp(self):
        super().setUp()
        self.folder = Path(self.enter(tempfile.TemporaryDirectory()))

    @classmethod
    def setUpClass(cls):
        cls.document_id = happen("createDocument", name="File: a/b", content="tubes")
        happen("solve", document=cls.document_id)

    def test_a_file_is_downloaded_to_a_path_a_folder_and_a_file_object(self):
        named = self.meadow.download(self.document_id, self.folder / "new" / "x.gh", format=".gh")
        self.assertEqual(named.path, self.folder / "new" / "x.gh")
        content = named.path.read_bytes()
        self.assertEqual(hashlib.sha256(content).hexdigest(), named.export["sha256"])
        seen = []
        into = self.meadow.download(
            self.document_id,
            str(self.folder),
            format=".3dm",
            modeler_version=7,
            on_progress=lambda *at: seen.append(at),
        )
        self.assertEqual((into.path.parent, into.path.suffix), (self.folder, ".3dm"))
        self.assertNotIn("/", into.path.name)
        self.assertEqual(into.path.stat().st_size, into.export["size"])
        self.assertEqual((into.export["archiveVersion"], seen[-1]), (7, (into.export["size"],) * 2))
        file = io.BytesIO(b"before")
        file.seek(0, io.SEEK_END)
        self.assertIsNone(self.meadow.download(self.document_id, file, format=".gh").path)
        self.assertEqual(file.getvalue(), b"before" + content)
        self.assertEqual([path.name for path in self.folder.iterdir() if path.name.endswith(".part")], [])

    def test_a_link_gets_no_token(self):
        # The service refuses downloads with one.
        client = self.enter(Meadow(retries=0))
        client.download(self.document_id, self.folder, format=".gh")

    def test_a_download_that_was_interrupted_goes_on_with_what_is_missing(self):
        path = self.folder / "whole.gh"
        size = self.meadow.download(self.document_id, path, format=".gh").export["size"]
        content = path.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        # What a run left that was killed.
        part = self.folder / f".again.gh.{digest[:16]}.part"
        part.write_bytes(content[: size // 2])
        seen = []
        again = self.meadow.download(
            self.document_id, self.folder / "again.gh", format=".gh", on_progress=lambda *at: seen.append(at)
        )
        self.assertEqual(again.path.read_bytes(), content)
        self.assertGreater(seen[0][0], size // 2)
        self.assertFalse(part.exists())
        # Damaged, and longer than the file.
        for left in (b"\0" * (size // 2), b"\0" * size, b"\0" * (size + 1)):
            part.write_bytes(left)
            self.meadow.download(self.document_id, self.folder / "again.gh", format=".gh")
            self.assertEqual(again.path.read_bytes(), content)

    def test_a_download_goes_on_in_every_way_that_a_connection_can_end(self):
        def half(handler):
            start = int(handler.headers.get("Range", "bytes=0-")[6:-1])
            end = min(start + 100_000, len(CONTENT))
            handler.send_response(206 if start else 200)
            handler.send_header("Content-Length", str(len(CONTENT) - start))
            handler.end_headers()
            handler.wfile.write(CONTENT[start:end])
            handler.close_connection = True

        links = [half, (503, {"Retry-After": "0"}, b""), half, (410, JSON, {"error": "This link has ended."}), half]
        with Exports(links) as exports, Meadow(exports.url, "t", retries=2) as client:
            with mock.patch("meadow._core.random.random", return_value=0.0):
                done = client.download("d", self.folder, format=".gh")
        self.assertEqual(done.path.read_bytes(), CONTENT)
        ranges = [headers.get("Range") for path, headers in exports.requests if path == "/link"]
        self.assertEqual(ranges, [None, "bytes=100000-", "bytes=100000-", "bytes=200000-", "bytes=200000-"])
        self.assertEqual([path for path, _ in exports.requests].count("/api/v1/documents/d/export?format=.gh"), 3)

    def test_two_downloads_of_a_file_to_one_place_at_once_are_both_whole(self):
        both_asked = threading.Barrier(2)

        def send(handler):
            both_asked.wait(60)
            handler.send_response(200)
            handler.send_header("Content-Length", str(len(CONTENT)))
            handler.end_headers()
            handler.wfile.write(CONTENT)

        with Exports([send]) as exports, Meadow(exports.url, "t") as client:
            with concurrent.futures.ThreadPoolExecutor() as threads:
                downloads = [threads.submit(client.download, "d", self.folder, format=".gh") for _ in range(2)]
                paths = {download.result().path for download in downloads}
        self.assertEqual(list(self.folder.iterdir()), list(paths))
        self.assertEqual(paths.pop().read_bytes(), CONTENT)

    def test_a_file_object_has_nothing_left_of_another_file(self):
        ends = [(206, {"Content-Range": f"bytes 0-9/{len(CONTENT)}"}, b"\1" * 10), (200, {}, CONTENT)]
        with Exports(ends) as exports, Meadow(exports.url, "t") as client:
            file = io.BytesIO()
            with mock.patch("meadow._core.random.random", return_value=0.0):
                client.download("d", file, format=".gh")
        self.assertEqual(file.getvalue(), CONTENT)

    def test_a_link_may_redirect_to_a_bucket(self):
        links = [(302, {"Location": "/bucket"}, b""), (200, {}, CONTENT)]
        with Exports(links) as exports, Meadow(exports.url, "t") as client:
            client.download("d", self.folder / "x", format=".gh")
        self.assertEqual([path for path, _ in exports.requests][1:], ["/link", "/bucket"])
        self.assertTrue(all("Authorization" not in headers for path, headers in exports.requests[1:]))

    def test_other_bytes_than_the_digest_names_are_never_at_the_target(self):
        with Exports([(200, {}, b"\0" * len(CONTENT))]) as exports, Meadow(exports.url, "t") as client:
            with self.assertRaises(meadow.FileChanged):
                client.download("d", self.folder / "x.gh", format=".gh")
        self.assertFalse((self.folder / "x.gh").exists())

    def test_interruptions_without_a_byte_end_the_download(self):
        gone = (503, {"Retry-After": "0"}, b"")
        with Exports([gone]) as exports, Meadow(exports.url, "t", retries=2) as client:
            with mock.patch("meadow._core.random.random", return_value=0.0):
                with self.assertRaises(meadow.ApiError) as caught:
                    client.download("d", self.folder / "x.gh", format=".gh")
        self.assertEqual(caught.exception.status, 503)
        self.assertEqual([path for path, _ in exports.requests].count("/link"), 3)

    def test_a_real_connection_that_is_cut_is_followed_by_another(self):
        client = self.enter(Meadow(PROXY))
        cut = []

        def on_progress(received, total):
            if not cut:
                cut.append(received)
                happen("cut")

        done = client.download(self.document_id, self.folder / "x.3dm", format=".3dm", on_progress=on_progress)
        self.assertEqual(hashlib.sha256(done.path.read_bytes()).hexdigest(), done.export["sha256"])
        self.assertLessEqual(cut[0], done.export["size"])

    def test_a_file_that_does_not_exist_yet_is_an_error_of_its_document(self):
        unsolved = happen("createDocument", name="Unsolved file")
        with self.assertRaises(meadow.NotSolved):
            self.meadow.download(unsolved, self.folder, format=".3dm")
        self.assertEqual(list(self.folder.iterdir()), [])


class HostileExports(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def download(self, links=((200, {}, CONTENT),), **lies):
        with Exports(links, **lies) as script, Meadow(script.url, "t", retries=0) as client:
            return client.download("doc", self.folder, format=".gh").path

    def test_an_export_without_a_link_a_size_or_a_digest_is_a_bad_answer(self):
        for lies in [
            {"url": "file:///etc/passwd"},
            {"url": "http://127.0.0.1:port/"},
            {"sha256": "/../../../../x"},
            {"size": -1},
            {"size": True},
            {"fileName": None},
        ]:
            with self.subTest(lies), self.assertRaises(meadow.BadAnswer):
                self.download(**lies)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_link_that_leads_to_a_file_is_not_followed(self):
        with self.assertRaises(meadow.BadAnswer):
            self.download([(302, {"Location": "file:///etc/passwd"}, b"")])

    def test_a_file_is_in_its_folder_and_has_the_ending_of_its_format(self):
        for name, expected in [("../../.profile", "_.._.._.profile.gh"), ("..", "_.gh"), ("x\x1b\x9b.gh", "x__.gh")]:
            self.assertEqual(self.download(fileName=name), self.folder / expected)

    @unittest.skipUnless(hasattr(os, "O_NOFOLLOW"), "Windows has other links")
    def test_a_link_in_place_of_a_part_is_not_written_through(self):
        mine = self.folder / "mine"
        mine.write_bytes(b"mine")
        digest = hashlib.sha256(CONTENT).hexdigest()
        (self.folder / f".Tower.gh.{digest[:16]}.part").symlink_to(mine)
        with self.assertRaises(OSError):
            self.download()
        self.assertEqual(mine.read_bytes(), b"mine")


class Exports(Script):
    """Offers CONTENT as an export, whose link answers in turn with what it is told."""

    def __init__(self, links, **lies):
        links = list(links)
        lock = threading.Lock()

        def answer(handler):
            if handler.path.startswith("/api/"):
                export = {
                    "url": f"{self.url}/link",
                    "fileName": "Tower.gh",
                    "size": len(CONTENT),
                    "sha256": hashlib.sha256(CONTENT).hexdigest(),
                    **lies,
                }
                return self.send(handler, (200, JSON, {"export": export}))
            with lock:
                link = links.pop(0) if len(links) > 1 else links[0]
            return link(handler) if callable(link) else self.send(handler, link)

        super().__init__(answer)
