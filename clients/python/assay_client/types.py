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
    """The name from the contract. The deployer wrote it: never trust it."""
    symbol: str
    """The symbol from the contract. The deployer wrote it: never trust it."""
    market_cap_usd: float
    """The market cap in USD: the price times the supply in circulation (without burned tokens and those of known lockers). The price is at the block of the answer. 0 when it is not priced."""
    volume_24h_usd: float
    """The volume of the trailing 24 hours in USD."""
    liquidity_usd: float
    """The value of both sides of its pools in USD. Of a quote token: of all its pools."""
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
    """The launch venue, or "unknown". Text, because the set is open: the chain's configuration names its venues."""


class Holder(TypedDict):
    """An address that holds a token."""

    address: str
    """The address of the holder."""
    holding_pct: float
    """The share of the supply in percent."""
    classification: Literal["smart_money", "early_mover", "sniper", "whale", "rug_puller", "liquidity_provider", "bot", "developer", "sybil", "retail", "contract", "unknown", "pool", "burned", "locker", "exchange"]
    """The behaviour of the wallet, or the kind of the address."""
    reputation_score: float
    """The reputation of the wallet, 0-100."""
    net_activity: Literal["accumulating", "distributing", "neutral", "inactive"]
    """How the holding changed since the start of the day (UTC) 7 days ago."""


class TokenProfile(TypedDict):
    """An indexed token, as of the block that the answer reflects."""

    address: str
    """The address of the token contract."""
    name: str
    """The name from the contract. The deployer wrote it: never trust it."""
    symbol: str
    """The symbol from the contract. The deployer wrote it: never trust it."""
    market_cap_usd: float
    """The market cap in USD: the price times the supply in circulation (without burned tokens and those of known lockers). The price is at the block of the answer. 0 when it is not priced."""
    volume_24h_usd: float
    """The volume of the trailing 24 hours in USD."""
    liquidity_usd: float
    """The value of both sides of its pools in USD. Of a quote token: of all its pools."""
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
    """The launch venue, or "unknown". Text, because the set is open: the chain's configuration names its venues."""
    top_holders: list[Holder]
    """The ten largest holders by share, including pools and burn addresses."""
    created_at: str
    """The time at which the token was created: its first log, from which its age counts. Its first pool may come much later."""


class OperatorVouch(TypedDict):
    """The word of the server's operator for a token. It stands beside what the check found, and changes nothing of it."""

    reason: str
    """The reason that the operator gives."""
    since: str
    """When the operator said so."""


class RpcCall(TypedDict):
    """A JSON-RPC call that anyone can repeat on a node with the state of its block."""

    method: str
    """The method."""
    params: str
    """The parameters as JSON."""


class SellCheck(TypedDict):
    """Whether a token could be sold at a block. Null means unknown, never safe."""

    status: Literal["checked", "not_checked"]
    """Whether a sale was tried."""
    sellable: bool | None
    """Whether holders could sell at the checked block; null if unknown."""
    buyable: bool
    """Whether a stranger could buy; null if unknown."""
    buy_tax_pct: float
    """The loss of a trial purchase to the contract, in percent."""
    sell_tax_pct: float
    """The loss of a trial sale to the contract, in percent."""
    measured_sell_tax_pct: float
    """The loss of real sales to the contract, in percent, by their logs."""
    holders_tried: int
    """How many holders were tried."""
    holders_blocked: int
    """How many of them could not send to the pool."""
    checked_block: int
    """The block of the check: all calls ran at its end; null before the first check."""
    checked_at: str
    """The time of that block."""
    method: Literal["simulation", "override", "constructor", "transfer"]
    """The method of the trial."""
    reason: Literal["checks_off", "no_code", "vouched_by_preset", "low_liquidity", "few_buyers", "waits_for_check", "no_pool", "no_holders", "exchange_not_supported", "node_cannot_simulate", "node_failed", "out_of_time"]
    """The reason why no sale was tried; null after a trial."""
    refusal: str
    """The contract's reason for a refusal. The contract wrote it: do not trust it."""
    vouch: OperatorVouch
    call: RpcCall


