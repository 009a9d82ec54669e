import { Command, Option } from 'commander'
import { exchangesToHar } from '../adapters/har/write-har.ts'
import type { Exchange } from '../http/exchange.ts'
import { profiles } from '../policies/settings.ts'
import type { Scenario } from '../scenarios/format/scenario.ts'
import { readScenario } from '../scenarios/read-scenario.ts'
import { Anonymizer } from '../scenarios/recording/anonymize.ts'
import { UsageError } from '../utils/usage-error.ts'
import type { CommandContext } from './command-context.ts'
import { exitCodes } from './exit.ts'
import { parseKeyFlag } from './flag-values.ts'
import { type ReplayedFile, type ReplayFlags, replayFile } from './replay-file.ts'
import { createConsoleReport } from './reports/console.ts'
import { type ReportKind, reports, writeReport } from './reports/reports.ts'

interface ReplayCommandFlags extends ReplayFlags {
  readonly report?: ReportKind
  readonly out?: string
  readonly har?: string
  readonly keep?: boolean
  readonly json?: boolean
}

const help = `
Without --target each scenario runs in a simulator of its own. On an Understudy server it runs in a sandbox. Any other
service, and every target with --key, only gets the requests of the scenario, and only reads unless you pass
--allow-writes.

Examples:
  understudy replay scenarios/*.json
  understudy replay story.json --profile live
  understudy replay story.json --target http://127.0.0.1:4010
  understudy replay story.json --target https://api.example.com --key phx_mine
  understudy replay story.json --update
  understudy replay scenarios/*.json --bundle failed.json

A bundle is a scenario that repeats the first file that fails: its world, and each request with the exact response.
understudy replay replays a bundle, and understudy shrink reduces it.

Exit codes: 0 if all steps pass, 1 if a step fails, 2 for an invalid file, 4 if the target does not respond.`

export function replayCommand(context: CommandContext): Command {
  return new Command('replay')
    .description('Replay scenarios and report differences.')
    .argument('<file...>', 'scenario files; *.schema.json files are skipped')
    .option('--target <url>', 'server to replay against (default: a simulator)')
    .addOption(
      new Option(
        '--key <label=value>',
        'key of the target, for one label or for all; can be repeated',
      ).argParser(parseKeyFlag),
    )
    .addOption(
      new Option('--token <text>', 'control API token of the target').env('UNDERSTUDY_TOKEN'),
    )
    .addOption(
      new Option('--profile <name>', 'profile to use instead of the one in the scenario').choices(
        profiles,
      ),
    )
    .option('--only <step>', 'compare one step, by number or title; earlier steps run, too')
    .option('--until <step>', 'stop after this step')
    .option('--update', 'write the actual responses to the files where they differ')
    .addOption(new Option('--report <kind>', 'print a report').choices(Object.keys(reports)))
    .option('--out <file>', 'write the report to this file')
    .option('--json', 'print the results as JSON, like --report json')
    .option('--allow-writes', 'allow writes to a target that is not an Understudy server')
    .option('--bundle <file>', 'if a step fails, write all requests and responses to this file')
    .option('--har <file>', 'write all requests and responses as a HAR 1.2 archive')
    .option('--keep', 'keep secrets and personal data in the archive')
    .addHelpText('after', help)
    .action(async (files: string[], flags: ReplayCommandFlags) => {
      context.exitCode = await replay(files, flags, context)
    })
}

async function replay(
  paths: readonly string[],
  flags: ReplayCommandFlags,
  context: CommandContext,
): Promise<number> {
  checkReportFlags(flags)
  const { report, out, json, har } = flags
  const files = paths.filter((path) => !path.endsWith('.schema.json'))
  if (files.length === 0) throw new UsageError(`${paths[0]} is a schema, not a scenario.`)
  // All files are checked before the first one runs.
  const scenarios = await Promise.all(files.map((file) => readScenario(file)))
  const exchanges: Exchange[] = []
  const replayed = await replayAll(files, scenarios, flags, exchanges, context)
  if (report !== undefined) await writeReport(reports[report](replayed), out, context)
  if (har !== undefined) {
    await writeReport(JSON.stringify(exchangesToHar(exchanges)), har, context)
  }
  // Printed last: if a file cannot be written, stdout only has the error.
  if (json) context.stdout.write(reports.json(replayed))
  if (replayed.some(({ error }) => error !== null)) return exitCodes.unreachable
  return replayed.every(({ accepted }) => accepted) ? exitCodes.ok : exitCodes.failed
}

/** @throws UsageError for flags that exclude each other */
function checkReportFlags({ report, out, json }: ReplayCommandFlags): void {
  if (out !== undefined && report === undefined) throw new UsageError('--out requires --report.')
  if (json && report !== undefined && out === undefined) {
    throw new UsageError('--report requires --out if --json is set. Both print to stdout.')
  }
}

/** Replays the files one after another. */
async function replayAll(
  files: readonly string[],
  scenarios: readonly Scenario[],
  flags: ReplayCommandFlags,
  exchanges: Exchange[],
  context: CommandContext,
): Promise<ReplayedFile[]> {
  const stepCount = scenarios.reduce((sum, { steps }) => sum + steps.length, 0)
  const report = await createConsoleReport(flags, stepCount, context)
  const replayed: ReplayedFile[] = []
  const anonymizer = new Anonymizer()
  const onExchange = (exchange: Exchange): void =>
    void exchanges.push(flags.keep ? exchange : anonymizer.exchange(exchange).exchange)
  try {
    for (const [index, scenario] of scenarios.entries()) {
      const { bundle, ...others } = flags.har === undefined ? flags : { ...flags, onExchange }
      const hasFailed = replayed.some(({ result }) => result && !result.passed)
      const fileFlags = hasFailed || bundle === undefined ? others : { ...others, bundle }
      replayed.push(await replayFile(files[index] as string, scenario, fileFlags, report, context))
    }
    return replayed
  } finally {
    report.end()
  }
}
