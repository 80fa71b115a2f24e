// The mark of a balance that its contract changes without transfers.
export const RebasingMark = () => (
  <span class="flags">
    <span
      class="flag care"
      title="Its contract changes balances without transfers. The amount and the values here are sums of transfers."
    >
      Balance by transfers alone
    </span>
  </span>
)
