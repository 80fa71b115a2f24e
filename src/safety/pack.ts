// A report as text for the database. Only the fields named here hold integers beyond 2^53, and they are written as decimal texts.
import type { LogFacts } from './log-facts.ts'
import type { SafetyReport } from './report.ts'

/** The report as JSON. */
export const packReport = (report: SafetyReport): string =>
  JSON.stringify(report, (_, value) => (typeof value === 'bigint' ? value.toString() : value))

/** The report that `packReport` wrote. */
export function unpackReport(text: string): SafetyReport {
  const report = JSON.parse(text) as SafetyReport
  return { ...report, logs: report.logs && unpackLogs(report.logs) }
}

const unpackLogs = (logs: LogFacts): LogFacts => ({
  ...logs,
  lateMinted: BigInt(logs.lateMinted),
})
