import { basename, resolve } from 'node:path'
import { formatLeftOut, type LeftOut } from '../adapters/har/parse-entry.ts'
import type { Exchange } from '../http/exchange.ts'
import { toReplaying } from '../import/answers.ts'
import { type ImportOptions, scenarioFileOf } from '../import/from-traffic.ts'
import { importExchanges } from '../import/import-exchanges.ts'
import { findIncident, type Incident, titleOfFailures } from '../import/incident.ts'
import { kindOf, readExchanges } from '../import/read-exchanges.ts'
import { type TestRunner, testRunners } from '../import/test-files.ts'
import { type PreparedTest, prepareTest, writeImported } from '../import/write-test.ts'
import { parseScenario } from '../scenarios/format/check-scenario.ts'
import { isRequestStep } from '../scenarios/format/scenario.ts'
import { scenarioOfFile } from '../scenarios/library.ts'
import { formatStepWarnings } from '../scenarios/recording/step-warnings.ts'
import { describeFailedSteps, formatSummary } from '../scenarios/run/result.ts'
import { knownKeys, simulatorFor } from '../scenarios/run/simulator-for.ts'
import { issuesError, UsageError } from '../utils/errors.ts'
import { statsOf } from '../utils/files.ts'
import { formatJson } from '../utils/format-json.ts'
import type { Input } from '../utils/input.ts'
import { formatCount, quoteForShell } from '../utils/text.ts'
import { turnAfter } from '../utils/wait.ts'
import { isDevice } from '../world/persistence/atomic-write.ts'
import { defineCommand, type FlagValues } from './command.ts'
import type { CommandContext } from './command-context.ts'
import { parseKey, redactFlag } from './flags.ts'
import { untilInterrupted } from './progress.ts'

const help = `
Requests to other URLs are left out and counted. The scenario starts with a world, a profile and settings that are derived
from the responses. Browsers leave keys out of an export unless you include sensitive data. Such requests get a key of this
world. Lost and slow responses, errors of the server and refusals by a rate limit become faults.

With --as RUNNER, the scenario is written to NAME.json in the working directory, or to --out, and a test beside it. The
test replays the recorded requests with their faults, and fails on what failed. Call your client in their place.

Examples:
  npx understudy-api import session.har > session.json
  npx understudy-api import session.har --out session.json --base https://app.example.com
  npx understudy-api import incident.har --as vitest
  npx understudy-api import run.json --as pytest                 a scenario

Exit code 2 for an invalid archive. Each issue is listed with its entry and field, and nothing is written.`

const flags = {
  '--out <file>': { text: 'file for the scenario (default: stdout)', file: 'write' },
  '--base <url>': 'base URL of the API (default: detected)',
  '--title <text>': 'title of the scenario',
  '--key <label=value>': { text: 'label of a key; can be repeated', parse: parseKey },
  '--as <kind>': {
    text: 'what to write: scenario, or also a test for vitest, playwright, pytest or node',
    choices: ['scenario', ...testRunners],
    default: 'scenario',
  },
  '--keep': 'keep secrets and personal data',
  '--redact <name>': redactFlag,
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
  const input = await context.read(file)
  if (kindOf(input) === 'scenario') return importScenario(input, flags, context)
  const { json } = flags
  const runner = runnerOf(flags)
  if (runner && flags.out !== undefined) checkScenarioFile(flags.out)
  const out = flags.out ?? (runner && defaultFileOf(input, runner))
  if (json && out === undefined) {
    throw new UsageError('--json requires --out. Without it, the scenario is printed to stdout.')
  }
  const { base, key, keep = false, redact } = flags
  const { exchanges, baseUrl, ...read } = await readExchanges(input, base)
  const keys = knownKeys(key)
  let sent = 0
  const onSent = async (): Promise<void> => {
    sent += 1
    await turnAfter(sent)
  }
  const describe = (): string =>
    `${formatCount(exchanges.length, 'request')} read, ${sent} sent to find their causes`
  const work = derive(input.name, exchanges, runner, { keys, keep, redact, baseUrl, onSent })
  const { incident, sentences, ...derived } = await untilInterrupted(context, describe, work)
  const failed = runner && incident.broken.length > 0 && incident.title
  const title =
    failed ||
    titleOfFailures(incident) ||
    `Imported from ${input.isPipe ? 'a pipe' : basename(file)}`
  const own = { ...derived.scenario, ...(runner && { test: incident.test }) }
  const requests = own.steps.filter(isRequestStep).length
  const leftOut = runner ? withOthers(read.leftOut, incident) : read.leftOut
  const text = `${formatJson({ ...own, title: flags.title ?? title })}\n`
  const test = runner && out ? prepareTest(incident, out, runner) : undefined
  const warnings = [...read.warnings, ...sentences]
  if (out === undefined) context.stdout.write(text)
  else await writeImported(out, text, test, flags.force)
  if (json) {
    context.printJson({
      out,
      ...(test && { test: testAsJson(test) }),
      base_url: baseUrl ?? null,
      requests,
      left_out: Object.fromEntries(leftOut),
      warnings,
    })
  } else {
    const rest = leftOut.size === 0 ? '' : `; left out: ${formatLeftOut(leftOut)}`
    const destination = baseUrl === undefined ? '' : ` to ${baseUrl}`
    const summary = `${formatCount(requests, 'request')}${destination}${rest}.`
    const stats = out === undefined ? undefined : statsOf(out)
    // The reader of stdout or of a device wants the scenario only.
    if (out === undefined) context.printError(summary)
    else if (stats && isDevice(stats)) context.printError(`${out}: ${summary}`)
    else context.print(`${out}: ${summary}`)
    if (test) printTest(test, context)
  }
  for (const warning of warnings) context.printError(warning)
}

