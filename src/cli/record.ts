import { Command, Option } from 'commander'
import { checkReplaceable } from './check-replaceable.ts'
import type { CommandContext } from './command-context.ts'
import type { KeyFlags } from './flag-values.ts'
import { parseKeyFlag, parseProxyPort } from './flag-values.ts'
import { startProxy } from './recording/proxy.ts'
import { RecordingPrinter } from './recording/recording-printer.ts'
import { type OutputFiles, RecordingWriter } from './recording/recording-writer.ts'
import { checkReachable, parseTarget, readTargetInfo } from './recording/target.ts'

interface RecordFlags extends OutputFiles {
  readonly target: string
  readonly port: number
  readonly title?: string
  readonly world?: string
  readonly keep?: boolean
  readonly force?: boolean
  readonly key?: KeyFlags
  readonly token?: string
  readonly quiet?: boolean
  readonly json?: boolean
}

const help = `
Point your client at the address that is printed. Every request goes on to the target, and what it answers is
written to the file at once: it is whole at any moment, also after a crash. Redirects are not followed, and links of
the target lead to the proxy. Keys go by their labels; a server of ours on this machine is asked for them.

Examples:
  understudy record --target http://127.0.0.1:4010 --out story.json
  understudy record --target https://app.example.com --out story.json --key all=phx_mine --har traffic.har

Ends with 0 when it is interrupted, 2 for a file that cannot be written, 3 for a port that is taken, 4 when nothing
answers at the target.`

export function recordCommand(context: CommandContext): Command {
  return new Command('record')
    .description('Record what a client asks of a service, as a scenario that can be replayed.')
    .requiredOption('--target <url>', 'where requests go')
    .requiredOption('--out <file>', 'the scenario; what is there makes way for the first request')
    .option('--har <file>', 'the same as an archive in the format HAR 1.2')
    .addOption(
      new Option('--port <number>', 'port of the proxy; 0 takes any free one')
        .argParser(parseProxyPort)
        .default(4011),
    )
    .addOption(
      new Option('--key <label=value>', 'a key by the label it gets; may be repeated').argParser(
        parseKeyFlag,
      ),
    )
    .addOption(
      new Option('--token <text>', 'what the control API of the target asks for').env(
        'UNDERSTUDY_TOKEN',
      ),
    )
    .option('--title <text>', 'of the scenario')
    .option('--world <name>', 'the fixture that the scenario begins with')
    .option('--keep', 'leave secrets and personal data as they are')
    .option('--force', 'replace files that are no scenario and no archive of ours')
    .option('--quiet', 'print nothing but errors and what is left out')
    .option('--json', 'print one line of JSON at the start, for machines')
    .addHelpText('after', help)
    .action((flags: RecordFlags) => record(flags, context))
}

async function record(flags: RecordFlags, context: CommandContext): Promise<void> {
  const target = parseTarget(flags.target)
  await checkReplaceable(flags.out, 'scenario', flags.force)
  if (flags.har !== undefined) await checkReplaceable(flags.har, 'archive', flags.force)
  const { title = `Recorded from ${target}`, world, port, keep = false, out, har } = flags
  const printed = new RecordingPrinter({ ...flags, target }, context)
  const { paint } = printed
  await checkReachable(target)
  const named = labelledKeys(flags.key)
  const known = await readTargetInfo(target, flags.token)
  const keys = { ...known.keys, ...named }
  const head = { title, ...(world !== undefined && { world }), ...known.header }
  const written = await RecordingWriter.open(flags, { baseUrl: target, keys, keep }, head)
  try {
    const proxy = await startProxy({
      target,
      port,
      onSkipped: (lost) => printed.warn(written.skippedMessage(lost, target)),
      onExchange(given) {
        const added = written.add(given)
        return () => {
          added.write()
          printed.request(added.exchange)
          for (const warning of added.warnings) printed.warn(warning)
        }
      },
    })
    // Before it says that it listens: who reads that may end it at once.
    const ended = context.interrupted()
    const files = har === undefined ? out : `${out} and ${har}`
    if (flags.json) context.printJsonLine({ url: proxy.url, target, out, har: har ?? null })
    printed.print(
      () =>
        `Recording ${paint('name', target)} at ${paint('name', proxy.url)}\nWhat is asked is written to ${files}. Ctrl-C ends it.`,
    )
    printed.flush()
    await ended
    await proxy.close()
    printed.print(() =>
      written.length === 0
        ? `Nothing was asked: ${out} was not written.`
        : `${out} holds ${written.length} requests.`,
    )
  } finally {
    printed.flush()
    written.close()
  }
}

/** A value without a label gets one. */
function labelledKeys({ key, keys = {} }: KeyFlags = {}): Record<string, string> {
  return { ...keys, ...(key !== undefined && { key }) }
}
