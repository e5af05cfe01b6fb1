"""The server that the tests run against, and what they can have happen there."""

import json
import os
import ssl
import threading
import unittest
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from meadow import Meadow

PROXY = os.environ.get("MEADOW_TEST_PROXY", "")
"""The server by way of a proxy on which faults happen."""


def happen(what, **order):
    """Has something happen at the server: see testing/start-world.ts."""
    address = f"{os.environ['MEADOW_TEST_CONTROL']}/{what}"
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(urllib.request.Request(address, json.dumps(order).encode())) as response:
        return json.load(response)


class WorldTest(unittest.TestCase):
    """A test with a client of its own."""

    def setUp(self):
        self.meadow = self.enter(Meadow())

    def enter(self, manager):
        """Closes it after the test."""
        value = manager.__enter__()
        self.addCleanup(manager.__exit__, None, None, None)
        return value


class QuietServer(ThreadingHTTPServer):
    """Says nothing of connections that end early, which is what some tests are about."""

    def handle_error(self, request, client_address):
        pass


class Script:
    """A server that answers requests in turn with what it is told, for what the real one does not do when asked.

    Answers are `(status, headers, body)`; a body of bytes is sent as it is. The last one is repeated. A callable is
    called with the handler and answers itself.
    """

    def __init__(self, *answers, certificate=None):
        self.requests = []
        """Path and headers of each request."""
        script = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                script.requests.append((self.path, dict(self.headers)))
                answer = answers[min(len(script.requests), len(answers)) - 1]
                if callable(answer):
                    answer(self)
                else:
                    script.send(self, answer)

            do_HEAD = do_CONNECT = do_GET

            def log_message(self, *_):
                pass

        self._server = QuietServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        scheme = "https" if certificate else "http"
        self.url = f"{scheme}://127.0.0.1:{self._server.server_address[1]}"

    def send(self, handler, answer):
        """Sends an answer."""
        status, headers, body = answer
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        if handler.command == "GET":
            handler.wfile.write(content)

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


JSON = {"Content-Type": "application/json; charset=utf-8"}
TEAM = (200, JSON, {"team": {"name": "Acme", "rootFolderId": "root-id"}})
