import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { classifyEntry, formatLeftOut } from '../adapters/har/parse-entry.ts'
import type { Assumption } from '../analysis/traffic/assumption.ts'
import { ExchangeSorter } from '../analysis/traffic/exchange-sorter.ts'
import { type Survey, TrafficSurvey } from '../analysis/traffic/from-traffic.ts'
import { settingsFromTraffic, settingsLimit } from '../analysis/traffic/settings-from-traffic.ts'
import { type ParsedScenario, parseScenario } from '../scenarios/format/check-scenario.ts'
import type { Step } from '../scenarios/format/scenario.ts'
import { readScenario, readScenarioText } from '../scenarios/library.ts'
import type { Packing } from '../scenarios/recording/generalize.ts'
import { Recorder, type RecordingHead, toScenarioHead } from '../scenarios/recording/recorder.ts'
import { createSimulator } from '../simulator.ts'
import { failToWrite, unreadableFileError } from '../utils/files.ts'
import { formatJson } from '../utils/format-json.ts'
import { inspectValue, listWords, UsageError, unknownWord } from '../utils/usage-error.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'
import { writeFileAtomically } from '../world/persistence/lock-file.ts'
import { worldLists } from '../world/table/tables.ts'
import { defineCommand, type FlagValues } from './command.ts'
import type { CommandContext } from './command-context.ts'
import { parseKey, redactFlag } from './flags.ts'
import { NeighboursSeen } from './har/neighbours-seen.ts'
import { createBaseFinder, type HarScan, parseHar, scanHar } from './har/read-har.ts'
import { checkOutputs, checkReplaceable, formatCount, startProgressBar } from './output.ts'
import { decodeContent } from './recording/decode-content.ts'
import {
  type ImportKind,
  parseImportKind,
  prepareTest,
  printTest,
  testAsJson,
  writeScenarioAndTest,
} from './write-test.ts'

const help = `
Requests to other URLs are left out and counted. The scenario starts with a world that is derived from the responses:
rows before their first change, their authors, and a key for each key of the requests. The profile and the policies
follow from the first responses. Browsers leave keys out of an export unless you include sensitive data. Such requests
get a key of this world, or that of --default-key. Lost and slow responses, errors of the server and refusals by a rate
limit become faults.

With --as RUNNER, the scenario is written to NAME.json in the working directory, or to --out, and a test beside it. The
test replays the recorded requests with their faults, and fails on what failed. Call your client in their place.

Examples:
  npx understudy-api import session.har > session.json
  npx understudy-api import session.har --out session.json --base https://app.example.com --default-key all
  npx understudy-api import incident.har --as vitest
  npx understudy-api import run.json --as pytest                 a scenario or a bundle

Exit code 2 for an invalid archive. Each issue is listed with its entry and field, and nothing is written.`

const flags = {
  '--out <file>': 'file for the scenario (default: stdout)',
  '--base <url>': 'base URL of the API (default: detected)',
  '--title <text>': 'title of the scenario',
  '--world <name>': {
    text: 'fixture that the scenario starts with (default: a world derived from the responses)',
    choices: fixtureNames,
  },
  '--key <label=value>': { text: 'label of a key; can be repeated', parse: parseKey },
  '--as <kind>': {
    text: 'what to write: scenario, or also a test for vitest, playwright, pytest or node (default: scenario)',
    parse: parseImportKind,
  },
  '--default-key <label>': 'label of the key of requests that have none',
  '--neighbours-out <file>': 'file for responses outside the API, to use with --neighbours',
  '--keep': 'keep secrets and personal data',
  '--redact <name>': redactFlag,
  '--force': 'overwrite a file that is not a scenario, or a test',
  '--json': 'print the result and the skipped entries as JSON',
} as const

