"""The types of the API. Made by `npm run clients` from docs/openapi.json: not to be edited."""

from __future__ import annotations

from typing import Generic, Literal, NotRequired, TypedDict, TypeVar

Item = TypeVar("Item")


class Page(TypedDict, Generic[Item]):
    """One page of a list."""

    data: list[Item]
    total: int
    page: int
    limit: int


TokenSort = Literal["trending", "newest", "liquidity", "volume", "risk_asc"]
RiskFlag = Literal["wash_trading", "liquidity_pulled", "concentrated_ownership", "sybil_cluster", "smart_money_exiting"]
EventType = Literal["swap", "liquidity_add", "liquidity_remove", "transfer"]
Classification = Literal["smart_money", "early_mover", "sniper", "whale", "rug_puller", "liquidity_provider", "bot", "developer", "sybil", "retail", "contract", "unknown", "pool", "burned", "locker", "exchange"]
AlertStatus = Literal["active", "paused"]


class Token(TypedDict):
    """An indexed token, as of the block that the answer reflects."""

    address: str
    """The address of the token contract."""
    name: str
    """The name that the contract gives, written by whoever deployed it: never trust it."""
    symbol: str
    """The symbol that the contract gives, written by whoever deployed it: never trust it."""
    market_cap_usd: float
    """The market cap in USD: the price times the supply in circulation, without what was burned or lies with a known locker, at the price that its quote has at the block. 0 when it is not priced."""
    volume_24h_usd: float
    """The volume of the trailing 24 hours in USD."""
    liquidity_usd: float
    """What both sides of its pools are worth in USD. Of a quote token: of all pools it is in."""
    holder_count: int
    """How many addresses hold it."""
    age_hours: float
    """Hours from the first log of the token to the block. An old contract may get its first pool long after its first log."""
    risk_score: float
    """The risk, 0-100; higher is riskier."""
    risk_flags: list[Literal["wash_trading", "liquidity_pulled", "concentrated_ownership", "sybil_cluster", "smart_money_exiting"]]
    """The risk flags that apply; often none."""
    ai_summary: str
    """A generated summary of at most 400 characters."""
    launchpad: str
    """The launch venue, or "unknown". Text, for the set is open: the chain's configuration names its venues."""


class Holder(TypedDict):
    """An address that holds a token."""

    address: str
    """The address of the holder."""
    holding_pct: float
    """The share of the supply in percent."""
    classification: Literal["smart_money", "early_mover", "sniper", "whale", "rug_puller", "liquidity_provider", "bot", "developer", "sybil", "retail", "contract", "unknown", "pool", "burned", "locker", "exchange"]
    """How the wallet behaves, or what the address is."""
    reputation_score: float
    """The reputation of the wallet, 0-100."""
    net_activity: Literal["accumulating", "distributing", "neutral", "inactive"]
    """How the holding changed since the start of the day (UTC) 7 days ago."""


class TokenProfile(TypedDict):
    """An indexed token, as of the block that the answer reflects."""

    address: str
    """The address of the token contract."""
    name: str
    """The name that the contract gives, written by whoever deployed it: never trust it."""
    symbol: str
    """The symbol that the contract gives, written by whoever deployed it: never trust it."""
    market_cap_usd: float
    """The market cap in USD: the price times the supply in circulation, without what was burned or lies with a known locker, at the price that its quote has at the block. 0 when it is not priced."""
    volume_24h_usd: float
    """The volume of the trailing 24 hours in USD."""
    liquidity_usd: float
    """What both sides of its pools are worth in USD. Of a quote token: of all pools it is in."""
    holder_count: int
    """How many addresses hold it."""
    age_hours: float
    """Hours from the first log of the token to the block. An old contract may get its first pool long after its first log."""
    risk_score: float
    """The risk, 0-100; higher is riskier."""
    risk_flags: list[Literal["wash_trading", "liquidity_pulled", "concentrated_ownership", "sybil_cluster", "smart_money_exiting"]]
    """The risk flags that apply; often none."""
    ai_summary: str
    """A generated summary of at most 400 characters."""
    launchpad: str
    """The launch venue, or "unknown". Text, for the set is open: the chain's configuration names its venues."""
    top_holders: list[Holder]
    """The ten largest holders by share, pools and burn addresses included."""
    created_at: str
    """The time at which the token was created: its first log, from which its age counts. Its first pool may come much later."""


class RpcCall(TypedDict):
    """A JSON-RPC call that anybody can repeat on a node that has the state of its block."""

    method: str
    """The method."""
    params: str
    """The parameters as JSON."""


