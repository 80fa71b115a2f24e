// A report as text for the database. Only the fields named here hold integers beyond 2^53, and they are written as decimal texts.
import type { LogFacts } from './log-facts.ts'
import type { Power, SafetyReport } from './report.ts'

/** The report as JSON. */
export const packReport = (report: SafetyReport): string =>
  JSON.stringify(report, (_, value) => (typeof value === 'bigint' ? value.toString() : value))

/** The report that `packReport` wrote. */
export function unpackReport(text: string): SafetyReport {
  const { powersRead = [], code, ...report } = JSON.parse(text) as SafetyReport & { powersRead?: string[] }
  return {
    ...report,
    ...toldPowers(report.powers, powersRead),
    // A report of an earlier version does not say what it read.
    code: code && { ...code, unread: code.unread ?? null, native: code.native ?? null },
    multiplier: report.multiplier ?? null,
    logs: report.logs && unpackLogs(report.logs),
  }
}

const unpackLogs = (logs: LogFacts): LogFacts => ({
  ...logs,
  lateMinted: BigInt(logs.lateMinted),
})

/** No power is known only where something was read. */
export const toldPowers = (
  powers: readonly Power[] | null,
  powersRead: readonly string[],
): Pick<SafetyReport, 'powers' | 'powersRead'> => ({
  powers: powers && (powers.length > 0 || powersRead.length > 0) ? powers : null,
  powersRead,
})
