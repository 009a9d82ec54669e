import { formatLeftOut } from '../adapters/har/parse-entry.ts'
import { type Assumption, describeAssumptions } from '../analysis/traffic/assumption.ts'
import { findDrift } from '../analysis/traffic/comparison.ts'
import type { Drift } from '../analysis/traffic/drift.ts'
import {
  type ComparedTraffic,
  driftExtensions,
  driftKinds,
  formatDrift,
  hasFailed,
  toReport,
} from '../analysis/traffic/drift-report.ts'
import { type Survey, TrafficSurvey } from '../analysis/traffic/from-traffic.ts'
import type { Exchange } from '../http/exchange.ts'
import { formatPolicyFile } from '../policies/file.ts'
import { resolvePolicies } from '../policies/settings.ts'
import { defaultWorld } from '../remote/client.ts'
import { parseScenario } from '../scenarios/format/check-scenario.ts'
import { isRequestStep, type Scenario } from '../scenarios/format/scenario.ts'
import { readScenario, readScenarioText } from '../scenarios/library.ts'
import { Recorder, toScenario } from '../scenarios/recording/recorder.ts'
import { checkWritable } from '../utils/files.ts'
import { isObject } from '../utils/json.ts'
import { parseJsonText } from '../utils/parse-json-text.ts'
import { checkExtension } from '../utils/reports/printers.ts'
import { UsageError, unexpectedValue } from '../utils/usage-error.ts'
import { readWorld } from '../world/load/read-world.ts'
import type { WorldJson } from '../world/world-json.ts'
import { type CommandResult, defineCommand, type FlagValues } from './command.ts'
import { type CommandContext, exitCodes } from './command-context.ts'
import { kindsToFail } from './flag-values.ts'
import { flagsOf, forceFlag, redactFlag, repeated } from './flags.ts'
import { policiesFromFlags } from './from-flags.ts'
import { formatCount } from './output.ts'
import { kindOfFile, type ReadExchanges, readExchanges } from './traffic/read-exchanges.ts'
import { writeAndSay, writeReports } from './write-reports.ts'

const help = `
The file is a HAR archive, a scenario (such as one of record), or a journal (the response of GET /__admin/journal, or one
entry in each line). The world before the first request is derived from the responses of an archive or a journal. The
requests are repeated in a simulator with the profile, and with the policies of --policies and --policy. A response that
differs is explained by the values of policies with which the simulator responds in the same way. They count for the rest
of the traffic. A policy is confirmed if a response would have been otherwise with another value. A scenario's own profile
and policies do not count.

Examples:
  npx understudy-api drift session.har
  npx understudy-api drift recorded.json --profile live --fail-on documented --fail-on unexplained
  npx understudy-api drift recorded.json --policies policies.json --report drift.html
  npx understudy-api drift recorded.json --out policies.json && npx understudy-api serve --policies policies.json

Exit codes: 0 if nothing of --fail-on was found, 1 if something was, 2 for an invalid file.`

const flags = {
  ...flagsOf('drift'),
  '--world <file|name>': {
    text: 'world before the first request (default: that of the scenario, or one derived from the responses)',
    file: 'read',
  },
  '--base <url>': 'base URL of the API in a HAR archive (default: detected)',
  '--redact <name>': redactFlag,
  '--out <file>': {
    text: 'write the policies that the traffic shows to this file, for --policies of serve and exec',
    file: 'policies',
  },
  '--report <file>': {
    text: `write a report to this .${driftExtensions.join(', .')} file; can be repeated`,
    ...repeated(),
    file: 'report',
  },
  '--fail-on <kind>': {
    text: `exit with 1 if a policy of this evidence is contradicted, or if something is ${driftKinds.slice(3).join(' or ')}: ${driftKinds.join(', ')}, or none; can be repeated`,
    ...repeated(),
    defaultText: 'all of them',
  },
  '--force': forceFlag,
  '--json': 'print the report as JSON',
} as const

export default defineCommand({
  name: 'drift',
  summary: 'Find the policies and lines of the documentation that recorded traffic contradicts.',
  args: [['<file>', 'HAR archive, scenario or journal']],
  flags,
  help,
  run: ([file], values, context) => drift(file, values, context),
})

type DriftFlags = FlagValues<typeof flags>

async function drift(
  file: string,
  flags: DriftFlags,
  context: CommandContext,
): Promise<CommandResult> {
  const { out, report, profile } = flags
  const failOn = kindsToFail(flags.failOn, driftKinds)
  for (const each of report) checkExtension(each, driftExtensions, 'read --report')
  const policies = policiesFromFlags(flags)
  const settings = resolvePolicies(profile, policies)
  const { scenario, nameOf, assumptions, notes } = await readTraffic(file, flags)
  // Creates the files, so the traffic is read before.
  for (const each of [...report, ...(out === undefined ? [] : [out])]) checkWritable(each)
  const found = await findDrift(scenario, { settings, nameOf })
  const changed = Object.keys(policies).length
  const added = changed === 0 ? '' : ` and ${formatCount(changed, 'policy')}`
  const compared: ComparedTraffic = {
    drift: { ...found, assumptions, notes: [...notes, ...found.notes] },
    file,
    settings: `the profile ${profile}${added}`,
    failOn,
  }
  const printed = toReport(compared)
  await writeReports(printed, report, context)
  if (out !== undefined) await writeAndSay(out, toPolicyFile(found), 'The policies are', context)
  return {
    json: printed.json,
    text: formatDrift(compared),
    exitCode: hasFailed(compared) ? exitCodes.failed : exitCodes.ok,
  }
}