export default defineCommand({
  name: 'import',
  summary: 'Convert a HAR archive of a browser or proxy to a scenario, and write a test of it.',
  args: [['<file>', 'HAR 1.2 archive; with --as RUNNER also a scenario, such as a bundle']],
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
  if (await isScenarioFile(file)) return importScenario(file, flags, context)
  const { title = `Imported from ${basename(file)}`, world, json } = flags
  const runner = runnerOf(flags)
  const out = flags.out ?? (runner && `${basename(file).replace(/\.(har|json)$/i, '')}.json`)
  if (json && out === undefined) {
    throw new UsageError('--json requires --out. Without it, the scenario is printed to stdout.')
  }
  const { neighboursOut } = flags
  await checkOutputs(
    [file],
    [
      { flag: '--out', file: out, kind: 'scenario' },
      { flag: '--neighbours-out', file: neighboursOut, kind: 'neighbours' },
    ],
    flags.force,
  )
  const findBase = createBaseFinder(flags.base)
  const keys = { ...(await readKeys(world)), ...flags.key?.keys }
  checkLabel(flags.defaultKey, Object.keys(keys))
  // The file is read twice.
  const size = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) * 2
  const progress = await startProgressBar('Importing', size, context.stderr)
  let done = 0
  const onBytes = (bytes: number): void => {
    done += bytes
    progress.update(done)
  }
  const imported = await importHar(file, findBase, keys, flags, onBytes).finally(progress.stop)
  const { recorder, warnings, baseUrl, leftOut, assumptions } = imported
  const head = { ...imported.head, ...(world === undefined && (await findSettings(imported))) }
  const serialize = () => serializeScenario(toScenarioHead({ title, ...head }), recorder)
  const texts = serialize()
  const test = runner && out && (await prepareTest(parse([...texts]), out, runner, flags.force))
  if (test) await writeScenarioAndTest(out, serialize(), test)
  else if (out === undefined) for (const text of texts) context.stdout.write(text)
  else await writeFileAtomically(out, texts).catch(failToWrite(out))
  const { requests, neighbours } = imported
  if (neighboursOut !== undefined) {
    const text = `${formatJson(recorder.hideInResponse(neighbours.toJSON()))}\n`
    await writeFileAtomically(neighboursOut, [text]).catch(failToWrite(neighboursOut))
  }
  if (json) {
    const left_out = Object.fromEntries(leftOut)
    const written = { out, ...(test && { test: testAsJson(test) }) }
    context.printJson({ ...written, base_url: baseUrl, requests, left_out, assumptions, warnings })
  } else {
    const rest = leftOut.size === 0 ? '' : `; left out: ${formatLeftOut(leftOut)}`
    const summary = `${formatCount(requests, 'request')} to ${baseUrl}${rest}.`
    if (neighboursOut !== undefined) {
      const written = `${neighboursOut}: ${formatCount(neighbours.size, 'response')} outside the API. Use them with --neighbours ${neighboursOut}.`
      if (out === undefined) context.printError(written)
      else context.print(written)
    }
    if (out === undefined) context.printError(summary)
    else context.print(`${out}: ${summary}`)
    if (test) printTest(test, out, context)
  }
  for (const warning of warnings) context.printError(warning)
  if (test && !json) for (const line of describeAssumptions(assumptions)) context.printError(line)
}

/** The number of assumptions that are listed. */
const maxAssumptions = 5

function describeAssumptions(assumptions: readonly Assumption[]): string[] {
  const lines = assumptions
    .slice(0, maxAssumptions)
    .map(({ field, value, because }) => `Assumed: ${field} is ${inspectValue(value)}. ${because}`)
  const more = assumptions.length - lines.length
  return more > 0 ? [...lines, `and ${more} more assumptions. --json lists all of them.`] : lines
}

function runnerOf({ as = 'scenario' }: ImportFlags): Exclude<ImportKind, 'scenario'> | undefined {
  return as === 'scenario' ? undefined : as
}

/** A test reads its scenario as a file of the user. */
function parse(texts: readonly string[]): ParsedScenario {
  return parseScenario(JSON.parse(texts.join('')))
}

/** The flags that say how a HAR archive is read. */
const harFlags = ['base', 'title', 'world', 'key', 'defaultKey', 'keep'] as const

/** Writes a test of a scenario. Its file stays as it is, unless `--out` names another one. */
async function importScenario(
  file: string,
  flags: ImportFlags,
  context: CommandContext,
): Promise<void> {
  const runner = runnerOf(flags)
  const scenario = await readScenario(file)
  const flag = harFlags.find((name) => flags[name] !== undefined)
  if (flag !== undefined) {
    const name = flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    throw new UsageError(`--${name} is about HAR archives. ${file} is a scenario.`)
  }
  if (runner === undefined) {
    throw new UsageError(`${file} is a scenario already. Write a test of it with --as RUNNER.`)
  }
  const { out = file, force } = flags
  const isCopy = resolve(out) !== resolve(file)
  if (isCopy) await checkReplaceable(out, 'scenario', force)
  const test = await prepareTest(scenario, out, runner, force)
  await writeScenarioAndTest(out, isCopy ? [await readScenarioText(file)] : null, test)
  if (flags.json) context.printJson({ out, test: testAsJson(test) })
  else printTest(test, out, context)
}

