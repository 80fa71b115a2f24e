// The address of a pool: that of its contract or, for a pool that its manager knows by 32 bytes, that of the manager.

/** The key of the pool, without the two coins of a row of a larger pool. */
export const keyOfPool = ({ address }: { address: string }): string => address.split('-', 1)[0] ?? address

/** A longer key is the 32 bytes of a manager's pool. */
export const isManaged = (pool: { address: string }): boolean => keyOfPool(pool).length > 42

/** The address of the pool contract of `pool`, or of the pool's manager, as `isManaged` tells. */
export const POOL_ADDRESS = `CASE WHEN length(split_part(pool.address, '-', 1)) > 42 THEN pool.factory ELSE split_part(pool.address, '-', 1) END`