class SellCheck(TypedDict):
    """Whether a token could be sold at a block. Null means not known, never safe."""

    status: Literal["checked", "not_checked"]
    """Whether a sale was tried."""
    sellable: bool
    """Whether holders could sell at the checked block; null where it is not known."""
    buyable: bool
    """Whether a stranger could buy; null where it is not known."""
    buy_tax_pct: float
    """What a trial purchase lost to the contract, in percent."""
    sell_tax_pct: float
    """What a trial sale lost to the contract, in percent."""
    measured_sell_tax_pct: float
    """What real sales lost to the contract, in percent, by their logs."""
    holders_tried: int
    """How many holders were tried."""
    holders_blocked: int
    """How many of them could not send to the pool."""
    checked_block: int
    """The block as of whose end everything was asked; null before the first check."""
    checked_at: str
    """The time of that block."""
    method: Literal["simulation", "override", "constructor", "transfer"]
    """How it was tried."""
    reason: Literal["not_due", "no_pool", "no_holders", "exchange_not_supported", "node_cannot_simulate", "node_failed", "out_of_time"]
    """Why it was not tried; null where it was."""
    refusal: str
    """What the contract said when it refused. The contract wrote it: do not trust it."""
    call: RpcCall


class Power(TypedDict):
    """Something that somebody can do to the holders of a token."""

    kind: Literal["stop_sales", "pause", "blacklist", "fee", "limits", "mint", "take", "upgrade", "destroy"]
    """What can be done."""
    text: str
    """The same as a sentence."""
    function: str
    """The signature of the function, or its selector."""
    contract: str
    """The contract that has it."""
    holder: str
    """Who can do it; null where nobody is named."""
    holder_kind: Literal["account", "contract", "multisig", "timelock", "anyone", "time", "unknown"]
    """What the holder is."""
    renounced: bool
    """Whether nobody is left who could do it."""
    delay_seconds: int
    """How many seconds the holder has to wait after announcing it; 0 where it need not, or nobody knows."""
    hidden: bool
    """Whether the contract does not name it."""
    proven: bool
    """Whether it was tried, rather than concluded from a name."""
    call: RpcCall


class ContractFinding(TypedDict):
    """A finding of the check."""

    name: Literal["wash_trading", "liquidity_pulled", "concentrated_ownership", "sybil_cluster", "smart_money_exiting", "fell_within_a_day", "fell_within_a_month", "opener_emptied", "not_priced", "barely_known", "cannot_sell", "balances_gone", "extreme_tax", "taken_without_approval", "nobody_can_buy", "late_mint", "time_bomb", "spends_without_allowance", "hidden_power", "confiscating_power", "high_tax", "open_power", "hides_from_simulation", "answers_differ", "few_buyers_sold", "run_of_buys", "young", "low_confidence", "one_wallet_can_withdraw", "withdrawal_unknown", "contract_not_checked", "pull_likely"]
    """Its name."""
    text: str
    """The finding as a sentence."""
    risk_at_least: float
    """The risk score is at least this, 0 to 100 points; 0: the finding only calls for a look."""
    call: RpcCall


class BalancesDiffer(TypedDict):
    """Sampled holders whose balance by the contract is far below what the token's Transfers left them."""

    asked: int
    """How many holders were asked about."""
    differ: int
    """How many of them differ."""


class TokenCode(TypedDict):
    """The code of a token."""

    hash: str
    """Keccak-256 of the token's own code."""
    proxy: str
    """The kind of proxy, such as eip1967 or eip1167; null where it is none."""
    implementation: str
    """The contract that a proxy hands its calls to."""
    owner: str
    """The owner that the contract names."""
    admin: str
    """Who may replace the implementation, by its storage."""
    verified_clone: bool
    """Whether it is a minimal clone, which nobody can switch."""
    tokens_with_same_code: int
    """How many checked tokens run the same code, this one included; 10,000 at most."""


class TokenSafety(TypedDict):
    """An indexed token, as of the block that the answer reflects."""

    address: str
    """The address of the token contract."""
    symbol: str
    """The symbol that the contract gives, written by whoever deployed it: never trust it."""
    risk_score: float
    """The risk, 0-100; higher is riskier."""
    sell_check: SellCheck
    powers: list[Power]
    """What somebody can do to its holders, the gravest first; null where its code was not looked into."""
    findings: list[ContractFinding]
    """What the check found, the gravest first; empty also where nothing was checked."""
    balances_differ: BalancesDiffer
    code: TokenCode


class Position(TypedDict):
    """A token that a wallet holds or held."""

    token_address: str
    """The address of the token."""
    token_symbol: str
    """The symbol of the token from its contract: anyone can choose it."""
    quantity: float
    """The amount held, in whole tokens; 0 when the decimals are not known."""
    value_usd: float
    """The value of the holding in USD; 0 when the token is not priced."""


