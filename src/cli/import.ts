import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { classifyEntry, formatLeftOut } from '../adapters/har/parse-entry.ts'
import { ExchangeSorter } from '../analysis/traffic/exchange-sorter.ts'
import { type Survey, TrafficSurvey } from '../analysis/traffic/from-traffic.ts'
import type { Step } from '../scenarios/format/scenario.ts'
import type { Packing } from '../scenarios/recording/generalize.ts'
import { Recorder, type RecordingHead, toScenarioHead } from '../scenarios/recording/recorder.ts'
import { createSimulator } from '../simulator.ts'
import { failToWrite } from '../utils/files.ts'
import { formatJson } from '../utils/format-json.ts'
import { listWords, UsageError, unknownWord } from '../utils/usage-error.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'
import { writeFileAtomically } from '../world/persistence/lock-file.ts'
import { defineCommand, type FlagValues } from './command.ts'
import type { CommandContext } from './command-context.ts'
import { parseKey, redactFlag } from './flags.ts'
import { NeighboursSeen } from './har/neighbours-seen.ts'
import { createBaseFinder, type HarScan, parseHar, scanHar } from './har/read-har.ts'
import { checkReplaceable, formatCount, startProgressBar } from './output.ts'

const help = `
Requests to other URLs are left out and counted. The scenario starts with a world that is derived from the responses:
rows before their first change, their authors, and a key for each key of the requests. Browsers leave keys out of an
export unless you include sensitive data. Such requests get a key of this world, or that of --as. Lost and slow
responses, errors of the server and refusals by a rate limit become faults.

Examples:
  npx understudy-api import session.har > session.json
  npx understudy-api import session.har --out session.json --base https://app.example.com --as all

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
  '--as <label>': 'key of requests that have none',
  '--neighbours-out <file>': 'file for responses outside the API, to use with --neighbours',
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
  const neighboursOut = flags.neighboursOut
  if (neighboursOut !== undefined) await checkReplaceable(neighboursOut, 'neighbours', flags.force)
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
  const { recorder, head, warnings, baseUrl, leftOut, assumptions } = imported
  const texts = serializeScenario(toScenarioHead({ title, ...head }), recorder)
  if (out === undefined) for (const text of texts) context.stdout.write(text)
  else await writeFileAtomically(out, texts).catch(failToWrite(out))
  const { requests, neighbours } = imported
  if (neighboursOut !== undefined) {
    const text = `${formatJson(recorder.hideInResponse(neighbours.toJSON()))}\n`
    await writeFileAtomically(neighboursOut, [text]).catch(failToWrite(neighboursOut))
  }
  if (json) {
    const left_out = Object.fromEntries(leftOut)
    context.printJson({ out, base_url: baseUrl, requests, left_out, assumptions, warnings })
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
  { as, keep = false, redact, world }: ImportFlags,
  onBytes: (bytes: number) => void,
): Promise<ImportedHar> {
  const traffic = new TrafficSurvey({ keys: known, missingKey: as })
  const scan = await scanHar(file, findBase, onBytes, (exchange) => traffic.add(exchange))
  const survey = traffic.finish()
  const { keys, order } = survey
  const { baseUrl } = scan
  const recorder = new Recorder({ baseUrl, keys, keep, redact, packing: deflateSteps })
  const head: RecordingHead =
    world === undefined
      ? {
          world: recorder.hideInWorld(survey.world),
          ...(survey.clock !== undefined && { clock: survey.clock }),
        }
      : { world }
  const warnings: string[] = []
  const neighbours = new NeighboursSeen(baseUrl)
  // A fixture has no key for requests without one.
  const isKeyUnknown = world !== undefined && as === undefined
  const sorter = new ExchangeSorter(order, (exchange, index) => {
    for (const change of survey.changesBefore(index)) recorder.addChange(change)
    warnings.push(...recorder.add(isKeyUnknown ? exchange : survey.withKey(exchange)).warnings)
  })
  await parseHar(file, {
    entry(entry, index) {
      const classified = classifyEntry(entry, `log.entries[${index}]`, findBase)
      if ('exchange' in classified) sorter.add(classified.exchange)
      else if ('skipped' in classified && classified.skipped === 'elsewhere') neighbours.add(entry)
    },
    onBytes,
  })
  if (survey.hasMissingKeys && isKeyUnknown) {
    warnings.push(
      'The requests have no keys, because browsers leave them out unless you export sensitive data. Set the key for the replay with --as LABEL.',
    )
  }
  const assumptions = world === undefined ? survey.assumptions : []
  return { ...scan, recorder, head, warnings, requests: order.length, assumptions, neighbours }
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
