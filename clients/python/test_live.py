"""The Python client against a live server, whose address and keys are in the environment. Run by test/clients."""

import json
import os
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer

import assay_client as assay

URL = os.environ["ASSAY_URL"]
client = assay.Client(os.environ["ASSAY_KEY"], URL)


class Live(unittest.TestCase):
    def test_tokens_wallets_scores(self):
        token = client.list_tokens(sort="liquidity", exclude_flags=["liquidity_pulled"], limit=1).first()["data"][0]
        self.assertEqual(client.get_token(token["address"])["symbol"], token["symbol"])
        self.assertEqual(client.get_token_score(token["address"])["risk_score"], token["risk_score"])
        wallet = os.environ["ASSAY_WALLET"]
        self.assertEqual(client.get_wallet(wallet)["address"], wallet)
        self.assertEqual(client.get_wallet_score(wallet)["address"], wallet)
        events = client.list_wallet_events(wallet, type="swap").first()["data"]
        self.assertTrue(all(event["type"] == "swap" for event in events))

    def test_every_item_of_every_page_once(self):
        ids = [event["id"] for event in client.list_events(limit=150)]
        self.assertEqual(len(ids), client.list_events().first()["total"])
        self.assertEqual(len(set(ids)), len(ids))
        self.assertEqual([event["id"] for event in client.list_events(limit=150, order="asc")], ids[::-1])

    def test_lists_of_a_token_and_a_wallet(self):
        token = client.list_tokens(sort="liquidity", limit=1).first()["data"][0]
        address, wallet = token["address"], os.environ["ASSAY_WALLET"]
        self.assertIn(address, [found["address"] for found in client.search(token["symbol"])["tokens"]])
        self.assertEqual(client.get_token_safety(address)["symbol"], token["symbol"])
        self.assertEqual(client.ask_gate(address, amount_usd=5)["token"], address)
        self.assertEqual(client.check_token(address)["symbol"], token["symbol"])
        self.assertEqual([found["address"] for found in client.list_tokens(addresses=[address])], [address])
        self.assertGreater(len(list(client.list_token_holders(address))), 0)
        self.assertGreater(len(list(client.list_token_pools(address))), 0)
        self.assertEqual(client.list_token_candles(address, interval="d1", fill=False, limit=5).csv().split(",")[0], "start")
        self.assertLessEqual(len(client.list_token_traders(address, limit=3).first()["data"]), 3)
        self.assertEqual(client.list_wallets(sort="trade_count", order="asc", limit=1).first()["limit"], 1)
        self.assertGreaterEqual(len(list(client.list_wallet_positions(wallet, status="all"))), 1)
        self.assertIn("share_pct", client.list_wallet_liquidity(wallet).csv())
        self.assertEqual(client.get_me()["plan"], "api")

    def test_alerts(self):
        made = client.create_alert({"name": "From Python", "conditions": {"max_risk_score": 30}})
        self.assertEqual(client.update_alert(made["id"], {"status": "paused"})["status"], "paused")
        client.delete_alert(made["id"])
        with self.assertRaises(assay.NotFoundError):
            client.get_alert(made["id"])

    def test_policies_of_the_gate(self):
        made = client.create_gate_policy({"name": "py", "rules": "wash_trading:block"})
        self.assertEqual(client.get_gate_policy("py"), made)
        self.assertEqual(client.update_gate_policy("py", {"bounds": "strict"})["bounds"], "strict")
        self.assertIn("py", [policy["name"] for policy in client.list_gate_policies()])
        self.assertIn("Nothing is known", client.backtest_gate(policy="py", age_hours=2)["summary"])
        client.delete_gate_policy("py")
        with self.assertRaises(assay.NotFoundError):
            client.get_gate_policy("py")

    def test_backtest(self):
        answer = client.backtest_alert({"conditions": {"max_risk_score": 30}})
        self.assertEqual((answer["match_count"], answer["kept_since"], answer["matches"]), (0, None, []))

    def test_errors_are_classes_with_every_fault(self):
        with self.assertRaises(assay.UnauthorizedError):
            assay.Client("assay_live_x", URL).list_tokens().first()
        with self.assertRaises(assay.InvalidParamsError) as refused:
            client.list_tokens(limit=0, max_risk_score=300).first()
        self.assertEqual(sorted(fault["field"] for fault in refused.exception.details), ["limit", "max_risk_score"])

    def test_waits_as_long_as_retry_after_says(self):
        waits = []

        class Stop(Exception):
            pass

        def sleep(seconds):
            waits.append(seconds)
            raise Stop

        narrow = assay.Client(os.environ["ASSAY_NARROW_KEY"], URL, sleep=sleep)
        with self.assertRaises(Stop):
            for _ in range(3):
                narrow.list_tokens().first()
        self.assertEqual(waits, [60])
        with self.assertRaises(assay.RateLimitedError):
            assay.Client(os.environ["ASSAY_NARROW_KEY"], URL, max_wait=10).list_tokens().first()


class Broken(unittest.TestCase):
    """A server that answers each request with the next of some texts."""

    def serve(self, answers):
        asked = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                status, text, *link = answers.pop(0)
                self.send_response(status)
                for path in link:
                    self.send_header("Link", f'<{path}>; rel="next"')
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_):
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.waits = []
        return asked, assay.Client("k", f"http://127.0.0.1:{server.server_port}", sleep=self.waits.append)

    def test_asks_again_with_growing_pauses(self):
        page = '{"data": [], "total": 0, "page": 1, "limit": 50}'
        _, again = self.serve([(502, ""), (500, "not json"), (200, page)])
        self.assertEqual(again.list_tokens().first()["total"], 0)
        self.assertEqual(self.waits, [0.25, 0.5])

    def test_follows_the_links_of_a_list_and_gives_each_item_once(self):
        def page(link, *places):
            return 200, json.dumps({"data": [{"id": place} for place in places], "total": 3, "page": 1, "limit": 2}), *link

        asked, reader = self.serve([page(["/v1/alerts?page=2"], "a", "b"), page([], "b", "c")])
        self.assertEqual([alert["id"] for alert in reader.list_alerts()], ["a", "b", "c"])
        self.assertEqual(asked, ["/v1/alerts?limit=200", "/v1/alerts?page=2"])

    def test_goes_on_with_the_stream_from_the_last_id(self):
        asked, reader = self.serve(
            [
                (200, 'retry: 3000\nid: 1-0-0.0\n: welcome\n\nid: 2-0-0.0\ndata: {"id": "2-0-0", "retracted": false}\n\n'),
                (200, 'id: 2-0-0.1\ndata: {"id": "2-0-0", "retracted": true}\n\n'),
                (200, 'event: end\ndata: {"reason": "leaving", "resume": "4-0-0.1"}\n\n'),
                (200, 'event: end\ndata: {"reason": "replaced", "message": "another took over"}\n\n'),
            ]
        )
        got = []
        with self.assertRaises(assay.StreamEnded) as ended:
            for event in reader.stream_events(type="swap"):
                got.append((event["id"], event["retracted"]))
        self.assertEqual(ended.exception.reason, "replaced")
        self.assertEqual(got, [("2-0-0", False), ("2-0-0", True)])
        self.assertEqual([path.split("after=")[-1] for path in asked[1:]], ["2-0-0.0", "2-0-0.1", "4-0-0.1"])


if __name__ == "__main__":
    unittest.main()
