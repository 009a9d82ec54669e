import { Option } from 'commander'
import { type PolicyOverrides, type Profile, profiles } from '../policies/settings.ts'
import { type FaultRequest, parseFault } from '../sandbox/faults/fault-request.ts'
import { presetNames } from '../sandbox/faults/rule.ts'
import { SimulatorBase } from '../sandbox/simulator-base.ts'
import type { SimulatorOptions } from '../sandbox/simulator-options.ts'
import { parseReplayMode, replayModes } from '../scenarios/replay-server/match-request.ts'
import type { Simulator } from '../simulator.ts'
import { didYouMean, unexpectedValue } from '../utils/usage-error.ts'
import { Clock } from '../world/clock/clock.ts'
import { fixtureNames } from '../world/load/read-world.ts'
import type { CommandContext } from './command-context.ts'
import { portParser, redactOption, withChoices } from './common-options.ts'
import { logFormats } from './log.ts'
import { parseForwardFlag, parseIntercept, parseTrustProxy } from './serve/ingress.ts'

type CommandName = 'serve' | 'exec' | 'openapi'

/** The flags of each command: `serve` has every flag except `--bundle` and `--intercept`, the others only those listed. */
const commandFlags: Readonly<Record<CommandName, RegExp>> = {
  serve: /^--(?!bundle|intercept)/,
  exec: /^--(data|seed|profile|policy|fault|clock|explain|bundle|neighbours|forward|forward-keys|intercept|redact|token)$/,
  openapi: /^--(profile|policy)$/,
}

/** Creates the flags of a command, each with its environment variable. `0` and `false` turn a boolean flag off. */
export function createFlagOptions(
  command: CommandName,
  environment: NodeJS.ProcessEnv = {},
): Option[] {
  const options = createOptions().filter(({ long }) => commandFlags[command].test(long as string))
  for (const option of options) {
    const variable = variableName(option)
    if (isSet(option, variable, environment[variable])) option.env(variable)
  }
  return options
}

/** An empty variable counts as not set, as in `UNDERSTUDY_DATA= npx understudy-api`. */
function isSet({ required }: Option, variable: string, value: string | undefined): boolean {
  return required ? value !== '' : isEnabled(variable, value)
}

/** Commander turns a boolean flag on if its variable is set to anything, even to 0. */
function isEnabled(variable: string, value = 'yes'): boolean {
  if (/^(1|true|yes|on)$/i.test(value)) return true
  if (/^(0|false|no|off|)$/i.test(value)) return false
  throw unexpectedValue(`read ${variable}`, 'one of 1, true, yes, on, 0, false, no, off', value)
}

function variableName({ long }: Option): string {
  return `UNDERSTUDY_${(long as string).slice(2).toUpperCase().replaceAll('-', '_')}`
}

/** Variables that are no flags: those that `exec` and `shrink` set, and those of removed flags. */
const otherVariables = 'URL KEY PROJECT_ID ORGANIZATION_ID ADMIN_URL SCENARIO LANE STOCK'.split(' ')

export function warnAboutVariables(environment: NodeJS.ProcessEnv): string[] {
  const others = otherVariables.map((name) => `UNDERSTUDY_${name}`)
  const names = [...createOptions().map(variableName), ...others]
  return Object.keys(environment)
    .filter((name) => name.startsWith('UNDERSTUDY_'))
    .flatMap((name) => {
      const meant = didYouMean(name, names, 2)
      return meant ? [`The variable ${name} has no effect. Did you mean ${meant}?`] : []
    })
}

