import process from 'node:process'
import { Command } from 'commander'
import { createSimulator } from '../simulator.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'
import { formatRowCounts, painter, printJson } from './output/print.ts'

/** The worlds that come with the package. */
export function worldsCommand(): Command {
  return new Command('worlds')
    .description('List the worlds that come with the package, and how many rows each has.')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nServe one with understudy serve --data NAME.')
    .action(async ({ json }: { json?: boolean }) => {
      const worlds = await Promise.all(
        fixtureNames.map(async (name) => ({ name, rows: await countRows(name) })),
      )
      if (json) return printJson(worlds)
      const paint = painter(process.stdout)
      const widest = Math.max(...fixtureNames.map(({ length }) => length))
      for (const { name, rows } of worlds) {
        console.log(`${paint('name', name.padEnd(widest))}  ${formatRowCounts(rows)}`)
      }
    })
}

async function countRows(name: string): Promise<Record<string, number>> {
  return createSimulator({ world: await readWorld(name) }).world.counts
}