/** The names of fields with which a scenario or a world can begin. A HAR archive begins with another one. */
const firstFields = [
  ...['$schema', 'format_version', 'title', 'description', 'world', 'profile', 'policies'],
  ...['clock', 'seed', 'steps', 'generate', ...worldLists],
]

/** Whether a file looks like a scenario. Only its first bytes are read, because archives can be large. */
async function isScenarioFile(file: string): Promise<boolean> {
  const handle = await open(file).catch((error: unknown) => {
    throw unreadableFileError(file, error)
  })
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0)
    const [, name = ''] =
      /^\uFEFF?\s*\{\s*"([^"]*)"/.exec(buffer.toString('utf8', 0, bytesRead)) ?? []
    return firstFields.includes(name)
  } catch (error) {
    throw unreadableFileError(file, error)
  } finally {
    await handle.close()
  }
}

async function readKeys(world: string | undefined): Promise<Record<string, string>> {
  const simulator = createSimulator(world === undefined ? {} : { world: await readWorld(world) })
  return Object.fromEntries(simulator.keys.list().map(({ label, value }) => [label, value]))
}

/** @throws UsageError for a label that no key has */
function checkLabel(label: string | undefined, labels: readonly string[]): void {
  if (label === undefined || labels.includes(label)) return
  const expected = `the label of a key (${listWords(labels)})`
  throw unknownWord('read --default-key', labels, label, null, expected)
}

interface ImportedHar extends HarScan, Pick<Survey, 'assumptions'> {
  readonly recorder: Recorder
  readonly head: RecordingHead
  readonly warnings: readonly string[]
  readonly requests: number
  readonly neighbours: NeighboursSeen
}

/**
 * Reads the file twice: for its issues, base URL, rows and lost responses, then for its requests. Other entries take no
 * memory.
 */
async function importHar(
  file: string,
  findBase: (url: string) => string | null,
  known: Readonly<Record<string, string>>,
  { defaultKey, keep = false, redact, world }: ImportFlags,
  onBytes: (bytes: number) => void,
): Promise<ImportedHar> {
  const traffic = new TrafficSurvey({ keys: known, missingKey: defaultKey })
  const scan = await scanHar(file, findBase, onBytes, (exchange) => traffic.add(exchange))
  const survey = traffic.finish()
  const { keys, order } = survey
  const { baseUrl } = scan
  const recorder = new Recorder({ baseUrl, keys, keep, redact, packing: deflateSteps })
  if (world === undefined) recorder.hideInWorld(survey.world)
  const warnings: string[] = []
  const neighbours = new NeighboursSeen(baseUrl)
  let requests = 0
  // A fixture has no key for requests without one.
  const isKeyUnknown = world !== undefined && defaultKey === undefined
  const sorter = new ExchangeSorter(order, (exchange, index) => {
    for (const change of survey.changesBefore(index)) recorder.addChange(change)
    const added = recorder.add(isKeyUnknown ? exchange : survey.withKey(exchange))
    if (added.changed.length > 0) requests += 1
    warnings.push(...added.warnings)
  })
  await parseHar(file, {
    entry(entry, index) {
      const classified = classifyEntry(entry, `log.entries[${index}]`, findBase, decodeContent)
      if ('exchange' in classified) sorter.add(classified.exchange)
      else if ('skipped' in classified && classified.skipped === 'elsewhere') neighbours.add(entry)
    },
    onBytes,
  })
  if (requests === 0) {
    throw new UsageError(`${file} has no request that a scenario can send.`, warnings)
  }
  if (survey.hasMissingKeys && isKeyUnknown) {
    warnings.push(
      'The requests have no keys, because browsers leave them out unless you export sensitive data. Set the key for the replay with --default-key LABEL.',
    )
  }
  const assumptions = world === undefined ? survey.assumptions : []
  const head: RecordingHead =
    world === undefined
      ? {
          world: recorder.hideInWorld(survey.world),
          ...(survey.clock !== undefined && { clock: survey.clock }),
        }
      : { world }
  return { ...scan, recorder, head, warnings, requests, assumptions, neighbours }
}

/** The settings of the service, if its responses show that they are not those of the profile `documented`. */
async function findSettings({
  recorder,
  head,
}: ImportedHar): Promise<Pick<RecordingHead, 'profile' | 'policies'>> {
  const length = Math.min(recorder.length, settingsLimit)
  if (length === 0) return {}
  const steps = Array.from({ length }, (_, index) => recorder.step(index))
  const { profile, policies } = await settingsFromTraffic({ ...toScenarioHead(head), steps })
  return {
    ...(profile !== 'documented' && { profile }),
    ...(Object.keys(policies).length > 0 && { policies }),
  }
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