function toPolicyFile({ policies, not_tested }: Drift): string {
  const open = Object.fromEntries(not_tested.map(({ policy, because }) => [policy, because]))
  return formatPolicyFile({ policies, open })
}

/** The requests of a file, as a scenario with its world. */
interface Traffic {
  readonly scenario: Scenario
  /** Names a request by its number from 1, such as `entry 4` */
  readonly nameOf: (number: number) => string
  /** The values of the world that the responses do not show */
  readonly assumptions: readonly Assumption[]
  /** What the reader of a result must know, in sentences */
  readonly notes: readonly string[]
}

/** How a file is read. */
interface ReadTrafficOptions {
  /** The name or the file of the world before the first request, instead of the one that the file shows */
  readonly world?: string
  /** The base URL of the API, for a HAR archive */
  readonly base?: string
  /** Further names of secrets */
  readonly redact?: readonly string[]
}

/** Reads a HAR archive, a scenario or a journal. @throws UsageError with every issue of the file */
async function readTraffic(file: string, options: ReadTrafficOptions): Promise<Traffic> {
  const kind = kindOfFile(file) ?? (await kindByContent(file))
  if (kind === 'scenario') return readSteps(file, options)
  const world = options.world === undefined ? undefined : await readWorld(options.world)
  const survey = new TrafficSurvey({ keys: keysOf(world) })
  const onExchange = (exchange: Exchange): void => void survey.add(exchange)
  const read = await readExchanges(file, options.base, onExchange)
  return toTraffic(read, survey.finish(), world, options.redact)
}

/** What a file is that begins as none of the kinds. @throws UsageError for a file that drift cannot compare */
async function kindByContent(file: string): Promise<'archive' | 'scenario'> {
  const value = parseJsonText(await readScenarioText(file), file)
  if (isObject(value) && 'log' in value) return 'archive'
  if (isObject(value) && ('steps' in value || 'title' in value)) return 'scenario'
  throw unexpectedValue(`read ${file}`, 'a HAR archive, a scenario or a journal', value)
}

async function readSteps(file: string, { world }: ReadTrafficOptions): Promise<Traffic> {
  const scenario = await readScenario(file, { inlineWorld: world === undefined })
  const numbers = scenario.steps.flatMap((step, index) => (isRequestStep(step) ? [index + 1] : []))
  if (numbers.length === 0) {
    throw new UsageError(`${file} has no request. Record some: npx understudy-api record.`)
  }
  const nameOf = (number: number): string => `step ${numbers[number - 1]}`
  const assumptions: Assumption[] = []
  if (world === undefined && scenario.world !== undefined) {
    return { scenario, nameOf, assumptions, notes: [] }
  }
  const started = { ...scenario, world: await readWorld(world ?? defaultWorld) }
  const note = `${file} names no world. It was repeated in "${defaultWorld}". Use --world NAME if it started with another one.`
  const notes = world === undefined ? [note] : []
  return { scenario: parseScenario(started), nameOf, assumptions, notes }
}

function keysOf(world: WorldJson | undefined): Record<string, string> {
  const keys = world?.keys ?? []
  return Object.fromEntries(keys.flatMap(({ label, value }) => (value ? [[label, value]] : [])))
}

/** Makes the steps of exchanges, in the order in which the service got them. */
function toTraffic(
  { exchanges, numbers, baseUrl, leftOut }: ReadExchanges,
  survey: Survey,
  known: WorldJson | undefined,
  redact: readonly string[] | undefined,
): Traffic {
  const { keys, order, clock, world } = survey
  const assumptions = known ? [] : survey.assumptions
  const recorder = new Recorder({
    keys,
    ...(redact && { redact }),
    ...(baseUrl !== undefined && { baseUrl }),
  })
  const ordered: number[] = []
  const notes = leftOut.size === 0 ? [] : [`Left out: ${formatLeftOut(leftOut)}.`]
  if (!known) {
    const values = formatCount(assumptions.length, 'assumption')
    notes.push(
      `The world before the first request was derived from the responses, with ${values}.`,
      ...describeAssumptions(assumptions),
    )
  }
  for (const index of order) {
    const exchange = survey.withKey(exchanges[index] as Exchange)
    const { changed, warnings } = recorder.add(exchange, survey.faultOf(index))
    notes.push(...warnings)
    if (changed.length > 0) ordered.push(numbers[index] as number)
  }
  const scenario = toScenario(recorder, {
    world: known ?? recorder.hideInWorld(world),
    ...(clock !== undefined && { clock }),
  })
  return {
    scenario: parseScenario(scenario),
    nameOf: (number) => `entry ${ordered[number - 1]}`,
    assumptions,
    notes,
  }
}
