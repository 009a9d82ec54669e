import { existsSync, statSync } from 'node:fs'
import { compareServer } from '../compare/compare-server.ts'
import { compareTraffic } from '../compare/compare-traffic.ts'
import type { Comparison } from '../compare/comparison.ts'
import { keyLabels, parseKeys } from '../compare/keys.ts'
import {
  type ComparisonReport,
  comparisonToReport,
  failureKinds,
  formatComparison,
  hasFailed,
} from '../compare/report.ts'
import { describeUndecided } from '../compare/sentences.ts'
import { trafficOf } from '../import/traffic-of.ts'
import { writeReports } from '../report/write-reports.ts'
import { checkTargetUrl } from '../scenarios/run/sender.ts'
import { formatSettingFile } from '../settings/file.ts'
import { resolveSettings } from '../settings/resolve.ts'
import type { SettingValues } from '../settings/setting.ts'
import { UsageError } from '../utils/errors.ts'
import { nameOfFile } from '../utils/input.ts'
import { formatCount } from '../utils/text.ts'
import { turnAfter } from '../utils/wait.ts'
import { Clock } from '../world/clock/clock.ts'
import { writeNamedFile } from '../world/persistence/atomic-write.ts'
import { type CommandResult, defineCommand, type FlagValues } from './command.ts'
import { type CommandContext, exitCodes } from './command-context.ts'
import {
  failOnFlag,
  flagsOf,
  parseScopedKey,
  redactFlag,
  reportFlag,
  wholeNumber,
} from './flags.ts'
import { readNamedWorld, settingsFromFlags } from './from-flags.ts'
import { untilInterrupted, withProgress } from './progress.ts'

const help = `
A setting has a value if a response shows it and excludes every other value. Otherwise it is open, with the values that fit
and what would decide it. What these values do not explain is named with its field, once.

With --target, it sends each request twice, slowly, and waits as long as a 429 says. It only reads. With --allow-writes it
also creates annotations and plugins, changes only these, and removes them at the end, even after Ctrl-C. For a short time,
one plugin is global, and one annotation belongs to the organization. The API only soft-deletes annotations: a note says if
the server still shows them. The files contain no key, no id and no content of the server, except the ids of such rows.
The label of a key says its scopes: ${keyLabels}.
A key without a label has full access. More keys show more settings.

A file is a HAR archive, a scenario (such as one of record), or a journal (the response of GET /__admin/journal). The
world before the first request is derived from the responses of an archive or a journal, and what others wrote between
two reads is an edit of it. The profile and the settings of a scenario are not used.

Examples:
  npx understudy-api compare --target https://api.example.com --key phx_mine --out settings.json
  npx understudy-api compare --target https://staging.example.com --key phx_mine --key plugin:read=phx_less --allow-writes
  npx understudy-api compare session.har --profile live --report test-results/report.html

Exit codes: 0; 1 if something of --fail-on was found or a row may be left; 2 for invalid arguments, an invalid file or a
refused key; 4 if the server does not respond, or is another API; 130 after an interrupt.`

const flags = {
  '--target <url>': 'server to compare',
  '--key <label=value>': { text: 'key of the server; can be repeated', parse: parseScopedKey },
  '--project <id>': 'project to read (default: the first one of the key)',
  '--organization <id>': 'organization to read (default: that of the project)',
  '--allow-writes': 'allow it to create rows, which it removes at the end',
  '--rate <number>': {
    text: 'how many requests to send per second',
    default: 5,
    parse: wholeNumber('a whole number of requests per second, from 1 to 1000', 1, 1000),
  },
  '--max-requests <number>': {
    text: 'how many requests to send in all',
    default: 600,
    parse: wholeNumber('a number from 10 to 9999', 10, 9_999),
  },
  ...flagsOf('compare'),
  '--world <file|name>': {
    text: 'world before the first request (default: that of the scenario, or one derived from the responses)',
    file: 'read',
    conflicts: ['target'],
  },
  '--base <url>': {
    text: 'base URL of the API in a HAR archive (default: detected)',
    conflicts: ['target'],
  },
  '--redact <name>': { ...redactFlag, conflicts: ['target'] },
  '--out <file>': {
    text: 'write the settings to this file, for --settings of serve and exec',
    file: 'write',
  },
  '--report <file>': reportFlag,
  '--fail-on <kind>': failOnFlag(
    'exit with 1 if a value is other than --profile and --settings say, by the evidence for theirs, or if something is unexplained',
    failureKinds,
    [],
  ),
  '--json': 'print the report as JSON',
} as const

export default defineCommand({
  name: 'compare',
  summary: 'Find the settings that explain a server, or recorded traffic.',
  args: [['[file]', 'HAR archive, scenario or journal, in place of --target']],
  flags,
  help,
  run: ([file], values, context) => compare(file, values, context),
})

type CompareFlags = FlagValues<typeof flags>

