import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { JSONParser, TokenizerError, TokenParserError } from '@streamparser/json'
import {
  classifyEntry,
  findApiBase,
  formatLeftOut,
  type SkipReason,
} from '../adapters/har/parse-entry.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Step } from '../scenarios/format/scenario.ts'
import type { Packing } from '../scenarios/recording/generalize.ts'
import { Recorder, toScenarioHead } from '../scenarios/recording/recorder.ts'
import { createSimulator } from '../simulator.ts'
import { failToWrite, unreadableFileError } from '../utils/files.ts'
import { formatJson } from '../utils/format-json.ts'
import {
  inspectValue,
  listWords,
  UsageError,
  unexpectedValue,
  unknownWord,
} from '../utils/usage-error.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'
import { writeFileAtomically } from '../world/persistence/lock-file.ts'
import { defineCommand, type FlagValues } from './command.ts'
import type { CommandContext } from './command-context.ts'
import { parseKey, redactFlag } from './flags.ts'
import { checkReplaceable, formatCount, startProgressBar } from './output.ts'

const help = `
Requests to other URLs are left out and counted. Keys are replaced by their labels in the world. Browsers leave keys out
of an export unless you include sensitive data. --as all sets the key of requests without one.

Examples:
  npx understudy-api import session.har > session.json
  npx understudy-api import session.har --out session.json --base https://app.example.com --as all

Exit code 2 for an invalid archive. Each issue is listed with its entry and field, and nothing is written.`

const flags = {
  '--out <file>': 'file for the scenario (default: stdout)',
  '--base <url>': 'base URL of the API (default: detected)',
  '--title <text>': 'title of the scenario',
  '--world <name>': { text: 'world of the scenario', choices: fixtureNames },
  '--key <label=value>': { text: 'label of a key; can be repeated', parse: parseKey },
  '--as <label>': 'key of requests that have none',
  '--keep': 'keep secrets and personal data',
  '--redact <name>': redactFlag,
  '--force': 'overwrite a file that is not a scenario',
  '--json': 'print the result and the skipped entries as JSON',
} as const

export default defineCommand({
  name: 'import',
  summary: 'Convert a HAR archive of a browser or proxy to a scenario.',
  args: [['<file>', 'HAR 1.2 archive']],
  flags,
  help,
  run: ([file], values, context) => importFile(file, values, context),
})

type ImportFlags = FlagValues<typeof flags>

async function importFile(
  file: string,
  flags: ImportFlags,
  context: CommandContext,
): Promise<void> {
  const { out, title = `Imported from ${basename(file)}`, world, json } = flags
  if (json && out === undefined) {
    throw new UsageError('--json requires --out. Without it, the scenario is printed to stdout.')
  }
  if (out !== undefined) await checkReplaceable(out, 'scenario', flags.force)
  const findBase = createBaseFinder(flags.base)
  const keys = { ...(await readKeys(world)), ...flags.key?.keys }
  checkLabel(flags.as, Object.keys(keys))
  // The file is read twice.
  const size = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) * 2
  const progress = await startProgressBar('Importing', size, context.stderr)
  let done = 0
  const onBytes = (bytes: number): void => {
    done += bytes
    progress.update(done)
  }
  const imported = await importHar(file, findBase, keys, flags, onBytes).finally(progress.stop)
  const { recorder, warnings, baseUrl, leftOut } = imported
  const head = toScenarioHead({ title, ...(world !== undefined && { world }) })
  const texts = serializeScenario(head, recorder)
  if (out === undefined) for (const text of texts) context.stdout.write(text)
  else await writeFileAtomically(out, texts).catch(failToWrite(out))
  const requests = recorder.length
  if (json) {
    const left_out = Object.fromEntries(leftOut)
    context.printJson({ out, base_url: baseUrl, requests, left_out, warnings })
  } else {
    const rest = leftOut.size === 0 ? '' : `; left out: ${formatLeftOut(leftOut)}`
    const summary = `${formatCount(requests, 'request')} to ${baseUrl}${rest}.`
    if (out === undefined) context.printError(summary)
    else context.print(`${out}: ${summary}`)
  }
  for (const warning of warnings) context.printError(warning)
}

