import { basename, resolve } from 'node:path'
import { formatLeftOut } from '../adapters/har/parse-entry.ts'
import { settingsOfTraffic } from '../analysis/compare/settings-of-traffic.ts'
import { describeAssumptions } from '../analysis/traffic/assumption.ts'
import {
  scenarioFileOf,
  scenarioFromTraffic,
  type TrafficScenario,
} from '../analysis/traffic/from-traffic.ts'
import { titleOfFailures } from '../analysis/traffic/incident.ts'
import type { ReadExchanges } from '../analysis/traffic/read-har.ts'
import { withoutUnknownFields } from '../analysis/traffic/unknown-fields.ts'
import { parseScenario } from '../scenarios/format/check-scenario.ts'
import { isRequestStep, type Scenario, type Step } from '../scenarios/format/scenario.ts'
import { readScenario, readScenarioText } from '../scenarios/library.ts'
import type { RecordingHead } from '../scenarios/recording/recorder.ts'
import { createSimulator } from '../simulator.ts'
import { issuesError, listWords, UsageError, unknownWord } from '../utils/errors.ts'
import { formatJson } from '../utils/format-json.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'
import { defineCommand, type FlagValues, nameOfFlag } from './command.ts'
import type { CommandContext } from './command-context.ts'
import { parseKey, redactFlag } from './flags.ts'
import { formatCount } from './output.ts'
import { simulatorFor } from './scenario-simulator.ts'
import { kindOfFile, readExchanges } from './traffic/read-exchanges.ts'
import {
  checkScenarioFile,
  type ImportKind,
  incidentOf,
  parseImportKind,
  prepareTest,
  printTest,
  testAsJson,
  writeImported,
} from './write-test.ts'

const help = `
Requests to other URLs are left out and counted. The scenario starts with a world that is derived from the responses:
rows before their first change, their authors, and a key for each key of the requests. The profile and the settings
follow from the first responses. Browsers leave keys out of an export unless you include sensitive data. Such requests
get a key of this world, or that of --default-key. Lost and slow responses, errors of the server and refusals by a rate
limit become faults.

With --as RUNNER, the scenario is written to NAME.json in the working directory, or to --out, and a test beside it. The
test replays the recorded requests with their faults, and fails on what failed. Call your client in their place.

Examples:
  npx understudy-api import session.har > session.json
  npx understudy-api import session.har --out session.json --base https://app.example.com --default-key all
  npx understudy-api import incident.har --as vitest
  npx understudy-api import run.json --as pytest                 a scenario

Exit code 2 for an invalid archive. Each issue is listed with its entry and field, and nothing is written.`

const flags = {
  '--out <file>': { text: 'file for the scenario (default: stdout)', file: 'scenario' },
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
  '--keep': 'keep secrets and personal data',
  '--redact <name>': redactFlag,
  '--strict': 'also expect fields of rows that the simulator does not have',
  '--force': 'overwrite a scenario or a test with another content, too',
  '--json': 'print the result and the skipped entries as JSON',
} as const