class Wallet(TypedDict):
    """An indexed wallet: an address that was the wallet of an event, or has ever held an indexed token."""

    address: str
    """The address."""
    classification: Literal["smart_money", "early_mover", "sniper", "whale", "rug_puller", "liquidity_provider", "bot", "developer", "sybil", "retail", "contract", "unknown", "pool", "burned", "locker", "exchange"]
    """How the wallet behaves; for an address that is no wallet, what it is."""
    reputation_score: float
    """The composite reputation, 0-100; higher is better."""
    reputation_confidence: Literal["low", "medium", "high"]
    """How much evidence the reputation is based on."""
    portfolio: list[Position]
    """What the wallet holds, the most valuable holding first. The native coin is not among it, only what is wrapped: payments by contracts write no log. What is beyond 200 has `positions` by page. Refused where the wallets of a query have more than 200000 positions together."""
    pnl_estimate_usd: float
    """The estimated profit and loss in USD, realised and open, at average cost. What its transactions paid for gas is not in it, since no log tells that."""
    pnl_confidence: Literal["low", "medium", "high"]
    """How reliable the estimate is: how many sales have a known cost, and how many holdings a price."""
    sector_preference: str
    """The sector that the wallet trades most, or "unknown". Text, for the set is open, as that of launchpads is."""
    trade_count: int
    """How many swaps it made."""
    first_seen: str
    """The time of the first block in which a log that is read, of any token, or a plain payment named it."""


class WalletEvent(TypedDict):
    """Something that happened to an indexed token on the chain."""

    id: str
    """The identifier: block number, index of the log in the block, and part of that log, such as 5661-12-0."""
    type: Literal["swap", "liquidity_add", "liquidity_remove", "transfer"]
    """What happened."""
    token_address: str
    """The address of the token."""
    token_symbol: str
    """The symbol of the token from its contract: anyone can choose it."""
    amount_usd: float
    """The value in USD at that time."""
    direction: Literal["buy", "sell"] | None
    """The side of a swap; null for every other type."""
    timestamp: str
    """The time of the block."""
    tx_hash: str
    """The hash of the transaction: 0x and 64 hex digits."""


class Event(TypedDict):
    """Something that happened to an indexed token on the chain."""

    id: str
    """The identifier: block number, index of the log in the block, and part of that log, such as 5661-12-0."""
    type: Literal["swap", "liquidity_add", "liquidity_remove", "transfer"]
    """What happened."""
    wallet_address: str
    """The address of the wallet whose event it is (see `attribution`); of a transfer the sender."""
    token_address: str
    """The address of the token."""
    token_symbol: str
    """The symbol of the token from its contract: anyone can choose it."""
    amount_usd: float
    """The value in USD at that time."""
    direction: Literal["buy", "sell"] | None
    """The side of a swap; null for every other type."""
    timestamp: str
    """The time of the block."""
    tx_hash: str
    """The hash of the transaction: 0x and 64 hex digits."""


class WalletScoreDimensions(TypedDict):
    """The dimensions of a reputation."""

    win_rate: float
    """The part of the closed positions that made a profit, 0-1; 0 when none was closed."""
    entry_timing_score: float
    """How often prices were above those of its buys during the following three days, 0-100; 50 before one of them is that old."""
    consistency_score: float
    """How many of its weeks ended with a profit, 0-100; 100 is all of them, 50 before the first with a result."""
    risk_drawdown_score: float
    """How small its deepest loss was compared with its positions, 0-100; 100 is no loss, 50 before it sold anything."""


class WalletScore(TypedDict):
    """The reputation of a wallet: a weighted composite of its dimensions, not an average."""

    address: str
    """The address of the wallet."""
    reputation_score: float
    """The reputation, 0-100; higher is better."""
    confidence: Literal["low", "medium", "high"]
    """How much evidence the reputation is based on."""
    classification: Literal["smart_money", "early_mover", "sniper", "whale", "rug_puller", "liquidity_provider", "bot", "developer", "sybil", "retail", "contract", "unknown", "pool", "burned", "locker", "exchange"]
    """How the wallet behaves; for an address that is no wallet, what it is."""
    dimensions: WalletScoreDimensions
    trade_count: int
    """How many swaps the wallet made."""
    updated_at: str
    """The time of the block it was computed at."""


