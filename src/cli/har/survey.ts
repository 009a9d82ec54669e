import { apiBase } from '../../har/api-base.ts'
import { type LeftOut, reasons } from '../../har/left-out.ts'
import { sift } from '../../har/sift.ts'
import { show, UsageError } from '../../usage-error.ts'
import { parseHar } from './parse.ts'

/** What an archive holds: read once, before anything is made of it. */
export interface Survey {
  /** Where the API begins */
  readonly baseUrl: string
  /** How many requests to the API there are */
  readonly requests: number
  /** How many entries are something else, and what */
  readonly left: ReadonlyMap<LeftOut, number>
  /** Whether requests stand in the order in which they were sent */
  readonly isSorted: boolean
  /** Whether any request tells its key: in its headers, or by a label */
  readonly hasKeys: boolean
}

/** What is told of a file that has more. */
const mostFaults = 100

/**
 * Looks an archive through.
 *
 * @param base where the API begins; by default wherever a path of it stands
 * @throws UsageError with every fault of the file, or where the requests are none of one API
 */
export async function survey(
  file: string,
  base: string | undefined,
  onRead: (bytes: number) => void = () => {},
): Promise<Survey> {
  const faults: string[] = []
  const bases = new Map<string, number>()
  const left = new Map<LeftOut, number>()
  let entries = 0
  let [latest, isSorted, hasKeys] = ['', true, false]
  let count = 0
  const note = (given: readonly string[]): void => {
    count += given.length
    if (faults.length < mostFaults) faults.push(...given)
  }
  await parseHar(file, {
    version(version) {
      if (version === '' || version === '1.1' || version === '1.2') return
      note([`log.version: expected 1.2, or 1.1, got ${show(version)}`])
    },
    noList: () => note(['log.entries: expected a list']),
    read: onRead,
    entry(entry, index) {
      entries += 1
      const sifted = sift(entry, `log.entries[${index}]`, baseOf(base))
      if ('faults' in sifted) return note(sifted.faults)
      if ('left' in sifted) return add(left, sifted.left)
      const { at, request, key } = sifted.exchange
      add(bases, sifted.base)
      isSorted &&= latest <= at
      latest = at
      hasKeys ||=
        key !== undefined || request.headers.some(([name]) => /^authorization$/i.test(name))
    },
  })
  if (count > 0) throw faulty(file, faults, count)
  const [baseUrl = '', ...others] = bases.keys()
  if (baseUrl === '') throw none(file, entries, left)
  if (others.length > 0) throw several(file, bases)
  return { baseUrl, requests: bases.get(baseUrl) ?? 0, left, isSorted, hasKeys }
}

/** Where the API begins, as `sift` asks for it. */
export function baseOf(base: string | undefined): (url: string) => string | null {
  if (base === undefined) return (url) => (/^https?:/i.test(url) ? apiBase(url) : null)
  return (url) => (`${url.split(/[?#]/)[0]}/`.startsWith(`${base}/`) ? base : null)
}

/** What was left out, in words; empty where nothing was. */
export function leftText(left: Survey['left']): string {
  return [...left].map(([reason, count]) => `${count} ${reasons[reason]}`).join(', ')
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function faulty(file: string, faults: readonly string[], count: number): UsageError {
  const shown = faults.slice(0, mostFaults)
  const more = count - shown.length
  return new UsageError(
    `Failed to import ${file}: it has ${count === 1 ? 'a fault' : `${count} faults`}. Nothing was written.`,
    more > 0 ? [...shown, `and ${more} more`] : shown,
  )
}

function none(file: string, entries: number, left: Survey['left']): UsageError {
  const count = entries === 1 ? '1 entry' : `${entries} entries`
  const got = entries === 0 ? 'no entry' : `${count}: ${leftText(left)}`
  return new UsageError(
    `Failed to import ${file}: expected a request to a path of the API, got ${got}. Say by --base where the API begins, if it is among them.`,
  )
}

function several(file: string, bases: ReadonlyMap<string, number>): UsageError {
  const got = [...bases].map(([base, count]) => `${count} to ${base}`).join(', ')
  return new UsageError(
    `Failed to import ${file}: expected requests to one API, got ${got}. Choose one with --base.`,
  )
}
