import { statSync } from 'node:fs'
import { keyLabels, parseKeys } from '../analysis/observe/keys.ts'
import { type Observation, observeServer } from '../analysis/observe/observe.ts'
import {
  compareFindings,
  describeComparison,
  notesOf,
  notSeen,
  observationExtensions,
  toReport,
  unlike,
} from '../analysis/observe/report.ts'
import { formatPolicyFile } from '../policies/file.ts'
import { checkTargetUrl } from '../scenarios/run/target.ts'
import { checkWritable } from '../utils/files.ts'
import { checkExtension } from '../utils/reports/printers.ts'
import { UsageError, unexpectedValue } from '../utils/usage-error.ts'
import { Clock } from '../world/clock/clock.ts'
import { type CommandResult, defineCommand, type FlagValues } from './command.ts'
import { type CommandContext, exitCodes, type Paint } from './command-context.ts'
import { forceFlag, parseScopedKey } from './flags.ts'
import { writeAndSay, writeReports } from './write-reports.ts'

const help = `
The label of a key says its scopes: ${keyLabels}.
A key without a label has full access. More keys show more policies, and the report names the key that an open policy
needs.

It only reads, slowly, and waits as long as a 429 says. With --allow-writes it also creates annotations and plugins,
changes them, and removes them at the end, also after Ctrl-C. It never changes other rows, and installs nothing. For a
short time, one of its plugins is global. Two requests must agree on each value. The files contain no key and no content
of the server, and no id, except those of rows that may be left.

Examples:
  npx understudy-api observe --target https://api.example.com --key phx_mine
  npx understudy-api observe --target https://api.example.com --key all=phx_mine --key plugin:read=phx_less --out policies.json
  npx understudy-api observe --target https://staging.example.com --key phx_mine --allow-writes --report report.html
  npx understudy-api serve --policies policies.json

Exit codes: 0, also if policies stay open; 1 if a row may be left; 2 for invalid arguments, a refused key or
an unknown project; 4 if the server does not respond; 130 after an interrupt.`

const flags = {
  '--target <url>': { text: 'server to observe', required: true },
  '--key <label=value>': { text: 'key of the server; can be repeated', parse: parseScopedKey },
  '--project <id>': 'project to read (default: the first one of the key)',
  '--organization <id>': 'organization to read (default: that of the project)',
  '--allow-writes': 'allow rows of its own, which it removes at the end',
  '--out <file>': {
    text: 'write the policies to this file, for --policies of serve and exec',
    file: 'policies',
  },
  '--report <file>': {
    text: `write a report to this .${observationExtensions.join(', .')} file`,
    file: 'report',
  },
  '--max-requests <number>': {
    text: 'how many requests to send in all',
    default: 200,
    parse: parseMaxRequests,
  },
  '--rate <number>': {
    text: 'how many requests to send per second',
    default: 5,
    parse: parseRate,
  },
  '--force': forceFlag,
  '--json': 'print the report as JSON',
} as const

export default defineCommand({
  name: 'observe',
  summary: 'Find the policies of a server by requests to it.',
  flags,
  help,
  run: (_args, values, context) => observe(values, context),
})

type ObserveFlags = FlagValues<typeof flags>

async function observe(flags: ObserveFlags, context: CommandContext): Promise<CommandResult> {
  const { target, key: { keys = {} } = {}, project, organization, out, report } = flags
  checkTargetUrl(target, 'observe')
  const parsed = parseKeys(keys)
  if (report !== undefined) checkExtension(report, observationExtensions, 'read --report')
  for (const file of [out, report]) if (file !== undefined) checkWritable(file)
  const observation = await observeServer({
    url: target,
    send: fetch,
    keys: parsed,
    ...(project !== undefined && { project }),
    ...(organization !== undefined && { organization }),
    allowWrites: flags.allowWrites === true,
    // Differs between observations, and is a word that a search finds.
    marker: new Clock().now().toString(36),
    rate: flags.rate,
    maxRequests: flags.maxRequests,
    signal: context.signal,
  })
  const { left, refused } = observation
  if (refused !== null) throw new UsageError(refused)
  await writeFiles(observation, flags, context).catch((error) => {
    for (const sentence of left) context.printError(sentence)
    throw error
  })
  const exitCode = left.length === 0 ? exitCodes.ok : exitCodes.failed
  return {
    json: toReport(observation).json,
    text: formatFindings(observation, context.paint),
    exitCode: context.signal.aborted ? exitCodes.interrupted : exitCode,
  }
}

async function writeFiles(
  observation: Observation,
  { out, report, force }: ObserveFlags,
  context: CommandContext,
): Promise<void> {
  const { policies, findings, ended } = observation
  const isReplaced = (file: string | undefined): file is string => {
    if (file === undefined) return false
    // A device has the size 0.
    const isKept = ended !== null && !force && statSync(file).size > 0
    if (isKept) context.printError(`${file} was not changed, because the observation ended early.`)
    return !isKept
  }
  if (isReplaced(out)) {
    const reasons = findings.flatMap(({ id, open }) => (open === null ? [] : [[id, open]]))
    const text = formatPolicyFile({ policies, open: Object.fromEntries(reasons) })
    await writeAndSay(out, text, 'The policies are', context)
  }
  if (isReplaced(report)) {
    await writeReports(toReport(observation), [report], context)
  }
}

function formatFindings(observation: Observation, paint: Paint): string {
  const compared = compareFindings(observation.findings)
  const found = compared.flatMap((each) => {
    const { id, server, documented } = each
    if (server === null) return []
    const tone = server === documented ? 'good' : 'warning'
    return `${paint('name', id)}  ${paint(tone, `${server} (${describeComparison(each)})`)}`
  })
  const open = [unlike, notSeen].flatMap((name) => {
    const group = compared.filter((each) => each.group === name)
    const reasons = [...new Set(group.map((each) => each.open ?? ''))]
    const lines = reasons.map((reason) => {
      const policies = group.filter((each) => each.open === reason)
      const ids = policies.map(({ id }) => paint('name', id)).join(', ')
      return `  ${paint(name === unlike ? 'warning' : 'faint', reason)}  ${ids}`
    })
    return lines.length === 0 ? [] : [`${name}:`, ...lines]
  })
  return [...found, ...open, ...notesOf(observation)].join('\n')
}

function parseMaxRequests(text: string, source: string): number {
  if (/^\d{1,4}$/.test(text) && Number(text) >= 10) return Number(text)
  throw unexpectedValue(`read ${source}`, 'a number from 10 to 9999', text)
}

function parseRate(text: string, source: string): number {
  const number = Number(text.replace(/\/s$/, ''))
  if (number > 0 && number <= 1000) return number
  throw unexpectedValue(`read ${source}`, 'a number of requests per second, up to 1000', text)
}
