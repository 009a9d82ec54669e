import { writeReports } from '../report/run-reporter.ts'
import { type ReplayedFile, replayToReport } from '../scenarios/run/format-result.ts'
import { profiles } from '../settings/profiles.ts'
import { UsageError } from '../utils/errors.ts'
import { fixtureNames } from '../world/load/read-world.ts'
import { defineCommand } from './command.ts'
import { exitCodes } from './command-context.ts'
import { jsonFlag, parseKey, redactFlag, reportFlag } from './flags.ts'
import { readNamedWorld, readScenarioInput } from './from-flags.ts'
import { createReplayView, replayFile, toScenarioFiles } from './replay-file.ts'

const help = `
Without --target each scenario runs in a simulator, and on an Understudy server in a sandbox. On any other service, and on
every target with --key, only scenarios of requests run, and with writes only if you pass --allow-writes.

Examples:
  npx understudy-api replay scenarios/*.json
  npx understudy-api replay delete-not-allowed
  npx understudy-api replay story.json --target https://api.example.com --key phx_mine

Exit codes: 0 if all steps pass, at the latest after --update, 1 if a step fails, 2 for an invalid file, 4 if the target does
not respond, 130 after an interrupt, which leaves no sandbox.`

const flags = {
  '--target <url>': 'server to replay against (default: a simulator)',
  '--key <label=value>': {
    text: 'key of the target, for one label or for all; can be repeated',
    parse: parseKey,
  },
  '--token <text>': { text: 'admin API token of the target', hasVariable: true },
  '--world <file|name>': {
    text: 'world of the simulator or sandbox, for scenarios that do not name one (default: default)',
    file: 'read',
  },
  '--profile <name>': {
    text: 'profile of the simulator or sandbox, instead of the one in the scenario',
    choices: profiles,
  },
  '--update': {
    text: 'write the actual responses to the files where they differ',
    conflicts: ['target'],
  },
  '--report <file>': reportFlag,
  '--json': jsonFlag,
  '--allow-writes': 'allow writes to other services, and with --key',
  '--redact <name>': redactFlag,
} as const

export default defineCommand({
  name: 'replay',
  summary: 'Replay scenarios and report differences.',
  args: [
    [
      '<file...>',
      'scenario files, or names of scenarios of the package; *.schema.json files among others are skipped',
    ],
  ],
  flags,
  help,
  async run([paths], flags, context) {
    const named = paths.filter((path) => !path.endsWith('.schema.json'))
    if (named.length === 0) throw new UsageError(`${paths[0]} is a schema, not a scenario.`)
    if (flags.key && !flags.target) throw new UsageError('--key requires --target.')
    const inputs = await Promise.all(named.map((path) => readScenarioInput(path, context)))
    const files = await toScenarioFiles(inputs, flags.update)
    const { world: name = 'default', report: reports, json } = flags
    const world = fixtureNames.includes(name) ? name : await readNamedWorld(name, context)
    const view = createReplayView(flags, context)
    const replayed: ReplayedFile[] = []
    for (const file of files) {
      replayed.push(await replayFile(file, { ...flags, world, signal: context.signal }, view))
      if (context.signal.aborted) break
    }
    const report = replayToReport(replayed)
    await writeReports(report, reports, context.printError)
    // Printed last: if a file cannot be written, stdout only has the error.
    if (json) context.printJson(report.json)
    if (context.signal.aborted) return exitCodes.interrupted
    if (replayed.some(({ error }) => error !== null)) return exitCodes.unreachable
    return replayed.every(({ accepted }) => accepted) ? exitCodes.ok : exitCodes.failed
  },
})
