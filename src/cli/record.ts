import { formatLeftOut } from '../adapters/har/parse-entry.ts'
import { exchangesToHar } from '../adapters/har/write-har.ts'
import { scenarioFromTraffic, type TrafficScenario } from '../analysis/traffic/from-traffic.ts'
import type { Exchange } from '../http/exchange.ts'
import { connect, type Remote } from '../remote/connect.ts'
import { RemoteError } from '../remote/connection.ts'
import { isRequestStep } from '../scenarios/format/scenario.ts'
import { keyValues, nameWorld, nearestProfile } from '../scenarios/recording/changes.ts'
import { KeyLabeler } from '../scenarios/recording/hide.ts'
import { createHider, type RecordingHead } from '../scenarios/recording/recorder.ts'
import { toUnreachableError } from '../scenarios/run/target.ts'
import type { SettingValues } from '../settings/setting.ts'
import { createSimulator } from '../simulator.ts'
import { UsageError, unexpectedValue } from '../utils/errors.ts'
import { failToWrite } from '../utils/files.ts'
import { formatJson } from '../utils/format-json.ts'
import { UnreachableError } from '../utils/network.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'
import { writeFileAtomically } from '../world/persistence/atomic-write.ts'
import { defineCommand, type FlagValues } from './command.ts'
import { type CommandContext, painter } from './command-context.ts'
import { parseKey, parsePort, redactFlag, targetTokenFlag } from './flags.ts'
import { formatTextLine, type LogLine, logLineDefaults } from './log.ts'
import { formatCount } from './output.ts'
import { LiveFile } from './recording/live-file.ts'
import { startProxy } from './recording/proxy.ts'

const help = `
Point your client at the URL that is printed. The proxy forwards each request to the target. The files are written each
second and when the proxy stops, always whole. The proxy does not follow redirects. Links to the target lead to the proxy. An Understudy server provides the labels of its keys, and the world that the scenario starts
with: the name of a fixture, or rows.

Examples:
  npx understudy-api record --target http://127.0.0.1:4010 --out story.json
  npx understudy-api record --target https://app.example.com --out story.json --key all=phx_mine --har traffic.har

Exit codes: 0 when it is stopped, 2 for a file that cannot be written, 3 if the port is already in use, 4 if the target
does not respond.`

const flags = {
  '--target <url>': { text: 'URL of the service', required: true },
  '--out <file>': {
    text: 'scenario file; overwritten within a second after the first request',
    required: true,
    file: 'scenario',
  },
  '--har <file>': { text: 'write a HAR 1.2 archive as well', file: 'archive' },
  // Without a variable, because UNDERSTUDY_PORT is the port of a server that may run, too.
  '--port <number>': {
    text: 'port of the proxy; 0 selects any free port',
    default: 4011,
    parse: parsePort,
  },
  '--key <label=value>': { text: 'label of a key; can be repeated', parse: parseKey },
  '--token <text>': targetTokenFlag,
  '--title <text>': 'title of the scenario',
  '--world <name>': {
    text: 'fixture that the scenario starts with (default: the world of the target)',
    choices: fixtureNames,
  },
  '--keep': 'keep secrets and personal data',
  '--redact <name>': redactFlag,
  '--force': 'overwrite files that are not scenarios or archives',
  '--quiet': 'print only errors and warnings, and the URL with --port 0',
  '--json': 'print one line of JSON at the start',
} as const

export default defineCommand({
  name: 'record',
  summary: 'Record requests to a service as a scenario, through a proxy.',
  flags,
  help,
  run: (_args, values, context) => record(values, context),
})

type RecordFlags = FlagValues<typeof flags>

async function record(flags: RecordFlags, context: CommandContext): Promise<void> {
  const target = parseTarget(flags.target)
  const { title = `Recorded from ${target}`, world, port, keep = false, redact, out, har } = flags
  const info = await readTargetInfo(target, flags.token, world === undefined)
  if (info.issue !== undefined) context.printError(info.issue)
  // A value without a label gets the label "key".
  const { key, keys: labelled } = flags.key ?? {}
  const keys = { ...info.keys, ...labelled, ...(key !== undefined && { key }) }
  const head: RecordingHead = {
    title,
    ...(world !== undefined && { world }),
    ...info.head,
  }
  const options = { baseUrl: target, keys, keep, redact }
  const hider = createHider(options)
  const labeler = new KeyLabeler(keys)
  const exchanges: Exchange[] = []
  const toScenario = (): Promise<TrafficScenario> =>
    scenarioFromTraffic(exchanges, {
      ...options,
      ...head,
    })
  const onFailure = (error: unknown): void => context.printError((error as Error).message)
  let recorded: TrafficScenario | null = null
  const file = new LiveFile(async () => {
    recorded = await toScenario()
    await writeRecording(recorded, out, har)
  }, onFailure)
  const stream = flags.json ? context.stderr : context.stdout
  const paint = painter(stream)
  const print = (line: () => string): void => {
    if (!flags.quiet) stream.write(`${line()}\n`)
  }
  const hide = (exchange: Exchange): Exchange => {
    const labelled = labeler.withLabel(exchange)
    hider.collect(labelled)
    return keep ? labelled : hider.exchange(labelled).exchange
  }
  let leftOut = 0
  const proxy = await startProxy({
    target,
    port,
    onExchange(exchange) {
      const isApi = /^\/api(?:[/?]|$)/.test(exchange.url.slice(target.length))
      if (!isApi) {
        leftOut += 1
        return
      }
      exchanges.push(exchange)
      print(() => formatTextLine(toLogLine(hide(exchange), target), paint))
      file.grow()
    },
    onSkipped({ method, url, reason }) {
      const path = (keep ? url : hider.url(url)).slice(target.length)
      context.printError(`${method} ${path} is not recorded: ${reason}`)
    },
  })
  // Before the URL is printed, because its reader may interrupt at once.
  const interrupted = context.interrupted()
  const files = har === undefined ? out : `${out} and ${har}`
  if (flags.json) context.printJsonLine({ url: proxy.url, target, out, har: har ?? null })
  else if (flags.quiet && port === 0) context.print(proxy.url)
  print(
    () =>
      `Recording ${paint('name', target)} at ${paint('name', proxy.url)}\n` +
      `Writing requests to ${files}. Press Ctrl-C to stop.`,
  )
  await interrupted
  await proxy.close()
  await file.end()
  const { scenario, warnings } = recorded ?? (await toScenario())
  for (const warning of warnings) context.printError(warning)
  const count = scenario.steps.filter(isRequestStep).length
  const rest = leftOut ? `; left out: ${formatLeftOut(new Map([['elsewhere', leftOut]]))}` : ''
  print(() =>
    count === 0
      ? `No requests arrived${rest}. ${out} was not written.`
      : `Recorded ${formatCount(count, 'request')} to ${out}${rest}.`,
  )
  if (count > 0 && head.world === undefined) print(() => derivedWorld)
}