async function compare(
  file: string | undefined,
  flags: CompareFlags,
  context: CommandContext,
): Promise<CommandResult> {
  const { target, profile } = flags
  checkSubject(file, flags)
  const settings = settingsFromFlags(flags)
  const expected = resolveSettings(profile, settings)
  const comparison =
    file === undefined
      ? await compareTarget(flags, expected, context)
      : await compareFile(file, flags, expected, context)
  const changed = Object.keys(settings).length
  const report: ComparisonReport = {
    comparison,
    subject: file === undefined ? (target as string) : nameOfFile(file),
    expected,
    expectation: `the profile ${profile}${changed === 0 ? '' : ` and ${formatCount(changed, 'setting')}`}`,
    failOn: flags.failOn,
  }
  await writeFiles(report, flags, context).catch((error) => {
    for (const sentence of comparison.left) context.printError(sentence)
    throw error
  })
  const isBad = hasFailed(report) || comparison.left.length > 0
  const exitCode = isBad ? exitCodes.failed : exitCodes.ok
  return {
    json: comparisonToReport(report).json,
    text: formatComparison(report, context.paint),
    exitCode: context.signal.aborted ? exitCodes.interrupted : exitCode,
  }
}

/** The flags that say something about a server. */
const serverFlags = ['key', 'project', 'organization', 'allowWrites'] as const

/** @throws UsageError unless there is either a server or a file, with flags about it */
function checkSubject(file: string | undefined, flags: CompareFlags): void {
  if (file === undefined && flags.target === undefined) {
    throw new UsageError('Name a file to compare, or a server with --target URL and --key KEY.')
  }
  if (file !== undefined && flags.target !== undefined) {
    throw new UsageError('Compare either a file or a server: leave out --target or the file.')
  }
  const given = serverFlags.find((name) => file !== undefined && flags[name] !== undefined)
  if (given) {
    const flag = given === 'allowWrites' ? '--allow-writes' : `--${given}`
    throw new UsageError(`${flag} is about a server of --target. Leave it out.`)
  }
}

async function compareTarget(
  flags: CompareFlags,
  expected: SettingValues,
  context: CommandContext,
): Promise<Comparison> {
  const { key: { keys = {} } = {}, project, organization, allowWrites = false } = flags
  const target = flags.target as string
  checkTargetUrl(target, 'compare')
  const parsed = parseKeys(keys)
  let [requests, simulated] = [0, 0]
  const describe = (): string =>
    simulated === 0
      ? `${requests} of at most ${formatCount(flags.maxRequests, 'request')} sent`
      : describeSimulated(simulated)
  const work = compareServer({
    url: target,
    send: (url, init) => {
      requests += 1
      return fetch(url, init)
    },
    onSimulated() {
      simulated += 1
    },
    expected,
    keys: parsed,
    project,
    organization,
    allowWrites,
    // Differs between comparisons, and is a word that a search finds.
    marker: new Clock().now().toString(36),
    rate: flags.rate,
    maxRequests: flags.maxRequests,
    signal: context.signal,
  })
  return withProgress(context, describe, work)
}

async function compareFile(
  file: string,
  flags: CompareFlags,
  expected: SettingValues,
  context: CommandContext,
): Promise<Comparison> {
  const { base, redact } = flags
  const world = flags.world === undefined ? undefined : await readNamedWorld(flags.world, context)
  const input = await context.read(file)
  let sent = 0
  const onSent = async (): Promise<void> => {
    sent += 1
    await turnAfter(sent)
  }
  const work = async (): Promise<Comparison> => {
    const { scenario, ...traffic } = await trafficOf(input, { world, base, redact, onSent })
    return compareTraffic(scenario, { ...traffic, expected, onSent })
  }
  return untilInterrupted(context, () => describeSimulated(sent), work())
}

const describeSimulated = (count: number): string =>
  `${formatCount(count, 'request')} sent to simulators`

async function writeFiles(
  report: ComparisonReport,
  { out, report: files }: CompareFlags,
  context: CommandContext,
): Promise<void> {
  const { settings, ended } = report.comparison
  const isReplaced = (file: string): boolean => {
    // A device has the size 0.
    const isKept = ended !== null && existsSync(file) && statSync(file).size > 0
    if (isKept) context.printError(`${file} was not changed, because the comparison ended early.`)
    return !isKept
  }
  await writeReports(comparisonToReport(report), files.filter(isReplaced), context)
  if (out === undefined || !isReplaced(out)) return
  const known = settings.filter(({ value }) => value !== null)
  const open = settings.filter(({ value }) => value === null)
  const text = formatSettingFile({
    settings: Object.fromEntries(known.map(({ id, value }) => [id, value])),
    open: Object.fromEntries(open.map((setting) => [setting.id, describeUndecided(setting)])),
  })
  await writeNamedFile(out, text, 0o666)
  context.printError(`The settings are in ${out}.`)
}
