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
import { formatCount } from './output/format-count.ts'
import { startProgressBar } from './output/progress-bar.ts'
import { unwritableFileError } from './unwritable-file.ts'

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
Requests to other URLs are left out and counted. Keys are replaced by their labels in the world. Browsers leave keys out
of an export unless you include sensitive data. --as all sets the key of requests without one.

Examples:
  understudy import session.har --out session.json
  understudy import session.har --out session.json --base https://app.example.com --as all

Exit code 2 for an invalid archive. Each issue is listed with its entry and field, and nothing is written.`

export function importCommand(context: CommandContext): Command {
  return new Command('import')
    .description('Convert a HAR archive of a browser or proxy to a scenario.')
    .argument('<file>', 'HAR 1.2 archive')
    .requiredOption('--out <file>', 'file for the scenario')
    .option('--base <url>', 'base URL of the API (default: detected)')
    .option('--title <text>', 'title of the scenario')
    .addOption(new Option('--world <name>', 'world of the scenario').choices([...fixtureNames]))
    .addOption(
      new Option('--key <label=value>', 'label of a key; can be repeated').argParser(parseKeyFlag),
    )
    .option('--as <label>', 'key of requests that have none')
    .option('--keep', 'keep secrets and personal data')
    .option('--force', 'overwrite a file that is not a scenario')
    .option('--json', 'print the result and the skipped entries as JSON')
    .addHelpText('after', help)
    .action((file: string, flags: ImportFlags) => importFile(file, flags, context))
}

async function importFile(
  file: string,
  flags: ImportFlags,
  context: CommandContext,
): Promise<void> {
  const { out, json } = flags
  await checkReplaceable(out, 'scenario', flags.force)
  const options = await toImportOptions(file, flags)
  const imported = await withProgress(file, context, (onRead) =>
    importHar(file, { ...options, onRead }),
  )
  const { header, steps, baseUrl, requests, leftOut, warnings } = imported
  await writeScenario(out, serializeScenario(header, steps))
  if (json) {
    const left_out = Object.fromEntries(leftOut)
    context.printJson({ out, base_url: baseUrl, requests, left_out, warnings })
  } else context.print(`${out}: ${formatSummary(imported)}`)
  for (const warning of warnings) context.printError(warning)
}

/** Shows a progress bar. The file is read twice. */
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

function formatSummary({ baseUrl, requests, leftOut }: ImportedHar): string {
  const imported = `${formatCount(requests, 'request')} to ${baseUrl}`
  return leftOut.size === 0 ? `${imported}.` : `${imported}; left out: ${formatLeftOut(leftOut)}.`
}

async function toImportOptions(file: string, flags: ImportFlags): Promise<HarImportOptions> {
  const { base, title = `Imported from ${basename(file)}`, world, key, as, keep } = flags
  return {
    keys: { ...(await readKeys(world)), ...key?.keys },
    header: { title, ...(world !== undefined && { world }) },
    ...(base !== undefined && { base: parseBaseUrl(base) }),
    ...(as !== undefined && { as }),
    ...(keep !== undefined && { keep }),
  }
}

/** Reads the keys of a world, by their labels. */
async function readKeys(world: string | undefined): Promise<Record<string, string>> {
  const simulator = createSimulator(world === undefined ? {} : { world: await readWorld(world) })
  return Object.fromEntries(simulator.keys.list().map(({ label, value }) => [label, value]))
}

/** Parses a base URL, without a slash at its end. @throws UsageError for any other text */
function parseBaseUrl(base: string): string {
  if (/^https?:/i.test(base) && URL.canParse(base)) return new URL(base).href.replace(/\/+$/, '')
  throw unexpectedValue('read --base', 'a URL such as https://app.example.com', base)
}

/** @throws UsageError for a file that cannot be written */
async function writeScenario(file: string, texts: Iterable<string>): Promise<void> {
  try {
    await writeFileAtomically(file, texts)
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code ? unwritableFileError(file, error) : error
  }
}
