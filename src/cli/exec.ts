import { exec, wholeRun } from '../exec/exec.ts'
import type { CommandLine } from '../exec/run-command.ts'
import { ruleIds } from '../report/run-reporter.ts'
import { commandArgument, defineCommand } from './command.ts'
import { painter } from './command-context.ts'
import { redactCommand } from './command-line.ts'
import { anyPort, failOnFlag, flagsOf } from './flags.ts'
import { describeUsualKey, openFromFlags, serviceFromFlags, toListenOptions } from './from-flags.ts'
import { RequestLog } from './log.ts'
import { closedAdmin, isAdminOpen } from './start-text.ts'

const help = `
The command gets these environment variables:
  UNDERSTUDY_URL               URL of the API
  UNDERSTUDY_KEY               the first key with full access, else the first; with plugins.other.scope = refused, as with
                               --profile live, one whose scopes are null, if any. sweep keeps the key of its first run
  UNDERSTUDY_PROJECT_ID        the project with the lowest id
  UNDERSTUDY_ORGANIZATION_ID   the organization of the project
  UNDERSTUDY_ADMIN_URL         URL of the admin API, for connect() and clients that are generated from its
                               document /__admin/openapi.json
  UNDERSTUDY_TOKEN             token of the admin API, with --token
  UNDERSTUDY_PROFILE, UNDERSTUDY_SETTINGS
                               what --profile, --settings and --set name: the fixtures of Vitest and Playwright, and
                               withSimulator(), have it where a test names nothing else

With --record the requests of the command, but those to sandboxes, become a scenario with their world, without secrets,
whatever the exit code.

Examples:
  npx understudy-api exec -- npm test
  npx understudy-api exec --world ./world.json --profile live -- node client.js
  npx understudy-api exec --env API_URL=url --env API_KEY=key -- pytest
  npx understudy-api exec --fault flaky --seed 2 --record run.json -- npm test
  npx understudy-api exec --report test-results/report.txt --mistakes fail -- npm test
  npx understudy-api exec --port 4010 -- npx nuxt dev

Client mistakes are printed at the end, and already after a second without a request. If the command exits with 1 to 125,
stderr lists the last ten requests, and, if these are others, the last ten with a fault or a refusal. The exit code is that of
the command, 126 or 127 if it cannot run, or 1 in place of 0 for --mistakes fail and --fail-on, also if no request came.`

const flags = {
  ...flagsOf('exec'),
  '--fail-on <rule>': {
    ...failOnFlag(
      'exit with 1 if the client breaks one of these rules, or the run depends on something assumed or from the source of the service',
      ruleIds,
      [],
    ),
    hasVariable: true,
  },
  // Several commands can run at the same time.
  '--port <number>': anyPort,
} as const

export default defineCommand({
  name: 'exec',
  isServer: true,
  summary: 'Run a command with the API served alongside.',
  args: [commandArgument],
  flags,
  help,
  async run([words], flags, context) {
    const line = words as CommandLine
    const simulator = await openFromFlags(
      flags,
      context,
      flags.record === undefined ? {} : wholeRun,
    )
    const log = new RequestLog(context)
    const paint = painter(context.stderr)
    const command = redactCommand(line, flags.redact)
    const options = await toListenOptions(flags)
    return exec(
      {
        ...{ ...flags, line, command, simulator, options, faults: flags.fault },
        service: serviceFromFlags(flags),
      },
      {
        started(url) {
          const dashboard = isAdminOpen(flags) ? paint('name', `${url}/__admin/`) : closedAdmin
          context.printError(
            `Understudy is serving ${paint('name', url)} while the command runs. Dashboard: ${dashboard}`,
          )
          const key = describeUsualKey(simulator, 'UNDERSTUDY_KEY')
          if (key !== null) context.printError(key)
        },
        mistake: (mistake) => log.mistake(mistake),
        ended: () => log.flush(),
        say: (sentence) => context.printError(sentence),
      },
    )
  },
})