/** Writes what is recorded so far. A scenario without requests would be no scenario. */
async function writeRecording(
  { scenario, exchanges }: TrafficScenario,
  out: string,
  har: string | undefined,
): Promise<void> {
  if (scenario.steps.some(isRequestStep)) {
    await writeFileAtomically(out, `${formatJson(scenario)}\n`).catch(failToWrite(out))
  }
  if (har === undefined) return
  const archive = JSON.stringify(exchangesToHar(exchanges))
  await writeFileAtomically(har, archive).catch(failToWrite(har))
}

const derivedWorld =
  'The world before the first request was derived from the responses. If the target started with a fixture, name it with --world.'

function toLogLine(exchange: Exchange, target: string): LogLine {
  const { at: time, ms, method, url, key = null, response } = exchange
  const path = url.slice(target.length)
  return { ...logLineDefaults, time, method, path, status: response.status, ms, key }
}

/** Parses the URL of a target, without a slash at its end. @throws UsageError for any other text, or a URL with a query */
function parseTarget(text: string): string {
  const url = /^https?:/.test(text) && URL.canParse(text) ? new URL(text) : null
  if (url && url.search === '' && url.hash === '' && url.username === '') {
    return (url.origin + url.pathname).replace(/\/+$/, '')
  }
  const expected = 'a URL without a query, such as https://app.example.com'
  throw unexpectedValue('read --target', expected, text)
}

interface TargetInfo {
  /** The values of keys by their labels */
  readonly keys: Readonly<Record<string, string>>
  readonly head: Omit<RecordingHead, 'title'>
  /** Why an Understudy server does not show its state */
  readonly issue?: string
}

/** Reads keys, settings, clock and world of an Understudy server. Returns nothing for any other target. */
async function readTargetInfo(
  target: string,
  token: string | undefined,
  withWorld: boolean,
): Promise<TargetInfo> {
  const remote = connect(target, token === undefined ? {} : { token })
  let isUnderstudy = false
  try {
    await remote.health()
    isUnderstudy = true
    const { keys, start } = await readStart(remote, withWorld)
    const listed = await remote.settings.list()
    const { mode, now } = await remote.clock.read()
    const settings = Object.fromEntries(listed.map(({ id, value }) => [id, value]))
    const clock = mode === 'frozen' ? { clock: now } : {}
    return { keys, head: { ...start, ...nearestProfile(settings as SettingValues), ...clock } }
  } catch (error) {
    // The target can be any server, so the advice to start Understudy would not help.
    if (error instanceof UnreachableError) throw toUnreachableError(target, error) ?? error
    if (!(error instanceof UsageError)) throw error
    const isRefused = error instanceof RemoteError && error.status === 401
    const cure = isRefused ? 'Pass its token with --token.' : error.message
    const issue = `The recording lacks the keys and the world of the target. ${cure}`
    return { keys: {}, head: {}, ...(isUnderstudy && { issue }) }
  }
}

/** The world of a server, and its keys by the labels that they have in the recording. */
async function readStart(
  remote: Remote,
  withWorld: boolean,
): Promise<Pick<TargetInfo, 'keys'> & { start: Pick<RecordingHead, 'world' | 'seed'> }> {
  if (!withWorld) {
    const keys = (await remote.keys.list()).filter(({ label, value }) => label !== value)
    return { keys: Object.fromEntries(keys.map(({ label, value }) => [label, value])), start: {} }
  }
  const world = await remote.world.read()
  const keys = keyValues(world)
  for (const name of fixtureNames) {
    const fixture = createSimulator({ world: await readWorld(name) }).world.toJSON()
    const start = nameWorld(world, name, fixture)
    if (start) return { keys, start }
  }
  return { keys, start: { world } }
}