class Power(TypedDict):
    """A power over the holders of a token."""

    kind: Literal["stop_sales", "pause", "blacklist", "fee", "limits", "mint", "take", "upgrade", "destroy"]
    """The kind of the power."""
    text: str
    """The power as a sentence."""
    function: str
    """The signature of the function, or its selector."""
    contract: str
    """The contract of the function."""
    holder: str
    """The holder of the power; null if none is named."""
    holder_kind: Literal["account", "contract", "multisig", "timelock", "anyone", "time", "unknown"]
    """The kind of the holder."""
    renounced: bool
    """Whether the power has no holder any more."""
    delay_seconds: int
    """How many seconds the holder has to wait after an announcement; 0 for no wait, or an unknown one."""
    hidden: bool
    """Whether the contract does not name the power."""
    proven: bool
    """Whether the power was tried, rather than concluded from a name."""
    call: RpcCall


class ContractFinding(TypedDict):
    """A finding of the check."""

    name: Literal["wash_trading", "liquidity_pulled", "concentrated_ownership", "sybil_cluster", "smart_money_exiting", "fell_within_a_day", "fell_within_a_month", "opener_emptied", "not_priced", "barely_known", "cannot_sell", "balances_gone", "extreme_tax", "taken_without_approval", "nobody_can_buy", "late_mint", "time_bomb", "spends_without_allowance", "hidden_power", "confiscating_power", "high_tax", "open_power", "hides_from_simulation", "answers_differ", "few_buyers_sold", "run_of_buys", "young", "low_confidence", "one_wallet_can_withdraw", "withdrawal_unknown", "contract_not_checked", "pull_likely", "recently_higher", "deployer_pulled"]
    """Its name."""
    text: str
    """The finding as a sentence."""
    risk_at_least: float
    """The finding keeps the risk score at this or higher, 0 to 100 points; 0: the finding is only a hint."""
    call: RpcCall


class BalancesDiffer(TypedDict):
    """Sampled holders whose balance by the contract is far below the sum of the token's Transfers."""

    asked: int
    """How many holders were sampled."""
    differ: int
    """How many of them differ."""


class TokenCode(TypedDict):
    """The code of a token."""

    hash: str
    """Keccak-256 of the token's own code."""
    proxy: str
    """The kind of proxy, such as eip1967 or eip1167; null without a proxy."""
    implementation: str
    """The contract to which a proxy delegates its calls."""
    owner: str
    """The owner that the contract names."""
    admin: str
    """The account that may replace the implementation, by its storage."""
    verified_clone: bool
    """Whether it is a minimal clone, whose implementation nobody can replace."""
    tokens_with_same_code: int
    """How many checked tokens run the same code, including this one; 10,000 at most."""


class TokenSafety(TypedDict):
    """An indexed token, as of the block that the answer reflects."""

    address: str
    """The address of the token contract."""
    symbol: str
    """The symbol from the contract. The deployer wrote it: never trust it."""
    risk_score: float
    """The risk, 0-100; higher is riskier."""
    sell_check: SellCheck
    powers: list[Power]
    """The powers over its holders, the gravest first; null if its code was not analysed."""
    findings: list[ContractFinding]
    """The findings of the check, the gravest first; empty also without a check."""
    balances_differ: BalancesDiffer
    code: TokenCode


class Position(TypedDict):
    """A token that a wallet holds or held."""

    token_address: str
    """The address of the token."""
    token_symbol: str
    """The symbol of the token from its contract: anyone can choose it."""
    quantity: float
    """The amount held, in whole tokens; 0 for unknown decimals."""
    value_usd: float
    """The value of the holding in USD; 0 when the token is not priced."""


