import { formatLeftOut } from '../adapters/har/parse-entry.ts'
import { exchangesToHar } from '../adapters/har/write-har.ts'
import type { Exchange } from '../http/exchange.ts'
import { toReplaying } from '../import/answers.ts'
import { type ImportedScenario, importExchanges } from '../import/import-exchanges.ts'
import { isRequestStep } from '../scenarios/format/scenario.ts'
import { GrowingRecording } from '../scenarios/recording/growing-recording.ts'
import { createHider } from '../scenarios/recording/recorder.ts'
import { toUnreachableError } from '../scenarios/run/sender.ts'
import { knownKeys } from '../scenarios/run/simulator-for.ts'
import { startProxy } from '../server/recording-proxy.ts'
import { unexpectedValue } from '../utils/errors.ts'
import { statsOf } from '../utils/files.ts'
import { formatJson } from '../utils/format-json.ts'
import { LiveFile } from '../utils/live-file.ts'
import { UnreachableError } from '../utils/network.ts'
import { formatCount } from '../utils/text.ts'
import { fixtureNames } from '../world/load/read-world.ts'
import { isDevice, writeNamedFile } from '../world/persistence/atomic-write.ts'
import { defineCommand, type FlagValues } from './command.ts'
import { type CommandContext, exitCodes, painter } from './command-context.ts'
import { parseKey, parsePort, redactFlag } from './flags.ts'
import { formatLogLine, TimeOfDay } from './log.ts'

const help = `
Point your client at the URL that is printed. The proxy forwards each request to the target. The files are written each
second, always whole. Their world is derived when the proxy stops. The proxy does not follow redirects. Links to the target
lead to the proxy. The journal of an Understudy server is recorded without a proxy: by the dashboard, or connect().record().

Examples:
  npx understudy-api record --target http://127.0.0.1:4010 --out story.json
  npx understudy-api record --target https://app.example.com --out story.json --key all=phx_mine --har traffic.har

Exit codes: 0 when it is stopped, 1 if a request was not recorded by failure or lack of room, 2 for a file that cannot be written, 3 if the port is
already in use, 4 if the target does not respond.`

const flags = {
  '--target <url>': { text: 'URL of the service', required: true },
  '--out <file>': {
    text: 'scenario file; overwritten within a second after the first request',
    required: true,
    file: 'write',
  },
  '--har <file>': { text: 'write a HAR 1.2 archive as well', file: 'write' },
  // Without a variable, because UNDERSTUDY_PORT is the port of a server that may run, too.
  '--port <number>': {
    text: 'port of the proxy; 0 selects any free port',
    default: 4011,
    parse: parsePort,
  },
  '--key <label=value>': { text: 'label of a key; can be repeated', parse: parseKey },
  '--title <text>': 'title of the scenario',
  '--world <name>': {
    text: 'fixture that the scenario starts with (default: a world derived from the responses)',
    choices: fixtureNames,
  },
  '--keep': 'keep secrets and personal data',
  '--redact <name>': redactFlag,
  '--quiet': 'print only the URL, errors and warnings',
  '--json': 'print one line of JSON at the start',
} as const

export default defineCommand({
  name: 'record',
  isServer: true,
  summary: 'Record requests to a service as a scenario, through a proxy.',
  flags,
  help,
  run: (_args, values, context) => record(values, context),
})

type RecordFlags = FlagValues<typeof flags>

