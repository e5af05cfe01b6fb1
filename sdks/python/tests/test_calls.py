"""Calls, their results and their errors, against the real service."""

import pickle
import unittest

import meadow
from meadow import Meadow, MeadowError
from world import JSON, TEAM, Script, WorldTest, happen


class Endpoints(WorldTest):
    def test_every_endpoint_is_a_method_that_returns_what_the_service_has(self):
        document_id = happen("createDocument", name="Endpoints", content="tubes", path=["Endpoints"])
        happen("solve", document=document_id)
        team = self.meadow.read_team()
        self.assertEqual(team["name"], "Acme")
        root = self.meadow.read_folder("root")
        self.assertEqual(root["id"], team["rootFolderId"])
        found = self.meadow.search_documents(q="ENDPOINTS", folder_id="root")
        self.assertEqual([each["id"] for each in found["documents"]], [document_id])
        self.assertFalse(found["truncated"])
        folder = self.meadow.read_folder(found["documents"][0]["folder"]["id"])
        self.assertEqual([each["name"] for each in folder["documents"]], ["Endpoints"])
        document = self.meadow.read_document(document_id)
        self.assertIn("Tubes", [node["nickName"] for node in document["nodes"].values()])
        values = self.meadow.read_solution(document_id)
        self.assertFalse(values["includesGeometry"])
        self.assertTrue(self.meadow.read_solution(document_id, include_geometry=True)["includesGeometry"])
        objects = self.meadow.read_solution(document_id, format="bimz")
        self.assertEqual(objects["solutionId"], values["data"]["solutionId"])
        export = self.meadow.request_export(document_id, format=".3dm", modeler_version=7)
        self.assertEqual((export["fileName"], export["archiveVersion"]), ("Endpoints.3dm", 7))

    def test_parts_are_asked_for_with_lists(self):
        document_id = happen("createDocument", name="Parts", content="tubes", path=["Parts", "Inner"])
        happen("solve", document=document_id)
        part = self.meadow.read_document(document_id, nodes=["name:Tubes", "nothing"], fields=["nodes"])
        self.assertEqual([node["nickName"] for node in part["nodes"].values()], ["Tubes"])
        self.assertEqual((set(part), part["notFound"]), ({"id", "nodes", "notFound"}, {"nodes": ["nothing"]}))
        values = self.meadow.read_solution(document_id, nodes=list(part["nodes"]))
        self.assertEqual(set(values["data"]), {"solutionId", *part["nodes"]})
        parts = next(each for each in self.meadow.read_folder("root", depth=2)["folders"] if each["name"] == "Parts")
        self.assertEqual([each["name"] for each in parts["folders"]], ["Inner"])

    def test_an_id_cannot_lead_to_another_address(self):
        for document_id in ("../team", "..", ".", "a/b", "?q=1", "%2e%2e"):
            with self.subTest(document_id), self.assertRaises(meadow.NotFound):
                self.meadow.read_document(document_id)
        for document_id in ("", None, 7):
            with self.subTest(document_id), self.assertRaises(MeadowError):
                self.meadow.read_document(document_id)