async function readKeys(world: string | undefined): Promise<Record<string, string>> {
  const simulator = createSimulator(world === undefined ? {} : { world: await readWorld(world) })
  return Object.fromEntries(simulator.keys.list().map(({ label, value }) => [label, value]))
}

/** @throws UsageError for a label that no key has */
function checkLabel(label: string | undefined, labels: readonly string[]): void {
  if (label === undefined || labels.includes(label)) return
  const expected = `the label of a key (${listWords(labels)})`
  throw unknownWord('read --as', labels, label, null, expected)
}

/** Returns a function that finds the base URL of the API in a URL. Without a base, it is detected. */
function createBaseFinder(base: string | undefined): (url: string) => string | null {
  if (base === undefined) return (url) => (/^https?:/i.test(url) ? findApiBase(url) : null)
  if (!/^https?:/i.test(base) || !URL.canParse(base)) {
    throw unexpectedValue('read --base', 'a URL such as https://app.example.com', base)
  }
  const baseUrl = new URL(base).href.replace(/\/+$/, '')
  return (url) => (`${url.split(/[?#]/)[0]}/`.startsWith(`${baseUrl}/`) ? baseUrl : null)
}

/** Reads the file twice: for its issues and base URL, then for its requests. Other entries take no memory. */
async function importHar(
  file: string,
  findBase: (url: string) => string | null,
  keys: Readonly<Record<string, string>>,
  { as, keep = false, redact }: ImportFlags,
  onBytes: (bytes: number) => void,
): Promise<HarScan & { recorder: Recorder; warnings: readonly string[] }> {
  const scan = await scanHar(file, findBase, onBytes)
  const recorder = new Recorder({
    baseUrl: scan.baseUrl,
    keys,
    keep,
    redact,
    packing: deflateSteps,
  })
  const warnings: string[] = []
  const add = (exchange: Exchange): void => {
    warnings.push(...recorder.add(withDefaultKey(exchange, as)).warnings)
  }
  const unsorted: Exchange[] = []
  await parseHar(file, {
    entry(entry, index) {
      const classified = classifyEntry(entry, `log.entries[${index}]`, findBase)
      if (!('exchange' in classified)) return
      if (scan.isSorted) add(classified.exchange)
      else unsorted.push(classified.exchange)
    },
    onBytes,
  })
  // The format does not define the order of entries.
  for (const exchange of unsorted.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))) {
    add(exchange)
  }
  if (!scan.hasKeys && as === undefined) {
    warnings.push(
      'The requests have no keys, because browsers leave them out unless you export sensitive data. Set the key for the replay with --as LABEL.',
    )
  }
  return { ...scan, recorder, warnings }
}

/** Sets the default key on a request without a key. A 401 means that the request really had none. */
function withDefaultKey(exchange: Exchange, key: string | undefined): Exchange {
  if (key === undefined || hasKey(exchange) || exchange.response.status === 401) return exchange
  return { ...exchange, key }
}

/** Serializes a scenario step by step, because all steps can take much memory. */
function* serializeScenario(head: object, recorder: Recorder): Generator<string> {
  yield `${formatJson(head).slice(0, -2)},\n  "steps": [`
  for (let index = 0; index < recorder.length; index++) {
    yield `${index === 0 ? '' : ','}\n    ${formatJson(recorder.step(index), '    ')}`
  }
  yield '\n  ]\n}\n'
}

/** Compresses steps. They take a tenth of their length, outside the heap. */
const deflateSteps: Packing = {
  // Copies the result, because zlib returns a slice of a 16 KiB buffer, which would stay in memory.
  pack: (step) => Buffer.from(deflateRawSync(JSON.stringify(step), { level: 1 })),
  unpack: (packed) => JSON.parse(inflateRawSync(packed as Uint8Array).toString()) as Step,
}

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