async function record(flags: RecordFlags, context: CommandContext): Promise<void> {
  const target = parseTarget(flags.target)
  const { title = `Recorded from ${target}`, world, port, keep = false, redact, out, har } = flags
  const keys = knownKeys(flags.key)
  const options = {
    ...{ baseUrl: target, keys, keep, redact, title },
    ...(world !== undefined && { world }),
  }
  const hider = createHider(options)
  const shorten = (url: string): string => (keep ? url : hider.url(url)).slice(target.length)
  const exchanges: Exchange[] = []
  const growing = new GrowingRecording(exchanges, hider, {
    ...options,
    hasArchive: har !== undefined,
  })
  const write = async (): Promise<void> => {
    await growing.write()
    const { scenario } = growing
    if (scenario !== null && isReplaced(out)) await writeNamedFile(out, scenario)
    if (har !== undefined && isReplaced(har)) await writeNamedFile(har, growing.archive)
  }
  const file = new LiveFile(write, (error) => context.printError((error as Error).message))
  const stream = flags.json ? context.stderr : context.stdout
  const paint = painter(stream)
  const logPaint = painter(context.stderr)
  const times = new TimeOfDay()
  const print = (line: string): void => {
    if (!flags.quiet) stream.write(`${line}\n`)
  }
  await checkReachable(target)
  let leftOut = 0
  const proxy = await startProxy({
    target,
    port,
    onExchange(exchange) {
      // A key of an unknown form is hidden once a header has shown it.
      hider.collect(exchange)
      exchanges.push(exchange)
      const { at, ms, method, url, response } = exchange
      const time = times.of(Date.parse(at))
      const line = { time, ms, method, path: shorten(url), status: response.status }
      if (!flags.quiet) context.stderr.write(`${formatLogLine(line, logPaint)}\n`)
      file.grow()
    },
    onSkipped({ method, url, reason, isFailure }) {
      if (isFailure) context.exitCode = exitCodes.failed
      context.printError(`${method} ${shorten(url)} is not recorded: ${reason}`)
    },
    onOther() {
      leftOut += 1
    },
    onSpent(reason) {
      context.printError(`${reason} Stop the recorder, and record the rest to another file.`)
    },
  })
  // Before the URL is printed, because its reader may interrupt at once.
  const interrupted = context.interrupted()
  const files = har === undefined ? out : `${out} and ${har}`
  if (flags.json) context.printJson({ url: proxy.url, target, out, har: har ?? null }, 0)
  else if (flags.quiet) context.print(proxy.url)
  print(`Recording ${paint('name', target)} at ${paint('name', proxy.url)}`)
  print(`Writing requests to ${files}. Press Ctrl-C to stop.`)
  const crash = await interrupted
  await proxy.close()
  await file.end()
  const imported = await importExchanges(exchanges, options)
  const { scenario, sentences } = await toReplaying(imported, imported.scenario)
  await writeRecording({ ...imported, scenario }, out, har)
  const count = scenario.steps.filter(isRequestStep).length
  for (const sentence of sentences) context.printError(sentence)
  const rest = leftOut ? `; left out: ${formatLeftOut(new Map([['elsewhere', leftOut]]))}` : ''
  print(
    count === 0
      ? `No requests arrived${rest}. ${out} was not written.`
      : `Recorded ${formatCount(count, 'request')} to ${out}${rest}.`,
  )
  if (count > 0 && world === undefined) print(derivedWorld)
  if (crash !== null) throw crash
}

/** @throws UnreachableError if nothing responds */
async function checkReachable(target: string, seconds = 10): Promise<void> {
  const signal = AbortSignal.timeout(seconds * 1_000)
  const response = await fetch(target, { redirect: 'manual', signal }).catch((error) => {
    if (error.name !== 'TimeoutError') throw toUnreachableError(target, error) ?? error
    throw new UnreachableError(
      `${target} did not respond within ${seconds} seconds. Check the address.`,
    )
  })
  await response.body?.cancel()
}

/** Writes what was recorded. A scenario without requests would be no scenario. */
async function writeRecording(
  { scenario, exchanges }: ImportedScenario,
  out: string,
  har: string | undefined,
): Promise<void> {
  if (exchanges.length === 0) return
  if (scenario.steps.some(isRequestStep)) await writeNamedFile(out, `${formatJson(scenario)}\n`)
  if (har !== undefined) await writeNamedFile(har, JSON.stringify(exchangesToHar(exchanges)))
}

/** Whether a file gets another content each time. A device or a pipe gets one, at the end. */
function isReplaced(file: string): boolean {
  const stats = statsOf(file)
  return !stats || !isDevice(stats)
}

const derivedWorld =
  'The world before the first request was derived from the responses. If the target started with a fixture, name it with --world.'

/** Parses the URL of a target, without a slash at its end. @throws UsageError for any other text, or a URL with a query */
function parseTarget(text: string): string {
  const url = /^https?:/.test(text) && URL.canParse(text) ? new URL(text) : null
  if (url && url.search === '' && url.hash === '' && url.username === '') {
    return (url.origin + url.pathname).replace(/\/+$/, '')
  }
  const expected = 'a URL without a query, such as https://app.example.com'
  throw unexpectedValue('read --target', expected, text)
}
