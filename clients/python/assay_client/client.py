"""The client: a method for each operation of the API. The answers are the types of ``types.py``."""

from __future__ import annotations

import json
import re
import time
import uuid
from http.client import HTTPException
from typing import Any, Callable, Generic, Iterator, Mapping, Sequence, TypeVar, Union, cast
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

from . import types
from .errors import to_error

Value = Union[str, int, float, Sequence[str], None]
Item = TypeVar("Item")

_FIRST_PAUSE = 0.25
_LONGEST_PAUSE = 30.0
_PASSING = {"leaving", "failed", "slow"}
"""After these the same stream can go on at once."""
_MOST_BYTES = 1_000_000
"""A line of a stream that is longer is no event of ours."""


class StreamEnded(Exception):
    """The server ended the stream for a reason for which connecting again would not help."""

    def __init__(self, reason: str, message: str | None = None, resume: str | None = None) -> None:
        super().__init__(message or f"The stream ended: {reason}.")
        self.reason = reason
        self.resume = resume
        """Where a later stream can go on."""


class Pages(Generic[Item]):
    """A list: ``first()`` is one page, iterating gives every item of every page, and ``csv()`` is one page as CSV."""

    def __init__(self, client: Client, path: str, query: Mapping[str, Value]) -> None:
        self._client = client
        self._path = path
        self._query = query

    def first(self) -> types.Page[Item]:
        """The page that was asked for."""
        return cast("types.Page[Item]", self._client._json("GET", self._path, self._query))

    def csv(self) -> str:
        """The page that was asked for, as CSV."""
        with self._client._send("GET", self._path, self._query, {"Accept": "text/csv"}) as response:
            return cast(bytes, response.read()).decode()

    def __iter__(self) -> Iterator[Item]:
        told: set[Any] = set()
        path: str | None = self._path
        query: Mapping[str, Value] = {**self._query, "limit": self._query.get("limit") or 200}
        while path is not None:
            with self._client._send("GET", path, query) as response:
                found = _NEXT.match(response.headers.get("Link") or "")
                items = json.load(response)["data"]
            for item in items:
                # New items move others to later pages: those are not told twice.
                if _is_new(item, told):
                    yield item
            path, query = (found[1] if found else None), {}


_NEXT = re.compile(r'</v1([^>]+)>; rel="next"')
"""The header Link of a page that another page follows."""
_EVENT_ID = re.compile(r"\d+-\d+-\d+")


def _is_new(item: Mapping[str, Any], told: set[Any]) -> bool:
    """Whether an item was not told before. The pages of events continue at an event, so nothing comes twice; of other lists
    every item is remembered."""
    identity = item.get("id") or item.get("address")
    if identity is None or _EVENT_ID.fullmatch(identity):
        return True
    if identity in told:
        return False
    told.add(identity)
    return True


