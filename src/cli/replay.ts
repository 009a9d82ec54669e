import { writeFile } from 'node:fs/promises'
import { Command, Option } from 'commander'
import { exchangesToHar } from '../adapters/har/write-har.ts'
import type { Exchange } from '../http/exchange.ts'
import { profiles } from '../policies/settings.ts'
import type { Scenario } from '../scenarios/format/scenario.ts'
import { readScenario } from '../scenarios/read-scenario.ts'
import { Anonymizer } from '../scenarios/recording/anonymize.ts'
import { unexpectedValue } from '../utils/usage-error.ts'
import type { CommandContext } from './command-context.ts'
import { exitCodes } from './exit.ts'
import { parseKeyFlag } from './flag-values.ts'
import { type ReplayedFile, type ReplayFlags, replayFile } from './replay-file.ts'
import { createConsoleReport } from './reports/console.ts'
import { htmlReport } from './reports/html.ts'
import { junitReport } from './reports/junit.ts'

interface ReplayCommandFlags extends ReplayFlags {
  readonly report?: ReportKind
  readonly out?: string
  readonly har?: string
  readonly keep?: boolean
  readonly json?: boolean
}

const help = `
Without --target each scenario is replayed in a simulator of its own. A server of ours gets a sandbox for it. Any
other service, and whatever --key is given for, is asked as it is: by requests only, and only reads unless
--allow-writes lets writes through.

Examples:
  understudy replay scenarios/*.json
  understudy replay story.json --profile live
  understudy replay story.json --target http://127.0.0.1:4010
  understudy replay story.json --target https://api.example.com --key phx_mine
  understudy replay story.json --update
  understudy replay scenarios/*.json --bundle failed.json

A bundle is a scenario of the first file that is not as expected, as it went: the world, and every request with the
exact answer that came. It is replayed like any other, and understudy shrink makes it small.

Ends with 0 when all is as expected, 1 when something differs, 2 for files with faults, 4 when nothing answers.`

export function replayCommand(context: CommandContext): Command {
  return new Command('replay')
    .description('Replay scenarios, and tell what is not as expected.')
    .argument('<file...>', 'scenarios as JSON; their schema is let be')
    .option('--target <url>', 'where to replay; by default in a simulator of its own')
    .addOption(
      new Option(
        '--key <label=value>',
        'a key of the target; without a label for all; may be repeated',
      ).argParser(parseKeyFlag),
    )
    .addOption(
      new Option('--token <text>', 'what the control API of the target asks for').env(
        'UNDERSTUDY_TOKEN',
      ),
    )
    .addOption(new Option('--profile <name>', "in place of the scenario's").choices(profiles))
    .option(
      '--only <step>',
      'compare one step, by its number or its title; those before it are carried out',
    )
    .option('--until <step>', 'end with this step')
    .option('--update', 'write what was answered into the files, where it differs')
    .addOption(new Option('--report <kind>', 'print a report').choices(Object.keys(reports)))
    .option('--out <file>', 'write the report there')
    .option('--json', 'print the outcome as JSON, as --report json does')
    .option('--allow-writes', 'let writes through to a target that is not ours')
    .option('--bundle <file>', 'write what was answered there, when a replay is not as expected')
    .option('--har <file>', 'write what was asked and answered there, in the format HAR 1.2')
    .option('--keep', 'leave secrets and personal data in it as they are')
    .addHelpText('after', help)
    .action(async (files: string[], flags: ReplayCommandFlags) => {
      context.exitCode = await replay(files, flags, context)
    })
}

async function replay(
  given: readonly string[],
  flags: ReplayCommandFlags,
  context: CommandContext,
): Promise<number> {
  const { report, out, json } = flags
  if (out !== undefined && report === undefined) {
    throw unexpectedValue('read --out', 'it beside --report', out)
  }
  const files = given.filter((file) => !file.endsWith('.schema.json'))
  if (files.length === 0) throw unexpectedValue('replay', 'a scenario', given[0])
  if (json && report !== undefined && out === undefined)
    throw unexpectedValue('read --report', 'a file for it by --out, beside --json', report)
  // All are read before anything runs.
  const scenarios = await Promise.all(files.map((file) => readScenario(file)))
  const exchanges: Exchange[] = []
  const replayed = await replayAll(files, scenarios, flags, exchanges, context)
  if (report !== undefined) await writeReport('report', reports[report](replayed), out, context)
  if (flags.har !== undefined)
    await writeReport('archive', JSON.stringify(exchangesToHar(exchanges)), flags.har, context)
  // Last: where a file cannot be written, stdout holds that error alone.
  if (json) context.stdout.write(reports.json(replayed))
  if (replayed.some(({ error }) => error !== null)) return exitCodes.unreachable
  return replayed.every(({ accepted }) => accepted) ? exitCodes.ok : exitCodes.failed
}

/** One after the other, each step told when it was run. */
async function replayAll(
  files: readonly string[],
  scenarios: readonly Scenario[],
  flags: ReplayCommandFlags,
  exchanges: Exchange[],
  context: CommandContext,
): Promise<ReplayedFile[]> {
  const whole = scenarios.reduce((sum, { steps }) => sum + steps.length, 0)
  const teller = await createConsoleReport(flags, whole, context)
  const replayed: ReplayedFile[] = []
  const disguise = new Anonymizer()
  const onExchange = (one: Exchange): void =>
    void exchanges.push(flags.keep ? one : disguise.anonymize(one))
  try {
    for (const [index, scenario] of scenarios.entries()) {
      const { bundle, ...plain } = flags.har === undefined ? flags : { ...flags, onExchange }
      const isFirst = replayed.every(({ result }) => result?.held ?? true)
      const wanted = isFirst && bundle !== undefined ? { ...plain, bundle } : plain
      replayed.push(await replayFile(files[index] as string, scenario, wanted, teller, context))
    }
    return replayed
  } finally {
    teller.end()
  }
}

/** What a replay came to, in the forms it is read in. */
export const reports: Readonly<Record<ReportKind, (replayed: readonly ReplayedFile[]) => string>> =
  {
    junit: junitReport,
    json: (replayed) => `${JSON.stringify(replayed, null, 2)}\n`,
    html: htmlReport,
  }

/** The name of a report. */
export type ReportKind = 'junit' | 'json' | 'html'

/** Writes a report, or an archive, where it is wanted. @throws UsageError for a file that cannot be written */
export async function writeReport(
  what: string,
  report: string,
  file: string | undefined,
  { stdout }: CommandContext,
): Promise<void> {
  if (file === undefined) {
    stdout.write(report)
    return
  }
  try {
    await writeFile(file, report)
  } catch (error) {
    const { code } = error as { code?: string }
    throw unexpectedValue(`write the ${what}`, 'a file that can be written', `${file} (${code})`)
  }
}
