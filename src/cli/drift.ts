import { findDrift } from '../analysis/traffic/comparison.ts'
import type { Drift } from '../analysis/traffic/drift.ts'
import {
  type ComparedTraffic,
  type DriftKind,
  driftExtensions,
  driftKinds,
  formatDrift,
  hasFailed,
  toReport,
} from '../analysis/traffic/drift-report.ts'
import { formatPolicyFile } from '../policies/policy-file.ts'
import { resolvePolicies } from '../policies/settings.ts'
import { isRequestStep } from '../scenarios/format/scenario.ts'
import { checkWritable } from '../utils/files.ts'
import { checkExtension } from '../utils/reports/printers.ts'
import { unknownWord } from '../utils/usage-error.ts'
import { type CommandResult, defineCommand, type FlagValues } from './command.ts'
import { type CommandContext, exitCodes } from './command-context.ts'
import { flagsOf, forceFlag, redactFlag, repeated } from './flags.ts'
import { policiesFromFlags } from './from-flags.ts'
import { startProgressBar } from './output.ts'
import { readTraffic } from './traffic/read-traffic.ts'
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
  const failOn = parseFailOn(flags.failOn)
  for (const each of report) checkExtension(each, driftExtensions, 'read --report')
  const policies = policiesFromFlags(flags)
  const settings = resolvePolicies(profile, policies)
  const { scenario, nameOf, assumptions, notes } = await readTraffic(file, flags)
  // Creates the files, so the traffic is read before.
  for (const each of [...report, ...(out === undefined ? [] : [out])]) checkWritable(each)
  const length = scenario.steps.filter(isRequestStep).length
  const progress = await startProgressBar('Comparing', length, context.stderr)
  const found = await findDrift(scenario, {
    settings,
    nameOf,
    onRequest: (number) => progress.update(number),
  }).finally(progress.stop)
  const changed = Object.keys(policies).length
  const added = changed === 0 ? '' : changed === 1 ? ' and 1 policy' : ` and ${changed} policies`
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

/** @throws UsageError for an unknown kind */
function parseFailOn(words: readonly string[]): readonly DriftKind[] {
  if (words.length === 0) return driftKinds
  const known = [...driftKinds, 'none']
  for (const word of words) {
    if (!known.includes(word)) throw unknownWord('read --fail-on', known, word)
  }
  return words.filter((word) => word !== 'none') as DriftKind[]
}