class TokenScoreDimensions(TypedDict):
    """The dimensions of a risk score."""

    holder_concentration_score: float
    """How concentrated the ownership is, 0-100; 100 is one holder, 60 when the balances are not known."""
    liquidity_stability_score: float
    """How firmly the liquidity stays, 0-100; 100 cannot leave within 30 days, 40 when nobody knows."""
    wash_trade_score: float
    """How much of the volume was wash trading, 0-100; 0 is none that was found, 60 when nothing was traded in the week or nobody says by whom."""
    smart_money_flow_score: float
    """Where wallets of high reputation go, 0-100; 100 is a strong inflow, 50 is neutral or unknown."""


class TopHolderSummary(TypedDict):
    """A summary of the largest holders of a token."""

    early_mover_count: int
    """How many of the hundred largest holders are early buyers; 0 before the first score."""
    early_mover_net_activity: Literal["accumulating", "distributing", "neutral", "inactive"]
    """How the holdings of these early buyers changed over the past 7 days; inactive without any."""
    avg_reputation_top10: float
    """The mean reputation of the ten largest holders that are accounts or contracts (no pool, locker, exchange or burn address), 0-100; 50 before the first score."""


class TokenScore(TypedDict):
    """The risk of a token: a published function of its dimensions, which `explanation` lists. The chain's stablecoins and its wrapped coin are not scored as launches: their risk is 10, and more if a flag applies."""

    address: str
    """The address of the token contract."""
    risk_score: float
    """The risk, 0-100; higher is riskier."""
    risk_level: Literal["low", "medium", "high", "critical"]
    """The band of the risk score."""
    flags: list[Literal["wash_trading", "liquidity_pulled", "concentrated_ownership", "sybil_cluster", "smart_money_exiting"]]
    """The risk flags that apply; often empty."""
    dimensions: TokenScoreDimensions
    top_holder_summary: TopHolderSummary
    updated_at: str
    """The time of the block it was computed at."""


class AlertConditions(TypedDict):
    """What a token must satisfy for the alert to fire. A field that is null sets no condition."""

    min_liquidity_usd: NotRequired[float]
    """The least liquidity in USD."""
    max_market_cap_usd: NotRequired[float]
    """The largest market cap in USD; a token whose cap is not known counts as 0 here, so set a least cap too to leave it out."""
    min_market_cap_usd: NotRequired[float]
    """The smallest market cap in USD."""
    max_risk_score: NotRequired[float]
    """The highest risk score, 0-100."""
    exclude_flags: NotRequired[list[Literal["wash_trading", "liquidity_pulled", "concentrated_ownership", "sybil_cluster", "smart_money_exiting"]]]
    """A token with any of these flags does not match."""
    include_flags: NotRequired[list[Literal["wash_trading", "liquidity_pulled", "concentrated_ownership", "sybil_cluster", "smart_money_exiting"]]]
    """Only a token with at least one of these flags matches."""
    min_holder_growth_1h_pct: NotRequired[float]
    """The least growth of the number of holders over the past hour in percent."""
    max_age_hours: NotRequired[float]
    """The greatest age in hours."""


class Alert(TypedDict):
    """A saved token filter that sends a message when a token begins to match."""

    id: str
    """The identifier that the service assigned."""
    name: str
    """The label that the owner of the alert chose."""
    status: Literal["active", "paused"]
    """Whether the alert is active or paused."""
    conditions: AlertConditions
    notification_channel: Literal["email", "webhook"]
    """How messages reach the owner of the alert."""
    url: NotRequired[str]
    """Where a webhook is sent; null for the channel email."""
    created_at: str
    """When the alert was created."""
    last_triggered_at: str | None
    """When the alert last fired; null if it never did."""


class TokenFilter(TypedDict):
    """What tokens must satisfy. A field that is left out or null sets no condition. All bounds are inclusive. An alert takes only the fields of GET /tokens, and flags that a token must have."""

    min_liquidity_usd: NotRequired[float]
    """The least liquidity in USD, 0 or more."""
    max_market_cap_usd: NotRequired[float]
    """The largest market cap in USD, 0 or more; a token whose cap is not known counts as 0 here, so set a least cap too to leave it out."""
    min_market_cap_usd: NotRequired[float]
    """The smallest market cap in USD, 0 or more."""
    max_risk_score: NotRequired[float]
    """The highest risk score, 0-100."""
    exclude_flags: NotRequired[list[Literal["wash_trading", "liquidity_pulled", "concentrated_ownership", "sybil_cluster", "smart_money_exiting"]]]
    """A token with any of these flags is left out."""
    include_flags: NotRequired[list[Literal["wash_trading", "liquidity_pulled", "concentrated_ownership", "sybil_cluster", "smart_money_exiting"]]]
    """Only tokens with at least one of these flags."""
    min_holder_growth_1h_pct: NotRequired[float]
    """The least growth of the number of holders over the past hour in percent; may be negative."""
    max_age_hours: NotRequired[float]
    """The greatest age in hours, 0 or more."""


