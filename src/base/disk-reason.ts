// Faults of a disk in words.

/** By the code of the system's error. */
export const DISK_REASONS = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  EROFS: 'the disk is read-only',
} as const