export default defineCommand({
  name: 'import',
  summary: 'Convert a HAR archive or a journal to a scenario, and write a test of it.',
  args: [['<file>', 'HAR 1.2 archive or journal; with --as RUNNER also a scenario']],
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
  if (kindOfFile(file) === 'scenario') return importScenario(file, flags, context)
  const { world, json } = flags
  const isJournal = kindOfFile(file) === 'journal'
  if (isJournal) refuseFlags(harFlags, flags, file, 'a journal')
  const runner = runnerOf(flags)
  if (runner && flags.out !== undefined) checkScenarioFile(flags.out)
  const out = flags.out ?? (runner && defaultFileOf(file))
  if (json && out === undefined) {
    throw new UsageError('--json requires --out. Without it, the scenario is printed to stdout.')
  }
  const keys = { ...(await readKeys(world)), ...flags.key?.keys }
  checkLabel(flags.defaultKey, Object.keys(keys))
  const { scenario, warnings, assumptions, ...read } = await importExchanges(file, keys, flags)
  const { requests, baseUrl, leftOut } = read
  const incident = await incidentOf(parseScenario(scenario))
  const failed = runner && incident.expectations.length > 0 && incident.title
  const title = failed || titleOfFailures(incident) || `Imported from ${basename(file)}`
  const titled = { ...scenario, title: flags.title ?? title }
  const text = `${formatJson(titled)}\n`
  const test = runner && out ? prepareTest(incident, titled, out, runner) : undefined
  if (out === undefined) context.stdout.write(text)
  else await writeImported(out, text, test, flags.force)
  if (json) {
    const left_out = Object.fromEntries(leftOut)
    const written = { out, ...(test && { test: testAsJson(test) }) }
    const base_url = baseUrl ?? null
    context.printJson({ ...written, base_url, requests, left_out, assumptions, warnings })
  } else {
    const rest = leftOut.size === 0 ? '' : `; left out: ${formatLeftOut(leftOut)}`
    const place = baseUrl === undefined ? '' : ` to ${baseUrl}`
    const summary = `${formatCount(requests, 'request')}${place}${rest}.`
    if (out === undefined) context.printError(summary)
    else context.print(`${out}: ${summary}`)
    if (test && out) printTest(test, out, context)
  }
  for (const warning of warnings) context.printError(warning)
  if (test && !json) for (const line of describeAssumptions(assumptions)) context.printError(line)
}

/** The name of the scenario of a file, in the working directory: another one than that of the file. */
function defaultFileOf(file: string): string {
  const name = scenarioFileOf(basename(file))
  return resolve(name) === resolve(file) ? name.replace(/json$/, 'scenario.json') : name
}

function runnerOf({ as = 'scenario' }: ImportFlags): Exclude<ImportKind, 'scenario'> | undefined {
  return as === 'scenario' ? undefined : as
}

/** The flags that are only about HAR archives, and those that say how traffic is read. */
const harFlags = ['base'] as const
const trafficFlags = [...harFlags, 'title', 'world', 'key', 'defaultKey', 'keep', 'strict'] as const

/** @param kind what the file is, such as `a journal` @throws UsageError for a flag that does not apply to it */
function refuseFlags(
  names: readonly (typeof trafficFlags)[number][],
  flags: ImportFlags,
  file: string,
  kind: string,
): void {
  const flag = names.find((name) => flags[name] !== undefined)
  if (flag === undefined) return
  const others = names === harFlags ? 'HAR archives' : 'HAR archives and journals'
  throw new UsageError(`${nameOfFlag(flag)} is about ${others}. ${file} is ${kind}.`)
}

/** Writes a test of a scenario. Its file stays as it is, unless `--out` names another one. */
async function importScenario(
  file: string,
  flags: ImportFlags,
  context: CommandContext,
): Promise<void> {
  const runner = runnerOf(flags)
  const scenario = await readScenario(file)
  refuseFlags(trafficFlags, flags, file, 'a scenario')
  if (runner === undefined) {
    throw new UsageError(`${file} is a scenario already. Write a test of it with --as RUNNER.`)
  }
  if (flags.out !== undefined) checkScenarioFile(flags.out)
  const { out = file, force } = flags
  const test = prepareTest(await incidentOf(scenario), scenario, out, runner)
  await writeImported(out, await readScenarioText(file), test, force)
  if (flags.json) context.printJson({ out, test: testAsJson(test) })
  else printTest(test, out, context)
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

interface Imported
  extends Omit<ReadExchanges, 'exchanges' | 'numbers' | 'warnings'>,
    TrafficScenario {
  readonly requests: number
}

async function importExchanges(
  file: string,
  keys: Readonly<Record<string, string>>,
  { base, defaultKey, keep = false, redact, strict, world }: ImportFlags,
): Promise<Imported> {
  const { exchanges, baseUrl, leftOut, warnings: read } = await readExchanges(file, base)
  // A fixture has no key for requests without one.
  const leavesKeysOut = world !== undefined && defaultKey === undefined
  const options = { keys, keep, missingKey: defaultKey, leavesKeysOut, world, redact, baseUrl }
  const { scenario, warnings, ...rest } = await scenarioFromTraffic(exchanges, options)
  const requests = scenario.steps.filter(isRequestStep).length
  if (requests === 0) {
    const issues = warnings.map((text) => ({ path: [], text }))
    throw issuesError(`${file} has no request that a scenario can send.`, issues)
  }
  const keyWarnings = rest.hasMissingKeys && leavesKeysOut ? [missingKeys] : []
  const settings = world === undefined && (await findSettings(scenario))
  const { steps, ...head } = scenario
  if (world !== undefined) checkKeys(steps, world, Object.keys(await readKeys(world)))
  const set = { ...head, ...settings, steps }
  const known = strict ? { scenario: set, warnings: [] } : await replayForFields(set)
  return {
    ...rest,
    scenario: known.scenario,
    warnings: [...read, ...warnings, ...keyWarnings, ...known.warnings],
    ...{ requests, baseUrl, leftOut },
  }
}

/** @throws UsageError for a step with a key that the world does not have @param labels those of the keys of the world */
function checkKeys(steps: readonly Step[], world: string, labels: readonly string[]): void {
  const sent = steps.flatMap((step) => (isRequestStep(step) ? (step.as ?? []) : []))
  const unknown = sent.find((label) => !labels.includes(label))
  if (unknown === undefined) return
  throw new UsageError(
    `The world ${world} has no key for ${unknown}, a key of the archive. Name one of its labels with the value of that key: --key ${labels[0] ?? 'all'}=VALUE.`,
  )
}

/** Replays a scenario once, to find the fields that no response of the simulator has. */
async function replayForFields(scenario: Scenario) {
  const simulator = await simulatorFor(parseScenario(scenario))
  return withoutUnknownFields(scenario, await simulator.replay(scenario, { decide: false }))
}

const missingKeys =
  'The requests have no keys, because browsers leave them out unless you export sensitive data. Set the key for the replay with --default-key LABEL.'

/** The settings of the service, if its responses show that they are not those of the profile `documented`. */
async function findSettings(
  scenario: Scenario,
): Promise<Pick<RecordingHead, 'profile' | 'settings'>> {
  const { profile, settings } = await settingsOfTraffic(scenario)
  return {
    ...(profile !== 'documented' && { profile }),
    ...(Object.keys(settings).length > 0 && { settings }),
  }
}
