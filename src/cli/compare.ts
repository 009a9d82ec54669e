import { compareTarget } from '../compare/compare-server.ts'
import { keyLabels } from '../compare/keys.ts'
import { comparisonToReport, failureKinds } from '../compare/report.ts'
import { writeReports } from '../report/run-reporter.ts'
import { evidences } from '../settings/evidence.ts'
import { resolveSettings } from '../settings/resolve.ts'
import { formatCount } from '../utils/text.ts'
import { writeNamedFile } from '../world/persistence/atomic-write.ts'
import { defineCommand } from './command.ts'
import { exitCodes } from './command-context.ts'
import { failOnFlag, flagsOf, jsonFlag, parseScopedKey, reportFlag, wholeNumber } from './flags.ts'
import { serviceFromFlags } from './from-flags.ts'
import { withProgress } from './progress.ts'

const help = `
A setting has a value if a response shows it and excludes every other value. Otherwise it is open, with the values that fit.
It names each field that these values do not explain, once. For recorded traffic, import names these settings.

Most requests are sent twice, all slowly, and wait as a 429 says, at most 60 seconds. Without --allow-writes, all of them only
read. With it, compare also creates annotations and plugins, changes only these, and removes them at the end, even after
Ctrl-C. For a short time, two plugins are global, and two annotations belong to the organization. The API only soft-deletes
annotations, which the server may still show. The files contain no key and no content of the server, but for the paths of rows
that may be left.
The label of a key says its scopes: ${keyLabels}.
A key without a label has full access. More keys show more settings.

Examples:
  npx understudy-api compare --target https://api.example.com --key phx_mine --out settings.json
  npx understudy-api compare --target https://staging.example.com --key phx_mine --key plugin:read=phx_less --allow-writes
  npx understudy-api compare --target https://api.example.com --key phx_mine --profile live --report test-results/report.xml

Exit codes: 0; 1 if the server has another value than the flags say (--fail-on narrows that) or a row may be
left; 2 for invalid arguments, an invalid file or a refused key; 4 if the server does not respond or shows no list; 130 after an
interrupt.`

const flags = {
  '--target <url>': { text: 'server to compare', required: true },
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
    text: 'the most requests to send, beside those that remove rows',
    default: 600,
    parse: wholeNumber('a whole number from 10 to 9999', 10, 9_999),
  },
  ...flagsOf('compare'),
  '--out <file>': {
    text: 'write the settings to this file, for --settings of serve and exec',
    file: 'write',
  },
  '--report <file>': reportFlag,
  '--fail-on <kind>': failOnFlag(
    'exit with 1 if a value is other than the flags say with this evidence, or if something is unexplained',
    failureKinds,
    evidences,
  ),
  '--json': jsonFlag,
} as const

export default defineCommand({
  name: 'compare',
  summary: 'Find the settings that explain a server.',
  flags,
  help,
  inPlaceOf: () =>
    'Name a service with --target. For a recording, npx understudy-api import FILE names the settings that it shows.',
  async run(_args, flags, context) {
    const { target, profile, failOn, out } = flags
    const { signal, printError } = context
    const { settings } = serviceFromFlags(flags)
    const expected = resolveSettings(profile, settings)
    const comparison = await compareTarget({ ...flags, expected, signal }, (describe, work) =>
      withProgress(context, describe, work),
    )
    const { length } = Object.keys(settings)
    const others = length === 0 ? '' : ` and ${formatCount(length, 'setting')}`
    const expectation = `the profile ${profile}${others}`
    const compared = { comparison, subject: target, expected, expectation, failOn }
    const report = comparisonToReport(compared)
    const { ended, left } = comparison
    // Also if a file cannot be written.
    for (const sentence of left) printError(sentence)
    await writeReports(report, flags.report, printError)
    // Half of the settings would replace those of an earlier comparison.
    if (out !== undefined && ended !== null)
      printError(`${out} was not written, because the comparison ended early.`)
    else if (out !== undefined) {
      await writeNamedFile(out, report.settingFile, 0o666)
      printError(`The settings are in ${out}.`)
    }
    const isBad = report.hasFailed || left.length > 0
    const exitCode = isBad ? exitCodes.failed : exitCodes.ok
    return {
      json: report.json,
      text: comparisonToReport(compared, context.paint).text,
      exitCode: signal.aborted ? exitCodes.interrupted : exitCode,
    }
  },
})
