import { formatLeftOut } from '../adapters/har/parse-entry.ts'
import { recordService } from '../server/record-service.ts'
import { unexpectedValue } from '../utils/errors.ts'
import { formatCount } from '../utils/text.ts'
import { defineCommand } from './command.ts'
import { exitCodes, painter } from './command-context.ts'
import { parseKey, parsePort, redactFlag } from './flags.ts'
import { RequestLog } from './log.ts'

const help = `
Point your client at the URL that is printed. The proxy forwards requests to the target. The files are written when it
stops. The world is derived from the responses. The proxy does not follow redirects. In JSON and headers of the API, links to
the target lead to the proxy. The journal of an Understudy server is recorded without a proxy: by the dashboard, or
connect().record().

Examples:
  npx understudy-api record --target http://127.0.0.1:4010 --out story.json
  npx understudy-api record --target https://app.example.com --out story.json --key all=phx_mine --har traffic.har

Exit codes: 0 when it is stopped, 1 if an answered request to the API was not recorded (an error, or no room), 2 for a file that
cannot be written, 3 if the port is already in use, 4 if the target does not respond.`

const flags = {
  '--target <url>': { text: 'URL of the service', required: true },
  '--out <file>': {
    text: 'scenario file; overwritten when the proxy stops, if there were requests',
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
  '--keep': 'keep personal data, and secrets but keys',
  '--redact <name>': redactFlag,
  '--quiet': 'print only the URL, errors and warnings',
  '--json': 'print one line of JSON when it listens',
} as const

export default defineCommand({
  name: 'record',
  isServer: true,
  summary: 'Record requests to a service as a scenario, through a proxy.',
  flags,
  help,
  async run(_args, flags, context) {
    const { out, har, quiet, json } = flags
    const target = parseTarget(flags.target)
    const { stderr } = context
    const stream = json ? stderr : context.stdout
    const paint = painter(stream)
    const log = quiet ? null : new RequestLog(context)
    const print = (line: string) => void (quiet || stream.write(`${line}\n`))
    const recording = await recordService(
      { ...flags, target },
      {
        request({ at, ms, method, response: { status } }, path) {
          log?.recorded({ ms, method, path, status }, Date.parse(at))
        },
        problem(sentence, isFailure) {
          if (isFailure) context.exitCode = exitCodes.failed
          context.printError(sentence)
        },
      },
    )
    const interrupted = context.interrupted()
    const { url } = recording
    if (json) context.printJson({ url, target, out, har: har ?? null }, 0)
    else if (quiet) context.print(url)
    print(`Recording ${paint('name', target)} at ${paint('name', url)}`)
    print(
      `Writing requests to ${har === undefined ? out : `${out} and ${har}`}. Press Ctrl-C to stop.`,
    )
    await interrupted
    const { requests, leftOut, sentences } = await recording.end()
    log?.flush()
    for (const sentence of sentences) context.printError(sentence)
    const rest = leftOut ? `; left out: ${formatLeftOut(new Map([['elsewhere', leftOut]]))}` : ''
    print(
      requests === 0
        ? `No requests were recorded${rest}. ${out} was not written.`
        : `Recorded ${formatCount(requests, 'request')} to ${out}${rest}.`,
    )
    if (requests > 0) print('The world before the first request was derived from the responses.')
  },
})

/** Parses the URL of a target, without a slash at its end. @throws UsageError for any other text, or a URL with a query */
function parseTarget(text: string) {
  const url = /^https?:/.test(text) && URL.canParse(text) ? new URL(text) : null
  if (url && url.search === '' && url.hash === '' && url.username === '') {
    return (url.origin + url.pathname).replace(/\/+$/, '')
  }
  const expected = 'an http URL without user, query and hash, such as https://app.example.com'
  throw unexpectedValue('read --target', expected, text)
}
