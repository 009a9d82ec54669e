import { type SkipReason, skipReasonTexts } from '../../adapters/har/entry-schema.ts'
import { classifyEntry, findApiBase } from '../../adapters/har/parse-entry.ts'
import { inspectValue, UsageError } from '../../utils/usage-error.ts'
import { formatCount } from '../output/format-count.ts'
import { parseHar } from './parse-har.ts'

/** The contents of an archive, before it is converted. */
export interface HarScan {
  /** The base URL of the API */
  readonly baseUrl: string
  /** The number of requests to the API */
  readonly requests: number
  /** The number of other entries, by reason */
  readonly leftOut: ReadonlyMap<SkipReason, number>
  /** Whether the entries are in the order in which the requests were sent */
  readonly isSorted: boolean
  /** Whether any request has a key, or the label of one */
  readonly hasKeys: boolean
}

/** The number of issues that a message lists. */
const maxIssues = 100

/**
 * Scans an archive.
 *
 * @param base the base URL of the API; by default it is detected
 * @throws UsageError with every issue of the file, or if it has requests to several APIs
 */
export async function scanHar(
  file: string,
  base: string | undefined,
  onRead: (bytes: number) => void = () => {},
): Promise<HarScan> {
  const issues: string[] = []
  const bases = new Map<string, number>()
  const leftOut = new Map<SkipReason, number>()
  let entries = 0
  let [latest, isSorted, hasKeys] = ['', true, false]
  let issueCount = 0
  const addIssues = (added: readonly string[]): void => {
    issueCount += added.length
    if (issues.length < maxIssues) issues.push(...added)
  }
  await parseHar(file, {
    version(version) {
      if (version === '' || version === '1.1' || version === '1.2') return
      addIssues([`log.version: expected 1.1 or 1.2, got ${inspectValue(version)}`])
    },
    invalidEntries: () => addIssues(['log.entries: expected a list']),
    onBytes: onRead,
    entry(entry, index) {
      entries += 1
      const classified = classifyEntry(entry, `log.entries[${index}]`, baseUrlMatcher(base))
      if ('issues' in classified) return addIssues(classified.issues)
      if ('skipped' in classified) return increment(leftOut, classified.skipped)
      const { at, request, key } = classified.exchange
      increment(bases, classified.base)
      isSorted &&= latest <= at
      latest = at
      hasKeys ||=
        key !== undefined || request.headers.some(([name]) => /^authorization$/i.test(name))
    },
  })
  if (issueCount > 0) throw invalidHarError(file, issues, issueCount)
  const [baseUrl = '', ...others] = bases.keys()
  if (baseUrl === '') throw noApiRequestError(file, entries, leftOut)
  if (others.length > 0) throw severalApisError(file, bases)
  return { baseUrl, requests: bases.get(baseUrl) ?? 0, leftOut, isSorted, hasKeys }
}

/** Returns a function that finds the base URL of the API in a URL, as `classifyEntry` needs it. */
export function baseUrlMatcher(base: string | undefined): (url: string) => string | null {
  if (base === undefined) return (url) => (/^https?:/i.test(url) ? findApiBase(url) : null)
  return (url) => (`${url.split(/[?#]/)[0]}/`.startsWith(`${base}/`) ? base : null)
}

/** Describes the entries that were left out. @example '3 to other URLs, 4 CORS preflights' */
export function formatLeftOut(leftOut: HarScan['leftOut']): string {
  return [...leftOut].map(([reason, count]) => `${count} ${skipReasonTexts[reason]}`).join(', ')
}

function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function invalidHarError(file: string, issues: readonly string[], count: number): UsageError {
  const shown = issues.slice(0, maxIssues)
  const more = count - shown.length
  return new UsageError(
    `${file} is not a valid HAR archive: ${formatCount(count, 'issue')}. Nothing was written.`,
    more > 0 ? [...shown, `and ${more} more`] : shown,
  )
}

function noApiRequestError(file: string, entries: number, leftOut: HarScan['leftOut']): UsageError {
  const found = `${formatCount(entries, 'entry', 'entries')}${entries === 0 ? '' : `: ${formatLeftOut(leftOut)}`}`
  return new UsageError(
    `${file} has no request to the API (${found}). If one of them is, set the base URL of the API with --base.`,
  )
}

function severalApisError(file: string, bases: ReadonlyMap<string, number>): UsageError {
  const counts = [...bases].map(([base, count]) => `${count} to ${base}`).join(', ')
  return new UsageError(
    `${file} has requests to several base URLs: ${counts}. Choose one with --base.`,
  )
}
