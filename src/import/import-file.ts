import { basename, resolve } from 'node:path'
import { formatLeftOut, type LeftOut } from '../adapters/har/parse-entry.ts'
import type { FoundSettings } from '../fit/recorded-answers.ts'
import { checkKeys, parseScenario } from '../scenarios/format/check-scenario.ts'
import { isRequestStep, type Scenario } from '../scenarios/format/scenario.ts'
import { scenarioOfFile } from '../scenarios/library.ts'
import { formatStepWarnings } from '../scenarios/recording/recorder.ts'
import { describeFailedSteps, formatSummary } from '../scenarios/run/format-result.ts'
import type { KeyValues } from '../scenarios/run/sender.ts'
import { describeUnusedKeys, knownKeys, simulatorFor } from '../scenarios/run/simulator-for.ts'
import { issuesError, UsageError } from '../utils/errors.ts'
import { formatJson } from '../utils/format-json.ts'
import type { Input } from '../utils/input.ts'
import { aliasForm } from '../utils/redaction/names.ts'
import { formatCount, quoteForShell } from '../utils/text.ts'
import type { WorldJson } from '../world/world-json.ts'
import { toReplaying } from './answers.ts'
import { withoutBodies } from './client-scenario.ts'
import { type ImportedScenario, type ImportOptions, importExchanges } from './import-exchanges.ts'
import { findIncident, type Incident, titleOfFailures } from './incident.ts'
import { isEditing } from './place-others.ts'
import { kindOf, readExchanges } from './read-exchanges.ts'
import { type PreparedTest, prepareTest, type TestRunner, writeImported } from './test-files.ts'

export interface ImportFileOptions {
  /** The file of the scenario. Without it, and without a runner, none is written */
  readonly out?: string
  /** The base URL of the API, for a HAR archive */
  readonly base?: string
  readonly title?: string
  /** The keys of the traffic, by label */
  readonly key?: KeyValues
  /** Whether secrets and personal data stay */
  readonly keep?: boolean
  readonly redact?: readonly string[]
  /** What runs the test that is written beside the scenario. Without it there is no test */
  readonly runner?: TestRunner | undefined
  readonly force?: boolean
}

interface ImportedFile {
  /** The file of the scenario. Undefined if none was written */
  readonly out: string | undefined
  readonly parts: Iterable<string>
  readonly test: PreparedTest | undefined
  /** What an archive had. Null for a scenario */
  readonly traffic: {
    readonly baseUrl: string
    readonly requests: number
    readonly found: FoundSettings
  } | null
  readonly leftOut: LeftOut
  readonly warnings: readonly string[]
}

/** Waits for long work that writes only at its end. */
type Follow = <T>(describe: () => string, work: Promise<T>) => Promise<T>

/** Makes a scenario of an archive, or a test of one or of a scenario, and writes both. @throws UsageError */
export async function importFile(
  input: Input,
  options: ImportFileOptions,
  follow: Follow = (_, work) => work,
): Promise<ImportedFile> {
  if (kindOf(input) === 'scenario') return importScenario(input, options)
  const { base, runner, redact, keep = false } = options
  if (runner && options.out !== undefined) checkScenarioFile(options.out)
  const out = options.out ?? (runner && defaultFileOf(input, runner))
  const deriving = { keys: knownKeys(options.key), keep, redact }
  const { count, baseUrl, imported, ...read } = importArchive(input, base, deriving, options.key)
  const describe = () => `${formatCount(count, 'request')} read`
  const work = derive(input.name, imported, runner)
  const { incident, found, sentences, ...derived } = await follow(describe, work)
  const failed = runner && incident.broken.length > 0 && incident.title
  const source = input.isPipe ? 'a pipe' : basename(input.name)
  const title = failed || titleOfFailures(incident) || `Imported from ${source}`
  const own = { ...derived.scenario, ...(runner && { test: incident.test }) }
  const written = formatScenario({ ...own, title: options.title ?? title })
  const test = runner && out ? prepareTest(incident, out, runner) : undefined
  if (out !== undefined) await writeImported(out, written, test, options.force)
  return {
    ...{ out, parts: written, test },
    traffic: { baseUrl, requests: own.steps.filter(isRequestStep).length, found },
    leftOut: runner ? withOthers(read.leftOut, incident) : read.leftOut,
    warnings: [...read.warnings, ...sentences],
  }
}