class Wallet(TypedDict):
    """An indexed wallet: an address that was the wallet of an event, or has ever held an indexed token."""

    address: str
    """The address."""
    classification: Literal["smart_money", "early_mover", "sniper", "whale", "rug_puller", "liquidity_provider", "bot", "developer", "sybil", "retail", "contract", "unknown", "pool", "burned", "locker", "exchange"]
    """The behaviour of the wallet; for another address, its kind."""
    reputation_score: float
    """The composite reputation, 0-100; higher is better."""
    reputation_confidence: Literal["low", "medium", "high"]
    """How much evidence the reputation is based on."""
    portfolio: list[Position]
    """The holdings of the wallet, the most valuable first. Only the wrapped native coin is included, because payments by contracts write no log. Beyond 200, `positions` has pages. Refused if the wallets of a query have more than 200000 positions together."""
    pnl_estimate_usd: float
    """The estimated profit and loss in USD, realised and open, at average cost. It excludes gas, because no log has its price."""
    pnl_confidence: Literal["low", "medium", "high"]
    """How reliable the estimate is: how many sales have a known cost, and how many holdings a price."""
    sector_preference: str
    """The sector that the wallet trades most, or "unknown". Text, because the set is open, like that of launchpads."""
    trade_count: int
    """How many swaps it made."""
    first_seen: str
    """The time of the first block with a decoded log or a plain payment that names it."""


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
    """The share of the closed positions that made a profit, 0-1; 0 without closed positions."""
    entry_timing_score: float
    """How often prices were above those of its buys during the following three days, 0-100; 50 before one of them is that old."""
    consistency_score: float
    """The share of its weeks that ended with a profit, 0-100; 100 is all of them, 50 before the first with a result."""
    risk_drawdown_score: float
    """How small its deepest loss was compared with its positions, 0-100; 100 is no loss, 50 before its first sale."""


class WalletScore(TypedDict):
    """The reputation of a wallet: a weighted composite of its dimensions, not an average."""

    address: str
    """The address of the wallet."""
    reputation_score: float
    """The reputation, 0-100; higher is better."""
    confidence: Literal["low", "medium", "high"]
    """How much evidence the reputation is based on."""
    classification: Literal["smart_money", "early_mover", "sniper", "whale", "rug_puller", "liquidity_provider", "bot", "developer", "sybil", "retail", "contract", "unknown", "pool", "burned", "locker", "exchange"]
    """The behaviour of the wallet; for another address, its kind."""
    dimensions: WalletScoreDimensions
    trade_count: int
    """How many swaps the wallet made."""
    updated_at: str
    """The time of the block of its computation."""


class TokenScoreDimensions(TypedDict):
    """The dimensions of a risk score."""

    holder_concentration_score: float
    """How concentrated the ownership is, 0-100; 100 is one holder, 60 for unknown balances."""
    liquidity_stability_score: float
    """How firmly the liquidity stays, 0-100; 100 cannot leave within 30 days, 40 if unknown."""
    wash_trade_score: float
    """The share of wash trading in the volume, 0-100; 0 means that none was found, 60 without trades in the week or with unknown traders."""
    smart_money_flow_score: float
    """The flow of wallets of high reputation, 0-100; 100 is a strong inflow, 50 is neutral or unknown."""


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
    """The time of the block of its computation."""


class AlertConditions(TypedDict):
    """The conditions under which the alert fires for a token. A field that is null sets no condition."""

    min_liquidity_usd: NotRequired[float]
    """The least liquidity in USD."""
    max_market_cap_usd: NotRequired[float]
    """The largest market cap in USD. A token with an unknown cap counts as 0 here; a least cap excludes it."""
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
    contract_checked: NotRequired[bool]
    """Whether a sale of it was tried."""
    sellable: NotRequired[bool | None]
    """Whether it could be sold when it was last tried."""
    min_sell_tax_pct: NotRequired[float]
    """The least tax of a sale in percent."""
    max_sell_tax_pct: NotRequired[float]
    """The largest tax of a sale in percent."""
    exclude_powers: NotRequired[list[Literal["stop_sales", "pause", "blacklist", "fee", "limits", "mint", "take", "upgrade", "destroy"]]]
    """A token over which somebody has one of these powers does not match."""
    include_powers: NotRequired[list[Literal["stop_sales", "pause", "blacklist", "fee", "limits", "mint", "take", "upgrade", "destroy"]]]
    """Only a token over which somebody has at least one of these powers matches."""
    owner_changed: NotRequired[bool]
    """Whether its owner changed in the day before the newest check."""


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
    """The URL of the webhook; null for the channel email."""
    created_at: str
    """When the alert was created."""
    last_triggered_at: str | None
    """When the alert last fired; null if it never did."""