class Errors(WorldTest):
    def test_each_status_has_a_class(self):
        unsolved = happen("createDocument", name="Unsolved")
        failed = happen("createDocument", name="Failed", content="numbers")
        happen("failSolve", document=failed, reason="For this test.")
        running = happen("createDocument", name="Running", content="numbers")
        happen("beginSolve", document=running)
        self.addCleanup(happen, "endSolve", document=running)
        few = self.enter(Meadow(token=happen("createToken", scopes=["team:read"])["secret"]))
        revoked = happen("createToken")
        happen("revokeToken", token=revoked["id"])
        cases = [
            (meadow.Solving, 202, lambda: self.meadow.read_solution(running)),
            (meadow.BadRequest, 400, lambda: self.meadow.read_solution(unsolved, format="pdf")),
            (meadow.Unauthenticated, 401, lambda: Meadow(token=revoked["secret"]).read_team()),
            (meadow.Forbidden, 403, lambda: few.read_folder("root")),
            (meadow.NotFound, 404, lambda: self.meadow.read_document("nothing")),
            (meadow.NotSolved, 409, lambda: self.meadow.read_solution(unsolved)),
            (meadow.SolveFailed, 502, lambda: self.meadow.read_solution(failed)),
        ]
        for cls, status, call in cases:
            with self.subTest(cls.__name__):
                with self.assertRaises(cls) as caught:
                    call()
                error = caught.exception
                self.assertIs(type(error), cls)
                self.assertEqual(error.status, status)
                self.assertTrue(error.message.endswith("."), error.message)
                self.assertTrue(error.request_id)
                self.assertIn(error.message, str(error))
                self.assertIn(error.request_id, str(error))

    def test_an_error_has_no_query_and_no_token_and_can_be_passed_to_another_process(self):
        with self.assertRaises(meadow.BadRequest) as caught:
            self.meadow.read_solution("doc_of_the_query", format="pdf")
        error = caught.exception
        copy = pickle.loads(pickle.dumps(error))
        self.assertIsInstance(copy, meadow.BadRequest)
        self.assertEqual(vars(copy), vars(error))
        for text in (str(error), repr(error), error.url, repr(self.meadow)):
            self.assertNotIn("pdf", text)
            self.assertNotIn("mdw_", text)

    def test_what_is_not_the_api_is_named_as_that(self):
        page = (200, {"Content-Type": "text/html"}, b"<html>Not found</html>")
        elsewhere = (301, {"Location": "https://elsewhere.example.org/api/v1/team?x=1"}, b"")
        for answers, words in [
            ((page,), "is base_url right?"),
            (((200, JSON, []),), "is base_url right?"),
            (((200, JSON, {"other": 1}),), "lacks 'team'"),
            ((elsewhere,), "redirects to https://elsewhere.example.org/api/v1/team: use that"),
        ]:
            with self.subTest(words), Script(*answers) as script, Meadow(script.url, "t") as client:
                with self.assertRaisesRegex(meadow.BadAnswer, words.replace("?", r"\?")):
                    client.read_team()

    def test_what_a_proxy_says_is_nothing_about_a_document(self):
        for status in (404, 409, 410, 502):
            page = (status, {"Content-Type": "text/html"}, b"<html>No backend</html>")
            with self.subTest(status), Script(page) as script, Meadow(script.url, "t", retries=0) as client:
                for call in (client.read_solution, client.wait_for_solution):
                    with self.assertRaisesRegex(meadow.ApiError, "not as Meadow does") as caught:
                        call("d")
                    self.assertIs(type(caught.exception), meadow.ApiError)

    def test_a_status_without_a_class_is_an_api_error(self):
        with Script((418, {"X-Request-Id": "r1"}, b"short")) as script, Meadow(script.url, "t") as client:
            with self.assertRaises(meadow.ApiError) as caught:
                client.read_team()
        self.assertIs(type(caught.exception), meadow.ApiError)
        self.assertEqual((caught.exception.status, caught.exception.request_id), (418, "r1"))


class Raw(WorldTest):
    def test_a_raw_request_returns_any_status(self):
        found = self.meadow.request("/documents", query={"q": "no such name"})
        self.assertEqual((found.status, found.json()["documents"]), (200, []))
        again = self.meadow.request("documents?q=no%20such%20name", headers={"If-None-Match": found.headers["etag"]})
        self.assertEqual((again.status, again.content), (304, b""))
        missing = self.meadow.request("/api/v1/documents/nothing")
        self.assertEqual(missing.status, 404)
        with self.assertRaises(meadow.NotFound):
            missing.raise_for_status()
        head = self.meadow.request("/team", method="HEAD")
        self.assertEqual((head.status, head.content), (200, b""))
        self.assertEqual(self.meadow.request("/team").json()["team"]["name"], "Acme")

    def test_a_raw_request_stays_in_the_api(self):
        for path in ("/../healthz", "/documents/%2e%2e/%2e%2e/x", "/team#x"):
            with self.subTest(path), self.assertRaisesRegex(MeadowError, "leads out of the API"):
                self.meadow.request(path)


class Settings(unittest.TestCase):
    def test_an_address_may_have_the_prefix_a_path_and_a_slash(self):
        for given, used in [
            ("https://m.example.org/", "https://m.example.org"),
            ("https://m.example.org/api/v1/", "https://m.example.org"),
            ("http://localhost:4000/meadow", "http://localhost:4000/meadow"),
        ]:
            self.assertEqual(Meadow(given, "t").base_url, used)

    def test_what_cannot_be_an_address_or_token_is_refused_without_showing_the_token(self):
        for base_url, token in [
            ("m.example.org", "t"),
            ("ftp://x", "t"),
            ("https://x?a", "t"),
            ("https://x", "to ken\n!"),
        ]:
            with self.subTest(base_url), self.assertRaises(MeadowError) as caught:
                Meadow(base_url, token)
            self.assertNotIn("to ken", str(caught.exception))

    def test_the_token_is_sent_with_an_agent_and_to_a_path_below_the_address(self):
        with Script(TEAM) as script, Meadow(f"{script.url}/below", " t1\n", user_agent="nightly/1") as client:
            client.read_team()
        path, headers = script.requests[0]
        self.assertEqual(path, "/below/api/v1/team")
        self.assertEqual(headers["Authorization"], "Bearer t1")
        self.assertEqual(headers["User-Agent"], f"nightly/1 meadow-python/{meadow.__version__}")
