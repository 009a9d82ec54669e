import { classifyEntry, findApiBase } from '../../adapters/har/classify-entry.ts'
import { type SkipReason, skipReasonTexts } from '../../adapters/har/entry-schema.ts'
import { inspectValue, UsageError } from '../../utils/usage-error.ts'
import { parseHar } from './parse-har.ts'

/** What an archive holds: read once, before anything is made of it. */
export interface HarScan {
  /** Where the API begins */
  readonly baseUrl: string
  /** How many requests to the API there are */
  readonly requests: number
  /** How many entries are something else, and what */
  readonly leftOut: ReadonlyMap<SkipReason, number>
  /** Whether requests stand in the order in which they were sent */
  readonly isSorted: boolean
  /** Whether any request tells its key: in its headers, or by a label */
  readonly hasKeys: boolean
}

/** What is told of a file that has more. */
const maxIssues = 100

/**
 * Looks an archive through.
 *
 * @param base where the API begins; by default wherever a path of it stands
 * @throws UsageError with every fault of the file, or where the requests are none of one API
 */
export async function scanHar(
  file: string,
  base: string | undefined,
  onRead: (bytes: number) => void = () => {},
): Promise<HarScan> {
  const faults: string[] = []
  const bases = new Map<string, number>()
  const left = new Map<SkipReason, number>()
  let entries = 0
  let [latest, isSorted, hasKeys] = ['', true, false]
  let count = 0
  const note = (given: readonly string[]): void => {
    count += given.length
    if (faults.length < maxIssues) faults.push(...given)
  }
  await parseHar(file, {
    version(version) {
      if (version === '' || version === '1.1' || version === '1.2') return
      note([`log.version: expected 1.2, or 1.1, got ${inspectValue(version)}`])
    },
    invalidEntries: () => note(['log.entries: expected a list']),
    onBytes: onRead,
    entry(entry, index) {
      entries += 1
      const sifted = classifyEntry(entry, `log.entries[${index}]`, baseUrlMatcher(base))
      if ('issues' in sifted) return note(sifted.issues)
      if ('skipped' in sifted) return increment(left, sifted.skipped)
      const { at, request, key } = sifted.exchange
      increment(bases, sifted.base)
      isSorted &&= latest <= at
      latest = at
      hasKeys ||=
        key !== undefined || request.headers.some(([name]) => /^authorization$/i.test(name))
    },
  })
  if (count > 0) throw invalidHarError(file, faults, count)
  const [baseUrl = '', ...others] = bases.keys()
  if (baseUrl === '') throw noApiRequestError(file, entries, left)
  if (others.length > 0) throw severalApisError(file, bases)
  return { baseUrl, requests: bases.get(baseUrl) ?? 0, leftOut: left, isSorted, hasKeys }
}

/** Where the API begins, as `sift` asks for it. */
export function baseUrlMatcher(base: string | undefined): (url: string) => string | null {
  if (base === undefined) return (url) => (/^https?:/i.test(url) ? findApiBase(url) : null)
  return (url) => (`${url.split(/[?#]/)[0]}/`.startsWith(`${base}/`) ? base : null)
}

/** What was left out, in words; empty where nothing was. */
export function formatLeftOut(left: HarScan['leftOut']): string {
  return [...left].map(([reason, count]) => `${count} ${skipReasonTexts[reason]}`).join(', ')
}

function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function invalidHarError(file: string, faults: readonly string[], count: number): UsageError {
  const shown = faults.slice(0, maxIssues)
  const more = count - shown.length
  return new UsageError(
    `Failed to import ${file}: it has ${count === 1 ? 'a fault' : `${count} faults`}. Nothing was written.`,
    more > 0 ? [...shown, `and ${more} more`] : shown,
  )
}

function noApiRequestError(file: string, entries: number, left: HarScan['leftOut']): UsageError {
  const count = entries === 1 ? '1 entry' : `${entries} entries`
  const got = entries === 0 ? 'no entry' : `${count}: ${formatLeftOut(left)}`
  return new UsageError(
    `Failed to import ${file}: expected a request to a path of the API, got ${got}. Say by --base where the API begins, if it is among them.`,
  )
}

function severalApisError(file: string, bases: ReadonlyMap<string, number>): UsageError {
  const got = [...bases].map(([base, count]) => `${count} to ${base}`).join(', ')
  return new UsageError(
    `Failed to import ${file}: expected requests to one API, got ${got}. Choose one with --base.`,
  )
}