class TokenFilter(TypedDict):
    """The conditions for tokens. A field that is left out or null sets no condition. All bounds are inclusive. An alert takes only the fields of GET /tokens, flags that a token must have, and the conditions on contract checks."""

    min_liquidity_usd: NotRequired[float]
    """The least liquidity in USD, 0 or more."""
    max_market_cap_usd: NotRequired[float]
    """The largest market cap in USD, 0 or more. A token with an unknown cap counts as 0 here; a least cap excludes it."""
    min_market_cap_usd: NotRequired[float]
    """The smallest market cap in USD, 0 or more."""
    max_risk_score: NotRequired[float]
    """The highest risk score, 0-100."""
    exclude_flags: NotRequired[list[Literal["wash_trading", "liquidity_pulled", "concentrated_ownership", "sybil_cluster", "smart_money_exiting"]]]
    """Excludes tokens with any of these flags."""
    include_flags: NotRequired[list[Literal["wash_trading", "liquidity_pulled", "concentrated_ownership", "sybil_cluster", "smart_money_exiting"]]]
    """Only tokens with at least one of these flags."""
    min_holder_growth_1h_pct: NotRequired[float]
    """The least growth of the number of holders over the past hour in percent; may be negative."""
    max_age_hours: NotRequired[float]
    """The greatest age in hours, 0 or more."""
    contract_checked: NotRequired[bool]
    """Whether a sale of it was tried."""
    sellable: NotRequired[bool]
    """Whether it could be sold when it was last tried. A token that was not tried passes neither."""
    min_sell_tax_pct: NotRequired[float]
    """The least tax of a sale in percent, 0-100, by trial or by real sales, whichever is more."""
    max_sell_tax_pct: NotRequired[float]
    """The largest such tax, 0-100. A token whose tax is not known is left out."""
    exclude_powers: NotRequired[list[Literal["stop_sales", "pause", "blacklist", "fee", "limits", "mint", "take", "upgrade", "destroy"]]]
    """Excludes tokens with one of these powers over their holders, and tokens whose code was not analysed."""
    include_powers: NotRequired[list[Literal["stop_sales", "pause", "blacklist", "fee", "limits", "mint", "take", "upgrade", "destroy"]]]
    """Only tokens with at least one of these powers over their holders."""
    owner_changed: NotRequired[bool]
    """Whether its owner changed in the day before the newest check. A token whose code was not looked into passes neither."""


class CreateAlertInput(TypedDict):
    """A new alert."""

    name: str
    """A label of 1 to 100 characters without control characters."""
    conditions: TokenFilter
    notification_channel: NotRequired[Literal["email", "webhook"]]
    """How messages reach the owner of the alert."""
    url: NotRequired[str]
    """The URL of the webhook: https on the public internet. Only with the channel webhook."""


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
    """The URL of the webhook; null for the channel email."""
    created_at: str
    """When the alert was created."""
    secret: NotRequired[str]
    """The secret that signs the messages of its webhook, shown only in this answer; left out without a webhook."""


# What to look for in the past month.
BacktestInput = TypedDict(
    "BacktestInput",
    {
        # conditions
        "conditions": "TokenFilter",
        # The beginning; 30 days before the newest block if left out, which is also the earliest.
        "from": "NotRequired[str]",
        # The end; the time of the newest block if left out.
        "to": "NotRequired[str]",
    },
)