function createOptions(): Option[] {
  const option = (flags: string, description: string): Option => new Option(flags, description)
  return [
    option('--port <number>', 'port; 0 selects any free port')
      .default(4010)
      .argParser(portParser('--port (or UNDERSTUDY_PORT)')),
    option('--host <address>', 'address to listen on').default('127.0.0.1'),
    option(
      '--data <file|name>',
      `world to start with: a file, or ${fixtureNames.join(', ')}`,
    ).default('default'),
    option('--state <file>', 'keep the world in this file across restarts; it starts with --data'),
    option('--recording <file>', 'respond with the recorded responses of a scenario, in its world'),
    option(
      '--mode <name>',
      `how the recording responds: ${replayModes.join(', ')} (default: strict)`,
    ).argParser((text) => parseReplayMode(text, 'read --mode (or UNDERSTUDY_MODE)')),
    option('--watch', 'reload the file of --data or --recording when it changes'),
    option('--seed <number>', 'seed for generated values').argParser(parseSeed),
    withChoices(
      option('--profile <name>', `set of policies: ${profiles.join(' or ')}`),
      profiles,
      '--profile (or UNDERSTUDY_PROFILE)',
    ).default('documented'),
    option('--policy <id=value>', 'set a policy; can be repeated')
      .default({}, 'none')
      .argParser(parsePolicyFlag),
    option(
      '--fault <name|rule>',
      `inject a fault: ${presetNames.join(', ')}, or a rule as JSON; can be repeated`,
    )
      .default([], 'none')
      .argParser(parseFaultFlag),
    option('--clock <time>', '`real`, a time to freeze at, or `ticking:<time>`')
      .default('real')
      .argParser(parseClockFlag),
    option(
      '--explain',
      'say in the header understudy-why why a request was refused, and what was ignored',
    ),
    option('--bundle <file>', 'write all requests and responses to this file, to replay them'),
    redactOption(),
    option('--token <text>', 'token required by the control API'),
    option('--require-token', 'refuse to start without a token, as in a container'),
    option('--no-cors', 'send no CORS headers'),
    option('--neighbours <file|default>', 'responses for paths outside the API; can be repeated')
      .default([], 'none')
      .argParser((text: string, before: readonly string[]) => [...before, ...text.split(',')]),
    option(
      '--forward <url>',
      'service that gets the requests outside the API, without keys',
    ).argParser(parseForwardFlag),
    option('--forward-keys', 'send the keys of the API to the service of --forward, too'),
    option('--intercept <host>', 'lead requests to this host to the simulator; can be repeated')
      .default([], 'none')
      .argParser(parseIntercept),
    option('--tls-cert <file>', 'serve HTTPS with this certificate (PEM)'),
    option('--tls-key <file>', 'the private key of --tls-cert (PEM)'),
    option(
      '--trust-proxy <value>',
      'proxies whose X-Forwarded headers appear in links: true, a number, or addresses such as loopback (values of Express)',
    ).argParser(parseTrustProxy),
    option('--scenarios <folder>', 'folder of scenarios that the dashboard offers'),
    option('--no-dashboard', 'do not serve the dashboard at /__admin/'),
    withChoices(
      option(
        '--log-format <name>',
        `format of the request log on stderr: ${logFormats.join(' or ')} (one object per line)`,
      ),
      logFormats,
      '--log-format (or UNDERSTUDY_LOG_FORMAT)',
    ).default('text'),
    option('--json', 'print one line of JSON at the start'),
    option('--quiet', 'print only errors, and no request log'),
  ]
}

function parseSeed(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw unexpectedValue('read --seed (or UNDERSTUDY_SEED)', 'a whole number', text)
}

function parseClockFlag(text: string): SimulatorFlags['clock'] {
  const isTicking = text.startsWith('ticking:')
  const setting = isTicking ? ({ mode: 'ticking', time: text.slice(8) } as const) : text
  try {
    new Clock(setting)
    return setting
  } catch {
    const expected = 'real, a time to freeze at such as 2024-06-01T12:00:00Z, or ticking:<time>'
    const [word = ''] = text.split(':')
    const meant = didYouMean(word, ['real', 'ticking'])
    const suggestion = meant && meant + text.slice(word.length)
    throw unexpectedValue('read --clock (or UNDERSTUDY_CLOCK)', expected, text, suggestion)
  }
}

/** Parses `id=value`. A variable can have several pairs, separated by commas. */
function parsePolicyFlag(text: string, before: PolicyOverrides): PolicyOverrides {
  const pairs = text.split(',').map((pair) => {
    const [, id = '', value] = /^([^=]*)=(.*)$/s.exec(pair) ?? []
    if (value !== undefined) return [id.trim(), value.trim()]
    throw unexpectedValue('read --policy (or UNDERSTUDY_POLICY)', 'id=value', pair)
  })
  return { ...before, ...Object.fromEntries(pairs) }
}

/** Parses a preset or a rule as JSON. A variable can have one rule, or several presets separated by commas. */
function parseFaultFlag(text: string, before: readonly FaultRequest[]): readonly FaultRequest[] {
  const faults = /^\s*\{/.test(text) ? [text] : text.split(',')
  return [...before, ...faults.map((fault) => parseFault(fault.trim()))]
}

export interface SimulatorFlags {
  readonly data: string
  readonly seed?: number
  readonly profile: Profile
  readonly policy: PolicyOverrides
  readonly fault: readonly FaultRequest[]
  readonly clock: NonNullable<SimulatorOptions['clock']>
  readonly explain?: boolean
  readonly redact: readonly string[]
  readonly token?: string
  readonly neighbours: readonly string[]
}

/** Adds the faults of the flags. Warnings about faults and second actors are printed as errors from now on. */
export function addFaultsFromFlags(
  simulator: Simulator,
  { fault }: SimulatorFlags,
  context: CommandContext,
): void {
  SimulatorBase.sandboxOf(simulator).warn = (warning) => context.printError(warning)
  simulator.faults.initial = fault
  for (const request of fault) simulator.faults.add(request)
}