function formatScenario(scenario: Scenario): Iterable<string> {
  return { [Symbol.iterator]: () => partsOf(scenario) }
}

function* partsOf(scenario: Scenario): Generator<string> {
  const { steps } = scenario
  if (steps.length < 100) return yield `${formatJson(scenario)}\n`
  const head = formatJson({ ...scenario, steps: [] })
  const start = '\n  "steps": ['
  // The lines of what is further within have more indentation.
  const at = head.indexOf(start) + start.length
  yield head.slice(0, at)
  for (const [index, step] of steps.entries())
    yield `${index === 0 ? '' : ','}\n    ${formatJson(step, '    ')}`
  yield `\n  ${head.slice(at)}\n`
}

/** Begins to import an archive. Nothing holds its bodies meanwhile. */
function importArchive(
  input: Input,
  base: string | undefined,
  options: ImportOptions,
  keys: KeyValues | undefined,
) {
  const { exchanges, ...read } = readExchanges(input, base)
  const imported = importExchanges(exchanges, { ...options, baseUrl: read.baseUrl })
  const warnings = [...read.warnings, ...describeUnusedKeys(exchanges, keys)]
  return { ...read, warnings, count: exchanges.length, imported }
}

/** Makes a scenario that replays as recorded, and finds what failed in it. @throws UsageError */
async function derive(
  name: string,
  importing: Promise<ImportedScenario>,
  runner: TestRunner | undefined,
) {
  const imported = await importing
  const { scenario, doubled, played, warnings } = imported
  if (!scenario.steps.some(isRequestStep)) {
    const issues = formatStepWarnings(warnings).map((text) => ({ path: [], text }))
    throw issuesError(`${name} has no request that a scenario can send.`, issues)
  }
  const simulator = await simulatorFor(scenario)
  const incident = await findIncident(parseScenario(scenario), simulator, {
    doubled,
    known: played,
  })
  const { scenario: whole, sentences } = await (runner
    ? toReplaying(imported, incident.scenario, incident.stepOf)
    : toReplaying(imported, scenario))
  const replaying = runner ? withoutBodies(whole) : whole
  // Whatever an archive has, `replay` takes what is made of it.
  const { world, steps } = parseScenario(replaying)
  const { keys = [] } = world as WorldJson
  const labels = keys.flatMap(({ label }) => label ?? [])
  checkKeys(steps, labels)
  return { incident, found: imported.found, scenario: replaying, sentences }
}

/** Writes a test of a scenario, which has what the test expects. */
async function importScenario(
  input: Input,
  { runner, out: named, force, ...options }: ImportFileOptions,
): Promise<ImportedFile> {
  const { name: file } = input
  const scenario = await scenarioOfFile(input.json(), file)
  const flag = (['base', 'title', 'key', 'keep'] as const).find(
    (name) => options[name] !== undefined,
  )
  if (flag) throw new UsageError(`--${flag} has no effect, because ${file} is a scenario.`)
  if (runner === undefined) {
    throw new UsageError(`${file} is a scenario already. Write a test of it with --as RUNNER.`)
  }
  if (named !== undefined) checkScenarioFile(named)
  const draft = await findIncident(scenario, await simulatorFor(scenario))
  const isOfOneClient = draft.scenario === scenario
  const hasTest = isOfOneClient && scenario.test !== undefined
  const incident = { ...draft, test: (hasTest && scenario.test) || draft.test }
  const ownFile = isOfOneClient ? file : file.replace(/json$/, 'client.json')
  const out = named ?? (input.isPipe ? defaultFileOf(input, runner) : ownFile)
  const test = prepareTest(incident, out, runner)
  const tested = { ...incident.scenario, test: incident.test }
  const text = hasTest ? input.text : `${formatJson(tested)}\n`
  await writeImported(out, [text], test, force)
  const { result } = incident
  const replay = `npx understudy-api replay ${quoteForShell(out)}`
  const summary = `In a simulator ${formatSummary(result)} See why: ${replay}`
  const differing = formatStepWarnings(describeFailedSteps(result))
  return {
    ...{ out, parts: [text], test, traffic: null, leftOut: withOthers(new Map(), incident) },
    warnings: result.passed ? [] : [summary, ...differing],
  }
}

