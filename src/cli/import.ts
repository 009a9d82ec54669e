import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { Command, Option } from 'commander'
import { createSimulator } from '../simulator.ts'
import { unexpectedValue } from '../utils/usage-error.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'
import { writeFileAtomically } from '../world/persistence/atomic-write.ts'
import { checkReplaceable } from './check-replaceable.ts'
import type { CommandContext } from './command-context.ts'
import { type KeyFlags, parseKeyFlag } from './flag-values.ts'
import {
  type HarImportOptions,
  type ImportedHar,
  importHar,
  serializeScenario,
} from './har/import-har.ts'
import { formatLeftOut } from './har/scan-har.ts'
import { startProgressBar } from './output/progress-bar.ts'

interface ImportFlags {
  readonly out: string
  readonly base?: string
  readonly title?: string
  readonly world?: string
  readonly key?: KeyFlags
  readonly as?: string
  readonly keep?: boolean
  readonly json?: boolean
  readonly force?: boolean
}

const help = `
What a browser asked for besides the API is left out, and counted. Keys go by the labels that they have in the world.
Browsers leave keys out of what they export, unless sensitive data is asked for: --as all puts one back.

Examples:
  understudy import session.har --out session.json
  understudy import session.har --out session.json --base https://app.example.com --as all

Exit code 2 for a file with faults; each is listed with its entry and its field, and nothing is written.`

/** Makes a scenario of an archive in the format HAR, as browsers and proxies export it. */
export function importCommand(context: CommandContext): Command {
  return new Command('import')
    .description('Make a scenario of the requests that a browser or a proxy exported as HAR.')
    .argument('<file>', 'an archive in the format HAR 1.2')
    .requiredOption('--out <file>', 'write the scenario there')
    .option('--base <url>', 'where the API begins; by default wherever a path of it stands')
    .option('--title <text>', 'of the scenario')
    .addOption(
      new Option('--world <name>', 'the world that it happens in').choices([...fixtureNames]),
    )
    .addOption(
      new Option('--key <label=value>', 'what to call a key; may be repeated').argParser(
        parseKeyFlag,
      ),
    )
    .option('--as <label>', 'the key of requests that tell none')
    .option('--keep', 'leave secrets and personal data as they are')
    .option('--force', 'replace a file that is no scenario')
    .option('--json', 'print JSON: what was made of it, and what was left out')
    .addHelpText('after', help)
    .action((file: string, flags: ImportFlags) => importFile(file, flags, context))
}

async function importFile(
  file: string,
  flags: ImportFlags,
  context: CommandContext,
): Promise<void> {
  await checkReplaceable(flags.out, 'scenario', flags.force)
  const options = await toImportOptions(file, flags)
  const imported = await withProgress(file, context, (onRead) =>
    importHar(file, { ...options, onRead }),
  )
  const { header, steps, baseUrl, requests, leftOut, warnings } = imported
  const { out, json } = flags
  await writeScenario(out, serializeScenario(header, steps))
  if (json) {
    context.printJson({
      out,
      base_url: baseUrl,
      requests,
      left_out: Object.fromEntries(leftOut),
      warnings,
    })
  } else context.print(`${out}: ${importSummary(imported)}`)
  for (const warning of warnings) context.printError(warning)
}

/** Shows how much of a file is read, which is read twice. */
async function withProgress<T>(
  file: string,
  { stderr }: CommandContext,
  read: (onRead: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  const progress = await startProgressBar('Importing', size * 2, stderr)
  let done = 0
  try {
    return await read((bytes) => {
      done += bytes
      progress.update(done)
    })
  } finally {
    progress.stop()
  }
}

function importSummary({ baseUrl, requests, leftOut }: ImportedHar): string {
  const made = `${requests} ${requests === 1 ? 'request' : 'requests'} to ${baseUrl}`
  return leftOut.size === 0 ? `${made}.` : `${made}; left out: ${formatLeftOut(leftOut)}.`
}

async function toImportOptions(file: string, flags: ImportFlags): Promise<HarImportOptions> {
  const { base, title = `Imported from ${basename(file)}`, world, key, as, keep } = flags
  return {
    keys: { ...(await worldKeys(world)), ...key?.keys },
    header: { title, ...(world !== undefined && { world }) },
    ...(base !== undefined && { base: parseBaseUrl(base) }),
    ...(as !== undefined && { as }),
    ...(keep !== undefined && { keep }),
  }
}

/** The values of the keys of a world by their labels. */
async function worldKeys(world: string | undefined): Promise<Record<string, string>> {
  const simulator = createSimulator(world === undefined ? {} : { world: await readWorld(world) })
  return Object.fromEntries(simulator.keys.list().map(({ label, value }) => [label, value]))
}

/** @throws UsageError for what is no address */
function parseBaseUrl(base: string): string {
  if (/^https?:/i.test(base) && URL.canParse(base)) return new URL(base).href.replace(/\/+$/, '')
  throw unexpectedValue('read --base', 'an address such as https://app.example.com', base)
}

/** @throws UsageError for a file that cannot be written */
async function writeScenario(file: string, texts: Iterable<string>): Promise<void> {
  try {
    await writeFileAtomically(file, texts)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === undefined) throw error
    throw unexpectedValue('write the scenario', 'a file that can be written', `${file} (${code})`)
  }
}