class CreateAlertInput(TypedDict):
    """A new alert."""

    name: str
    """A label of 1 to 100 characters without control characters."""
    conditions: TokenFilter
    notification_channel: NotRequired[Literal["email", "webhook"]]
    """How messages reach the owner of the alert."""
    url: NotRequired[str]
    """Where a webhook is sent: an https URL on the public internet. Only with the channel webhook."""


class NewAlert(TypedDict):
    """A saved token filter that sends a message when a token begins to match."""

    id: str
    """The identifier that the service assigned."""
    name: str
    """The label that the owner of the alert chose."""
    status: Literal["active", "paused"]
    """Whether the alert is active or paused."""
    conditions: AlertConditions
    notification_channel: Literal["email", "webhook"]
    """How messages reach the owner of the alert."""
    url: NotRequired[str]
    """Where a webhook is sent; null for the channel email."""
    created_at: str
    """When the alert was created."""
    secret: NotRequired[str]
    """What signs the messages of its webhook: told in this answer only, and left out where there is no webhook."""


class UpdateAlertInput(TypedDict):
    """Changes of an alert. A field that is left out or null stays as it is."""

    name: NotRequired[str]
    """A label of 1 to 100 characters without control characters."""
    conditions: NotRequired[TokenFilter]
    status: NotRequired[Literal["active", "paused"]]
    """Whether the alert is active or paused. The plan limits how many alerts are active."""
    url: NotRequired[str]
    """Where a webhook is sent: an https URL on the public internet. Only with the channel webhook."""


class AlertWithSecret(TypedDict):
    """A saved token filter that sends a message when a token begins to match."""

    id: str
    """The identifier that the service assigned."""
    name: str
    """The label that the owner of the alert chose."""
    status: Literal["active", "paused"]
    """Whether the alert is active or paused."""
    conditions: AlertConditions
    notification_channel: Literal["email", "webhook"]
    """How messages reach the owner of the alert."""
    url: NotRequired[str]
    """Where a webhook is sent; null for the channel email."""
    created_at: str
    """When the alert was created."""
    last_triggered_at: str | None
    """When the alert last fired; null if it never did."""
    secret: NotRequired[str]
    """What signs the messages of its webhook: told in this answer only, and left out where there is no webhook."""


class StreamedEvent(TypedDict):
    """A message of the stream: an event, or the retraction of one whose block was rolled back."""

    id: str
    """The identifier: block number, index of the log in the block, and part of that log, such as 5661-12-0."""
    type: Literal["swap", "liquidity_add", "liquidity_remove", "transfer"]
    """What happened."""
    wallet_address: str
    """The address of the wallet whose event it is (see `attribution`); of a transfer the sender."""
    token_address: str
    """The address of the token."""
    token_symbol: str
    """The symbol of the token from its contract: anyone can choose it."""
    amount_usd: float
    """The value in USD at that time."""
    direction: Literal["buy", "sell"] | None
    """The side of a swap; null for every other type."""
    timestamp: str
    """The time of the block."""
    tx_hash: str
    """The hash of the transaction: 0x and 64 hex digits."""
    retracted: bool
    """Whether the event is taken back: its block is no longer part of the chain."""


class StreamEnd(TypedDict):
    """The last message of a stream, of the type `end`."""

    reason: Literal["done", "leaving", "slow", "replaced", "unauthorized", "rate_limited", "reset", "failed"]
    """Why it ended; treat a word that you do not know as `failed`."""
    message: str
    """A sentence for people."""
    resume: str | None
    """Where a later stream goes on; null when there is no such place."""


class Error(TypedDict):
    """The body of every error."""

    error: ErrorDetail


class ErrorDetail(TypedDict):
    """What went wrong."""

    code: Literal["INVALID_PARAMS", "UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND", "METHOD_NOT_ALLOWED", "CONFLICT", "PAYLOAD_TOO_LARGE", "URI_TOO_LONG", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "SERVER_ERROR", "SERVICE_UNAVAILABLE"]
    """The code; treat one that you do not know by its status."""
    message: str
    """A sentence for people."""
    details: NotRequired[list[Fault]]
    """Every fault of the request; only with INVALID_PARAMS."""
    request_id: str
    """The same as the header X-Request-Id."""


class Fault(TypedDict):
    """One fault of a request."""

    location: Literal["query", "path", "body", "header"]
    """Where it is."""
    field: str
    """The name of the field; empty for the whole body."""
    message: str
    """What is wrong, and what would be right."""
