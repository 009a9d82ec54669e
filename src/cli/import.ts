import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { Command, Option } from 'commander'
import { writeWhole } from '../persistence/write-whole.ts'
import { fixtureNames, readWorld } from '../read-world.ts'
import { createSimulator } from '../simulator.ts'
import { unexpected } from '../usage-error.ts'
import { type Imported, type ImportOptions, importHar } from './har/import-file.ts'
import { scenarioText } from './har/scenario-text.ts'
import { leftText } from './har/survey.ts'
import { type KeyFlags, keyOf } from './key-flag.ts'
import { printJson } from './output/print-json.ts'
import { startProgress } from './output/progress.ts'
import { checkReplaceable } from './replaceable.ts'

interface Flags {
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
export function importCommand(): Command {
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
      new Option('--key <label=value>', 'what to call a key; may be repeated').argParser(keyOf),
    )
    .option('--as <label>', 'the key of requests that tell none')
    .option('--keep', 'leave secrets and personal data as they are')
    .option('--force', 'replace a file that is no scenario')
    .option('--json', 'print JSON: what was made of it, and what was left out')
    .addHelpText('after', help)
    .action(run)
}

async function run(file: string, flags: Flags): Promise<void> {
  await checkReplaceable(flags.out, 'scenario', flags.force)
  const options = await optionsOf(file, flags)
  const imported = await watched(file, (onRead) => importHar(file, { ...options, onRead }))
  const { head, steps, baseUrl, requests, left, warnings } = imported
  const { out, json } = flags
  await write(out, scenarioText(head, steps))
  if (json) {
    printJson({ out, base_url: baseUrl, requests, left_out: Object.fromEntries(left), warnings })
  } else console.log(`${out}: ${summaryOf(imported)}`)
  for (const warning of warnings) console.error(warning)
}

/** Shows how much of a file is read, which is read twice. */
async function watched<T>(
  file: string,
  read: (onRead: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  const progress = await startProgress('Importing', size * 2)
  let done = 0
  try {
    return await read((bytes) => {
      done += bytes
      progress.at(done)
    })
  } finally {
    progress.end()
  }
}

function summaryOf({ baseUrl, requests, left }: Imported): string {
  const made = `${requests} ${requests === 1 ? 'request' : 'requests'} to ${baseUrl}`
  return left.size === 0 ? `${made}.` : `${made}; left out: ${leftText(left)}.`
}

async function optionsOf(file: string, flags: Flags): Promise<ImportOptions> {
  const { base, title = `Imported from ${basename(file)}`, world, key, as, keep } = flags
  return {
    keys: { ...(await keysOf(world)), ...key?.keys },
    head: { title, ...(world !== undefined && { world }) },
    ...(base !== undefined && { base: baseOf(base) }),
    ...(as !== undefined && { as }),
    ...(keep !== undefined && { keep }),
  }
}

/** The values of the keys of a world by their labels. */
async function keysOf(world: string | undefined): Promise<Record<string, string>> {
  const simulator = createSimulator(world === undefined ? {} : { world: await readWorld(world) })
  return Object.fromEntries(simulator.keys.list().map(({ label, value }) => [label, value]))
}

/** @throws UsageError for what is no address */
function baseOf(base: string): string {
  if (/^https?:/i.test(base) && URL.canParse(base)) return new URL(base).href.replace(/\/+$/, '')
  throw unexpected('read --base', 'an address such as https://app.example.com', base)
}

/** @throws UsageError for a file that cannot be written */
async function write(file: string, texts: Iterable<string>): Promise<void> {
  try {
    await writeWhole(file, texts)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === undefined) throw error
    throw unexpected('write the scenario', 'a file that can be written', `${file} (${code})`)
  }
}
