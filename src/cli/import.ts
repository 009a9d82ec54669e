import { basename } from 'node:path'
import { Command, Option } from 'commander'
import { writeWhole } from '../persistence/write-whole.ts'
import { fixtureNames, readWorld } from '../read-world.ts'
import { createSimulator } from '../simulator.ts'
import { unexpected } from '../usage-error.ts'
import { type ImportOptions, importHar } from './har/import-file.ts'
import { scenarioText } from './har/scenario-text.ts'
import { type KeyFlags, keyOf } from './key-flag.ts'

interface Flags {
  readonly out: string
  readonly base?: string
  readonly title?: string
  readonly world?: string
  readonly key?: KeyFlags
  readonly as?: string
  readonly keep?: boolean
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
    .addHelpText('after', help)
    .action(async (file: string, flags: Flags) => {
      const { head, steps, summary, warnings } = await importHar(file, await optionsOf(file, flags))
      await write(flags.out, scenarioText(head, steps))
      console.log(`${flags.out}: ${summary}`)
      for (const warning of warnings) console.error(warning)
    })
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
