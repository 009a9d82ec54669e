import {
  classifyEntry,
  findApiBase,
  formatLeftOut,
  type SkipReason,
} from '../../adapters/har/parse-entry.ts'
import type { Exchange } from '../../http/exchange.ts'
import { isObject } from '../../utils/json.ts'
import { UsageError } from '../../utils/usage-error.ts'

/** The requests to one API in a HAR archive. */
export interface HarRequests {
  readonly baseUrl: string
  readonly exchanges: readonly Exchange[]
  /** How many entries were left out, by the reason */
  readonly leftOut: ReadonlyMap<SkipReason, number>
}

/** The number of issues that a message lists. */
const maxIssues = 100

/**
 * Reads an archive in memory. The command line reads archives of any size, in pieces.
 *
 * @param name of the file, for messages
 * @param base the base URL of the API. By default it is detected
 * @throws UsageError with every issue, or if the archive has requests to no API, or to several
 */
export function readHar(har: unknown, name: string, base?: string): HarRequests {
  const { entries } = isObject(har) && isObject(har.log) ? har.log : {}
  if (!Array.isArray(entries)) {
    throw new UsageError(`Failed to read ${name}: it is not a valid HAR archive.`, [
      'log.entries: expected a list',
    ])
  }
  const findBase = (url: string): string | null => {
    if (base === undefined) return /^https?:/i.test(url) ? findApiBase(url) : null
    return url.startsWith(`${base.replace(/\/+$/, '')}/api/`) ? base.replace(/\/+$/, '') : null
  }
  const classified = entries.map((entry, index) =>
    classifyEntry(entry, `log.entries[${index}]`, findBase),
  )
  const issues = classified.flatMap((entry) => ('issues' in entry ? entry.issues : []))
  if (issues.length > 0) {
    throw new UsageError(
      `Failed to read ${name}: it is not a valid HAR archive.`,
      issues.slice(0, maxIssues),
    )
  }
  const leftOut = new Map<SkipReason, number>()
  for (const entry of classified) {
    if (!('skipped' in entry)) continue
    leftOut.set(entry.skipped, (leftOut.get(entry.skipped) ?? 0) + 1)
  }
  const found = classified.flatMap((entry) => ('exchange' in entry ? entry : []))
  const [baseUrl, ...others] = new Set(found.map((entry) => entry.base))
  if (baseUrl === undefined) {
    const rest = formatLeftOut(leftOut)
    throw new UsageError(
      `Failed to read ${name}: it has no request to the API${rest && ` (${rest})`}. If one of them is, name the base URL of the API.`,
    )
  }
  if (others.length > 0) {
    throw new UsageError(
      `Failed to read ${name}: it has requests to several base URLs: ${[baseUrl, ...others].join(', ')}. Choose one.`,
    )
  }
  return { baseUrl, exchanges: found.map(({ exchange }) => exchange), leftOut }
}
