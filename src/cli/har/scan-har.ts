import { createReadStream } from 'node:fs'
import { JSONParser, TokenizerError, TokenParserError } from '@streamparser/json'
import { classifyEntry, type SkipReason, skipReasonTexts } from '../../adapters/har/parse-entry.ts'
import type { Exchange } from '../../http/exchange.ts'
import { unreadableFileError } from '../../utils/files.ts'
import { inspectValue, UsageError } from '../../utils/usage-error.ts'
import { formatCount } from '../output.ts'

/** The contents of an archive, before it is converted. */
export interface HarScan {
  readonly baseUrl: string
  readonly leftOut: ReadonlyMap<SkipReason, number>
  /** Whether the entries are in the order in which the requests were sent */
  readonly isSorted: boolean
  readonly hasKeys: boolean
}

/** The number of issues that a message lists. */
const maxIssues = 100

/** @throws UsageError with every issue of the file, or if it has requests to several APIs */
export async function scanHar(
  file: string,
  findBase: (url: string) => string | null,
  onBytes: (bytes: number) => void,
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
    onBytes,
    entry(entry, index) {
      entries += 1
      const classified = classifyEntry(entry, `log.entries[${index}]`, findBase)
      if ('issues' in classified) return addIssues(classified.issues)
      if ('skipped' in classified) return increment(leftOut, classified.skipped)
      const { at } = classified.exchange
      increment(bases, classified.base)
      isSorted &&= latest <= at
      latest = at
      hasKeys ||= hasKey(classified.exchange)
    },
  })
  if (issueCount > 0) {
    const shown = issues.slice(0, maxIssues)
    const more = issueCount - shown.length
    throw new UsageError(
      `${file} is not a valid HAR archive: ${formatCount(issueCount, 'problem')}. Nothing was written.`,
      more > 0 ? [...shown, `and ${more} more`] : shown,
    )
  }
  const [baseUrl] = bases.keys()
  if (baseUrl === undefined) {
    const found = [formatCount(entries, 'entry'), formatLeftOut(leftOut)]
    throw new UsageError(
      `${file} has no request to the API (${found.filter(Boolean).join(': ')}). If one of them is, set the base URL of the API with --base.`,
    )
  }
  if (bases.size > 1) {
    const counts = [...bases].map(([base, count]) => `${count} to ${base}`).join(', ')
    throw new UsageError(
      `${file} has requests to several base URLs: ${counts}. Choose one with --base.`,
    )
  }
  return { baseUrl, leftOut, isSorted, hasKeys }
}

export function hasKey({ key, request }: Exchange): boolean {
  return key !== undefined || request.headers.some(([name]) => /^authorization$/i.test(name))
}

/** Describes the entries that were left out. @example '3 to other URLs, 4 CORS preflights' */
export function formatLeftOut(leftOut: HarScan['leftOut']): string {
  return [...leftOut].map(([reason, count]) => `${count} ${skipReasonTexts[reason]}`).join(', ')
}

function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

export interface HarVisitor {
  entry(entry: unknown, index: number): void
  /** Called with the version of the format. It can follow the entries. */
  version?(version: unknown): void
  /** Called if `entries` is not a list. */
  invalidEntries?(): void
  onBytes(bytes: number): void
}

const chunkSize = 256 * 1024

/** Reads an archive in chunks. Takes no more memory than the largest entry. @throws UsageError for an invalid file */
export async function parseHar(file: string, visitor: HarVisitor): Promise<void> {
  const parser = new JSONParser({
    paths: ['$.log.version', '$.log.entries.*'],
    keepStack: false,
    stringBufferSize: chunkSize,
  })
  let count = 0
  parser.onValue = ({ value, key, parent, stack }) => {
    if (stack.length < 3) return visitor.version?.(value)
    if (!Array.isArray(parent)) return visitor.invalidEntries?.()
    visitor.entry(value, key as number)
    count += 1
  }
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: chunkSize })) {
      parser.write(chunk)
      visitor.onBytes(chunk.length)
    }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw unreadableFileError(file, error)
    const reason = describeParseError(error)
    if (reason === null) throw error
    throw new UsageError(
      `${file} is not valid JSON: ${reason}, ${describePosition(count)}. Export the archive again.`,
    )
  }
  if (!parser.isEnded) {
    throw new UsageError(
      `${file} is not a complete HAR archive: it ends ${describePosition(count)}. Export it again.`,
    )
  }
}

/** Returns null for an error that the parser did not throw. */
function describeParseError(error: unknown): string | null {
  if (error instanceof TokenizerError) {
    const [, char, offset] = /^Unexpected (".*") at .*"(\d+)"\)/s.exec(error.message) ?? []
    return char ? `unexpected ${char} at byte ${offset}` : error.message
  }
  if (error instanceof TokenParserError) {
    return error.message.replace(/^U/, 'u').replace(/ in state .*$/s, '')
  }
  return error instanceof TypeError && /encoded data/.test(error.message) ? 'invalid UTF-8' : null
}

function describePosition(count: number): string {
  return count === 0 ? 'before the end of the first entry' : `after log.entries[${count - 1}]`
}
