// The rules of when an alert speaks (contract, section 7).

/** A pair of alert and token stays disarmed for this long after it ceased to match. */
export const REARM_SECONDS = 600

/** At most one mail per alert in this time. */
export const COOL_DOWN_SECONDS = 300