/** With the requests of other keys than those of a test */
function withOthers(leftOut: LeftOut, { others }: Incident): LeftOut {
  return others.requests === 0 ? leftOut : new Map([...leftOut, ['other_key', others.requests]])
}

/** The name of the scenario of a file, in the working directory: not that of the file. */
function defaultFileOf(input: Input, runner: TestRunner) {
  const { name: file } = input
  if (input.isPipe) {
    throw new UsageError(
      `--as ${runner} requires --out FILE, because ${file} is a pipe, which gives the scenario no name.`,
    )
  }
  const name = `${basename(file).replace(/\.(?:har|json)$/i, '')}.json`
  return resolve(name) === resolve(file) ? name.replace(/json$/, 'scenario.json') : name
}

/** @throws UsageError for a file that `--out` names, if it is none of a scenario */
function checkScenarioFile(file: string) {
  if (/\.json$/i.test(file)) return
  const stem = file.replace(/(?:(?:\.(?:test|spec))?\.\w+|[/\\]+)$/, '')
  throw new UsageError(
    `--out names the scenario, whose file ends with .json, and the test is named after it. Write --out ${quoteForShell(`${stem}.json`)}.`,
  )
}

/** Says what was made of a file. The summary is null if there is nothing to say. */
export function describeImported({ traffic, leftOut, test }: ImportedFile): {
  readonly summary: string | null
  readonly lines: readonly string[]
} {
  const left = leftOut.size === 0 ? [] : [`left out: ${formatLeftOut(leftOut)}`]
  const sent = traffic && `${formatCount(traffic.requests, 'request')} to ${traffic.baseUrl}`
  const parts = [...(sent ? [sent] : []), ...left]
  return {
    summary: parts.length === 0 ? null : `${parts.join('; ')}.`,
    lines: [...(traffic ? describeFound(traffic.found) : []), ...(test ? describeTest(test) : [])],
  }
}

/** Says which settings the responses show, if these differ from the documentation. */
function describeFound({ profile, settings, responses }: FoundSettings) {
  const values = Object.entries(settings).map(([id, value]) => {
    return `${id} = ${value} (${formatCount(responses[id] ?? 0, 'response')})`
  })
  if (profile === 'documented' && values.length === 0) return []
  const list = values.length === 0 ? '' : `, with ${values.join(', ')}`
  const rest = 'What no response shows stays open: it is as in the profile.'
  return [`The responses are those of the profile ${profile}${list}. ${rest}`]
}

function describeTest({ file, folder, incident, command }: PreparedTest) {
  const { broken, notes, others, title } = incident
  const failures = new Set(broken.map(({ failure }) => failure))
  const [hidden] = new RegExp(aliasForm).exec(JSON.stringify(incident.test.expect)) ?? []
  return [
    broken.length === 0
      ? `${file}: passes. ${title}.`
      : `${file} fails, as the recorded client did: ${title}. Put your client in it, and make it pass.`,
    ...[...failures].slice(1).map((failure) => `Another failure: ${failure}.`),
    ...notes.slice(0, 3).map((note) => `A note, which is no failure: ${note}`),
    ...[...new Set(others.failures)].map(
      (failure) => `Another key had a failure, which the test leaves out: ${failure}.`,
    ),
    ...(broken.length > 0 && incident.test.faults.some(isEditing)
      ? ['What others do comes with a request: a client that sends more or fewer may pass.']
      : []),
    ...(hidden
      ? [`It has ${hidden} where a text was hidden: let your client send that, too.`]
      : []),
    `Run it${folder === null ? '' : ` in ${folder}`}: ${command}`,
  ]
}

export function importedAsJson({ out, test, traffic, leftOut, warnings }: ImportedFile): object {
  const tested = test && {
    ...{ file: test.file, command: test.command, title: test.incident.title },
    failures: test.incident.broken.map(({ failure }) => failure),
    replays: test.incident.result.passed,
  }
  const written = { out, ...(tested && { test: tested }) }
  if (traffic === null) return written
  const { profile, settings, responses } = traffic.found
  return {
    ...written,
    base_url: traffic.baseUrl,
    requests: traffic.requests,
    left_out: Object.fromEntries(leftOut),
    profile,
    settings: Object.entries(settings).map(([id, value]) => {
      return { id, value, responses: responses[id] }
    }),
    warnings,
  }
}
