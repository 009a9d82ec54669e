import { readFileSync } from 'node:fs'
import { Option } from 'commander'
import { asOfDates } from '../policies/as-of.ts'
import { parsePolicyFile } from '../policies/policy-file.ts'
import { type PolicyOverrides, type Profile, profiles } from '../policies/settings.ts'
import { type FaultRequest, parseFault } from '../sandbox/faults/fault-request.ts'
import { presetNames } from '../sandbox/faults/rule.ts'
import type { SimulatorOptions } from '../sandbox/simulator-options.ts'
import { parseReplayMode, replayModes } from '../scenarios/replay-server/replay-options.ts'
import { unreadableFileError } from '../utils/files.ts'
import { didYouMean, UsageError, unexpectedValue } from '../utils/usage-error.ts'
import { Clock } from '../world/clock/clock.ts'
import { fixtureNames } from '../world/load/read-world.ts'
import { portParser, redactOption, variableName, withChoices } from './common-options.ts'
import { logFormats } from './log.ts'
import {
  limitOptions,
  parseForwardFlag,
  parseIntercept,
  parseTrustProxy,
  replicaOptions,
} from './network-flags.ts'

type CommandName = 'serve' | 'exec' | 'sweep' | 'mcp' | 'openapi' | 'explain'

/** The flags of each command: `serve` has every flag except those of `exec` alone, the others only those listed. */
const commandFlags: Readonly<Record<CommandName, RegExp>> = {
  serve: /^--(?!bundle|intercept|report|fail-on)/,
  exec: /^--(data|seed|profile|as-of|policies|policy|fault|clock|explain|bundle|neighbours|forward|forward-keys|intercept|redact|token|report|fail-on)$/,
  sweep:
    /^--(data|seed|profile|as-of|policies|policy|fault|clock|neighbours|forward|forward-keys|intercept|redact|token|report)$/,
  mcp: /^--(?!bundle|intercept|report|fail-on|host|require-token|tls|trust-proxy|replica|max-|headers-timeout|request-timeout|json)/,
  openapi: /^--(profile|as-of|policies|policy)$/,
  explain: /^--(data|seed|profile|as-of|policies|policy|clock)$/,
}

/** Creates the flags of a command, each with its environment variable. `0` and `false` turn a boolean flag off. */
export function createFlagOptions(
  command: CommandName,
  environment: NodeJS.ProcessEnv = {},
): Option[] {
  const options = createOptions().filter(({ long }) => commandFlags[command].test(long as string))
  for (const option of options) {
    // Several agents can start it at the same time.
    if (command === 'mcp' && option.long === '--port') option.default(0)
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

/** Variables that are no flags: those that `exec` and `shrink` set. */
const otherVariables = 'URL KEY PROJECT_ID ORGANIZATION_ID ADMIN_URL SCENARIO'.split(' ')

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
    option(
      '--state <file>',
      'save the world in this file, and load it at the next start; a new file starts with --data',
    ),
    option(
      '--recording <file>',
      'respond with the recorded responses of a scenario, and use its world',
    ),
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
    withChoices(
      option('--as-of <month>', `the API as it was in ${asOfDates().join(' or ')}`),
      asOfDates(),
      '--as-of (or UNDERSTUDY_AS_OF)',
    ),
    option(
      '--policies <file>',
      'policies of a server, as observe writes them; --policy overrides them',
    ).argParser(readPolicyFile),
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
      'add the response header understudy-why: the reason for a refusal, and the input that was ignored',
    ),
    option('--bundle <file>', 'write all requests and responses to this file, to replay them'),
    option(
      '--report <file>',
      'write what the run rests on to this .html, .json, .xml (JUnit) or .sarif file; can be repeated',
    )
      .default([], 'none')
      .argParser(appendWords),
    option(
      '--fail-on <rule>',
      'exit with 1 if the run rests on something assumed or observed, or if the client breaks a rule; can be repeated',
    )
      .default([], 'none')
      .argParser(appendWords),
    redactOption(),
    option('--token <text>', 'token required by the control API'),
    option('--require-token', 'refuse to start without --token, for example in a container'),
    option('--no-cors', 'send no CORS headers'),
    option(
      '--neighbours <file|default>',
      'file with responses for paths outside the API; can be repeated',
    )
      .default([], 'none')
      .argParser(appendWords),
    option(
      '--forward <url>',
      'forward requests outside the API to this service, without keys',
    ).argParser(parseForwardFlag),
    option('--forward-keys', 'also send the keys of the API to the service of --forward'),
    option('--intercept <host>', 'send requests for this host to the simulator; can be repeated')
      .default([], 'none')
      .argParser(parseIntercept),
    option('--tls-cert <file>', 'serve HTTPS with this certificate (PEM)'),
    option('--tls-key <file>', 'the private key of --tls-cert (PEM)'),
    option(
      '--trust-proxy <value>',
      'proxies whose X-Forwarded headers decide the URLs of links: true, a number of proxies, or addresses such as loopback (as in Express)',
    ).argParser(parseTrustProxy),
    ...replicaOptions(),
    ...limitOptions(),
    option('--scenarios <folder>', 'folder of the scenarios that the dashboard can run'),
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
    option('--quiet', 'print only errors, without the request log'),
  ]
}

const appendWords = (text: string, before: readonly string[]): readonly string[] => [
  ...before,
  ...text.split(','),
]

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

function readPolicyFile(file: string): NonNullable<SimulatorFlags['policies']> {
  try {
    return { file, settings: parsePolicyFile(readFileSync(file, 'utf8'), file) }
  } catch (error) {
    throw error instanceof UsageError ? error : unreadableFileError(file, error)
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
  readonly asOf?: string
  readonly policies?: { readonly file: string; readonly settings: PolicyOverrides }
  readonly policy: PolicyOverrides
  readonly fault: readonly FaultRequest[]
  readonly clock: NonNullable<SimulatorOptions['clock']>
  readonly explain?: boolean
  readonly redact: readonly string[]
  readonly token?: string
  readonly neighbours: readonly string[]
}