class Client:
    """A client; it keeps no state and no connection of its own.

    It tries again after 429 and 503 when ``Retry-After`` is at most ``max_wait`` seconds, and after other failures of the
    server or the network with a growing pause, ``retries`` times in all.
    """

    def __init__(
        self,
        key: str,
        base_url: str = "http://127.0.0.1:4000",
        *,
        retries: int = 3,
        max_wait: float = 60,
        timeout: float = 30,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._base = base_url.rstrip("/").removesuffix("/v1") + "/v1"
        self._key = key
        self._retries = retries
        self._max_wait = max_wait
        self._timeout = timeout
        self._sleep = sleep

    def list_tokens(
        self,
        *,
        sort: types.TokenSort | None = None,
        min_liquidity_usd: float | None = None,
        max_market_cap_usd: float | None = None,
        min_market_cap_usd: float | None = None,
        max_risk_score: float | None = None,
        exclude_flags: Sequence[types.RiskFlag] | None = None,
        min_holder_growth_1h_pct: float | None = None,
        max_age_hours: float | None = None,
        addresses: Sequence[str] | None = None,
        as_of: int | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Pages[types.Token]:
        """Lists tokens that pass every filter."""
        query = {name: value for name, value in locals().items() if name != "self"}
        return self._list("/tokens", query)

    def get_token(self, address: str) -> types.TokenProfile:
        """One token with its largest holders."""
        return cast("types.TokenProfile", self._json("GET", f"/tokens/{_part(address)}"))

    def search(self, query: str, *, limit: int | None = None) -> types.Search:
        """Tokens by symbol, name or the start of their address, and wallets by the start of theirs."""
        return cast("types.Search", self._json("GET", "/search", {"query": query, "limit": limit}))

    def get_token_safety(self, address: str) -> types.TokenSafety:
        """The powers over holders in a token's contract, and whether it can be sold."""
        return cast("types.TokenSafety", self._json("GET", f"/tokens/{_part(address)}/safety"))

    def check_token(self, address: str) -> types.TokenCheckPayload:
        """Checks the contract now, and waits up to 15 s. It costs ten requests."""
        return cast("types.TokenCheckPayload", self._json("POST", f"/tokens/{_part(address)}/check"))

    def get_token_launch(
        self, address: str, *, page: int | None = None, limit: int | None = None
    ) -> types.TokenLaunchGroups:
        """Who was there at the launch: snipers, bundlers, insiders, the developer and fresh wallets."""
        query = {"page": page, "limit": limit}
        return cast("types.TokenLaunchGroups", self._json("GET", f"/tokens/{_part(address)}/launch", query))

    def ask_gate(
        self,
        token: str,
        *,
        action: types.GateAction | None = None,
        amount_usd: float | None = None,
        policy: str | None = None,
        rules: str | None = None,
    ) -> types.Gate:
        """Whether a bot may buy a token now. It costs five requests."""
        query = {"token": token, "action": action, "amount_usd": amount_usd, "policy": policy, "rules": rules}
        return cast("types.Gate", self._json("GET", "/gate", query))

    def backtest_gate(
        self,
        *,
        amount_usd: float | None = None,
        policy: str | None = None,
        rules: str | None = None,
        age_hours: int | None = None,
    ) -> types.GateBacktest:
        """What the gate would have said of the past month's new tokens. It costs five requests."""
        query = {"amount_usd": amount_usd, "policy": policy, "rules": rules, "age_hours": age_hours}
        return cast("types.GateBacktest", self._json("GET", "/gate/backtest", query))

    def list_gate_policies(self, *, page: int | None = None, limit: int | None = None) -> Pages[types.GatePolicy]:
        """Your saved policies of the gate, by name."""
        return self._list("/gate/policies", {"page": page, "limit": limit})

    def get_gate_policy(self, name: str) -> types.GatePolicy:
        """One saved policy of the gate."""
        return cast("types.GatePolicy", self._json("GET", f"/gate/policies/{_part(name)}"))

    def create_gate_policy(
        self, body: types.CreateGatePolicyInput, *, idempotency_key: str | None = None
    ) -> types.GatePolicy:
        """Saves a policy of the gate. Safe to try again."""
        return cast("types.GatePolicy", self._post_once("/gate/policies", idempotency_key, body))

    def update_gate_policy(self, name: str, body: types.UpdateGatePolicyInput) -> types.GatePolicy:
        """Changes a saved policy of the gate."""
        return cast("types.GatePolicy", self._json("PATCH", f"/gate/policies/{_part(name)}", body=body))

    def delete_gate_policy(self, name: str) -> None:
        """Deletes a saved policy of the gate."""
        self._send("DELETE", f"/gate/policies/{_part(name)}").close()

    def list_token_holders(
        self, address: str, *, page: int | None = None, limit: int | None = None
    ) -> Pages[types.TokenHolder]:
        """The holders of a token, the largest first."""
        return self._list(f"/tokens/{_part(address)}/holders", {"page": page, "limit": limit})

    def list_token_pools(self, address: str, *, page: int | None = None, limit: int | None = None) -> Pages[types.TokenPool]:
        """The pools of a token with their locks, the deepest first."""
        return self._list(f"/tokens/{_part(address)}/pools", {"page": page, "limit": limit})

    def list_token_candles(
        self,
        address: str,
        *,
        interval: types.Interval | None = None,
        begin: str | None = None,
        end: str | None = None,
        fill: bool | None = None,
        limit: int | None = None,
    ) -> Pages[types.Candle]:
        """The prices and trades of a token by interval, oldest first. `begin` and `end` are the times `from` and `to`."""
        query: dict[str, Value] = {"interval": interval, "from": begin, "to": end, "limit": limit or 168}
        if fill is not None:
            query["fill"] = "true" if fill else "false"
        return self._list(f"/tokens/{_part(address)}/candles", query)

    def list_token_traders(
        self, address: str, *, sort: types.TraderOrder | None = None, limit: int | None = None
    ) -> Pages[types.Trader]:
        """The traders of a token with the most profit, loss or volume."""
        return self._list(f"/tokens/{_part(address)}/traders", {"sort": sort, "limit": limit})

    def list_wallets(
        self,
        *,
        sort: types.WalletOrder | None = None,
        order: types.Order | None = None,
        classification: Sequence[types.Classification] | None = None,
        kind: Sequence[types.WalletKind] | None = None,
        min_reputation_score: float | None = None,
        min_confidence: types.Confidence | None = None,
        min_trade_count: int | None = None,
        min_closed_position_count: int | None = None,
        min_realised_usd: float | None = None,
        traded_since: str | None = None,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Pages[types.ListedWallet]:
        """Lists wallets that pass every filter, by reputation, profit or trades. A `total` that is not known is None."""
        query = {name: value for name, value in locals().items() if name != "self"}
        return self._list("/wallets", query)

    def list_wallet_positions(
        self,
        address: str,
        *,
        status: types.PositionStatus | None = None,
        sort: types.PositionOrder | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Pages[types.WalletPosition]:
        """The tokens that a wallet holds or held, with cost and profit."""
        query: dict[str, Value] = {"status": status, "sort": sort, "page": page, "limit": limit}
        return self._list(f"/wallets/{_part(address)}/positions", query)

    def list_wallet_liquidity(self, address: str, *, limit: int | None = None) -> Pages[types.LiquidityPosition]:
        """The shares of pools that a wallet holds or held, the most valuable first."""
        return self._list(f"/wallets/{_part(address)}/liquidity", {"limit": limit})

    def get_me(self) -> types.Me:
        """Your plan, its limits and your usage by day."""
        return cast("types.Me", self._json("GET", "/me"))

    def get_wallet(self, address: str) -> types.Wallet:
        """One wallet with its portfolio."""
        return cast("types.Wallet", self._json("GET", f"/wallets/{_part(address)}"))

    def list_wallet_events(
        self,
        address: str,
        *,
        type: types.EventType | None = None,
        since: str | None = None,
        until: str | None = None,
        after: str | None = None,
        before: str | None = None,
        order: types.Order | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Pages[types.WalletEvent]:
        """The events of one wallet, newest first, or oldest first with the order `asc`."""
        query = {name: value for name, value in locals().items() if name not in ("self", "address")}
        return self._list(f"/wallets/{_part(address)}/events", query)

    def list_events(
        self,
        *,
        type: types.EventType | None = None,
        token_address: str | None = None,
        wallet_address: str | None = None,
        since: str | None = None,
        until: str | None = None,
        after: str | None = None,
        before: str | None = None,
        order: types.Order | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Pages[types.Event]:
        """The events of all tokens and wallets, newest first, or oldest first with the order `asc`."""
        query = {name: value for name, value in locals().items() if name != "self"}
        return self._list("/events", query)

    def get_token_score(self, address: str) -> types.TokenScore:
        """The risk of a token with its dimensions."""
        return cast("types.TokenScore", self._json("GET", f"/scores/token/{_part(address)}"))

    def get_wallet_score(self, address: str) -> types.WalletScore:
        """The reputation of a wallet with its dimensions."""
        return cast("types.WalletScore", self._json("GET", f"/scores/wallet/{_part(address)}"))

    def list_alerts(
        self, *, status: types.AlertStatus | None = None, page: int | None = None, limit: int | None = None
    ) -> Pages[types.Alert]:
        """Your alerts, newest first."""
        return self._list("/alerts", {"status": status, "page": page, "limit": limit})

    def get_alert(self, id: str) -> types.Alert:
        """One alert."""
        return cast("types.Alert", self._json("GET", f"/alerts/{_part(id)}"))

    def create_alert(self, body: types.CreateAlertInput, *, idempotency_key: str | None = None) -> types.NewAlert:
        """Makes an active alert. Safe to try again: without an ``idempotency_key`` of yours the client makes one."""
        return cast("types.NewAlert", self._post_once("/alerts", idempotency_key, body))

    def backtest_alert(self, body: types.BacktestInput) -> types.Backtest:
        """What an alert with these conditions would have told in the past month. Costs five requests."""
        return cast("types.Backtest", self._json("POST", "/alerts/backtest", body=body))

    def run_sql(self, query: str) -> types.SqlAnswer:
        """Runs one SELECT, for accounts on the API plan. Costs five requests."""
        return cast("types.SqlAnswer", self._json("POST", "/sql", body={"query": query}))

    def update_alert(self, id: str, body: types.UpdateAlertInput) -> types.Alert:
        """Changes an alert."""
        return cast("types.Alert", self._json("PATCH", f"/alerts/{_part(id)}", body=body))

    def rotate_alert_secret(self, id: str, *, idempotency_key: str | None = None) -> types.AlertWithSecret:
        """Gives the webhook of an alert a new secret, which the answer shows once."""
        return cast("types.AlertWithSecret", self._post_once(f"/alerts/{_part(id)}/secret", idempotency_key))

    def test_alert(self, id: str, *, idempotency_key: str | None = None) -> types.AlertTestPayload:
        """Sends one message that is marked as a test, and answers what its receiver said. Three a minute at most."""
        return cast("types.AlertTestPayload", self._post_once(f"/alerts/{_part(id)}/test", idempotency_key))

    def delete_alert(self, id: str) -> None:
        """Deletes an alert."""
        self._send("DELETE", f"/alerts/{_part(id)}").close()

    def create_stream_ticket(self) -> types.StreamTicket:
        """A ticket that opens one stream without a key, for a browser's EventSource."""
        return cast("types.StreamTicket", self._json("POST", "/stream/ticket"))

    def stream_events(
        self,
        *,
        type: types.EventType | None = None,
        token_address: str | None = None,
        wallet_address: str | None = None,
        wallet_classification: Sequence[types.Classification] | None = None,
        min_amount_usd: float | None = None,
        since: str | None = None,
        after: str | None = None,
        begin: str | None = None,
        end: str | None = None,
        from_block: int | None = None,
        to_block: int | None = None,
    ) -> Iterator[types.StreamedEvent]:
        """Events as they happen; goes on by itself after a lost connection, and ends once the chain is past its end.

        `begin` and `end` are the times `from` and `to`, which Python keeps for itself. See docs/streams.md."""
        names = {"begin": "from", "end": "to"}
        query = {names.get(name, name): value for name, value in locals().items() if name not in ("self", "names")}
        return cast("Iterator[types.StreamedEvent]", self._follow("/stream/events", query))

    def stream_tokens(self, *, after: str | None = None, **query: Value) -> Iterator[types.ScreenUpdate]:
        """A list of tokens as it changes; goes on by itself after a lost connection.

        Takes the filters of `tokens`, `sort` and `limit`. Each message leads from the list before it to that of a
        block: take away the tokens of `left` and `placed`, then put those of `placed` in their places, the lowest
        first. See docs/streams.md."""
        return cast("Iterator[types.ScreenUpdate]", self._follow("/stream/tokens", {**query, "after": after}))

    def _follow(self, path: str, query: dict[str, Any]) -> Iterator[Any]:
        failures = 0
        while True:
            try:
                with self._send("GET", path, query, {"Accept": "text/event-stream"}) as response:
                    if response.status == 204:  # Every event up to the end was sent before.
                        return
                    for event, data, id in _messages(response):
                        failures = 0
                        if event == "end":
                            last = json.loads(data)
                            query["after"] = last.get("resume") or query["after"]
                            if last["reason"] == "done":
                                return
                            if last["reason"] not in _PASSING:
                                raise StreamEnded(last["reason"], last.get("message"), last.get("resume"))
                            break
                        if data:
                            yield json.loads(data)
                        query["after"] = id or query["after"]
            except (OSError, HTTPException):
                pass
            self._sleep(min(0.5 * 2**failures, _LONGEST_PAUSE))
            failures += 1

    def _list(self, path: str, query: Mapping[str, Value]) -> Pages[Any]:
        return Pages(self, path, query)

    def _json(
        self,
        method: str,
        path: str,
        query: Mapping[str, Value] = {},
        *,
        body: Any = None,
        headers: Mapping[str, str] = {},
    ) -> Any:
        with self._send(method, path, query, headers, body) as response:
            return json.load(response)

    def _post_once(self, path: str, idempotency_key: str | None, body: Any = None) -> Any:
        """Of a request that is sent once, however often it is tried."""
        headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        return self._json("POST", path, body=body, headers=headers)

    def _send(
        self,
        method: str,
        path: str,
        query: Mapping[str, Value] = {},
        headers: Mapping[str, str] = {},
        body: Any = None,
    ) -> Any:
        """The successful answer; raises an ApiError, or what the network raised at the last try."""
        known = {name: _text(value) for name, value in query.items() if value is not None}
        url = self._base + path + ("?" + urlencode(known) if known else "")
        sent = {"Authorization": f"Bearer {self._key}", **headers}
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            sent["Content-Type"] = "application/json"
        is_safe = method != "POST" or "Idempotency-Key" in headers
        tried = 0
        while True:
            pause = _FIRST_PAUSE * 2**tried
            try:
                return urlopen(Request(url, data, sent, method=method), timeout=self._timeout)
            except HTTPError as answer:
                with answer:
                    error: Exception = to_error(answer.code, cast("Mapping[str, str]", answer.headers), answer.read(_MOST_BYTES))
                wait = getattr(error, "retry_after", None)
                if answer.code in (429, 503) and wait is not None:
                    if wait > self._max_wait:
                        raise error from None
                    pause = wait
                elif answer.code < 500 or not is_safe:
                    raise error from None
            except (OSError, HTTPException) as broken:
                error = broken
                if not is_safe:
                    raise
            if tried >= self._retries:
                raise error
            self._sleep(pause)
            tried += 1


def _part(text: str) -> str:
    return quote(text, safe="")


def _text(value: Value) -> str:
    return ",".join(value) if isinstance(value, (list, tuple)) else str(value)


def _messages(response: Any) -> Iterator[tuple[str, str, str | None]]:
    """The messages of a stream: event, data, id."""
    event, data, id = "message", [], None  # type: str, list[str], str | None
    while True:
        line = response.readline(_MOST_BYTES)
        if not line:
            return
        text = line.decode("utf-8").rstrip("\r\n")
        if text == "":
            yield event, "\n".join(data), id
            event, data, id = "message", [], None
            continue
        name, _, value = text.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            data.append(value)
        elif name == "event":
            event = value
        elif name == "id":
            id = value