class BacktestMatch(TypedDict):
    """A token that would have begun to match, and its outcome."""

    token_address: str
    """The address of the token contract."""
    token_symbol: str
    """The symbol from the contract: anyone can choose it."""
    token_name: str
    """The name from the contract: anyone can choose it."""
    block_number: int
    """The block in which it began to match."""
    matched_at: str
    """The time of that block."""
    exact: bool
    """Whether an alert would have fired at this block. Otherwise the block ends a day of the first indexing, in which the token began to match."""
    price_usd: float | None
    """The price in USD at that block; null when it was not priced."""
    price_after_1h_usd: float | None
    """The price in USD an hour later; null if that time has not come, or if it had no price then."""
    price_after_24h_usd: float | None
    """The price in USD a day later; null if that time has not come, or if it had no price then."""
    price_after_7d_usd: float | None
    """The price in USD seven days later; null if that time has not come, or if it had no price then."""
    change_after_24h_pct: float | None
    """The change of the price in the day after, in percent; null if one of the prices is unknown."""
    worst_fall_pct: float | None
    """The deepest fall of the price in the seven days after, in percent: 0 or less. It covers the days that are over; null if unknown."""
    pulled: bool
    """Whether its liquidity is pulled by now."""
    sellable: bool | None
    """Whether holders can sell it, by the newest check of its contract; null if unknown."""


# The matches that an alert would have had in a past period.
Backtest = TypedDict(
    "Backtest",
    {
        # The beginning of the period.
        "from": "str",
        # The end of the period.
        "to": "str",
        # The time from which the values of tokens are kept; null when there are none yet. No earlier match is found.
        "kept_since": "str | None",
        # The time from which alerts were matched at each block; null when never in this period. Before it, only the end of each day is known.
        "exact_since": "str | None",
        # The conclusion in one sentence.
        "summary": "str",
        # How many times a token would have begun to match.
        "match_count": "int",
        # How many of them were followed, the newest ones, 2000 at most: all other numbers are of these.
        "followed_count": "int",
        # How many of these tokens were pulled by now.
        "pulled_count": "int",
        # How many of these tokens cannot be sold, by the newest checks.
        "unsellable_count": "int",
        # How many had a price at first and a day later.
        "priced_after_24h_count": "int",
        # How many had a price at first and none a day later.
        "unpriced_after_24h_count": "int",
        # The median change of the price in the day after, in percent, of the known ones; null if none is known.
        "median_change_after_24h_pct": "float | None",
        # The median of the deepest falls in percent, of the known ones; null if none is known.
        "median_worst_fall_pct": "float | None",
        # The matches, the newest first.
        "matches": "list[BacktestMatch]",
    },
)


class UpdateAlertInput(TypedDict):
    """Changes of an alert. A field that is left out or null stays as it is."""

    name: NotRequired[str]
    """A label of 1 to 100 characters without control characters."""
    conditions: NotRequired[TokenFilter]
    status: NotRequired[Literal["active", "paused"]]
    """Whether the alert is active or paused. The plan limits how many alerts are active."""
    url: NotRequired[str]
    """The URL of the webhook: https on the public internet. Only with the channel webhook."""


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
    """The URL of the webhook; null for the channel email."""
    created_at: str
    """When the alert was created."""
    last_triggered_at: str | None
    """When the alert last fired; null if it never did."""
    secret: NotRequired[str]
    """The secret that signs the messages of its webhook, shown only in this answer; left out without a webhook."""


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
    """Whether the event is retracted: its block is no longer part of the chain."""


class StreamEnd(TypedDict):
    """The last message of a stream, of the type `end`."""

    reason: Literal["done", "leaving", "slow", "replaced", "unauthorized", "rate_limited", "reset", "failed"]
    """The reason of the end; treat an unknown word as `failed`."""
    message: str
    """A sentence for people."""
    resume: str | None
    """The place to continue from in a later stream; null when there is none."""


class Error(TypedDict):
    """The body of every error."""

    error: ErrorDetail


class ErrorDetail(TypedDict):
    """What went wrong."""

    code: Literal["INVALID_PARAMS", "UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND", "METHOD_NOT_ALLOWED", "CONFLICT", "PAYLOAD_TOO_LARGE", "URI_TOO_LONG", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "SERVER_ERROR", "SERVICE_UNAVAILABLE"]
    """The code; treat an unknown one by its status."""
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
    """The fault and its fix."""