/** Makes a scenario that replays as recorded, and finds what failed in it. A test is about one client. @throws UsageError */
async function derive(
  name: string,
  exchanges: readonly Exchange[],
  runner: TestRunner | undefined,
  options: ImportOptions,
) {
  const imported = await importExchanges(exchanges, options)
  const { scenario, doubled, played, warnings } = imported
  if (!scenario.steps.some(isRequestStep)) {
    const issues = formatStepWarnings(warnings).map((text) => ({ path: [], text }))
    throw issuesError(`${name} has no request that a scenario can send.`, issues)
  }
  const simulator = await simulatorFor(scenario)
  const incident = await findIncident(parseScenario(scenario), simulator, doubled, played)
  const replaying = await (runner
    ? toReplaying(imported, incident.scenario, incident.stepOf)
    : toReplaying(imported, scenario))
  return { incident, ...replaying }
}

/** What was left out, with the requests of other keys than that of the client that a test is about. */
function withOthers(leftOut: LeftOut, { others }: Incident): LeftOut {
  return others.requests === 0 ? leftOut : new Map([...leftOut, ['other_key', others.requests]])
}

/** The name of the scenario of a file, in the working directory: another one than that of the file. */
function defaultFileOf(input: Input, runner: TestRunner): string {
  const { name: file } = input
  if (input.isPipe) {
    throw new UsageError(
      `--as ${runner} requires --out FILE, because ${file} is a pipe, which gives the scenario no name.`,
    )
  }
  const name = scenarioFileOf(basename(file))
  return resolve(name) === resolve(file) ? name.replace(/json$/, 'scenario.json') : name
}

function runnerOf({ as }: ImportFlags): TestRunner | undefined {
  return as === 'scenario' ? undefined : as
}

/** Writes a test of a scenario, and the scenario with what the test expects, unless its file has that. */
async function importScenario(
  input: Input,
  flags: ImportFlags,
  context: CommandContext,
): Promise<void> {
  const { name: file } = input
  const runner = runnerOf(flags)
  const scenario = await scenarioOfFile(input.json(), file)
  const flag = (['base', 'title', 'key', 'keep'] as const).find((name) => flags[name] !== undefined)
  if (flag) throw new UsageError(`--${flag} has no effect, because ${file} is a scenario.`)
  if (runner === undefined) {
    throw new UsageError(`${file} is a scenario already. Write a test of it with --as RUNNER.`)
  }
  if (flags.out !== undefined) checkScenarioFile(flags.out)
  const found = await findIncident(scenario, await simulatorFor(scenario))
  const isOfOneClient = found.scenario === scenario
  const hasTest = isOfOneClient && scenario.test !== undefined
  const incident = { ...found, test: (hasTest && scenario.test) || found.test }
  const { force } = flags
  const ownFile = isOfOneClient ? file : file.replace(/json$/, 'client.json')
  const out = flags.out ?? (input.isPipe ? defaultFileOf(input, runner) : ownFile)
  const test = prepareTest(incident, out, runner)
  const tested = { ...incident.scenario, test: incident.test }
  const text = hasTest ? input.text : `${formatJson(tested)}\n`
  await writeImported(out, text, test, force)
  if (flags.json) context.printJson({ out, test: testAsJson(test) })
  else {
    const leftOut = withOthers(new Map(), incident)
    if (leftOut.size > 0) context.print(`${out}: left out: ${formatLeftOut(leftOut)}.`)
    printTest(test, context)
    const { result } = incident
    const replay = `npx understudy-api replay ${quoteForShell(out)}`
    const summary = `In a simulator ${formatSummary(result)} See why: ${replay}`
    const differing = formatStepWarnings(describeFailedSteps(result))
    for (const line of result.passed ? [] : [summary, ...differing]) context.printError(line)
  }
}

/** @throws UsageError for a file that `--out` names, if it is none of a scenario */
function checkScenarioFile(file: string): void {
  if (/\.json$/i.test(file)) return
  const stem = file.replace(/(?:(?:\.(?:test|spec))?\.\w+|[/\\]+)$/, '')
  throw new UsageError(
    `--out names the scenario, whose file ends with .json, and the test beside it has the same name. Write --out ${quoteForShell(`${stem}.json`)}.`,
  )
}

/** Says what a test is about, and how to run it. */
function printTest(
  { file, folder, incident, command }: PreparedTest,
  context: CommandContext,
): void {
  const { broken, others, title } = incident
  context.print(
    broken.length === 0
      ? `${file}: passes. ${title}.`
      : `${file} fails, as the recorded client did: ${title}. Put your client in it, and make it pass.`,
  )
  const failures = new Set(broken.map(({ failure }) => failure))
  for (const failure of [...failures].slice(1)) context.print(`Another failure: ${failure}.`)
  for (const failure of new Set(others.failures))
    context.print(`Another key had a failure, which the test leaves out: ${failure}.`)
  context.print(`Run it${folder === null ? '' : ` in ${folder}`}: ${command}`)
}

/** The facts of a test for `--json`. */
function testAsJson({ file, incident, command }: PreparedTest): object {
  const { title, broken, result } = incident
  return {
    file,
    command,
    title,
    failures: broken.map(({ failure }) => failure),
    replays: result.passed,
  }
}
